import HabitStore

/// Parses a filter in the text encoding of CQL2 (OGC 21-065, clause 8.2 and annex B).
struct FilterTextParser {
    private let tokens: [FilterToken]
    private var index = 0
    private var limits = FilterLimits()

    /// Parses a filter.
    ///
    /// - Throws: ``Problem`` with the position of the error.
    static func parse(_ text: String) throws -> FilterNode {
        var parser = FilterTextParser(tokens: try FilterLexer.tokens(of: text))
        let node = try parser.disjunction(depth: 0)
        guard parser.token.kind == .end else { throw parser.unexpected("AND, OR or the end of the filter") }
        return node
    }

    private init(tokens: [FilterToken]) { self.tokens = tokens }

    private var token: FilterToken { tokens[min(index, tokens.count - 1)] }

    private mutating func take() -> FilterToken {
        defer { index += 1 }
        return token
    }

    private mutating func take(keyword: String) -> Bool {
        guard token.isKeyword(keyword) else { return false }
        index += 1
        return true
    }

    private mutating func take(symbol: String) -> Bool {
        guard token.isSymbol(symbol) else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ symbol: String) throws {
        guard take(symbol: symbol) else { throw unexpected("'\(symbol)'") }
    }

    private func unexpected(_ expected: String) -> Problem {
        .filter(token.position, "unexpected \(token.words): write \(expected)")
    }

    private mutating func node(_ position: Int, _ kind: FilterNode.Kind) throws -> FilterNode {
        try limits.addNode(at: position)
        return FilterNode(position: position, kind: kind)
    }

    // MARK: Conditions

    private mutating func disjunction(depth: Int) throws -> FilterNode {
        try chain("OR", "or") { try $0.conjunction(depth: depth) }
    }

    private mutating func conjunction(depth: Int) throws -> FilterNode {
        try chain("AND", "and") { try $0.factor(depth: depth) }
    }

    private mutating func chain(
        _ keyword: String, _ name: String, _ part: (inout FilterTextParser) throws -> FilterNode
    ) throws -> FilterNode {
        let first = try part(&self)
        guard token.isKeyword(keyword) else { return first }
        var parts = [first]
        while take(keyword: keyword) { parts.append(try part(&self)) }
        return try node(first.position, .call(name, parts))
    }

    private mutating func factor(depth: Int) throws -> FilterNode {
        let position = token.position
        try FilterLimits.require(depth: depth, at: position)
        if take(keyword: "NOT") { return try node(position, .call("not", [try factor(depth: depth + 1)])) }
        if take(symbol: "(") {
            let inside = try disjunction(depth: depth + 1)
            try expect(")")
            return inside
        }
        return try predicate(depth: depth)
    }

    private mutating func predicate(depth: Int) throws -> FilterNode {
        let first = try operand(depth: depth)
        let position = token.position
        if case .symbol(let symbol) = token.kind, FeatureFilter.Comparison(rawValue: symbol) != nil {
            index += 1
            return try node(position, .call(symbol, [first, try operand(depth: depth)]))
        }
        if take(keyword: "IS") {
            let isNegated = take(keyword: "NOT")
            guard take(keyword: "NULL") else { throw unexpected("NULL or NOT NULL") }
            return try negated(isNegated, position, .call("isnull", [first]))
        }
        let isNegated = take(keyword: "NOT")
        guard !token.isKeyword("ILIKE") else {
            throw Problem.filter(
                token.position, "ILIKE is not an operator of CQL2: write CASEI(title) LIKE CASEI('%gym%')")
        }
        if take(keyword: "LIKE") {
            return try negated(isNegated, position, .call("like", [first, try operand(depth: depth)]))
        }
        if take(keyword: "BETWEEN") {
            let low = try operand(depth: depth)
            guard take(keyword: "AND") else { throw unexpected("AND and the upper end of BETWEEN") }
            return try negated(isNegated, position, .call("between", [first, low, try operand(depth: depth)]))
        }
        if take(keyword: "IN") {
            let list = try arguments { try $0.operand(depth: depth) }
            return try negated(isNegated, position, .call("in", [first, try node(position, .list(list))]))
        }
        guard !isNegated else { throw unexpected("LIKE, BETWEEN or IN after NOT") }
        return first
    }

