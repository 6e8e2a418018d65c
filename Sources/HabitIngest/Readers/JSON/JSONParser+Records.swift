import Base
import CSimdJSON

/// The parsers of records, which read the members of an object without a node for each.
extension JSONParser {
    /// Parses one object.
    ///
    /// - Parameters:
    ///   - bytes: The text, which ``padding`` readable bytes follow.
    ///   - mustBeFeature: Whether an object other than a GeoJSON Feature is rejected.
    /// - Returns: The members. Their pointers are valid until the next use of the parser.
    /// - Throws: The reason why the text is rejected.
    func record(_ bytes: UnsafeBufferPointer<UInt8>, mustBeFeature: Bool) throws(JSONFault) -> habitat_json_record {
        var record = habitat_json_record()
        guard let base = bytes.baseAddress, !bytes.isEmpty else { throw .syntax }
        try check(habitat_json_parse_record(handle, base, bytes.count, mustBeFeature ? 1 : 0, &record))
        return record
    }

    /// Parses any JSON value by the rules of a record.
    ///
    /// - Parameter bytes: The text, which ``padding`` readable bytes follow.
    /// - Returns: The value. A flat list is the text of its items.
    /// - Throws: The reason why the text is rejected.
    func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> RawValue {
        var value = habitat_json_value()
        guard let base = bytes.baseAddress, !bytes.isEmpty else { throw .syntax }
        try check(habitat_json_parse_value(handle, base, bytes.count, &value))
        return RawValue(value)
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

    /// The value as the text of an ID, or `nil` if a value of this type cannot be an ID.
    var idText: String? {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .absent, .null, .boolean, .nested: nil
        }
    }
}

extension String {
    /// Creates a string from text that the parser has validated as UTF-8.
    fileprivate init(_ text: UnsafeBufferPointer<CChar>) {
        self = text.withMemoryRebound(to: UInt8.self) { String(copying: UTF8Span(unchecked: $0.span)) }
    }
}

extension habitat_json_value {
    /// The number of a coordinate, which can be written as an integer or a decimal number.
    var degrees: Double { type == HABITAT_JSON_INTEGER ? Double(integer) : number }
}

extension habitat_json_member {
    /// The bytes of the name.
    ///
    /// The buffer is valid until the next use of the parser.
    var nameBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: name, count: name_length) }

    /// The name.
    var nameText: String { String(decoding: nameBytes, as: UTF8.self) }

    /// Whether the name of the member is `word` in any letter case.
    ///
    /// The argument must be in lowercase ASCII letters.
    func `is`(_ word: StaticString) -> Bool {
        guard name_length == word.utf8CodeUnitCount else { return false }
        for i in 0..<name_length where nameBytes[i] | 0x20 != word.utf8Start[i] { return false }
        return true
    }
}
