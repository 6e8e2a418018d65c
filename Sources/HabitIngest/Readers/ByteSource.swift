import HabitModel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where the bytes of an input come from: a file, an open descriptor, or memory; gunzipped on the way where they begin
/// as gzip does (1f 8b).
///
/// Its errors are ``HabitError``s: `input-not-found`, `input-unreadable`, `gzip-truncated`.
public final class ByteSource {
    /// What messages call it.
    public let name: String
    /// The size of the file on disk; nil where there is none to know (pipes).
    public let totalBytes: Int?
    /// The bytes taken from the file on disk so far, before gunzipping.
    public private(set) var consumedBytes = 0

    private let origin: (UnsafeMutableRawBufferPointer) throws -> Int
    private var head: [UInt8] = []
    private var isSniffed = false
    private var gunzip: Gunzip?

    /// - Parameters:
    ///   - name: the name in messages; the path by default.
    ///   - onlyRegularFile: whether links, pipes and devices are refused with `input-unreadable`.
    public convenience init(path: String, name: String? = nil, onlyRegularFile: Bool = false) throws {
        let name = name ?? path
        // A pipe that no process writes would block here.
        let number = open(path, O_RDONLY | O_CLOEXEC | (onlyRegularFile ? O_NOFOLLOW | O_NONBLOCK : 0))
        guard number >= 0 else { throw Self.openError(errno, name: name) }
        let descriptor = Descriptor(number: number, isOwned: true)
        var status = stat()
        if onlyRegularFile, fstat(number, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
            throw Self.readError(EINVAL, name: name)
        }
        try self.init(descriptor: descriptor, name: name)
    }

    /// Reads from an open descriptor, which stays open.
    public convenience init(fileDescriptor: Int32, name: String) throws {
        try self.init(descriptor: Descriptor(number: fileDescriptor, isOwned: false), name: name)
    }

    public convenience init(bytes: [UInt8], name: String) {
        var position = 0
        self.init(name: name, totalBytes: bytes.count) { buffer in
            let count = min(buffer.count, bytes.count - position)
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[position..<position + count]))
            }
            position += count
            return count
        }
    }

    /// `origin` fills the beginning of a buffer and says how much of it; zero at the end.
    init(name: String, totalBytes: Int? = nil, origin: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.name = name
        self.totalBytes = totalBytes
        self.origin = origin
    }

    private convenience init(descriptor: Descriptor, name: String) throws {
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw Self.readError(errno, name: name) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.readError(EISDIR, name: name) }
        let isFile = status.st_mode & S_IFMT == S_IFREG
        self.init(name: name, totalBytes: isFile ? Int(status.st_size) : nil) { buffer in
            try descriptor.read(into: buffer, name: name)
        }
    }

    /// Fills the beginning of `buffer` with at least one byte, and returns how many; zero at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !buffer.isEmpty else { return 0 }
        if !isSniffed { try sniff() }
        if let gunzip { return try gunzip.read(into: buffer) }
        guard head.isEmpty else {
            let count = min(head.count, buffer.count)
            buffer.copyBytes(from: head[..<count])
            head.removeFirst(count)
            return count
        }
        return try pull(buffer)
    }

    /// Looks at the first two bytes.
    private func sniff() throws {
        isSniffed = true
        while head.count < 2 {
            var byte: UInt8 = 0
            guard try withUnsafeMutableBytes(of: &byte, { try pull($0) }) == 1 else { return }
            head.append(byte)
        }
        guard Gunzip.isMagic(head[0], head[1]) else { return }
        gunzip = try Gunzip(head: head, name: name) { [unowned self] in try pull($0) }
        head = []
    }

    private func pull(_ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try origin(buffer)
        consumedBytes += count
        return count
    }

    private static func openError(_ number: Int32, name: String) -> HabitError {
        guard number == ENOENT || number == ENOTDIR else { return readError(number, name: name) }
        return HabitError(.inputNotFound, "there is no file '\(name)': check its name and folder", file: name)
    }

    fileprivate static func readError(_ number: Int32, name: String) -> HabitError {
        let reason =
            switch number {
            case EISDIR: "it is a folder: name a file"
            case EACCES, EPERM: "its permissions forbid it: change them, or run as its owner"
            default: String(cString: strerror(number))
            }
        return HabitError(.inputUnreadable, "'\(name)' cannot be read: \(reason)", file: name)
    }
}

/// A file descriptor, closed with its last reference where it is ours.
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

    func read(into buffer: UnsafeMutableRawBufferPointer, name: String) throws -> Int {
        while true {
            let count = systemRead(number, buffer)
            if count >= 0 { return count }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // Somebody made the pipe non-blocking: wait for it as if they had not.
                var waiting = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, -1)
            case let number: throw ByteSource.readError(number, name: name)
            }
        }
    }
}

/// A method named `read` hides the function of that name.
private func systemRead(_ number: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(number, buffer.baseAddress, buffer.count)
}
