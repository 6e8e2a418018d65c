/// Bytes one behind the other, without what an array does for each of them.
package final class ByteStack {
    private var memory: UnsafeMutableRawBufferPointer
    package private(set) var count = 0

    /// With room for some, one at least: so what is empty has an address too, without which it would be null to SQLite.
    package init(capacity: Int) { memory = .allocate(byteCount: max(1, capacity), alignment: 16) }

    deinit { memory.deallocate() }

    /// Stays where it is until more is appended than there is room for.
    package var all: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    package func removeAll() { count = 0 }

    /// Makes room for so many more.
    package func reserve(_ more: Int) {
        guard count + more > memory.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + more), alignment: 16)
        larger.copyMemory(from: all)
        memory.deallocate()
        memory = larger
    }

    package func append<Number: BitwiseCopyable>(_ value: Number) {
        append(MemoryLayout<Number>.size) { $0.storeBytes(of: value, as: Number.self) }
    }

    /// Gives the copy of the bytes.
    @discardableResult
    package func append(contentsOf bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        append(bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// Gives what `write` makes of so many bytes.
    @discardableResult
    package func append(_ length: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void) -> UnsafeRawBufferPointer {
        append(atMost: length) {
            write($0)
            return length
        }
    }

    /// Gives those of so many bytes that `write` has made, from the first on: it says how many.
    @discardableResult @inline(__always)
    package func append(atMost length: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) -> UnsafeRawBufferPointer {
        reserve(length)
        let written = write(UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + length]))
        defer { count += written }
        return UnsafeRawBufferPointer(rebasing: memory[count..<count + written])
    }
}
