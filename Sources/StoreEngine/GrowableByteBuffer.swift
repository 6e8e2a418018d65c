/// A growable buffer of raw bytes, without the cost of an array for each element.
package final class GrowableByteBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes in the buffer.
    package private(set) var count = 0

    /// Creates an empty buffer with room for `capacity` bytes.
    ///
    /// The buffer has room for at least one byte, so an empty buffer also has an address. SQLite treats a null address
    /// as NULL.
    package init(capacity: Int) {
        memory = .allocate(byteCount: max(1, capacity), alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The bytes in the buffer.
    ///
    /// The address is valid until an append exceeds the capacity.
    package var all: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: memory[..<count])
    }

    /// Removes all bytes and keeps the capacity.
    package func removeAll() {
        count = 0
    }

    /// Makes room for `more` additional bytes.
    ///
    /// If the capacity is too small, the bytes move to a new address with twice the required capacity.
    package func reserve(_ more: Int) {
        let required = count + more
        guard required > memory.count else {
            return
        }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * required, alignment: 16)
        larger.copyMemory(from: all)
        memory.deallocate()
        memory = larger
    }

    /// Appends the bytes of `value` in the byte order of the machine.
    package func append<Number: BitwiseCopyable>(_ value: Number) {
        append(MemoryLayout<Number>.size) { room in
            room.storeBytes(of: value, as: Number.self)
        }
    }

    /// Appends `bytes` and returns the copy in the buffer.
    @discardableResult
    package func append(contentsOf bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        append(bytes.count) { room in
            room.copyMemory(from: bytes)
        }
    }

    /// Appends `length` bytes that `write` stores, and returns them.
    @discardableResult
    package func append(
        _ length: Int,
        _ write: (UnsafeMutableRawBufferPointer) -> Void
    ) -> UnsafeRawBufferPointer {
        append(atMost: length) { room in
            write(room)
            return length
        }
    }

    /// Appends the bytes that `write` stores, at most `length`, and returns them.
    ///
    /// - Parameters:
    ///   - length: The number of bytes that `write` can store.
    ///   - write: A closure that stores bytes from the first on and returns their number.
    /// - Returns: The appended bytes, at an address that is valid until the buffer grows.
    @discardableResult @inline(__always)
    package func append(
        atMost length: Int,
        _ write: (UnsafeMutableRawBufferPointer) -> Int
    ) -> UnsafeRawBufferPointer {
        reserve(length)
        let start = count
        let room = memory[start..<start + length]
        let written = write(UnsafeMutableRawBufferPointer(rebasing: room))
        count = start + written
        return UnsafeRawBufferPointer(rebasing: memory[start..<count])
    }
}
