/// A word, symbol or literal of SQL and its location.
package struct SQLToken: Equatable {
    /// The kind of a token.
    package enum Kind {
        case word, quotedName, string, number, parameter, symbol
    }

    /// The kind of the token.
    package var kind: Kind
    /// The text of the token, without the quotes of a quoted name or string.
    package var text: String
    /// The line on which the token begins, from 1.
    package var line: Int
    /// The number of open parentheses around the token, without its own.
    package var depth: Int
    /// The byte range of the token in the UTF-8 of the SQL, including quotes.
    package var range: Range<Int>

    /// Returns whether the token is the unquoted word `word`, which must be uppercase.
    package func isWord(_ word: String) -> Bool { kind == .word && text.uppercased() == word }
    /// Returns whether the token is the symbol `symbol`.
    package func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

    /// The name in lowercase, as SQL compares unquoted names, or `nil` if the token is not a name.
    package var name: String? { kind == .word || kind == .quotedName ? text.lowercased() : nil }
}

/// A tokenizer that finds the outline of SQL and does not check whether an engine accepts it.
package struct SQLTokenizer {
    /// A syntax error that prevents tokenizing, with its line.
    package struct Problem {
        /// The line of the error, from 1.
        package var line: Int
        /// The description of the error and its remedy.
        package var message: String
    }

    /// The tokens in their order, without comments.
    package private(set) var tokens: [SQLToken] = []
    /// The unterminated comments and quotes, and the unbalanced parentheses.
    package private(set) var problems: [Problem] = []
    /// The UTF-8 of the SQL.
    package let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var open: [Int] = []

    /// Creates a tokenizer and splits `sql` into tokens.
    package init(_ sql: String) {
        bytes = Array(sql.utf8)
        while let byte = peek() { take(byte) }
        for line in open { report(line, "a '(' on this line is not closed: add the ')'") }
    }

    private func peek(_ offset: Int = 0) -> UInt8? { index + offset < bytes.count ? bytes[index + offset] : nil }

    private mutating func take(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: " "), 9, 11, 12, 13: skip(1)
        case UInt8(ascii: "-") where peek(1) == byte: skip { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipComment()
        case UInt8(ascii: "'"): quoted(.string, until: byte)
        case UInt8(ascii: "\""), UInt8(ascii: "`"): quoted(.quotedName, until: byte)
        case UInt8(ascii: "["): quoted(.quotedName, until: UInt8(ascii: "]"))
        case UInt8(ascii: ":") where peek(1) == byte: symbol(byte, length: 2)
        case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "?"): run(.parameter, from: 1)
        case _ where byte &- 48 < 10: run(.number, from: 1)
        case UInt8(ascii: ".") where (peek(1) ?? 0) &- 48 < 10: run(.number, from: 1)
        case _ where Self.isWord(byte): run(.word, from: 0)
        default: symbol(byte)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
            || byte >= 0x80
    }

    // MARK: Tokens

    private mutating func skip(_ count: Int) {
        for byte in bytes[index..<min(index + count, bytes.count)] where byte == UInt8(ascii: "\n") { line += 1 }
        index = min(index + count, bytes.count)
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        let end = bytes[index...].firstIndex { !condition($0) } ?? bytes.count
        skip(end - index)
    }

    private mutating func skipComment() {
        let start = line
        skip(2)
        while let byte = peek() {
            if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") { return skip(2) }
            skip(1)
        }
        report(start, "unterminated comment: add '*/'")
    }

    /// Appends a quoted token.
    ///
    /// A doubled closing quote is one character of the text. `]` cannot be doubled.
    private mutating func quoted(_ kind: SQLToken.Kind, until end: UInt8) {
        let (start, begin) = (line, index)
        var content: [UInt8] = []
        skip(1)
        while let byte = peek() {
            if byte == end {
                guard peek(1) == end, end != UInt8(ascii: "]") else {
                    skip(1)
                    return append(kind, content, start, begin..<index)
                }
                skip(1)
            }
            content.append(byte)
            skip(1)
        }
        report(start, "unterminated quotation: add the closing quotation mark")
    }

    private mutating func run(_ kind: SQLToken.Kind, from offset: Int) {
        let start = index
        skip(offset)
        skip { Self.isWord($0) || (kind == .number && $0 == UInt8(ascii: ".")) }
        append(kind, bytes[start..<index], line, start..<index)
    }

    private mutating func symbol(_ byte: UInt8, length: Int = 1) {
        if byte == UInt8(ascii: ")"), open.popLast() == nil {
            report(line, "the ')' has no matching '(': remove it or add the '('")
        }
        append(.symbol, bytes[index..<index + length], line, index..<index + length)
        if byte == UInt8(ascii: "(") { open.append(line) }
        skip(length)
    }

    private mutating func append(
        _ kind: SQLToken.Kind, _ text: some Sequence<UInt8>, _ line: Int, _ range: Range<Int>
    ) {
        tokens.append(
            SQLToken(
                kind: kind, text: String(decoding: Array(text), as: UTF8.self), line: line, depth: open.count,
                range: range))
    }

    private mutating func report(_ line: Int, _ message: String) {
        problems.append(Problem(line: line, message: message))
    }
}
