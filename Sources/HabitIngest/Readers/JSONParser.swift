import Base
import CSimdJSON
import HabitModel

/// A wrapper of simdjson: strict RFC 8259, limited nesting depth, unique member names in each object.
///
/// The caller must pass texts that have ``InputWindow/padding`` readable bytes after their end.
final class JSONParser {
    /// The reason why a text is rejected.
    enum Fault: Error, Equatable {
        /// The text is not JSON.
        case syntax
        case encoding, nul, number, depth, notObject, notFeature, properties, memory
        case duplicate(String)
    }

    static let maximumDepth = 32

    private let parser: OpaquePointer

    init(maximumDepth: Int = JSONParser.maximumDepth) throws {
        assert(InputWindow.padding >= Int(HABITAT_JSON_PADDING))
        guard let parser = habitat_json_parser_new(maximumDepth) else {
            throw HabitError(.internal, "the JSON parser cannot be created: free some memory and try again")
        }
        self.parser = parser
    }

    deinit { habitat_json_parser_free(parser) }

    /// Parses one object.
    ///
    /// The pointers in the result are valid until the next use of the parser.
    func record(_ bytes: UnsafeBufferPointer<UInt8>, mustBeFeature: Bool) throws(Fault) -> habitat_json_record {
        var record = habitat_json_record()
        guard let base = bytes.baseAddress, !bytes.isEmpty else { throw .syntax }
        try check(habitat_json_parse_record(parser, base, bytes.count, mustBeFeature ? 1 : 0, &record))
        return record
    }

    /// Parses any JSON value.
    func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> RawValue {
        var value = habitat_json_value()
        guard let base = bytes.baseAddress, !bytes.isEmpty else { throw .syntax }
        try check(habitat_json_parse_value(parser, base, bytes.count, &value))
        return RawValue(value)
    }

    /// Parses any JSON value into nodes that are valid until the next use of the parser.
    func document(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> JSONNode {
        var root = habitat_json_node()
        guard let base = bytes.baseAddress, !bytes.isEmpty else { throw .syntax }
        try check(habitat_json_parse_document(parser, base, bytes.count, &root))
        return JSONNode(root)
    }

    private func check(_ status: habitat_json_status) throws(Fault) {
        switch status {
        case HABITAT_JSON_OK: return
        case HABITAT_JSON_SYNTAX: throw .syntax
        case HABITAT_JSON_ENCODING: throw .encoding
        case HABITAT_JSON_NUL: throw .nul
        case HABITAT_JSON_NUMBER: throw .number
        case HABITAT_JSON_DEPTH: throw .depth
        case HABITAT_JSON_DUPLICATE:
            var count = 0
            let name = habitat_json_duplicate(parser, &count)
            throw .duplicate(
                String(decoding: UnsafeRawBufferPointer(start: name, count: min(count, 80)), as: UTF8.self))
        case HABITAT_JSON_NOT_OBJECT: throw .notObject
        case HABITAT_JSON_NOT_FEATURE: throw .notFeature
        case HABITAT_JSON_PROPERTIES: throw .properties
        default: throw .memory
        }
    }
}

extension RawValue {
    init(_ value: habitat_json_value) {
        self =
            switch value.type {
            case HABITAT_JSON_TEXT: .text(String(UnsafeBufferPointer(start: value.text, count: value.text_length)))
            case HABITAT_JSON_INTEGER: .integer(value.integer)
            case HABITAT_JSON_DOUBLE: .number(value.number)
            case HABITAT_JSON_TRUE: .boolean(true)
            case HABITAT_JSON_FALSE: .boolean(false)
            case HABITAT_JSON_NULL: .null
            default: .nested
            }
    }
}

extension String {
    /// Creates a string from text that the parser has validated as UTF-8.
    fileprivate init(_ text: UnsafeBufferPointer<CChar>) {
        self = text.withMemoryRebound(to: UInt8.self) { String(copying: UTF8Span(unchecked: $0.span)) }
    }
}

extension habitat_json_member {
    /// The bytes of the name.
    ///
    /// The buffer is valid until the next use of the parser.
    var nameBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: name, count: name_length) }
}
