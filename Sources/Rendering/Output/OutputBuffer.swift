import Glibc

/// A growable buffer of output bytes, which are written to a sink in blocks of 64 KiB.
///
/// Appending never fails. `flushIfFull()` (after each row), `flush()` and `close()` report errors. A buffer without a
/// sink keeps all bytes. The renderer and the caller share one buffer, so the type is a class. Only one thread at a
/// time may use it.
public final class OutputBuffer {
    /// Size of a block in bytes.
    public static let flushSize = 65_536

    // The checks for overlapping access would cost more than the appends. No method runs other code while it writes.
    @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity: Int
    private let sink: (any OutputSink)?

    /// Creates an empty buffer.
    ///
    /// Without a sink, the buffer keeps all bytes.
    public init(_ sink: (any OutputSink)? = nil) {
        self.sink = sink
        capacity = sink == nil ? 256 : 2 * Self.flushSize
        start = .allocate(capacity: capacity)
    }

    /// Creates a buffer that writes to `destination`.
    ///
    /// - Throws: An error of `OutputDestination.open`.
    public convenience init(to destination: OutputDestination, sharing: OutputSharing = .owner) throws {
        self.init(try destination.open(sharing: sharing))
    }

    deinit { start.deallocate() }

    /// The bytes that are not yet flushed.
    ///
    /// They are valid until the next append.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

    /// A copy of the bytes that are not yet flushed.
    public var contents: [UInt8] { Array(bytes) }

    /// The bytes that are not yet flushed, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Calls `body` with the bytes that are not yet flushed.
    package func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result { try body(bytes.span) }

    /// Appends `text` as UTF-8.
    public func append(_ text: String) {
        append(text.utf8.span)
    }

    /// Appends a copy of `bytes`.
    public func append(_ bytes: Span<UInt8>) { bytes.withUnsafeBufferPointer { append($0) } }

    /// Appends the bytes of another buffer that are not yet flushed.
    package func append(_ other: OutputBuffer) { append(other.bytes) }

    /// Appends a copy of `bytes`.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        memcpy(reserve(bytes.count), source, bytes.count)
        count += bytes.count
    }

    /// Number of bytes that ``append(short:)`` copies with one instruction.
    static let shortLength = 16

    /// Appends a part of `bytes` that is usually short.
    ///
    /// `bytes` must contain at least ``shortLength`` bytes from the start of `part` on.
    @inline(__always)
    func append(short part: Range<Int>, of bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(short: UnsafeBufferPointer(rebasing: $0[part])) }
    }

    /// Appends bytes that are usually short.
    ///
    /// ``shortLength`` bytes from the start of `bytes` must be readable.
    @inline(__always)
    private func append(short bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = UnsafeRawPointer(bytes.baseAddress), bytes.count <= Self.shortLength else {
            return append(bytes)
        }
        let target = UnsafeMutableRawPointer(reserve(Self.shortLength))
        target.storeBytes(of: source.loadUnaligned(as: UInt128.self), as: UInt128.self)
        count += bytes.count
    }

    /// Appends a copy of bytes that the buffer already contains.
    ///
    /// - Parameter range: The offsets of the bytes, counted from the last flush.
    @inline(__always)
    package func append(again range: Range<Int>) {
        // The reservation is first because it may move all bytes.
        _ = reserve(max(range.count, Self.shortLength))
        append(short: UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
    }

    /// Appends a copy of `bytes`.
    package func append(_ bytes: [UInt8]) { append(bytes.span) }

    /// Appends one byte.
    @inline(__always)
    package func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    /// Appends a literal text.
    @inline(__always)
    package func append(literal text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Returns the address of at least `size` free bytes.
    ///
    /// Write the bytes to this address, then call ``advance(_:)``.
    @inline(__always)
    package func reserve(_ size: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < size { grow(by: size) }
        return start + count
    }

    /// Adds the `size` bytes that were written after `reserve` to the contents.
    @inline(__always)
    package func advance(_ size: Int) { count += size }

    /// Discards all bytes after the first `count` bytes.
    package func truncate(to count: Int) { self.count = count }

    private func grow(by size: Int) {
        capacity = max(capacity * 2, count + size)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }

    /// Writes all complete blocks to the sink.
    ///
    /// The bytes after the last complete block stay in the buffer, so that each page of a file is written only once.
    ///
    /// - Throws: The errors of ``flush()``.
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

    /// Writes all bytes to the sink.
    ///
    /// - Throws: `BrokenPipeError`, or a `HabitError` with `no-space` or `write-failed`.
    public func flush() throws {
        guard let sink, count > 0 else { return }
        try sink.write(UnsafeRawBufferPointer(bytes).bytes)
        count = 0
    }

    /// Flushes the buffer and commits the output.
    ///
    /// A file appears under its name only with this call. A buffer that is released without `close()` leaves no file.
    ///
    /// - Throws: The errors of ``flush()``.
    public func close() throws {
        try flush()
        try sink?.commit()
    }
}
