import HabitModel

/// The lines of a configuration file that have the form `key = value`.
///
/// The parser of TOML reports no positions of values. This scanner finds them, and `config set` changes a line. It is not a
/// parser: a line of a text over several lines can have the same form. Each change is therefore checked with the parser.
struct ConfigurationText {
    /// A line with a key and a value.
    struct Entry {
        /// The name of the key with its table, such as `places.home`.
        var key: String
        /// The index of the line.
        var index: Int
        /// The column of the key, counted from 1.
        var column: Int
        /// The column of the value, counted from 1.
        var valueColumn: Int
    }

    /// The lines without their line ends.
    private(set) var lines: [String]
    /// The line end of the file.
    private let lineEnd: String

    init(_ text: String) {
        lineEnd = text.contains("\r\n") ? "\r\n" : "\n"
        // TOML ends lines only at these characters.
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        if lines.last == "" { lines.removeLast() }
        self.lines = lines
    }

    /// The text of the file, with a line end after each line.
    var text: String { lines.map { $0 + lineEnd }.joined() }

    /// The entries in the order of the lines.
    var entries: [Entry] {
        var table = ""
        var entries: [Entry] = []
        for (index, line) in lines.enumerated() {
            var scanner = KeyScanner(line)
            if let header = scanner.header() {
                table = header
                continue
            }
            guard let entry = scanner.entry(in: table, index: index) else { continue }
            entries.append(entry)
        }
        return entries
    }

    /// Whether a line is the header of a table, which at most a comment follows.
    static func isHeader(_ line: String) -> Bool {
        var scanner = KeyScanner(line)
        return scanner.header() != nil && scanner.endsWithComment
    }

    /// The index of the line with the header of a table, or `nil`.
    private func headerIndex(of table: String) -> Int? {
        lines.firstIndex { line in
            var scanner = KeyScanner(line)
            return scanner.header() == table
        }
    }

    /// The index of the first header of a table, or the number of lines.
    private var endOfTopLevel: Int {
        let index = lines.firstIndex { line in
            var scanner = KeyScanner(line)
            return scanner.header() != nil
        }
        return index ?? lines.count
    }

    /// Replaces the line of a key, or inserts a line.
    ///
    /// A comment after the replaced value is kept if it follows a value in one line.
    ///
    /// - Returns: The number of the changed line, counted from 1.
    mutating func set(_ key: ConfigurationKey, to value: ConfigurationValue) -> Int {
        if let entry = entries.last(where: { $0.key == key.name }) {
            let line = lines[entry.index]
            let start = line.unicodeScalars.index(line.startIndex, offsetBy: entry.valueColumn - 1)
            lines[entry.index] = line[..<start] + value.toml + Self.comment(in: line[start...])
            return entry.index + 1
        }
        let index = insertionIndex(of: key)
        lines.insert("\(lineKey(of: key)) = \(value.toml)", at: index)
        return index + 1
    }

    /// Removes the line of a key.
    ///
    /// - Returns: The number of the removed line, counted from 1, or `nil` if no line has the key.
    mutating func remove(_ key: String) -> Int? {
        guard let entry = entries.last(where: { $0.key == key }) else { return nil }
        lines.remove(at: entry.index)
        return entry.index + 1
    }

    /// Returns the index of a new line, and adds the table `places` if the file lacks it.
    private mutating func insertionIndex(of key: ConfigurationKey) -> Int {
        guard case .place = key else {
            var index = endOfTopLevel
            while index > 0, index < lines.count, lines[index - 1].allSatisfy(\.isWhitespace) { index -= 1 }
            return index
        }
        if let last = entries.last(where: { $0.key.hasPrefix("places.") }), headerIndex(of: "places") != nil {
            return last.index + 1
        }
        if let header = headerIndex(of: "places") { return header + 1 }
        if let last = lines.last, !last.allSatisfy(\.isWhitespace) { lines.append("") }
        lines.append("[places]")
        return lines.count
    }

    /// Returns the key as its own table writes it.
    private func lineKey(of key: ConfigurationKey) -> String {
        guard case .place(let place) = key else { return key.name }
        let isBare = place.utf8.allSatisfy(KeyScanner.isBare)
        return isBare ? place : ConfigurationValue.quoted(place)
    }

    /// Returns the comment after a value with the blanks before it, or an empty text.
    private static func comment(in value: Substring) -> Substring {
        var quote: Character?
        var isEscaped = false
        for index in value.indices {
            let character = value[index]
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\", open == "\"" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#" {
                var start = index
                while start > value.startIndex, value[value.index(before: start)].isWhitespace {
                    start = value.index(before: start)
                }
                return value[start...]
            }
        }
        return ""
    }
}

/// Reads the key of one line.
private struct KeyScanner {
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
        let rest = line[index...].dropFirst().first { $0 != " " && $0 != "\t" && $0 != "\r" }
        return rest == nil || rest == "#"
    }

    /// Whether a byte can be in a key without quotation marks.
    static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private var next: Unicode.Scalar? { index < line.count ? line[index] : nil }

    private mutating func skipBlanks() {
        while let scalar = next, scalar == " " || scalar == "\t" { index += 1 }
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
        let name = table.isEmpty ? key : "\(table).\(key)"
        return ConfigurationText.Entry(key: name, index: lineIndex, column: column, valueColumn: index + 1)
    }

    /// Reads a key with its dots and the blanks after it.
    private mutating func dottedKey() -> String? {
        var parts: [String] = []
        while true {
            skipBlanks()
            guard let part = simpleKey() else { return nil }
            parts.append(part)
            skipBlanks()
            guard next == "." else { return parts.joined(separator: ".") }
            index += 1
        }
    }

    private mutating func simpleKey() -> String? {
        if let quote = next, quote == "\"" || quote == "'" { return quotedKey(quote) }
        let start = index
        while let scalar = next, scalar.isASCII, Self.isBare(UInt8(scalar.value)) { index += 1 }
        return index > start ? String(String.UnicodeScalarView(line[start..<index])) : nil
    }

    /// Reads a key between quotation marks, which contains no escape sequence other than `\"` and `\\`.
    private mutating func quotedKey(_ quote: Unicode.Scalar) -> String? {
        var key = String.UnicodeScalarView()
        index += 1
        while let scalar = next {
            index += 1
            if scalar == quote { return String(key) }
            if scalar == "\\", quote == "\"" {
                guard let escaped = next, escaped == "\"" || escaped == "\\" else { return nil }
                key.append(escaped)
                index += 1
            } else {
                key.append(scalar)
            }
        }
        return nil
    }
}
