import HabitModel
import StoreEngine

/// A place in a JSON document, which is read from its beginning to its end and never wholly in memory.
final class JSONCursor {
    enum Value {
        /// The first bytes of the window.
        case bytes(count: Int)
        /// Over the limit, and already taken; with its beginning.
        case tooLong(String)
    }

    private(set) var line = 1
    private let window: InputWindow
    private let limit: Int

    init(_ window: InputWindow, limit: Int) {
        self.window = window
        self.limit = limit
    }

    var file: String { window.source.name }

    /// The first `count` bytes behind the cursor; valid until it moves.
    func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: window.bytes[..<min(count, window.count)])
    }

    func take(_ count: Int) {
        line += lineFeeds(in: bytes(count).span)
        window.consume(count)
    }

    /// The next byte that is not white space, which is taken; nil at the end of the document.
    func peek() throws -> UInt8? {
        while true {
            let bytes = window.bytes
            if let index = bytes.firstIndex(where: { !InputContent.isSpace($0) }) {
                take(index)
                return bytes[index]
            }
            take(bytes.count)
            guard try window.fill() else { return nil }
        }
    }

    /// Takes `byte`, which must come next but for white space.
    func take(_ byte: UInt8, _ what: String) throws {
        guard try peek() == byte else { throw invalid("\(what) is expected here") }
        take(1)
    }

    /// The value that begins at the cursor; its bytes are taken by ``take(_:)``.
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
            if end == nil, extent.isOpen { throw invalid("the document ends in the middle of a value") }
            return overflow.map { .tooLong($0) } ?? .bytes(count: position)
        }
    }

    /// The error of a document that is no JSON as a whole.
    func invalid(_ reason: String) -> HabitError {
        HabitError(
            .rowInvalid, "this is not a JSON document: \(reason); mend the file, nothing of it is loaded", file: file,
            line: line)
    }
}
