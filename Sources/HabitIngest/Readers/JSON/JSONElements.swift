import Base
import HabitModel

/// A reader of the elements of large arrays in a JSON document of any size.
///
/// The memory use depends on the size of one element. Each element is parsed by simdjson, with the repairs of
/// ``JSONRepair``. Other values are skipped without a complete check of their syntax.
struct JSONElements {
    private let cursor: JSONCursor
    private let parser: JSONParser
    private let file: String

    /// Maximum size of an element, in bytes.
    static let elementLimit = 16 << 20
    /// Maximum depth of the values in an element.
    private static let maximumDepth = 64

    /// Creates a reader.
    ///
    /// - Parameter source: The document, which begins with an array or an object.
    /// - Throws: `internal` if the parser cannot be created.
    init(_ source: ByteSource) throws {
        file = source.name
        cursor = JSONCursor(InputWindow(source), limit: Self.elementLimit)
        parser = try JSONParser(maximumDepth: Self.maximumDepth)
    }

    /// The line (from 1) of the element that `body` receives.
    var line: Int { cursor.line }

    /// The number (from 1) of the element that `body` receives, counted over all arrays.
    var number: Int { state.number }

    /// Calls `body` with each element of the array at a path, and reads the document to its end.
    ///
    /// - Parameters:
    ///   - path: The names of the members that contain the array. An empty path means that the document is the array.
    ///   - body: A closure that receives an element, which is valid only during the call.
    /// - Returns: Whether the document has an array at the path.
    /// - Throws: `json-invalid` with the line if the document is damaged, or the error of `body`.
    @discardableResult
    func forEach(at path: [String], _ body: (JSONNode) throws -> Void) throws -> Bool {
        try forEach(atAnyOf: [path]) { _, node in try body(node) }
    }

    /// Calls `body` with each element of the arrays at several paths, in the order of the document.
    ///
    /// If the value at a path is not an array, `body` receives the value itself.
    ///
    /// - Parameters:
    ///   - paths: The paths of the arrays. No path may be the beginning of another path.
    ///   - body: A closure that receives the index of the path and an element, which is valid only during the call.
    /// - Returns: Whether the document has a value at one of the paths.
    /// - Throws: `json-invalid` with the line if the document is damaged, or the error of `body`.
    @discardableResult
    func forEach(atAnyOf paths: [[String]], _ body: (Int, JSONNode) throws -> Void) throws -> Bool {
        let indexed = paths.enumerated().map { index, path in Path(index: index, rest: path[...]) }
        let isFound = try value(indexed, body)
        guard try cursor.peek() == nil else { throw invalid("unexpected data after its end") }
        return isFound
    }

    /// The rest of a path after the members that contain the reader.
    private struct Path {
        let index: Int
        let rest: ArraySlice<String>
    }

    /// Reads a value for which some of the paths continue.
    private func value(_ paths: [Path], _ body: (Int, JSONNode) throws -> Void) throws -> Bool {
        guard let first = try cursor.peek() else { throw invalid("unexpected end of file") }
        if let path = paths.first(where: { $0.rest.isEmpty }) {
            if first == UInt8(ascii: "[") {
                try elements { try body(path.index, $0) }
            } else {
                state.number += 1
                try body(path.index, try element())
                finish()
            }
            return true
        }
        guard first == UInt8(ascii: "{"), !paths.isEmpty else {
            try skip()
            return false
        }
        return try members(paths, body)
    }

    private func members(_ paths: [Path], _ body: (Int, JSONNode) throws -> Void) throws -> Bool {
        cursor.take(1)
        var isFound = false
        if try cursor.peek() == UInt8(ascii: "}") {
            cursor.take(1)
            return false
        }
        while true {
            guard try cursor.peek() == UInt8(ascii: "\""), let name = try element().text else {
                throw invalid("the name of a member is missing")
            }
            finish()
            guard try cursor.peek() == UInt8(ascii: ":") else { throw invalid("a colon is missing") }
            cursor.take(1)
            let rest = paths.filter { $0.rest.first == name }
                .map { path in Path(index: path.index, rest: path.rest.dropFirst()) }
            if try value(rest, body) { isFound = true }
            if try !continues(before: UInt8(ascii: "}")) { return isFound }
        }
    }

    private func elements(_ body: (JSONNode) throws -> Void) throws {
        cursor.take(1)
        if try cursor.peek() == UInt8(ascii: "]") {
            cursor.take(1)
            return
        }
        repeat {
            state.number += 1
            try body(try element())
            finish()
        } while try continues(before: UInt8(ascii: "]"))
    }

    /// Consumes a comma and returns `true`, or consumes the closing bracket and returns `false`.
    private func continues(before end: UInt8) throws -> Bool {
        switch try cursor.peek() {
        case UInt8(ascii: ","):
            cursor.take(1)
            if try cursor.peek() == end { throw invalid("an element is missing after a comma") }
            return true
        case end:
            cursor.take(1)
            return false
        case nil: throw invalid("unexpected end of file")
        default: throw invalid("a comma is missing")
        }
    }

    /// Parses the next value, which ``finish()`` consumes.
    private func element() throws -> JSONNode {
        guard try cursor.peek() != nil else { throw invalid("unexpected end of file") }
        do {
            guard case .bytes(let count) = try cursor.value() else {
                throw HabitError(
                    .recordTooLong, "a value of the JSON document has more than \(Self.elementLimit >> 20) MiB",
                    file: file, line: cursor.line)
            }
            state.length = count
        } catch let error as HabitError where error.code == .rowInvalid {
            throw invalid("unexpected end of file")
        }
        do throws(JSONFault) {
            return try parser.tolerantDocument(cursor.bytes(state.length))
        } catch {
            throw invalid(error.explanation.reason)
        }
    }

    private let state = State()

    private final class State {
        /// The length of the value that ``element()`` has parsed, in bytes.
        var length = 0
        /// The number of elements that were passed to a body.
        var number = 0
    }

    private func finish() {
        cursor.take(state.length)
        state.length = 0
    }

    /// Skips a value of any size.
    private func skip() throws {
        do { try cursor.skipValue() } catch let error as HabitError where error.code == .rowInvalid {
            throw invalid("unexpected end of file")
        }
    }

    private func invalid(_ reason: String) -> HabitError {
        HabitError(
            .jsonInvalid, "the JSON document is damaged (\(reason)): export or download it again", file: file,
            line: cursor.line)
    }
}
