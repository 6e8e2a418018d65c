import Base
import Foundation
import HabitModel
import Rendering

/// Temporary storage for pieces of text that do not fit into memory together.
///
/// The storage is a file without a name, which the system removes when the object is released. Several threads can use
/// it at the same time.
final class Spool: @unchecked Sendable {
    private let descriptor: Int32
    // The lock protects the variables.
    private let lock = NSLock()
    private var size = 0
    private var waiting: [UInt8] = []
    private static let blockSize = 1 << 20

    /// Creates storage in an empty file.
    ///
    /// - Parameter descriptor: An open file, which the object closes.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Appends a piece.
    ///
    /// - Returns: The range of the piece for ``read(_:)``.
    /// - Throws: `no-space` or `write-failed`.
    func append(_ piece: [UInt8]) throws -> Range<Int> {
        try lock.withLock {
            waiting += piece
            let end = size + waiting.count
            if waiting.count >= Self.blockSize { try flush() }
            return end - piece.count..<end
        }
    }

    /// Returns a piece.
    ///
    /// - Throws: `no-space` or `write-failed`.
    func read(_ range: Range<Int>) throws -> [UInt8] {
        try lock.withLock { if range.upperBound > size { try flush() } }
        var piece = [UInt8](repeating: 0, count: range.count)
        var count = 0
        while count < piece.count {
            let part = piece.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count, range.lowerBound + count)
            }
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { throw HabitError(writing: "a temporary file", part < 0 ? errno : EIO) }
            count += part
        }
        return piece
    }

    private func flush() throws {
        var done = 0
        while done < waiting.count {
            let part = waiting.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, size + done)
            }
            if part < 0, errno == EINTR { continue }
            guard part > 0 else { throw HabitError(writing: "a temporary file", part < 0 ? errno : EIO) }
            done += part
        }
        size += waiting.count
        waiting.removeAll(keepingCapacity: true)
    }
}
