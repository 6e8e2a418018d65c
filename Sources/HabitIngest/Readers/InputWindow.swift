import Base

/// The part of the input that is in memory.
///
/// Bytes are appended at its end and consumed from its beginning.
///
/// The window grows while the reader does not consume bytes. Readers limit its size to about the size limit of a
/// record. ``padding`` readable bytes always follow the end of the window, because simdjson requires them.
final class InputWindow {
    static let padding = JSONParser.padding
    private static let usualCapacity = 1 << 18

    let source: ByteSource
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var start = 0
    private var end = 0

    /// Creates an empty window.
    ///
    /// - Parameters:
    ///   - source: The input.
    ///   - capacity: The initial capacity in bytes.
    init(_ source: ByteSource, capacity: Int = usualCapacity) {
        self.source = source
        self.capacity = capacity
        storage = .allocate(capacity: capacity + Self.padding)
        storage.initialize(repeating: 0, count: capacity + Self.padding)
    }

    deinit { storage.deallocate() }

    /// The bytes in the window.
    ///
    /// The buffer is valid until the next call of ``fill()``.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage + start, count: end - start) }

    var count: Int { end - start }

    /// Removes bytes from the beginning.
    func consume(_ count: Int) { start += min(max(count, 0), end - start) }

    /// Appends bytes from the source.
    ///
    /// Returns `false` at the end of the input.
    func fill() throws -> Bool {
        if start > 0 {
            storage.update(from: storage + start, count: end - start)
            end -= start
            start = 0
        }
        if end == capacity { grow() }
        var bytes = MutableSpan(_unsafeStart: storage + end, count: capacity - end)
        var room = bytes.mutableBytes
        let count = try source.read(into: &room)
        end += count
        return count > 0
    }

    /// Appends bytes until the window contains `wanted` bytes or the input ends.
    func fill(upTo wanted: Int) throws {
        while count < wanted, try fill() {}
    }

    private func grow() {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * capacity + Self.padding)
        larger.initialize(repeating: 0, count: 2 * capacity + Self.padding)
        larger.update(from: storage, count: end)
        storage.deallocate()
        storage = larger
        capacity *= 2
    }
}
