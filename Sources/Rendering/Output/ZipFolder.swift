import Base
import CZlib

/// A folder in the form of a ZIP archive, which is written from the beginning to the end in constant memory per file.
///
/// The archive has the ZIP64 records if it has more than 65,534 files or more than 4 GiB. The sizes of a file follow its
/// content (APPNOTE.TXT, section 4.3.9).
public final class ZipFolder: OutputFolder {
    private let output: CountingSink
    private var files: [Entry] = []

    private struct Entry {
        var name: [UInt8]
        var offset: UInt64
        var checksum: UInt32 = 0
        var packedSize: UInt32 = 0
        var size: UInt32 = 0
    }

    /// Creates an archive that is written to `output`.
    public init(_ output: OutputBuffer) { self.output = CountingSink(output) }

    /// Does nothing, because an archive needs no entries for folders.
    public func makeFolder(_ name: String) {}

    /// Adds a file to the archive.
    ///
    /// The caller commits the returned sink before it opens another file.
    ///
    /// - Parameter name: The path of the file, with `/` between folders, of at most 65,535 bytes in UTF-8.
    /// - Returns: A sink that compresses the file.
    /// - Throws: The errors of the output.
    public func open(_ name: String) throws -> any OutputSink {
        let entry = Entry(name: Array(name.utf8), offset: output.count)
        try output.write(header(of: entry, signature: 0x0403_4b50, isCentral: false))
        return try FileSink(entry, in: self)
    }

    /// Writes the directory of the archive.
    ///
    /// - Throws: The errors of the output.
    public func end() throws {
        let begin = output.count
        for entry in files {
            try output.write(header(of: entry, signature: 0x0201_4b50, isCentral: true))
        }
        let end = output.count
        let size = end - begin
        let needs64 = files.count >= 0xffff || end >= UInt64(UInt32.max)
        var record = ByteRecord()
        if needs64 {
            record.append(UInt32(0x0606_4b50))
            record.append(UInt64(44))
            record.append(UInt16(45))
            record.append(UInt16(45))
            record.append(UInt32(0))
            record.append(UInt32(0))
            record.append(UInt64(files.count))
            record.append(UInt64(files.count))
            record.append(size)
            record.append(begin)
            record.append(UInt32(0x0706_4b50))
            record.append(UInt32(0))
            record.append(end)
            record.append(UInt32(1))
        }
        record.append(UInt32(0x0605_4b50))
        record.append(UInt16(0))
        record.append(UInt16(0))
        let count = needs64 ? UInt16.max : UInt16(files.count)
        record.append(count)
        record.append(count)
        record.append(needs64 ? UInt32.max : UInt32(size))
        record.append(needs64 ? UInt32.max : UInt32(begin))
        record.append(UInt16(0))
        try output.write(record)
    }

    /// Returns a header of a file: before its content, or in the directory.
    private func header(of entry: Entry, signature: UInt32, isCentral: Bool) -> ByteRecord {
        let isFar = isCentral && entry.offset >= UInt64(UInt32.max)
        var record = ByteRecord()
        record.append(signature)
        // Version 4.5 knows ZIP64.
        if isCentral { record.append(UInt16(45)) }
        record.append(UInt16(45))
        // The sizes follow the content, and the name is UTF-8.
        record.append(UInt16(0x0808))
        record.append(UInt16(Z_DEFLATED))
        // Midnight on 1980-01-01, so that equal exports are equal byte for byte.
        record.append(UInt16(0))
        record.append(UInt16(0x0021))
        record.append(entry.checksum)
        record.append(entry.packedSize)
        record.append(entry.size)
        record.append(UInt16(entry.name.count))
        record.append(UInt16(isFar ? 12 : 0))
        if isCentral {
            record.append(UInt16(0))
            record.append(UInt16(0))
            record.append(UInt16(0))
            record.append(UInt32(0))
            record.append(isFar ? UInt32.max : UInt32(entry.offset))
        }
        record.bytes += entry.name
        if isFar {
            record.append(UInt16(1))
            record.append(UInt16(8))
            record.append(entry.offset)
        }
        return record
    }

    /// Integers in the byte order of ZIP.
    private struct ByteRecord {
        var bytes: [UInt8] = []

        mutating func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
        }
    }

    /// A sink that counts the bytes of the archive.
    private final class CountingSink: OutputSink {
        private let output: OutputBuffer
        private(set) var count: UInt64 = 0

        init(_ output: OutputBuffer) { self.output = output }

        func write(_ bytes: RawSpan) throws {
            bytes.withUnsafeBytes { output.append($0.bindMemory(to: UInt8.self)) }
            count += UInt64(bytes.byteCount)
            try output.flushIfFull()
        }

        func write(_ record: ByteRecord) throws { try write(record.bytes.span.bytes) }

        func commit() {}
    }

    /// A sink of one file.
    private final class FileSink: OutputSink {
        private var entry: Entry
        private let folder: ZipFolder
        private let begin: UInt64
        private let deflate: DeflateSink
        private var size: UInt64 = 0
        private var checksum = crc32(0, nil, 0)

        init(_ entry: Entry, in folder: ZipFolder) throws {
            self.entry = entry
            self.folder = folder
            begin = folder.output.count
            deflate = try DeflateSink(into: folder.output, .raw)
        }

        func write(_ bytes: RawSpan) throws {
            bytes.withUnsafeBytes { block in
                checksum = crc32_z(checksum, block.bindMemory(to: UInt8.self).baseAddress, block.count)
            }
            size += UInt64(bytes.byteCount)
            try deflate.write(bytes)
        }

        /// Ends the file.
        ///
        /// - Throws: `write-failed` if the file has 4 GiB or more; the errors of the output.
        func commit() throws {
            try deflate.commit()
            let packedSize = folder.output.count - begin
            guard max(packedSize, size) < UInt64(UInt32.max) else {
                throw HabitError(.writeFailed, "a file of the archive has 4 GiB or more")
            }
            entry.checksum = UInt32(truncatingIfNeeded: checksum)
            entry.packedSize = UInt32(packedSize)
            entry.size = UInt32(size)
            var descriptor = ByteRecord()
            descriptor.append(UInt32(0x0807_4b50))
            descriptor.append(entry.checksum)
            descriptor.append(entry.packedSize)
            descriptor.append(entry.size)
            try folder.output.write(descriptor)
            folder.files.append(entry)
        }
    }
}
