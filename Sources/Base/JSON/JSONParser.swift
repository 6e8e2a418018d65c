import CSimdJSON

/// A strict parser of JSON texts (RFC 8259) with a limited nesting depth and unique member names in each object.
///
/// The parser is simdjson. It reads numbers and texts exactly, and it needs the complete text. ``JSONReader`` reads a
/// text part by part and reports the offsets of errors.
package final class JSONParser {
    /// Maximum depth of a record.
    package static let maximumDepth = 32

    /// The number of readable bytes that must follow each text.
    ///
    /// The values of these bytes do not matter.
    package static let padding = Int(HABITAT_JSON_PADDING)

    /// The parser in C, for parsers of records.
    package let handle: OpaquePointer

    /// Creates a parser.
    ///
    /// - Parameter maximumDepth: The maximum number of arrays and objects inside each other.
    /// - Throws: `internal` if the memory is exhausted.
    package init(maximumDepth: Int = JSONParser.maximumDepth) throws {
        guard let handle = habitat_json_parser_new(maximumDepth) else {
            throw HabitError(.internal, "the JSON parser cannot be created: free some memory and try again")
        }
        self.handle = handle
    }

    deinit { habitat_json_parser_free(handle) }

    /// Parses any JSON value.
    ///
    /// Integers above the range of 64-bit signed integers become `Double`, and texts may contain U+0000.
    ///
    /// - Parameter bytes: The text, which ``padding`` readable bytes follow.
    /// - Returns: The value, which is valid until the next use of the parser. It does not refer to `bytes`.
    /// - Throws: The reason why the text is rejected.
    package func document(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> JSONNode {
        var root = habitat_json_node()
        guard let base = bytes.baseAddress, !bytes.isEmpty else { throw .syntax }
        try check(habitat_json_parse_document(handle, base, bytes.count, &root))
        return JSONNode(root)
    }

    /// Parses a copy of a text and reads its value, which is valid only while `read` runs.
    ///
    /// - Parameters:
    ///   - text: The text in UTF-8, without padding.
    ///   - read: Reads the value.
    /// - Returns: The result of `read`.
    /// - Throws: The reason why the text is rejected, and the errors of `read`.
    package static func reading<Result>(
        _ text: some Collection<UInt8>,
        _ read: (JSONNode) throws -> Result
    ) throws -> Result {
        let parser = try JSONParser()
        return try withExtendedLifetime(parser) {
            let value: JSONNode
            do throws(JSONFault) {
                value = try parser.document(copying: text)
            } catch {
                throw HabitError(error.explanation.code, error.explanation.reason)
            }
            return try read(value)
        }
    }

    /// Parses a copy of a text, which needs no padding.
    ///
    /// - Parameter text: The text in UTF-8.
    /// - Returns: The value, which is valid until the next use of the parser.
    /// - Throws: The reason why the text is rejected.
    package func document(copying text: some Collection<UInt8>) throws(JSONFault) -> JSONNode {
        var padded: [UInt8] = []
        padded.reserveCapacity(text.count + Self.padding)
        padded.append(contentsOf: text)
        let count = padded.count
        padded.append(contentsOf: repeatElement(0, count: Self.padding))
        return try padded.withUnsafeBufferPointer { (bytes) throws(JSONFault) in
            try document(UnsafeBufferPointer(rebasing: bytes[..<count]))
        }
    }

    /// Checks the result of a function in C.
    ///
    /// - Parameter status: The status of the last call with ``handle``.
    /// - Throws: The fault of a status other than success.
    package func check(_ status: habitat_json_status) throws(JSONFault) {
        switch status {
        case HABITAT_JSON_OK: return
        case HABITAT_JSON_SYNTAX: throw .syntax
        case HABITAT_JSON_ENCODING: throw .encoding
        case HABITAT_JSON_NUL: throw .nul
        case HABITAT_JSON_NUMBER: throw .number
        case HABITAT_JSON_DEPTH: throw .depth
        case HABITAT_JSON_DUPLICATE:
            var count = 0
            let name = habitat_json_duplicate(handle, &count)
            throw .duplicate(
                String(decoding: UnsafeRawBufferPointer(start: name, count: min(count, 80)), as: UTF8.self))
        case HABITAT_JSON_NOT_OBJECT: throw .notObject
        case HABITAT_JSON_NOT_FEATURE: throw .notFeature
        case HABITAT_JSON_PROPERTIES: throw .properties
        default: throw .memory
        }
    }
}
