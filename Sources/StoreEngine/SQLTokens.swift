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
    package func isWord(_ word: String) -> Bool {
        kind == .word && text.uppercased() == word
    }

    /// Returns whether the token is the symbol `symbol`.
    package func isSymbol(_ symbol: String) -> Bool {
        kind == .symbol && text == symbol
    }

    /// The name in lowercase, as SQL compares unquoted names, or `nil` if the token is not a name.
    package var name: String? {
        switch kind {
        case .word, .quotedName: text.lowercased()
        default: nil
        }
    }
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
        while let character = peek() {
            takeToken(beginningWith: character)
        }
        for line in open {
            report(line, "a '(' on this line is not closed: add the ')'")
        }
    }

    /// Returns the byte at an offset from the current one as a character, or `nil` after the end.
    ///
    /// A byte of a character that is not ASCII becomes a character of U+0080 to U+00FF.
    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        guard index + offset < bytes.count else {
            return nil
        }
        return Unicode.Scalar(bytes[index + offset])
    }

    private mutating func takeToken(beginningWith character: Unicode.Scalar) {
        let next = peek(1)
        switch character {
        case "\n", " ", "\t", "\u{b}", "\u{c}", "\r":
            skip(1)
        case "-" where next == "-":
            skip(while: { $0 != "\n" })
        case "/" where next == "*":
            skipComment()
        case "'":
            takeQuotation(.string, until: "'")
        case "\"", "`":
            takeQuotation(.quotedName, until: character)
        case "[":
            takeQuotation(.quotedName, until: "]")
        case ":" where next == ":":
            takeSymbol(length: 2)
        case ":", "@", "$", "?":
            takeRun(.parameter, from: 1)
        case "0"..."9":
            takeRun(.number, from: 1)
        case "." where Self.isDigit(next):
            takeRun(.number, from: 1)
        case _ where Self.isPartOfWord(character):
            takeRun(.word, from: 0)
        default:
            takeSymbol(length: 1)
        }
    }

    private static func isDigit(_ character: Unicode.Scalar?) -> Bool {
        guard let character else {
            return false
        }
        return ("0"..."9").contains(character)
    }

    private static func isPartOfWord(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "0"..."9", "A"..."Z", "a"..."z": true
        case "_", "$": true
        default: !character.isASCII
        }
    }

    // MARK: Tokens

    private mutating func skip(_ count: Int) {
        let end = min(index + count, bytes.count)
        for byte in bytes[index..<end] where byte == UInt8(ascii: "\n") {
            line += 1
        }
        index = end
    }

    private mutating func skip(while condition: (Unicode.Scalar) -> Bool) {
        while let character = peek(), condition(character) {
            skip(1)
        }
    }

    private mutating func skipComment() {
        let firstLine = line
        skip(2)
        while let character = peek() {
            if character == "*", peek(1) == "/" {
                skip(2)
                return
            }
            skip(1)
        }
        report(firstLine, "unterminated comment: add '*/'")
    }

    /// Appends a quoted token.
    ///
    /// A doubled closing quote is one character of the text. `]` cannot be doubled.
    private mutating func takeQuotation(_ kind: SQLToken.Kind, until end: Unicode.Scalar) {
        let firstLine = line
        let start = index
        var content: [UInt8] = []
        skip(1)
        while let character = peek() {
            if character == end {
                let isDoubled = peek(1) == end && end != "]"
                skip(1)
                if !isDoubled {
                    append(kind, text: content, line: firstLine, range: start..<index)
                    return
                }
            }
            content.append(bytes[index])
            skip(1)
        }
        report(firstLine, "unterminated quotation: add the closing quotation mark")
    }

    /// Appends a token that continues as long as characters can be part of a word, or of a number with decimals.
    private mutating func takeRun(_ kind: SQLToken.Kind, from offset: Int) {
        let start = index
        skip(offset)
        skip(while: { character in
            let isDecimalPoint = kind == .number && character == "."
            return isDecimalPoint || Self.isPartOfWord(character)
        })
        let range = start..<index
        append(kind, text: bytes[range], line: line, range: range)
    }

    private mutating func takeSymbol(length: Int) {
        let character = peek()
        if character == ")", open.popLast() == nil {
            report(line, "the ')' has no matching '(': remove it or add the '('")
        }
        let range = index..<index + length
        append(.symbol, text: bytes[range], line: line, range: range)
        if character == "(" {
            open.append(line)
        }
        skip(length)
    }

    private mutating func append(
        _ kind: SQLToken.Kind,
        text: some Sequence<UInt8>,
        line: Int,
        range: Range<Int>
    ) {
        let token = SQLToken(
            kind: kind,
            text: String(decoding: Array(text), as: UTF8.self),
            line: line,
            depth: open.count,
            range: range)
        tokens.append(token)
    }

    private mutating func report(_ line: Int, _ message: String) {
        problems.append(Problem(line: line, message: message))
    }
}
