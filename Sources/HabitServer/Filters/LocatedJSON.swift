/// A JSON value with the position of its first character, from 1.
struct LocatedJSON {
    var position: Int
    var value: Value

    indirect enum Value {
        case null
        case boolean(Bool)
        case number(Double)
        case text(String)
        case list([LocatedJSON])
        case object([String: LocatedJSON])
    }
}

/// Parses a JSON document (RFC 8259) for a filter.
struct LocatedJSONParser {
    private let text: [Unicode.Scalar]
    private var index = 0

    /// Parses a document.
    ///
    /// - Throws: ``Problem`` with the position of the error, also for a nesting deeper than twice the limit of filters.
    static func parse(_ text: String) throws -> LocatedJSON {
        var parser = LocatedJSONParser(text: Array(text.unicodeScalars))
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.peek == nil else { throw parser.failure("unexpected text after the JSON value: remove it") }
        return value
    }

    private init(text: [Unicode.Scalar]) { self.text = text }

    private var peek: Unicode.Scalar? { index < text.count ? text[index] : nil }

    private func failure(_ detail: String) -> Problem { .filter(min(index, text.count) + 1, detail) }

    private mutating func skipSpace() {
        while let scalar = peek, scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t" { index += 1 }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        skipSpace()
        guard peek == scalar else { return false }
        index += 1
        return true
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws {
        guard take(scalar) else { throw failure("the JSON is incomplete or invalid: write '\(scalar)' here") }
    }

    private mutating func value(depth: Int) throws -> LocatedJSON {
        skipSpace()
        let position = index + 1
        // An operator of a filter is an object with a list.
        try FilterLimits.require(depth: depth / 2, at: position)
        let value: LocatedJSON.Value =
            switch peek {
            case "{": .object(try members(depth: depth))
            case "[": .list(try elements(depth: depth))
            case "\"": .text(try string())
            case "t": try word("true", .boolean(true))
            case "f": try word("false", .boolean(false))
            case "n": try word("null", .null)
            default: .number(try number())
            }
        return LocatedJSON(position: position, value: value)
    }

    private mutating func members(depth: Int) throws -> [String: LocatedJSON] {
        index += 1
        var members: [String: LocatedJSON] = [:]
        if take("}") { return members }
        repeat {
            skipSpace()
            let name = try string()
            guard members[name] == nil else { throw failure("the member \"\(name)\" is repeated: write it once") }
            try expect(":")
            members[name] = try value(depth: depth + 1)
        } while take(",")
        try expect("}")
        return members
    }

    private mutating func elements(depth: Int) throws -> [LocatedJSON] {
        index += 1
        var elements: [LocatedJSON] = []
        if take("]") { return elements }
        repeat { elements.append(try value(depth: depth + 1)) } while take(",")
        try expect("]")
        return elements
    }

    private mutating func word(_ word: String, _ value: LocatedJSON.Value) throws -> LocatedJSON.Value {
        guard text[index...].starts(with: word.unicodeScalars) else {
            throw failure("the JSON is invalid: write \(word)")
        }
        index += word.unicodeScalars.count
        return value
    }

    private mutating func number() throws -> Double {
        let start = index
        while let scalar = peek, ("0"..."9").contains(scalar) || "+-.eE".unicodeScalars.contains(scalar) { index += 1 }
        let written = String(String.UnicodeScalarView(text[start..<index]))
        guard let first = written.unicodeScalars.first, first != "+", first != ".", !written.hasSuffix("."),
            let value = Double(written), value.isFinite
        else {
            index = start
            throw failure("the JSON is incomplete or invalid: write an object, a list, a text, a number, true or false")
        }
        return value
    }

    private mutating func string() throws -> String {
        guard peek == "\"" else { throw failure("the JSON is incomplete or invalid: write a text in double quotes") }
        index += 1
        var string = String.UnicodeScalarView()
        while let scalar = peek {
            index += 1
            switch scalar {
            case "\"": return String(string)
            case "\\": string.append(try escape())
            case _ where scalar.value < 0x20: throw failure("a text contains a control character: escape it")
            default: string.append(scalar)
            }
        }
        throw failure("the text has no end: add a double quote")
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    private mutating func escape() throws -> Unicode.Scalar {
        if let scalar = peek, let meant = Self.escapes[scalar] {
            index += 1
            return meant
        }
        guard let high = codeUnit() else { throw failure(Self.escapeInvalid) }
        var code = UInt32(high)
        if UTF16.isLeadSurrogate(high) {
            guard peek == "\\", index + 1 < text.count else { throw failure(Self.escapeInvalid) }
            index += 1
            guard let low = codeUnit(), UTF16.isTrailSurrogate(low) else { throw failure(Self.escapeInvalid) }
            code = 0x1_0000 + (code - 0xD800) << 10 + UInt32(low) - 0xDC00
        }
        guard let scalar = Unicode.Scalar(code), scalar != "\0" else { throw failure(Self.escapeInvalid) }
        return scalar
    }

    private static let escapeInvalid = "a text has an invalid escape sequence: write a character of Unicode except NUL"

    /// Reads `uXXXX`, or returns `nil` for other characters.
    private mutating func codeUnit() -> UInt16? {
        guard peek == "u", index + 4 < text.count else { return nil }
        let digits = text[(index + 1)...(index + 4)]
        guard digits.allSatisfy({ $0.properties.isASCIIHexDigit }) else { return nil }
        index += 5
        return UInt16(String(String.UnicodeScalarView(digits)), radix: 16)
    }
}
