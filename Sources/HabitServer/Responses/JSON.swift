import Foundation
import Hummingbird

/// A JSON value for documents that are composed in code.
///
/// Renderers write features and rows.
enum JSON: Encodable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
    ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    case null
    case text(String)
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case list([JSON])
    case object([String: JSON])

    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
    }
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }

    /// The document in UTF-8.
    ///
    /// The members of each object are sorted by name.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The encoder throws only for numbers that are not finite, and `encode(to:)` encodes them as null.
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .text(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value) where !value.isFinite: try container.encodeNil()
        case .number(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// Returns an object with the members of both objects.
    ///
    /// Members of `other` replace members with the same name.
    func merging(_ other: JSON) -> JSON {
        guard case .object(let mine) = self, case .object(let theirs) = other else { return other }
        return .object(mine.merging(theirs) { _, new in new })
    }
}

extension Response {
    init(_ json: JSON, status: HTTPResponse.Status = .ok, type: MediaType = .json, headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = type.text
        self.init(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.bytes)))
    }
}
