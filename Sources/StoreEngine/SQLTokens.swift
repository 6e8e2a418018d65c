/// A word, sign or literal of SQL, and where it stands.
package struct SQLToken: Equatable {
    package enum Kind {
        case word, quotedName, string, number, parameter, symbol
    }

    package var kind: Kind
    /// Of a word or parameter what stands there, of a quoted name what it names.
    package var text: String
    /// From 1, on the first line of the SQL.
    package var line: Int
    /// How many parentheses are open around it; its own do not count.
    package var depth: Int
    /// Where it stands in the UTF-8 of the SQL.
    package var range: Range<Int>

    package func isWord(_ word: String) -> Bool { kind == .word && text.uppercased() == word }
    package func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

    /// What it names in lower case, as SQL compares unquoted names; nil where it is no name.
    package var name: String? { kind == .word || kind == .quotedName ? text.lowercased() : nil }
}

/// Takes SQL apart as far as its outline needs it, without saying whether the engine would take it.
package struct SQLTokenizer {
    /// What cannot be taken apart, and on which line.
    package struct Problem {
        package var line: Int
        package var message: String
    }

    package private(set) var tokens: [SQLToken] = []
    package private(set) var problems: [Problem] = []
    package let bytes: [UInt8]
    private var index = 0
    private var line = 1
    private var open: [Int] = []

    package init(_ sql: String) {
        bytes = Array(sql.utf8)
        while let byte = peek() { take(byte) }
        for line in open { report(line, "a '(' of this line is not closed: write the ')'") }
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

    // MARK: One of each kind

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
        report(start, "the comment that begins here does not end: write '*/'")
    }

    /// A quote within is doubled.
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
        report(start, "the quotes that begin here do not end: write the closing one")
    }

    private mutating func run(_ kind: SQLToken.Kind, from offset: Int) {
        let start = index
        skip(offset)
        skip { Self.isWord($0) || (kind == .number && $0 == UInt8(ascii: ".")) }
        append(kind, bytes[start..<index], line, start..<index)
    }

    private mutating func symbol(_ byte: UInt8, length: Int = 1) {
        if byte == UInt8(ascii: ")"), open.popLast() == nil {
            report(line, "the ')' closes nothing: take it out, or write the '('")
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
