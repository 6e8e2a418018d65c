/// The stretch of the input that is in memory: bytes are added at its end and taken from its beginning.
///
/// It grows only as far as its reader lets bytes pile up, which is one record's limit. After its end there are always
/// ``padding`` more readable bytes, as simdjson wants them.
final class InputWindow {
    static let padding = 64
    private static let usualCapacity = 1 << 18

    let source: ByteSource
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var start = 0
    private var end = 0

    /// - Parameter capacity: The bytes that fit at first.
    init(_ source: ByteSource, capacity: Int = usualCapacity) {
        self.source = source
        self.capacity = capacity
        storage = .allocate(capacity: capacity + Self.padding)
        storage.initialize(repeating: 0, count: capacity + Self.padding)
    }

    deinit { storage.deallocate() }

    /// Valid until the next ``fill()``.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage + start, count: end - start) }

    var count: Int { end - start }

    /// Takes bytes from the beginning.
    func consume(_ count: Int) { start += min(max(count, 0), end - start) }

    /// Adds bytes at the end; false at the end of the input.
    func fill() throws -> Bool {
        if start > 0 {
            storage.update(from: storage + start, count: end - start)
            end -= start
            start = 0
        }
        if end == capacity { grow() }
        let room = UnsafeMutableRawBufferPointer(start: storage + end, count: capacity - end)
        let count = try source.read(into: room)
        end += count
        return count > 0
    }

    /// Adds bytes until there are `wanted`, or the input ends.
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
