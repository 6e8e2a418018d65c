import Base
import CSimdJSON
import HabitModel

extension JSONParser.Fault {
    /// The error code, and a sentence with the problem and its remedy.
    var explanation: (code: ErrorCode, reason: String) {
        switch self {
        case .syntax: (.rowInvalid, "the text is not JSON: check its commas, quotes and brackets")
        case .encoding: (.encodingInvalid, "the text is not UTF-8 or contains a lone surrogate: save it as UTF-8")
        case .nul: (.textInvalid, "the text contains a NUL character: remove it")
        case .number:
            (.rowInvalid, "a number is malformed or out of range: use the JSON syntax, and write long ids in quotes")
        case .depth: (.rowInvalid, "the text is nested deeper than \(JSONParser.maximumDepth) levels: flatten it")
        case .duplicate(let name): (.rowInvalid, "the member '\(name)' occurs twice in one object: remove one of them")
        case .notObject: (.rowInvalid, "the record is not an object: put its fields into braces")
        case .notFeature: (.rowInvalid, "the record is not a GeoJSON Feature: set its \"type\" to \"Feature\"")
        case .properties: (.rowInvalid, "the Feature's properties must be an object or null")
        case .memory: (.internal, "there is not enough memory to parse the text")
        }
    }
}

extension RawValue {
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

extension habitat_json_value {
    /// The number of a coordinate, which can be written as an integer or a decimal number.
    var degrees: Double { type == HABITAT_JSON_INTEGER ? Double(integer) : number }
}

extension habitat_json_member {
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
