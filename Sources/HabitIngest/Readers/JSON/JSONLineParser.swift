import Base
import HabitModel

/// A parser of texts that contain one JSON value each.
final class JSONLineParser {
    /// Maximum depth of the values.
    private static let maximumDepth = 64

    private let parser: JSONParser
    private var buffer: [UInt8] = []

    /// Creates a parser.
    ///
    /// - Throws: `internal` if the parser cannot be created.
    init() throws { parser = try JSONParser(maximumDepth: Self.maximumDepth) }

    /// Parses a text and calls `body` with its value.
    ///
    /// - Parameters:
    ///   - text: The text, without line feeds.
    ///   - body: A closure that receives the value, which is valid only during the call.
    /// - Returns: The result of `body`.
    /// - Throws: `json-invalid` if the text is not JSON, or the error of `body`.
    func parse<Result>(_ text: some StringProtocol, _ body: (JSONNode) throws -> Result) throws -> Result {
        buffer.removeAll(keepingCapacity: true)
        buffer.append(contentsOf: text.utf8)
        let count = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: JSONParser.padding))
        return try buffer.withUnsafeBufferPointer { bytes in
            let node: JSONNode
            do throws(JSONFault) {
                node = try parser.tolerantDocument(UnsafeBufferPointer(rebasing: bytes[..<count]))
            } catch {
                throw HabitError(
                    .jsonInvalid, "the line is not a JSON object (\(error.explanation.reason)): correct it")
            }
            return try body(node)
        }
    }
}
