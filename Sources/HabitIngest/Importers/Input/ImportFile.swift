import Base
import Glibc
import HabitModel

/// A file of an import: a file on disk, a member of a folder, or an entry of a ZIP archive.
///
/// The file is opened again for each reading, so that an importer can read it twice.
public final class ImportFile {
    /// The path in the folder or the archive, or the name of the input.
    public let name: String
    /// The name in messages.
    let displayName: String
    private let origin: Origin
    /// The write-ahead log of a database, if the file next to it has the name of its log.
    private(set) var log: ImportFile?

    enum Origin {
        /// A file, which stays open.
        case open(RandomAccessFile)
        /// A member of a folder, which is opened for each reading.
        case path(String)
        case entry(ZipArchive.Entry, RandomAccessFile)
    }

    /// The part of an entry of an archive that was unpacked.
    private let unpackedEntry = UnpackedPart()
    /// The part of a gzip file, or of one in an archive, that was unpacked.
    private let unpackedGzip = UnpackedPart()

    /// Number of bytes at the beginning of a file from which its format is recognized.
    static let headSize = 1 << 16
    /// Number of bytes from which a binary format is recognized.
    private static let signatureSize = 1 << 12

    init(name: String, displayName: String, _ origin: Origin) {
        self.name = name
        self.displayName = displayName
        self.origin = origin
    }

    /// The end of the name of the write-ahead log of a database.
    static let logSuffix = "-wal"
    /// The ends of the names of the files that SQLite writes next to a database.
    static let databaseSuffixes = [logSuffix, "-shm", "-journal"]

    /// Assigns the write-ahead logs among files to their databases.
    static func assignLogs(in files: [ImportFile]) {
        let logs = files.filter { file in file.name.hasSuffix(logSuffix) }
        guard !logs.isEmpty else { return }
        let namedFiles = files.map { file in (file.name, file) }
        let filesByName = Dictionary(namedFiles, uniquingKeysWith: { first, _ in first })
        for log in logs {
            let databaseName = String(log.name.dropLast(logSuffix.count))
            filesByName[databaseName]?.log = log
        }
    }

    /// Assigns the write-ahead log next to a file on disk.
    func assignLogOnDisk() {
        guard case .open(let file) = origin, !file.path.hasPrefix(RandomAccessFile.descriptorFolder) else { return }
        let path = file.path + Self.logSuffix
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        log = ImportFile(name: name + Self.logSuffix, displayName: displayName + Self.logSuffix, .path(path))
    }

    /// Counts the bytes that are unpacked from now on.
    func count(in limit: UnpackLimit) {
        unpackedEntry.limit = limit
        unpackedGzip.limit = limit
    }

    /// The last component of the path.
    var lastName: String {
        let components = name.split(separator: "/", omittingEmptySubsequences: true)
        return String(components.last ?? "")
    }

    /// The extension of the name in lowercase letters, or an empty text.
    var fileExtension: String {
        guard let dot = lastName.lastIndex(of: "."), dot != lastName.startIndex else { return "" }
        return lastName[lastName.index(after: dot)...].lowercased()
    }

    /// The path of an uncompressed file on disk, or `nil` if the content is in an archive or compressed.
    var path: String? {
        get throws {
            guard !(try isCompressed) else { return nil }
            return switch origin {
            case .open(let file): file.path
            case .path(let path): path
            case .entry: nil
            }
        }
    }

    /// The folder of a file on disk, or `nil` if the file is in an archive or is the standard input.
    var folder: String? {
        switch origin {
        case .open(let file):
            let isStandardInput = file.path.hasPrefix(RandomAccessFile.descriptorFolder)
            return isStandardInput ? nil : file.path.pathParts.folder
        case .path(let path): return path.pathParts.folder
        case .entry: return nil
        }
    }

    /// Opens the file at its beginning.
    ///
    /// - Returns: The bytes, decompressed if they are a gzip file.
    /// - Throws: `input-unreadable` or `archive-unreadable`.
    func open() throws -> ByteSource { try source(mayBeCompressed: true) }

    /// Opens a text at its beginning.
    ///
    /// - Returns: The bytes after a UTF-8 byte order mark and blank lines.
    /// - Throws: `input-unreadable` or `archive-unreadable`.
    func openText() throws -> ByteSource {
        let source = try open()
        var rest = try content.textStart
        while rest > 0 {
            var block = [UInt8](repeating: 0, count: min(rest, 1024))
            let count = try source.read(into: &block)
            if count == 0 { break }
            rest -= count
        }
        return source
    }

    /// Reads the complete file into memory.
    ///
    /// - Parameter limit: The maximum size in bytes.
    /// - Returns: The content, decompressed if it is a gzip file.
    /// - Throws: `record-too-long` if the file is larger, `input-unreadable` or `archive-unreadable`.
    func bytes(limit: Int) throws -> [UInt8] {
        let bytes = try prefix(limit + 1, of: try open())
        guard bytes.count <= limit else {
            throw HabitError(
                .recordTooLong, "'\(displayName)' is larger than \(limit >> 20) MiB", file: displayName)
        }
        return bytes
    }

