import Base
import Glibc
import HabitModel

/// The bytes of an input, from a file, an open file descriptor or memory.
///
/// The source decompresses data that begins with the gzip signature (1f 8b). Its errors are ``HabitError``s:
/// `input-not-found`, `input-unreadable`, `gzip-truncated`, `archive-unreadable`.
public final class ByteSource {
    /// The name of the input in messages.
    public let name: String
    /// The size of the file on disk in bytes, or `nil` if the size is unknown, as for pipes.
    public let totalBytes: Int?
    /// The number of bytes read so far, before decompression.
    public private(set) var consumedBytes = 0

    /// Fills the beginning of a buffer and returns the number of bytes, which is 0 at the end.
    typealias Origin = (_ buffer: inout MutableRawSpan) throws -> Int

    private let origin: Origin
    private var head: [UInt8] = []
    private var isSniffed = false
    private var gunzip: Gunzip?
    /// The number of decompressed bytes so far.
    private var unpackedBytes = 0
    /// The decompressed part of the input.
    private let unpackedPart: UnpackedPart

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name in messages. The default is the path.
    ///   - onlyRegularFile: Whether links, pipes and devices are rejected with `input-unreadable`.
    ///   - limit: The limit for decompressed bytes, or `nil` for any number.
    /// - Throws: `input-not-found` or `input-unreadable`.
    public convenience init(
        path: String, name: String? = nil, onlyRegularFile: Bool = false, limit: UnpackLimit? = nil
    ) throws {
        let name = name ?? path
        // Without `O_NONBLOCK`, opening a named pipe would block until another process opens it for writing.
        let number = open(path, O_RDONLY | O_CLOEXEC | (onlyRegularFile ? O_NOFOLLOW | O_NONBLOCK : 0))
        guard number >= 0 else { throw Self.openError(errno, name: name) }
        let descriptor = Descriptor(number: number, isOwned: true)
        var status = stat()
        if onlyRegularFile, fstat(number, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
            throw Self.readError(EINVAL, name: name)
        }
        try self.init(descriptor: descriptor, name: name, limit: limit)
    }

    /// Creates a source that reads from an open file descriptor and does not close it.
    ///
    /// - Parameters:
    ///   - fileDescriptor: The descriptor, which must stay open until the last read.
    ///   - name: The name in messages.
    ///   - limit: The limit for decompressed bytes, or `nil` for any number.
    /// - Throws: `input-unreadable`.
    public convenience init(fileDescriptor: Int32, name: String, limit: UnpackLimit? = nil) throws {
        try self.init(descriptor: Descriptor(number: fileDescriptor, isOwned: false), name: name, limit: limit)
    }

    /// Creates a source that reads the unchanged bytes of an open file descriptor and does not close it.
    ///
    /// - Parameters:
    ///   - rawFileDescriptor: The descriptor, which must stay open until the last read.
    ///   - name: The name in messages.
    /// - Throws: `input-unreadable`.
    convenience init(rawFileDescriptor: Int32, name: String) throws {
        try self.init(fileDescriptor: rawFileDescriptor, name: name)
        isSniffed = true
    }

    /// Creates a source that reads from memory.
    ///
    /// - Parameters:
    ///   - bytes: The content of the input, which may be compressed.
    ///   - name: The name in messages.
    public convenience init(bytes: [UInt8], name: String) { self.init(bytes: bytes, name: name, mayBeCompressed: true) }

    /// Creates a source of bytes in memory.
    ///
    /// - Parameters:
    ///   - bytes: The content of the input.
    ///   - name: The name in messages.
    ///   - mayBeCompressed: Whether content that begins with the gzip signature is decompressed.
    convenience init(bytes: [UInt8], name: String, mayBeCompressed: Bool) {
        var position = 0
        self.init(name: name, totalBytes: bytes.count) { buffer in
            let count = buffer.copyBeginning(of: bytes[position...])
            position += count
            return count
        }
        isSniffed = !mayBeCompressed
    }

    /// Creates a source that reads with a closure.
    ///
    /// - Parameters:
    ///   - name: The name in messages.
    ///   - totalBytes: The size of the input in bytes, or `nil` if the size is unknown.
    ///   - mayBeCompressed: Whether content that begins with the gzip signature is decompressed.
    ///   - unpackedPart: The decompressed part of the input, which counts the decompressed bytes.
    ///   - origin: Fills the beginning of a buffer and returns the number of bytes, which is 0 at the end.
    init(
        name: String, totalBytes: Int? = nil, mayBeCompressed: Bool = true,
        unpackedPart: UnpackedPart = UnpackedPart(), origin: @escaping Origin
    ) {
        self.name = name
        self.totalBytes = totalBytes
        self.unpackedPart = unpackedPart
        self.origin = origin
        isSniffed = !mayBeCompressed
    }

