/// The reason why ``JSONParser`` rejects a text.
package enum JSONFault: Error, Equatable {
    /// The text is not JSON.
    case syntax
    case encoding, nul, number, depth
    /// An object has two members with this name.
    case duplicate(String)
    /// The value is JSON, but not a record.
    case notObject, notFeature, properties
    case memory

    /// The error code, and a sentence with the problem and its remedy.
    package var explanation: (code: ErrorCode, reason: String) {
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
