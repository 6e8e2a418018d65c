import Glibc

/// Bytes on their way out: everything is appended to one block of memory, which goes to the sink in blocks of 64 KiB.
///
/// Appending never fails; `flushIfFull()` after each row, `flush()` and `close()` do. Without a sink it keeps everything.
/// A class, so that renderer and caller share it; used by one thread at a time.
public final class OutputBuffer {
    public static let flushSize = 65_536

    // The checks for overlapping access would cost more than the appends; no method here calls out while it writes.
    @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity: Int
    private let sink: (any OutputSink)?

    public init(_ sink: (any OutputSink)? = nil) {
        self.sink = sink
        capacity = sink == nil ? 256 : 2 * Self.flushSize
        start = .allocate(capacity: capacity)
    }

    /// Opens `destination`.
    ///
    /// - Throws: what `OutputDestination.open` throws.
    public convenience init(to destination: OutputDestination, sharing: OutputSharing = .owner) throws {
        self.init(try destination.open(sharing: sharing))
    }

    deinit { start.deallocate() }

    /// What is not yet flushed. Valid until the next append.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// A copy of what is not yet flushed.
    public var contents: [UInt8] { Array(bytes) }

    /// What is not yet flushed, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Calls `body` with what is not yet flushed.
    package func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result { try body(bytes.span) }

    public func append(_ text: String) {
        append(text.utf8.span)
    }

    public func append(_ bytes: Span<UInt8>) { bytes.withUnsafeBufferPointer { append($0) } }

    /// Appends what is not yet flushed of another buffer.
    package func append(_ other: OutputBuffer) { append(other.bytes) }

    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        memcpy(reserve(bytes.count), source, bytes.count)
        count += bytes.count
    }

    /// What is no longer than this is copied at this length.
    static let shortLength = 16

    /// Appends bytes that are most often short, and behind which ``shortLength`` others can be read.
    @inline(__always)
    func append(short bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = UnsafeRawPointer(bytes.baseAddress), bytes.count <= Self.shortLength else {
            return append(bytes)
        }
        let target = UnsafeMutableRawPointer(reserve(Self.shortLength))
        target.storeBytes(of: source.loadUnaligned(as: UInt128.self), as: UInt128.self)
        count += bytes.count
    }

    /// Appends what stands there already, since the last flush.
    @inline(__always)
    package func append(again range: Range<Int>) {
        // First the room: it may move everything.
        _ = reserve(max(range.count, Self.shortLength))
        append(short: UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
    }

    package func append(_ bytes: [UInt8]) { append(bytes.span) }

    @inline(__always)
    package func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    @inline(__always)
    package func append(literal text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Room for `size` more bytes, to be filled and then claimed with `advance`.
    @inline(__always)
    package func reserve(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < size { grow(by: size) }
        return start + count
    }

    @inline(__always)
    package func advance(_ size: Int) { count += size }

    /// Forgets what was appended after the first `count` bytes.
    package func truncate(to count: Int) { self.count = count }

    private func grow(by size: Int) {
        capacity = max(capacity * 2, count + size)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    /// Hands whole blocks to the sink once there are any. What is behind them waits: of a file each page is written once.
    @inline(__always)
    public func flushIfFull() throws {
        if count >= Self.flushSize { try flushBlocks() }
    }

    private func flushBlocks() throws {
        guard let sink else { return }
        let size = count - count % Self.flushSize
        try sink.write(UnsafeRawBufferPointer(start: start, count: size).bytes)
        count -= size
        start.update(from: start + size, count: count)
    }

    /// Hands the bytes to the sink.
    ///
    /// - Throws: `ClosedPipe`; `HabitError` with `.noSpace` or `.writeFailed`.
    public func flush() throws {
        guard let sink, count > 0 else { return }
        try sink.write(UnsafeRawBufferPointer(bytes).bytes)
        count = 0
    }

    /// Flushes, and makes the output final: a file takes its name only now.
    ///
    /// A buffer that is dropped without `close()` leaves no file behind.
    ///
    /// - Throws: as `flush()`.
    public func close() throws {
        try flush()
        try sink?.commit()
    }
}