    private convenience init(descriptor: Descriptor, name: String, limit: UnpackLimit?) throws {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw Self.readError(errno, name: name) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.readError(EISDIR, name: name) }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        self.init(
            name: name, totalBytes: isFile ? Int(status.st_size) : nil, unpackedPart: UnpackedPart(limit)
        ) { buffer in
            try descriptor.read(into: &buffer, name: name)
        }
    }

    /// Fills the beginning of `buffer` with at least one byte of decompressed data.
    ///
    /// - Parameter buffer: The buffer to fill.
    /// - Returns: The number of bytes, or 0 at the end of the input or if `buffer` is empty.
    /// - Throws: `input-unreadable`, `gzip-truncated`, or `archive-unreadable` if the gzip data is damaged or exceeds the
    ///   limit.
    public func read(into buffer: inout MutableRawSpan) throws -> Int {
        guard !buffer.isEmpty else { return 0 }
        if !isSniffed { try sniff() }
        if let gunzip {
            let count = try gunzip.read(into: &buffer)
            unpackedBytes += count
            try unpackedPart.extend(to: unpackedBytes, of: name)
            return count
        }
        guard head.isEmpty else {
            let count = buffer.copyBeginning(of: head[...])
            head.removeFirst(count)
            return count
        }
        return try pull(&buffer)
    }

    /// Fills the beginning of `block` with at least one byte of decompressed data.
    ///
    /// - Parameter block: The array to fill, whose size does not change.
    /// - Returns: The number of bytes, or 0 at the end of the input or if `block` is empty.
    /// - Throws: `input-unreadable`, `gzip-truncated`, or `archive-unreadable` if the gzip data is damaged.
    public func read(into block: inout [UInt8]) throws -> Int {
        try block.withMutableBytes { try read(into: &$0) }
    }

    /// Reads the first two bytes and starts decompression if they are the gzip signature.
    private func sniff() throws {
        isSniffed = true
        var block: [UInt8] = [0]
        while head.count < 2 {
            guard try block.withMutableBytes({ try pull(&$0) }) == 1 else { return }
            head.append(block[0])
        }
        guard Gunzip.isMagic(head[0], head[1]) else { return }
        gunzip = try Gunzip(head: head, name: name) { [unowned self] in try pull(&$0) }
        head = []
    }

    private func pull(_ buffer: inout MutableRawSpan) throws -> Int {
        let count = try origin(&buffer)
        consumedBytes += count
        return count
    }

    private static func openError(_ number: Int32, name: String) -> HabitError {
        guard number == ENOENT || number == ENOTDIR else { return readError(number, name: name) }
        return HabitError(.inputNotFound, "the file does not exist: check the path", file: name)
    }

    fileprivate static func readError(_ number: Int32, name: String) -> HabitError {
        let reason =
            switch number {
            case EISDIR: "it is a folder, not a file"
            case EACCES, EPERM: "change its permissions, or run the program as its owner"
            default: String(cString: strerror(number))
            }
        return HabitError(.inputUnreadable, "the file cannot be read: \(reason)", file: name)
    }
}

/// A file descriptor.
///
/// The last reference closes it if the source has opened it.
private final class Descriptor {
    let number: Int32
    private let isOwned: Bool

    init(number: Int32, isOwned: Bool) {
        self.number = number
        self.isOwned = isOwned
    }

    deinit {
        if isOwned { close(number) }
    }

    func read(into buffer: inout MutableRawSpan, name: String) throws -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(number, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Another process made the pipe non-blocking. Wait for data, as a blocking read does.
                var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, -1)
            case let number: throw ByteSource.readError(number, name: name)
            }
        }
    }
}

extension ByteSource {
    /// Reads all bytes that are left.
    ///
    /// - Parameter count: The maximum number of bytes.
    /// - Returns: The bytes, or `nil` if there are more.
    /// - Throws: The errors of ``read(into:)``.
    package func contents(most count: Int = .max) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let size = try read(into: &piece), size > 0 {
            bytes.append(contentsOf: piece[..<size])
            guard bytes.count <= count else { return nil }
        }
        return bytes
    }
}
