/// Parses a filter in the JSON encoding of CQL2 (OGC 21-065, clause 8.3 and annex C).
struct FilterJSONParser {
    private var limits = FilterLimits()

    /// Parses a filter.
    ///
    /// - Throws: ``Problem`` with the position of the error.
    static func parse(_ text: String) throws -> FilterNode {
        var parser = FilterJSONParser()
        return try parser.node(try LocatedJSONParser.parse(text))
    }

    private mutating func node(_ json: LocatedJSON) throws -> FilterNode {
        try limits.addNode(at: json.position)
        return FilterNode(position: json.position, kind: try kind(json))
    }

    private mutating func kind(_ json: LocatedJSON) throws -> FilterNode.Kind {
        switch json.value {
        case .boolean(let flag): return .boolean(flag)
        case .number(let number): return .number(number)
        case .text(let text): return .text(text, pattern: text)
        case .list(let values): return .list(try values.map { try node($0) })
        case .object(let members): return try object(members, json.position)
        case .null:
            throw Problem.filter(json.position, "null is not a value of a filter: use the operator \"isNull\"")
        }
    }

    private mutating func object(_ members: [String: LocatedJSON], _ position: Int) throws -> FilterNode.Kind {
        if let name = members["op"] {
            let arguments = members["args"]
            guard case .text(let name) = name.value, case .list(let values)? = arguments?.value else {
                throw Problem.filter(position, "an operator needs a text \"op\" and a list \"args\"")
            }
            return .call(name.lowercased(), try values.map { try node($0) })
        }
        if let name = members["property"] { return .property(try text(name)) }
        if let date = members["date"] { return .date(try text(date)) }
        if let timestamp = members["timestamp"] { return .timestamp(try text(timestamp)) }
        if let ends = members["interval"] {
            guard case .list(let ends) = ends.value, ends.count == 2 else {
                throw Problem.filter(position, "an interval is a list of two ends: write [\"2026-11-01\", \"..\"]")
            }
            return .interval(try node(ends[0]), try node(ends[1]))
        }
        if let type = members["type"] { return .geometry(try geometry(try text(type), members, position)) }
        if let box = members["bbox"] { return .geometry(.box(try numbers(box))) }
        throw Problem.filter(
            position,
            "unknown object: write an operator with \"op\" and \"args\", a \"property\", a value or a geometry")
    }

    private mutating func text(_ json: LocatedJSON) throws -> String {
        guard case .text(let text) = json.value else { throw Problem.filter(json.position, "write a text here") }
        return text
    }

    // MARK: Geometries (RFC 7946, section 3.1)

    private mutating func geometry(
        _ type: String, _ members: [String: LocatedJSON], _ position: Int
    ) throws -> FilterNode.Shape {
        let coordinates = members["coordinates"] ?? LocatedJSON(position: position, value: .null)
        switch type {
        case "Point": return .point(try numbers(coordinates))
        case "Polygon": return .polygons([try rings(coordinates)])
        case "MultiPolygon": return .polygons(try list(coordinates).map { try rings($0) })
        default:
            throw Problem.filter(
                position, "this geometry type is not supported: use Point, Polygon, MultiPolygon or \"bbox\"")
        }
    }

    private func list(_ json: LocatedJSON) throws -> [LocatedJSON] {
        guard case .list(let values) = json.value else {
            throw Problem.filter(json.position, "write a list of coordinates here")
        }
        return values
    }

    private mutating func rings(_ json: LocatedJSON) throws -> [[[Double]]] {
        try list(json).map { try list($0).map { try numbers($0) } }
    }

    private mutating func numbers(_ json: LocatedJSON) throws -> [Double] {
        var numbers: [Double] = []
        for value in try list(json) {
            guard case .number(let number) = value.value else {
                throw Problem.filter(value.position, "write a number here")
            }
            try limits.addNode(at: value.position)
            numbers.append(number)
        }
        return numbers
    }
}
