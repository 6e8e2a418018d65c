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

        /// The location of the key.
        var location: ConfigurationLocation {
            ConfigurationLocation(line: index + 1, column: column)
        }

        /// The location of the value.
        var valueLocation: ConfigurationLocation {
            ConfigurationLocation(line: index + 1, column: valueColumn)
        }
    }

    /// The lines without their line ends.
    private(set) var lines: [String]
    /// The line end of the file.
    private let lineEnd: String

    init(_ text: String) {
        lineEnd = text.contains("\r\n") ? "\r\n" : "\n"
        // TOML ends lines only at these characters.
        let parts = text.split(omittingEmptySubsequences: false) { character in
            character == "\n" || character == "\r\n"
        }
        lines = parts.map(String.init)
        if lines.last == "" {
            lines.removeLast()
        }
    }

    /// The text of the file, with a line end after each line.
    var text: String {
        let ended = lines.map { line in line + lineEnd }
        return ended.joined()
    }

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
            if let entry = scanner.entry(in: table, index: index) {
                entries.append(entry)
            }
        }
        return entries
    }

    /// Returns the last entry of a key, or `nil` if no line has the key.
    private func entry(of key: String) -> Entry? {
        entries.last { entry in
            entry.key == key
        }
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
        if let entry = entry(of: key.name) {
            replaceValue(of: entry, by: value)
            return entry.index + 1
        }
        let index = insertionIndex(of: key)
        lines.insert("\(lineKey(of: key)) = \(value.toml)", at: index)
        return index + 1
    }

    private mutating func replaceValue(of entry: Entry, by value: ConfigurationValue) {
        let line = lines[entry.index]
        let scalars = line.unicodeScalars
        let start = scalars.index(line.startIndex, offsetBy: entry.valueColumn - 1)
        let comment = Self.comment(in: line[start...])
        lines[entry.index] = line[..<start] + value.toml + comment
    }

    /// Removes the line of a key.
    ///
    /// - Returns: The number of the removed line, counted from 1, or `nil` if no line has the key.
    mutating func remove(_ key: String) -> Int? {
        guard let entry = entry(of: key) else { return nil }
        lines.remove(at: entry.index)
        return entry.index + 1
    }

    /// Returns the index of a new line, and adds the table `places` if the file lacks it.
    private mutating func insertionIndex(of key: ConfigurationKey) -> Int {
        guard case .place = key else { return topLevelInsertionIndex }
        if let header = headerIndex(of: "places") {
            let last = entries.last { entry in
                entry.key.hasPrefix("places.")
            }
            return (last?.index ?? header) + 1
        }
        if !lines.isEmpty, !isBlank(lines.count - 1) {
            lines.append("")
        }
        lines.append("[places]")
        return lines.count
    }

    /// The index after the keys before the first header.
    private var topLevelInsertionIndex: Int {
        var index = endOfTopLevel
        // A key at the end of a file without tables follows the last line.
        if index == lines.count { return index }
        while index > 0, isBlank(index - 1) {
            index -= 1
        }
        return index
    }

    /// Whether a line is empty or consists of whitespace.
    private func isBlank(_ index: Int) -> Bool {
        lines[index].allSatisfy(\.isWhitespace)
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
                return value[startOfBlanks(before: index, in: value)...]
            }
        }
        return ""
    }

    private static func startOfBlanks(
        before end: Substring.Index,
        in text: Substring
    ) -> Substring.Index {
        let kept = text[..<end].lastIndex { character in
            !character.isWhitespace
        }
        guard let kept else { return text.startIndex }
        return text.index(after: kept)
    }
}