    /// The content, determined from the beginning of the file.
    var content: FileContent {
        get throws {
            if let knownContent { return knownContent }
            // A folder may contain many photos, for which the first bytes suffice.
            var content = FileContent(try prefix(Self.signatureSize, of: try open()))
            if content.isText { content = FileContent(try prefix(Self.headSize, of: try open())) }
            knownContent = content
            return content
        }
    }
    private var knownContent: FileContent?

    /// Reads the names of all members of a JSON document that is larger than the beginning of the file.
    func completeOutline() throws {
        guard case .json = try content.kind, try content.bytes.count >= Self.headSize else { return }
        let outline = try JSONOutline(ofDocument: try openText())
        knownContent?.setOutline(outline)
    }

    /// Whether an entry of an archive has been read to its end, so that its checksum is correct.
    private var isVerified = false

    /// Reads an entry of an archive to its end, unless that has been done, and checks its checksum.
    ///
    /// The method does not check an entry whose compression is not supported, because no importer can have read it.
    ///
    /// - Throws: `archive-unreadable` if the entry is damaged.
    func verify() throws {
        guard !isVerified, case .entry(let entry, let archive) = origin, ZipEntryReader.supports(entry) else { return }
        let reader = try ZipEntryReader(entry, in: archive)
        var block = [UInt8](repeating: 0, count: Self.headSize)
        var unpacked = 0
        while true {
            let count = try block.withMutableBytes { buffer in
                try reader.read(into: &buffer)
            }
            if count == 0 { break }
            unpacked += count
            try unpackedEntry.extend(to: unpacked, of: displayName)
        }
        isVerified = true
    }

    private var isCompressed: Bool {
        get throws {
            let start = try prefix(2, of: try source(mayBeCompressed: false))
            return start.count == 2 && Gunzip.isMagic(start[0], start[1])
        }
    }

    private func source(mayBeCompressed: Bool) throws -> ByteSource {
        switch origin {
        case .open(let file): return source(file, mayBeCompressed)
        case .path(let path):
            return source(
                try RandomAccessFile(path: path, name: displayName, onlyRegularFile: true), mayBeCompressed)
        case .entry(let entry, let archive):
            let reader = try ZipEntryReader(entry, in: archive)
            var unpacked = 0
            return ByteSource(
                name: displayName, totalBytes: entry.size, mayBeCompressed: mayBeCompressed, unpackedPart: unpackedGzip
            ) { buffer in
                let count = try reader.read(into: &buffer)
                unpacked += count
                try self.unpackedEntry.extend(to: unpacked, of: self.displayName)
                if reader.isVerified { self.isVerified = true }
                return count
            }
        }
    }

    private func source(_ file: RandomAccessFile, _ mayBeCompressed: Bool) -> ByteSource {
        var offset = 0
        return ByteSource(
            name: displayName, totalBytes: file.size, mayBeCompressed: mayBeCompressed, unpackedPart: unpackedGzip
        ) { buffer in
            let count = try file.read(at: offset, into: &buffer)
            offset += count
            return count
        }
    }

    private func prefix(_ limit: Int, of source: ByteSource) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: min(limit, Self.headSize))
        while bytes.count < limit {
            let count = try source.read(into: &block)
            if count == 0 { break }
            bytes.append(contentsOf: block[..<count].prefix(limit - bytes.count))
        }
        return bytes
    }
}

extension JSONOutline {
    /// Creates the outline of a document of any size, with all its members at the top level.
    ///
    /// Returns `nil` if the document is damaged or is not an object.
    ///
    /// - Throws: An error of the source.
    init?(ofDocument source: ByteSource) throws {
        let window = InputWindow(source)
        let cursor = JSONCursor(window, limit: 1 << 18)
        guard try cursor.peek() == UInt8(ascii: "{") else { return nil }
        cursor.take(1)
        var members: [String: JSONOutline] = [:]
        do {
            while try cursor.peek() == UInt8(ascii: "\"") {
                guard case .bytes(let count) = try cursor.value(), count >= 2 else { break }
                let quoted = cursor.bytes(count)
                let name = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
                cursor.take(count)
                guard try cursor.peek() == UInt8(ascii: ":") else { break }
                cursor.take(1)
                _ = try cursor.peek()
                try window.fill(upTo: ImportFile.headSize)
                let head = Array(cursor.bytes(ImportFile.headSize))
                members[name] = JSONOutline(head) ?? Self.text(in: head)
                try cursor.skipValue()
                guard try cursor.peek() == UInt8(ascii: ",") else { break }
                cursor.take(1)
            }
        } catch let error as HabitError where error.code == .rowInvalid {
            // The import reports the damage.
        }
        self = .object(members)
    }

    /// The outline of a text or another simple value at the beginning of `bytes`.
    private static func text(in bytes: [UInt8]) -> JSONOutline {
        guard bytes.first == UInt8(ascii: "\"") else { return .other }
        let arrayBytes = [UInt8(ascii: "[")] + bytes
        guard case .array(let text)? = JSONOutline(arrayBytes) else { return .other }
        return text ?? .other
    }
}
