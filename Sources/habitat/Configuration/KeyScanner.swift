/// Reads the key of one line.
struct KeyScanner {
    // A character can consist of a bracket and a combining mark, so the scanner reads scalars, as the parser does.
    private let line: [Unicode.Scalar]
    private var index = 0

    init(_ line: String) {
        self.line = Array(line.unicodeScalars)
        // The byte order mark at the beginning of a file.
        if self.line.first == "\u{feff}" { index = 1 }
    }

    /// Whether only blanks and a comment follow the header.
    var endsWithComment: Bool {
        let rest = line[index...].dropFirst()
        let first = rest.first { scalar in
            !scalar.isBlank && scalar != "\r"
        }
        return first == nil || first == "#"
    }

    /// Whether a byte can be in a key without quotation marks.
    static func isBare(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    private var next: Unicode.Scalar? {
        index < line.count ? line[index] : nil
    }

    private mutating func skipBlanks() {
        while let scalar = next, scalar.isBlank {
            index += 1
        }
    }

    /// Returns the name of the table if the line is a header, otherwise `nil`.
    mutating func header() -> String? {
        let start = index
        skipBlanks()
        guard next == "[" else {
            index = start
            return nil
        }
        index += 1
        guard let name = dottedKey(), next == "]" else {
            index = start
            return nil
        }
        return name
    }

    /// Returns the entry of the line, or `nil` if the line has no key and value.
    mutating func entry(in table: String, index lineIndex: Int) -> ConfigurationText.Entry? {
        skipBlanks()
        let column = index + 1
        guard let key = dottedKey(), next == "=" else { return nil }
        index += 1
        skipBlanks()
        return ConfigurationText.Entry(
            key: table.isEmpty ? key : "\(table).\(key)",
            index: lineIndex,
            column: column,
            valueColumn: index + 1)
    }

    /// Reads a key with its dots and the blanks after it.
    private mutating func dottedKey() -> String? {
        var parts: [String] = []
        while true {
            skipBlanks()
            guard let part = simpleKey() else { return nil }
            parts.append(part)
            skipBlanks()
            guard next == "." else {
                return parts.joined(separator: ".")
            }
            index += 1
        }
    }

    private mutating func simpleKey() -> String? {
        if let quote = next, quote == "\"" || quote == "'" {
            return quotedKey(quote)
        }
        let key = line[index...].prefix { scalar in
            scalar.isASCII && Self.isBare(UInt8(scalar.value))
        }
        guard !key.isEmpty else { return nil }
        index = key.endIndex
        return String(String.UnicodeScalarView(key))
    }

    /// Reads a key between quotation marks, which contains no escape sequence other than `\"` and `\\`.
    private mutating func quotedKey(_ quote: Unicode.Scalar) -> String? {
        var key = String.UnicodeScalarView()
        index += 1
        while let scalar = next {
            index += 1
            if scalar == quote { return String(key) }
            if scalar == "\\", quote == "\"" {
                guard let escaped = next else { return nil }
                guard escaped == "\"" || escaped == "\\" else { return nil }
                key.append(escaped)
                index += 1
            } else {
                key.append(scalar)
            }
        }
        return nil
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is whitespace of TOML within a line.
    var isBlank: Bool { self == " " || self == "\t" }
}
