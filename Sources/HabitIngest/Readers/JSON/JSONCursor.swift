import Base
import HabitModel
import StoreEngine

/// A cursor in a JSON document, which is read sequentially and is never completely in memory.
final class JSONCursor {
    enum Value {
        /// The value consists of the first `count` bytes of the window.
        case bytes(count: Int)
        /// The value exceeds the limit and is already consumed. The associated text is its beginning.
        case tooLong(String)
    }

    /// The line (from 1) of the cursor.
    private(set) var line = 1
    private let window: InputWindow
    private let limit: Int

    init(_ window: InputWindow, limit: Int) {
        self.window = window
        self.limit = limit
    }

    var file: String { window.source.name }

    /// Returns the next `count` bytes, at most to the end of the window.
    ///
    /// The buffer is valid until the cursor moves.
    func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: window.bytes[..<min(count, window.count)])
    }

    /// Consumes the next `count` bytes.
    func take(_ count: Int) {
        line += lineFeeds(in: bytes(count).span)
        window.consume(count)
    }

    /// Skips white space and returns the next byte without consuming it, or `nil` at the end of the document.
    func peek() throws -> UInt8? {
        while true {
            let bytes = window.bytes
            if let index = bytes.firstIndex(where: { !$0.isJSONSpace }) {
                take(index)
                return bytes[index]
            }
            take(bytes.count)
            guard try window.fill() else { return nil }
        }
    }

    /// Skips white space and consumes `byte`.
    ///
    /// Throws an error if another byte follows.
    func take(_ byte: UInt8, _ what: String) throws {
        guard try peek() == byte else { throw invalid("expected \(what)") }
        take(1)
    }

    /// Finds the end of the value that begins at the cursor.
    ///
    /// The caller consumes its bytes with ``take(_:)``.
    func value() throws -> Value {
        var extent = JSONExtent()
        var position = 0
        var overflow: String?
        while true {
            let end = extent.end(in: window.bytes.span, from: position)
            position = end ?? window.count
            if position > limit || overflow != nil {
                overflow = overflow ?? beginning(of: bytes(position).span, limit: limit)
                take(position)
                position = 0
            }
            if end == nil, try window.fill() { continue }
            if end == nil, extent.isOpen { throw invalid("unexpected end of file in a value") }
            return overflow.map { .tooLong($0) } ?? .bytes(count: position)
        }
    }

    /// Consumes the value at the cursor, which may be larger than the limit.
    ///
    /// - Throws: `row-invalid` if the document ends within the value.
    func skipValue() throws {
        guard case .bytes(let count) = try value() else { return }
        guard count > 0 else { throw invalid("a value is missing") }
        take(count)
    }

    /// Returns the error for a document that is not valid JSON.
    func invalid(_ reason: String) -> HabitError {
        HabitError(
            .rowInvalid, "the JSON document is invalid (\(reason)), so no record was loaded: correct the file",
            file: file,
            line: line)
    }
}
