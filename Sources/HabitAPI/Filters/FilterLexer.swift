import HTTPServing

/// A token of a filter in the text encoding (OGC 21-065, annex B).
struct FilterToken: Equatable {
    /// The position of the first character, from 1.
    var position: Int
    var kind: Kind

    enum Kind: Equatable {
        /// A name without quotes, which may be a keyword.
        case word(String)
        /// A name in double quotes.
        case name(String)
        /// A text, with its form as a pattern of the operator LIKE.
        case text(String, pattern: String)
        case number(Double)
        /// A parenthesis, a comma or a comparison operator.
        case symbol(String)
        case end
    }

    /// The token as the user wrote it, for errors.
    var words: String {
        switch kind {
        case .word(let word): "'\(word)'"
        case .name(let name): "\"\(name)\""
        case .text: "text"
        case .number: "number"
        case .symbol(let symbol): "'\(symbol)'"
        case .end: "end of the filter"
        }
    }

    /// The keyword in upper case, or `nil` if the token is not a word.
    var keyword: String? {
        guard case .word(let word) = kind else { return nil }
        return word.uppercased()
    }

    func isKeyword(_ word: String) -> Bool { keyword == word }
    func isSymbol(_ symbol: String) -> Bool { kind == .symbol(symbol) }
}

/// Splits a filter in the text encoding into tokens.
struct FilterLexer {
    private let text: [Unicode.Scalar]
    private var index = 0

    private init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// Returns the tokens of a text, with an end token after them.
    ///
    /// - Throws: ``Problem`` with the position of a character that no token can begin with, or of an incomplete text.
    static func tokens(of text: String) throws -> [FilterToken] {
        var lexer = FilterLexer(text)
        var tokens: [FilterToken] = []
        while let token = try lexer.next() {
            tokens.append(token)
        }
        let end = lexer.text.count + 1
        tokens.append(FilterToken(position: end, kind: .end))
        return tokens
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        let target = index + offset
        return target < text.count ? text[target] : nil
    }

    private func string(in range: Range<Int>) -> String {
        String(String.UnicodeScalarView(text[range]))
    }

    private mutating func next() throws -> FilterToken? {
        skipSpaces()
        guard let first = peek() else { return nil }
        let position = index + 1
        let kind = try kind(from: first, at: position)
        return FilterToken(position: position, kind: kind)
    }

    private mutating func skipSpaces() {
        while let scalar = peek(), scalar.properties.isWhitespace {
            index += 1
        }
    }

    /// Reads the token that begins at the current position.
    private mutating func kind(from first: Unicode.Scalar, at position: Int) throws -> FilterToken.Kind {
        switch first {
        case "'":
            return try characterLiteral(at: position)
        case "\"":
            return try quotedName(at: position)
        case "(", ")", ",", "=", "<", ">":
            return symbol(from: first)
        case _ where isNumber:
            return try number(at: position)
        case _ where Self.isNameStart(first):
            return word()
        default:
            throw Problem.filter(
                position,
                "unexpected '\(first)': use properties, values, comparison operators, parentheses and commas")
        }
    }

    /// Reads a symbol of one character, or one of `<=`, `<>` and `>=`.
    private mutating func symbol(from first: Unicode.Scalar) -> FilterToken.Kind {
        let start = index
        switch (first, peek(1)) {
        case ("<", "="), ("<", ">"), (">", "="): index += 2
        default: index += 1
        }
        return .symbol(string(in: start..<index))
    }

    // MARK: Texts

    /// The control characters of escape sequences.
    private static let controls: [Unicode.Scalar: Unicode.Scalar] = [
        "a": "\u{7}",
        "b": "\u{8}",
        "t": "\t",
        "n": "\n",
        "v": "\u{B}",
        "f": "\u{C}",
        "r": "\r",
    ]

    /// Reads a text in single quotes.
    ///
    /// `''` and `\'` stand for a quote, and `\\` for a backslash. In a pattern, a backslash escapes the next character.
    private mutating func characterLiteral(at position: Int) throws -> FilterToken.Kind {
        var value = String.UnicodeScalarView()
        var pattern = String.UnicodeScalarView()
        index += 1
        while let scalar = peek() {
            let following = peek(1)
            index += 1
            switch (scalar, following) {
            case ("'", "'"), ("\\", "'"):
                index += 1
                value.append("'")
                pattern.append("'")
            case ("'", _):
                return .text(String(value), pattern: String(pattern))
            case ("\\", let next?):
                index += 1
                if let control = Self.controls[next] {
                    value.append(control)
                    pattern.append(control)
                } else {
                    value.append(contentsOf: next == "\\" ? [next] : [scalar, next])
                    pattern.append(contentsOf: [scalar, next])
                }
            default:
                value.append(scalar)
                pattern.append(scalar)
            }
        }
        throw Problem.filter(
            position,
            "the text has no end: add a single quote, and write a quote in a text twice")
    }

    private mutating func quotedName(at position: Int) throws -> FilterToken.Kind {
        let start = index + 1
        guard let end = text[start...].firstIndex(of: "\"") else {
            throw Problem.filter(
                position,
                "the name has no end: add a double quote, and write texts in single quotes")
        }
        index = end + 1
        return .name(string(in: start..<end))
    }

    // MARK: Numbers

    private static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        switch scalar {
        case ("0"..."9")?: true
        default: false
        }
    }

    private static func isSign(_ scalar: Unicode.Scalar?) -> Bool {
        scalar == "-" || scalar == "+"
    }

    /// Whether a number begins at the current position, possibly with a sign.
    private var isNumber: Bool {
        let start = Self.isSign(peek()) ? 1 : 0
        if Self.isDigit(peek(start)) { return true }
        return peek(start) == "." && Self.isDigit(peek(start + 1))
    }

    private mutating func number(at position: Int) throws -> FilterToken.Kind {
        let start = index
        index += 1
        while Self.isDigit(peek()) || peek() == "." {
            index += 1
        }
        skipExponent()
        let end = min(index, text.count)
        let written = string(in: start..<end)
        let digits = written.hasSuffix(".") ? String(written.dropLast()) : written
        guard let value = Double(digits), value.isFinite else {
            throw Problem.filter(
                position,
                "'\(written)' is not a number: write digits with a decimal point")
        }
        return .number(value)
    }

    private mutating func skipExponent() {
        guard peek() == "e" || peek() == "E" else { return }
        index += Self.isSign(peek(1)) ? 2 : 1
        while Self.isDigit(peek()) {
            index += 1
        }
    }

    // MARK: Names

    private mutating func word() -> FilterToken.Kind {
        let start = index
        while let scalar = peek(), Self.isInName(scalar) {
            index += 1
        }
        return .word(string(in: start..<index))
    }

    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ":", "_", "A"..."Z", "a"..."z": true
        default: scalar.value >= 0xC0 && scalar.properties.isAlphabetic
        }
    }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        isNameStart(scalar) || isDigit(scalar) || scalar == "."
    }
}
