import Base
import HabitModel

/// The directory of a ZIP archive (PKWARE APPNOTE 6.3.10), with Zip64.
///
/// The directory is in memory. The entries are read as streams and are never written to disk. Names are only text: the
/// program opens no file with the name of an entry.
struct ZipArchive {
    /// A file in the archive.
    struct Entry: Sendable {
        /// The path in the archive.
        var name: String
        /// The size after decompression that the directory declares.
        var size: Int
        var compressedSize: Int
        var method: UInt16
        var checksum: UInt32
        /// The offset of the local header in the archive.
        var offset: Int
    }

    /// The files of the archive in the order of its directory, without folders.
    let entries: [Entry]

    /// Maximum size of the directory, which is in memory.
    private static let directoryLimit = 128 << 20
    /// The signature of a local header, with which an archive begins.
    static let signature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
    /// The signature at the beginning of an archive without entries.
    static let emptySignature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]

    /// Reads the directory of an archive.
    ///
    /// - Throws: `archive-unreadable` if the archive is damaged, encrypted, split or too large.
    init(_ file: RandomAccessFile) throws {
        let end = try Self.end(of: file)
        guard end.size <= Self.directoryLimit,
            end.offset >= 0,
            end.offset + end.size <= file.size
        else {
            throw Self.unreadable(file, "its directory is truncated or too large")
        }
        let directory = try file.bytes(at: end.offset, count: end.size)
        var entries: [Entry] = []
        var offset = 0
        for _ in 0..<end.count {
            guard let header = Header(directory, at: offset) else {
                throw Self.unreadable(file, "its directory is damaged")
            }
            offset = header.end
            guard !header.isEncrypted else {
                throw HabitError(
                    .archiveUnreadable,
                    "the entry '\(header.entry.name.withoutControls)' of the archive is encrypted: unpack the archive and pass the folder",
                    file: file.name)
            }
            // The offset of an archive that follows other data counts from the archive's own beginning.
            var entry = header.entry
            entry.offset += end.prefix
            guard entry.offset >= 0, entry.offset < file.size else {
                throw Self.unreadable(file, "its directory is damaged")
            }
            if !entry.name.hasSuffix("/") { entries.append(entry) }
        }
        // Overlapping entries can expand a small archive to any size.
        var total = 0
        for entry in entries { total += min(entry.compressedSize, file.size) }
        guard total <= file.size else { throw Self.unreadable(file, "its entries overlap or are truncated") }
        self.entries = entries
    }

    private static func unreadable(_ file: RandomAccessFile, _ reason: String) -> HabitError {
        HabitError(
            .archiveUnreadable, "the archive cannot be read, because \(reason): copy or download it again",
            file: file.name)
    }

    /// The location of the directory.
    private struct End {
        var count: Int
        var size: Int
        var offset: Int
        /// The number of bytes before the archive.
        var prefix: Int
    }

    /// The size of the end-of-directory record without its comment.
    private static let endSize = 22
    /// The largest comment of an archive, in bytes.
    private static let commentLimit = 65_535

    /// Reads the end-of-directory record.
    private static func end(of file: RandomAccessFile) throws -> End {
        let tailSize = endSize + commentLimit
        let tail = try file.bytes(at: max(0, file.size - tailSize), count: tailSize)
        let tailOffset = file.size - tail.count
        guard let index = endIndex(in: tail) else {
            throw unreadable(file, "its directory is missing")
        }
        let diskNumber = tail.number16(index + 4)
        guard diskNumber == 0 || diskNumber == 0xFFFF else {
            throw unreadable(file, "it is split into several files")
        }
        let position = tailOffset + index
        if let end = try zip64End(file, before: position) { return end }
        let count = Int(tail.number16(index + 10))
        let size = Int(tail.number32(index + 12))
        let offset = Int(tail.number32(index + 16))
        let prefix = position - size - offset
        guard prefix >= 0 else { throw unreadable(file, "its directory is truncated") }
        return End(count: count, size: size, offset: offset + prefix, prefix: prefix)
    }

    /// Finds the last end-of-directory record whose comment is in the file, or returns `nil`.
    private static func endIndex(in tail: [UInt8]) -> Int? {
        var index = tail.count - endSize
        while index >= 0 {
            let isSignature = tail.number32(index) == 0x0605_4B50
            if isSignature {
                let commentSize = Int(tail.number16(index + 20))
                if index + endSize + commentSize <= tail.count { return index }
            }
            index -= 1
        }
        return nil
    }

    /// Returns the location in the Zip64 record, or `nil` if the archive has no such record.
    private static func zip64End(_ file: RandomAccessFile, before position: Int) throws -> End? {
        let locator = try file.bytes(at: position - 20, count: 20)
        guard locator.count == 20, locator.number32(0) == 0x0706_4B50 else { return nil }
        var offset = Int(clamping: locator.number64(8))
        var record = try file.bytes(at: offset, count: 56)
        if record.count < 56 || record.number32(0) != 0x0606_4B50 {
            // The record directly precedes its locator if other data precedes the archive.
            offset = position - 20 - 56
            record = try file.bytes(at: offset, count: 56)
        }
        guard record.count == 56, record.number32(0) == 0x0606_4B50 else {
            throw unreadable(file, "its Zip64 directory is damaged")
        }
        let count = Int(clamping: record.number64(32))
        let size = Int(clamping: record.number64(40))
        let start = Int(clamping: record.number64(48))
        let declaredEnd = size.addingReportingOverflow(start)
        guard !declaredEnd.overflow, declaredEnd.partialValue <= offset else {
            throw unreadable(file, "its Zip64 directory is damaged")
        }
        let prefix = offset - declaredEnd.partialValue
        return End(count: count, size: size, offset: start + prefix, prefix: prefix)
    }

    /// A header of the directory.
    private struct Header {
        var entry: Entry
        var isEncrypted: Bool
        /// The offset of the next header.
        var end: Int

        /// Parses the header, or returns `nil` if it is damaged.
        init?(_ bytes: [UInt8], at start: Int) {
            guard start + 46 <= bytes.count, bytes.number32(start) == 0x0201_4B50 else { return nil }
            let flags = bytes.number16(start + 8)
            let nameEnd = start + 46 + Int(bytes.number16(start + 28))
            let extraEnd = nameEnd + Int(bytes.number16(start + 30))
            end = extraEnd + Int(bytes.number16(start + 32))
            guard end <= bytes.count else { return nil }
            isEncrypted = flags & 1 != 0
            entry = Entry(
                name: Self.name(bytes[start + 46..<nameEnd]),
                size: Int(bytes.number32(start + 24)),
                compressedSize: Int(bytes.number32(start + 20)),
                method: bytes.number16(start + 10),
                checksum: bytes.number32(start + 16),
                offset: Int(bytes.number32(start + 42)))
            guard readZip64(bytes, in: nameEnd..<extraEnd) else { return nil }
        }

        /// Returns the name of an entry.
        ///
        /// Old programs write names in the code page of their system, without a mark. Such names are only shown.
        private static func name(_ bytes: ArraySlice<UInt8>) -> String {
            if let name = String(validating: bytes, as: UTF8.self) { return name }
            let scalars = bytes.map { byte in Unicode.Scalar(byte) }
            return String(String.UnicodeScalarView(scalars))
        }

        /// Replaces the sizes and the offset that do not fit in 32 bits.
        ///
        /// Returns `false` if the extra field is damaged.
        private mutating func readZip64(_ bytes: [UInt8], in extraField: Range<Int>) -> Bool {
            let paths: [WritableKeyPath<Entry, Int>] = [\.size, \.compressedSize, \.offset]
            var index = extraField.lowerBound
            while index + 4 <= extraField.upperBound {
                let kind = bytes.number16(index)
                let size = Int(bytes.number16(index + 2))
                let end = index + 4 + size
                guard end <= extraField.upperBound else { return true }
                let isZip64 = kind == 1
                if isZip64 {
                    var value = index + 4
                    for path in paths where entry[keyPath: path] == 0xFFFF_FFFF {
                        guard value + 8 <= end else { return false }
                        entry[keyPath: path] = Int(clamping: bytes.number64(value))
                        value += 8
                    }
                }
                index = end
            }
            return true
        }
    }
}

extension [UInt8] {
    /// Returns the little-endian number of 16 bits at an index.
    func number16(_ index: Int) -> UInt16 {
        let low = UInt16(self[index])
        let high = UInt16(self[index + 1])
        return low | high << 8
    }

    /// Returns the little-endian number of 32 bits at an index.
    func number32(_ index: Int) -> UInt32 {
        let low = UInt32(number16(index))
        let high = UInt32(number16(index + 2))
        return low | high << 16
    }

    /// Returns the little-endian number of 64 bits at an index.
    func number64(_ index: Int) -> UInt64 {
        let low = UInt64(number32(index))
        let high = UInt64(number32(index + 4))
        return low | high << 32
    }
}
