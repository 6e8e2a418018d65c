import Foundation
import Hummingbird

/// A JSON value, to put documents together.
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

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .text(let value): try container.encode(value)
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The document's bytes, with its members in the order of their names.
    var bytes: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // There is no value here that has no JSON.
        return (try? encoder.encode(self)) ?? Data()
    }

    /// Both objects' members; those of `other` win.
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

/// What an answer is written in.
enum MediaType {
    case json, geoJSON, openAPI, problem, csv, html, text, ndjson, geoJSONSequence

    var text: String {
        switch self {
        case .json: "application/json"
        case .geoJSON: "application/geo+json"
        case .openAPI: "application/vnd.oai.openapi+json;version=3.0"
        case .problem: "application/problem+json"
        case .csv: "text/csv; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .text: "text/plain; charset=utf-8"
        case .ndjson: "application/x-ndjson"
        case .geoJSONSequence: "application/geo+json-seq"
        }
    }
}