    private mutating func negated(
        _ isNegated: Bool, _ position: Int, _ kind: FilterNode.Kind
    ) throws -> FilterNode {
        let inside = try node(position, kind)
        return isNegated ? try node(position, .call("not", [inside])) : inside
    }

    /// Reads a list in parentheses with at least one part.
    private mutating func arguments<Part>(
        _ part: (inout FilterTextParser) throws -> Part
    ) throws -> [Part] {
        try expect("(")
        var parts = [try part(&self)]
        while take(symbol: ",") { parts.append(try part(&self)) }
        try expect(")")
        return parts
    }

    // MARK: Operands

    private mutating func operand(depth: Int) throws -> FilterNode {
        let first = token
        switch first.kind {
        case .text(let text, let pattern):
            index += 1
            return try node(first.position, .text(text, pattern: pattern))
        case .number(let number):
            index += 1
            return try node(first.position, .number(number))
        case .name(let name):
            index += 1
            return try node(first.position, .property(name))
        case .word(let word): return try named(word, depth: depth)
        case .symbol("("): throw unexpected("a property or a value; arithmetic is not supported")
        case .symbol, .end: throw unexpected("a property or a value")
        }
    }

    /// The words that are not names of properties unless they are in double quotes.
    private static let keywords: Set<String> = ["AND", "OR", "NOT", "IS", "NULL", "LIKE", "BETWEEN", "IN", "DIV"]

    private mutating func named(_ word: String, depth: Int) throws -> FilterNode {
        let keyword = word.uppercased()
        guard !Self.keywords.contains(keyword) else { throw unexpected("a property or a value") }
        let position = take().position
        if ["POINT", "POLYGON", "MULTIPOLYGON"].contains(keyword) { _ = take(keyword: "Z") }
        guard token.isSymbol("(") else {
            switch keyword {
            case "TRUE": return try node(position, .boolean(true))
            case "FALSE": return try node(position, .boolean(false))
            default: return try node(position, .property(word))
            }
        }
        try FilterLimits.require(depth: depth + 1, at: position)
        switch keyword {
        case "DATE", "TIMESTAMP":
            let texts = try arguments { try $0.text() }
            guard texts.count == 1, let text = texts.first else {
                throw Problem.filter(position, "\(keyword) has several values: write one text in parentheses")
            }
            return try node(position, keyword == "DATE" ? .date(text) : .timestamp(text))
        case "INTERVAL":
            let ends = try arguments { try $0.operand(depth: depth + 1) }
            guard ends.count == 2 else {
                throw Problem.filter(position, "INTERVAL needs two ends: write INTERVAL('2026-11-01', '..')")
            }
            return try node(position, .interval(ends[0], ends[1]))
        case "BBOX": return try node(position, .geometry(.box(try arguments { try $0.number() })))
        case "POINT": return try node(position, .geometry(.point(try pointText())))
        case "POLYGON": return try node(position, .geometry(.polygons([try rings()])))
        case "MULTIPOLYGON":
            return try node(position, .geometry(.polygons(try arguments { try $0.rings() })))
        case _ where FilterNode.Shape.unsupported.contains(keyword):
            throw Problem.filter(position, "\(keyword) is not supported: use POINT, POLYGON, MULTIPOLYGON or BBOX")
        default:
            let list = try arguments { try $0.operand(depth: depth + 1) }
            return try node(position, .call(word.lowercased(), list))
        }
    }

    private mutating func text() throws -> String {
        guard case .text(let text, _) = token.kind else { throw unexpected("a text in single quotes") }
        index += 1
        return text
    }

    // MARK: Geometries (OGC 06-103r4, clause 7)

    private mutating func number() throws -> Double {
        guard case .number(let number) = token.kind else { throw unexpected("a number") }
        try limits.addNode(at: token.position)
        index += 1
        return number
    }

    private mutating func pointText() throws -> [Double] {
        try expect("(")
        let coordinates = try position()
        try expect(")")
        return coordinates
    }

    /// Reads two or three numbers without commas.
    private mutating func position() throws -> [Double] {
        var numbers = [try number(), try number()]
        if case .number = token.kind { numbers.append(try number()) }
        return numbers
    }

    private mutating func rings() throws -> [[[Double]]] {
        try arguments { parser in try parser.arguments { try $0.position() } }
    }
}
