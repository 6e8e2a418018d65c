import Base
import HTTPServing

/// Parses a filter in the JSON encoding of CQL2 (OGC 21-065, clause 8.3 and annex C).
struct FilterJSONParser {
    /// The filter in UTF-8.
    private let text: [UInt8]
    private var limits = FilterLimits()

    private init(_ text: String) {
        self.text = Array(text.utf8)
    }

    /// Parses a filter.
    ///
    /// - Throws: ``Problem`` with the position of the error.
    static func parse(_ text: String) throws -> FilterNode {
        var parser = FilterJSONParser(text)
        let json: OffsetJSON
        do throws(JSONReader.Fault) {
            json = try OffsetJSON(parsing: text, maximumDepth: maximumDepth)
        } catch {
            throw Problem.filter(
                parser.position(at: error.offset),
                explanation(of: error.reason))
        }
        return try parser.node(json)
    }

    /// Maximum depth of the arrays and objects, because an operator is an object with a list.
    private static let maximumDepth = 2 * FilterLimits.depth + 1

    /// Returns the position of a value, in characters from 1.
    private func position(of json: OffsetJSON) -> Int {
        position(at: json.offset)
    }

    /// Returns the position of a byte, in characters from 1.
    private func position(at offset: Int) -> Int {
        let bytes = text[..<offset]
        let before = String(decoding: bytes, as: UTF8.self)
        return before.unicodeScalars.count + 1
    }

    private static func explanation(of reason: JSONReader.Fault.Reason) -> String {
        switch reason {
        case .expected(let scalar): "the JSON is incomplete or invalid: write '\(scalar)' here"
        case .valueExpected, .unexpectedEnd:
            "the JSON is incomplete or invalid: write an object, a list, a text, a number, true or false"
        case .textExpected: "the JSON is incomplete or invalid: write a text in double quotes"
        case .wordExpected(let word): "the JSON is invalid: write \(word)"
        case .controlCharacter: "a text contains a control character: escape it"
        case .escapeInvalid, .notUTF8:
            "a text has an invalid escape sequence: write a character of Unicode except NUL"
        case .textUnterminated: "the text has no end: add a double quote"
        case .repeatedName(let name): "the member \"\(name)\" is repeated: write it once"
        case .secondValue: "unexpected text after the JSON value: remove it"
        case .tooDeep: FilterLimits.depthExceeded
        }
    }

    private mutating func node(_ json: OffsetJSON) throws -> FilterNode {
        let position = position(of: json)
        try limits.addNode(at: position)
        let kind = try kind(json)
        return FilterNode(position: position, kind: kind)
    }

    private mutating func nodes(_ values: [OffsetJSON]) throws -> [FilterNode] {
        try values.map { value in try node(value) }
    }

    private mutating func kind(_ json: OffsetJSON) throws -> FilterNode.Kind {
        switch json.value {
        case .boolean(let flag):
            return .boolean(flag)
        case .number(let number):
            return .number(number)
        case .text(let text):
            return .text(text, pattern: text)
        case .list(let values):
            return .list(try nodes(values))
        case .object(let members):
            return try object(members, of: json)
        case .null:
            throw Problem.filter(
                position(of: json),
                "null is not a value of a filter: use the operator \"isNull\"")
        }
    }

    private typealias Members = [String: OffsetJSON]

    private mutating func object(_ members: Members, of json: OffsetJSON) throws -> FilterNode.Kind {
        if let name = members["op"] {
            return try call(name, members["args"], of: json)
        }
        if let name = members["property"] {
            return .property(try text(name))
        }
        if let date = members["date"] {
            return .date(try text(date))
        }
        if let timestamp = members["timestamp"] {
            return .timestamp(try text(timestamp))
        }
        if let ends = members["interval"] {
            return try interval(ends, of: json)
        }
        if let type = members["type"] {
            let shape = try geometry(try text(type), members, of: json)
            return .geometry(shape)
        }
        if let box = members["bbox"] {
            let sides = try numbers(box)
            return .geometry(.box(sides))
        }
        throw Problem.filter(
            position(of: json),
            "unknown object: write an operator with \"op\" and \"args\", a \"property\", a value or a geometry")
    }

    /// Returns the call of an operator or a function.
    private mutating func call(
        _ name: OffsetJSON,
        _ arguments: OffsetJSON?,
        of json: OffsetJSON
    ) throws -> FilterNode.Kind {
        guard case .text(let name) = name.value,
            case .list(let values)? = arguments?.value
        else {
            throw Problem.filter(
                position(of: json),
                "an operator needs a text \"op\" and a list \"args\"")
        }
        return .call(name.lowercased(), try nodes(values))
    }

    private mutating func interval(_ ends: OffsetJSON, of json: OffsetJSON) throws -> FilterNode.Kind {
        guard case .list(let ends) = ends.value, ends.count == 2 else {
            throw Problem.filter(
                position(of: json),
                "an interval is a list of two ends: write [\"2026-11-01\", \"..\"]")
        }
        let begin = try node(ends[0])
        let end = try node(ends[1])
        return .interval(begin, end)
    }

    private func text(_ json: OffsetJSON) throws -> String {
        guard case .text(let text) = json.value else {
            throw Problem.filter(
                position(of: json),
                "write a text here")
        }
        return text
    }

    // MARK: Geometries (RFC 7946, section 3.1)

    private mutating func geometry(
        _ type: String,
        _ members: Members,
        of json: OffsetJSON
    ) throws -> FilterNode.Shape {
        let coordinates = members["coordinates"] ?? OffsetJSON(offset: json.offset, value: .null)
        switch type {
        case "Point":
            return .point(try numbers(coordinates))
        case "Polygon":
            let polygon = try rings(coordinates)
            return .polygons([polygon])
        case "MultiPolygon":
            let polygons = try list(coordinates).map { polygon in try rings(polygon) }
            return .polygons(polygons)
        default:
            throw Problem.filter(
                position(of: json),
                "this geometry type is not supported: use Point, Polygon, MultiPolygon or \"bbox\"")
        }
    }

    private func list(_ json: OffsetJSON) throws -> [OffsetJSON] {
        guard case .list(let values) = json.value else {
            throw Problem.filter(
                position(of: json),
                "write a list of coordinates here")
        }
        return values
    }

    private mutating func rings(_ json: OffsetJSON) throws -> [[[Double]]] {
        try list(json).map { ring in try positions(ring) }
    }

    private mutating func positions(_ json: OffsetJSON) throws -> [[Double]] {
        try list(json).map { position in try numbers(position) }
    }

    private mutating func numbers(_ json: OffsetJSON) throws -> [Double] {
        var numbers: [Double] = []
        for value in try list(json) {
            guard case .number(let number) = value.value else {
                throw Problem.filter(
                    position(of: value),
                    "write a number here")
            }
            try limits.addNode(at: position(of: value))
            numbers.append(number)
        }
        return numbers
    }
}
