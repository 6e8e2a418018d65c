import HTTPServing
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
        let tokens = try FilterLexer.tokens(of: text)
        var parser = FilterTextParser(tokens: tokens)
        let node = try parser.disjunction(depth: 0)
        guard parser.token.kind == .end else {
            throw parser.unexpected("AND, OR or the end of the filter")
        }
        return node
    }

    private init(tokens: [FilterToken]) { self.tokens = tokens }

    /// The current token, which stays the end token after the last one.
    private var token: FilterToken {
        let last = tokens.count - 1
        return tokens[min(index, last)]
    }

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

    private mutating func node(at position: Int, _ kind: FilterNode.Kind) throws -> FilterNode {
        try limits.addNode(at: position)
        return FilterNode(position: position, kind: kind)
    }

    // MARK: Conditions

    private mutating func disjunction(depth: Int) throws -> FilterNode {
        try chain("OR") { parser in try parser.conjunction(depth: depth) }
    }

    private mutating func conjunction(depth: Int) throws -> FilterNode {
        try chain("AND") { parser in try parser.factor(depth: depth) }
    }

    /// Reads one or more parts with an operator between them.
    private mutating func chain(
        _ keyword: String,
        of part: (inout FilterTextParser) throws -> FilterNode
    ) throws -> FilterNode {
        let first = try part(&self)
        guard token.isKeyword(keyword) else { return first }
        var parts = [first]
        while take(keyword: keyword) {
            parts.append(try part(&self))
        }
        return try node(at: first.position, .call(keyword.lowercased(), parts))
    }

    private mutating func factor(depth: Int) throws -> FilterNode {
        let position = token.position
        try FilterLimits.require(depth: depth, at: position)
        if take(keyword: "NOT") {
            let inside = try factor(depth: depth + 1)
            return try negation(of: inside, at: position)
        }
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
        if let symbol = takeComparison() {
            let second = try operand(depth: depth)
            return try node(at: position, .call(symbol, [first, second]))
        }
        if take(keyword: "IS") {
            let isNegated = take(keyword: "NOT")
            guard take(keyword: "NULL") else { throw unexpected("NULL or NOT NULL") }
            return try condition(at: position, .call("isnull", [first]), isNegated: isNegated)
        }
        let isNegated = take(keyword: "NOT")
        guard !token.isKeyword("ILIKE") else {
            throw Problem.filter(
                token.position,
                "ILIKE is not an operator of CQL2: write CASEI(title) LIKE CASEI('%gym%')")
        }
        if let kind = try negatable(of: first, at: position, depth: depth) {
            return try condition(at: position, kind, isNegated: isNegated)
        }
        guard !isNegated else { throw unexpected("LIKE, BETWEEN or IN after NOT") }
        return first
    }

    /// Reads a comparison operator, or returns `nil` if the current token is not one.
    private mutating func takeComparison() -> String? {
        guard case .symbol(let symbol) = token.kind else { return nil }
        guard FeatureFilter.Comparison(rawValue: symbol) != nil else { return nil }
        index += 1
        return symbol
    }

    /// Reads LIKE, BETWEEN or IN and the operands after it, or returns `nil` if the current token is a different word.
    private mutating func negatable(
        of first: FilterNode,
        at position: Int,
        depth: Int
    ) throws -> FilterNode.Kind? {
        if take(keyword: "LIKE") {
            let pattern = try operand(depth: depth)
            return .call("like", [first, pattern])
        }
        if take(keyword: "BETWEEN") {
            let low = try operand(depth: depth)
            guard take(keyword: "AND") else { throw unexpected("AND and the upper end of BETWEEN") }
            let high = try operand(depth: depth)
            return .call("between", [first, low, high])
        }
        guard take(keyword: "IN") else { return nil }
        let values = try operands(depth: depth)
        let list = try node(at: position, .list(values))
        return .call("in", [first, list])
    }

    private mutating func condition(
        at position: Int,
        _ kind: FilterNode.Kind,
        isNegated: Bool
    ) throws -> FilterNode {
        let inside = try node(at: position, kind)
        guard isNegated else { return inside }
        return try negation(of: inside, at: position)
    }

    private mutating func negation(of inside: FilterNode, at position: Int) throws -> FilterNode {
        try node(at: position, .call("not", [inside]))
    }

    /// Reads a list in parentheses with at least one part.
    private mutating func arguments<Part>(
        _ part: (inout FilterTextParser) throws -> Part
    ) throws -> [Part] {
        try expect("(")
        var parts = [try part(&self)]
        while take(symbol: ",") {
            parts.append(try part(&self))
        }
        try expect(")")
        return parts
    }

    // MARK: Operands

    private mutating func operand(depth: Int) throws -> FilterNode {
        let first = token
        let kind: FilterNode.Kind
        switch first.kind {
        case .text(let text, let pattern):
            kind = .text(text, pattern: pattern)
        case .number(let number):
            kind = .number(number)
        case .name(let name):
            kind = .property(name)
        case .word(let word):
            return try named(word, depth: depth)
        case .symbol("("):
            throw unexpected("a property or a value; arithmetic is not supported")
        case .symbol, .end:
            throw unexpected("a property or a value")
        }
        index += 1
        return try node(at: first.position, kind)
    }

    /// Reads a list of operands in parentheses.
    private mutating func operands(depth: Int) throws -> [FilterNode] {
        try arguments { parser in try parser.operand(depth: depth) }
    }

    /// The words that are not names of properties unless they are in double quotes.
    private static let keywords: Set<String> = [
        "AND", "OR", "NOT", "IS", "NULL", "LIKE", "BETWEEN", "IN", "DIV",
    ]
    /// The names of geometries after which a `Z` may follow.
    private static let geometryNames: Set<String> = ["POINT", "POLYGON", "MULTIPOLYGON"]

    /// Reads a property, a truth value, a geometry or a function.
    private mutating func named(_ word: String, depth: Int) throws -> FilterNode {
        let keyword = word.uppercased()
        guard !Self.keywords.contains(keyword) else { throw unexpected("a property or a value") }
        let position = take().position
        if Self.geometryNames.contains(keyword) {
            _ = take(keyword: "Z")
        }
        guard token.isSymbol("(") else {
            return try node(at: position, Self.value(of: word))
        }
        try FilterLimits.require(depth: depth + 1, at: position)
        let kind = try function(word, at: position, depth: depth + 1)
        return try node(at: position, kind)
    }

    /// Returns the value of a word without parentheses.
    private static func value(of word: String) -> FilterNode.Kind {
        switch word.uppercased() {
        case "TRUE": .boolean(true)
        case "FALSE": .boolean(false)
        default: .property(word)
        }
    }

    /// Reads the parentheses after the name of a function, a geometry or a time.
    private mutating func function(
        _ name: String,
        at position: Int,
        depth: Int
    ) throws -> FilterNode.Kind {
        let keyword = name.uppercased()
        switch keyword {
        case "DATE":
            let text = try oneText(of: keyword, at: position)
            return .date(text)
        case "TIMESTAMP":
            let text = try oneText(of: keyword, at: position)
            return .timestamp(text)
        case "INTERVAL":
            return try interval(at: position, depth: depth)
        case "BBOX":
            let numbers = try arguments { parser in try parser.number() }
            return .geometry(.box(numbers))
        case "POINT":
            let numbers = try pointText()
            return .geometry(.point(numbers))
        case "POLYGON":
            let polygon = try rings()
            return .geometry(.polygons([polygon]))
        case "MULTIPOLYGON":
            let polygons = try arguments { parser in try parser.rings() }
            return .geometry(.polygons(polygons))
        case _ where FilterNode.Shape.unsupported.contains(keyword):
            throw Problem.filter(
                position,
                "\(keyword) is not supported: use POINT, POLYGON, MULTIPOLYGON or BBOX")
        default:
            let operands = try operands(depth: depth)
            return .call(name.lowercased(), operands)
        }
    }

    private mutating func oneText(of keyword: String, at position: Int) throws -> String {
        let texts = try arguments { parser in try parser.text() }
        guard texts.count == 1, let text = texts.first else {
            throw Problem.filter(
                position,
                "\(keyword) has several values: write one text in parentheses")
        }
        return text
    }

    private mutating func interval(at position: Int, depth: Int) throws -> FilterNode.Kind {
        let ends = try operands(depth: depth)
        guard ends.count == 2 else {
            throw Problem.filter(
                position,
                "INTERVAL needs two ends: write INTERVAL('2026-11-01', '..')")
        }
        return .interval(ends[0], ends[1])
    }

    private mutating func text() throws -> String {
        guard case .text(let text, _) = token.kind else {
            throw unexpected("a text in single quotes")
        }
        index += 1
        return text
    }

    // MARK: Geometries (OGC 06-103r4, clause 7)

    private mutating func number() throws -> Double {
        guard case .number(let number) = token.kind else {
            throw unexpected("a number")
        }
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
        if case .number = token.kind {
            numbers.append(try number())
        }
        return numbers
    }

    private mutating func rings() throws -> [[[Double]]] {
        try arguments { parser in try parser.ring() }
    }

    private mutating func ring() throws -> [[Double]] {
        try arguments { parser in try parser.position() }
    }
}
