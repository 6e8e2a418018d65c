/// A string literal of Swift code.
struct StringLiteral {
    /// The sign for an interpolated value in ``content``.
    static let value: Character = "\u{FFFC}"
    /// Names that are the same in every language, labels of columns and of inputs, values of header fields,
    /// and code.
    private static let names: Set<String> = [
        "Accept, Authorization, Cookie", "Habitat", "JavaScript", "Parquet", "Python", "QGIS", "export default",
        "longest streak", "time zone",
    ]
    /// The code before descriptions of errors and of the API.
    private static let descriptions = [
        "HabitError(", "detail:", "summary:", "description:", "refusal:", "invalid(", "unreadable(", "fault = ",
    ]
    /// Number of characters of the code before a literal that decide whether it describes an error.
    static let contextLength = 80

    /// The text, in which each interpolated value is a sign.
    var content = ""
    /// The end of the code before the literal.
    let context: String

    /// The texts for people: those between the tags of markup and in labels, and other literals that are prose.
    var visibleTexts: [String] {
        if Self.descriptions.contains(where: context.contains) { return [] }
        let labels = content.matches(of: /(?:aria-label|alt|placeholder)="([^"]*)"/)
        let withoutCode = content.replacing(/<code>[^<]*<\/code>/, with: "<>")
        let withoutTags = withoutCode.replacing(/<[\/!]?[A-Za-z][^>]*>/, with: "<>")
        let isMarkup = withoutTags != content
        let parts = [withoutTags] + labels.map { label in String(label.1) }
        let texts = parts.flatMap(Self.texts)
        return texts.filter { text in
            if Self.names.contains(text) { return false }
            return isMarkup ? text.contains(/[A-Za-z]{2}/) : Self.isProse(text)
        }
    }

    /// Returns the texts between tags and values.
    private static func texts(in part: String) -> [String] {
        let ends: Set<Character> = ["<", ">", "\n", value]
        return part.split(whereSeparator: ends.contains).map(trimmed)
    }

    private static func trimmed(_ text: Substring) -> String {
        let isEdge = { (character: Character) in character.isWhitespace || ".,;".contains(character) }
        let begin = text.drop(while: isEdge)
        let end = begin.lastIndex { character in !isEdge(character) }
        return end.map { end in String(begin[...end]) } ?? ""
    }

    /// Whether a text has several words, or is one word with an upper-case letter.
    private static func isProse(_ text: String) -> Bool {
        let word = /[A-Z][a-z]+/
        let words = /[A-Za-z0-9]+(?:[,.:;?]? [A-Za-z0-9()]+)+/
        guard text.contains(/[A-Za-z]{2}/) else { return false }
        return text.wholeMatch(of: word) != nil || text.wholeMatch(of: words) != nil
    }
}

/// A reader of the string literals in Swift code.
struct StringLiterals {
    private let code: [Character]
    private var index = 0
    private var found: [StringLiteral] = []

    /// Returns all literals, and those in interpolated values before the literal around them.
    static func all(in code: String) -> [StringLiteral] {
        var reader = StringLiterals(code: Array(code))
        reader.readCode(isValue: false)
        return reader.found
    }

    private init(code: [Character]) { self.code = code }

    private func begins(with text: String) -> Bool {
        code[index...].starts(with: text)
    }

    /// Reads code up to its end, or up to the parenthesis after an interpolated value.
    private mutating func readCode(isValue: Bool) {
        var depth = 0
        while index < code.count {
            // Most characters begin nothing, and a comparison of texts takes longer than one of characters.
            let mayBegin = code[index] == "/" || code[index] == "#" || code[index] == "\""
            if !mayBegin {
                if code[index] == "(" { depth += 1 }
                if code[index] == ")" { depth -= 1 }
                index += 1
                if isValue, depth == 0 { return }
            } else if begins(with: "//") {
                skipComment()
            } else if begins(with: "#\"") {
                skipRawLiteral(until: "\"#")
            } else if begins(with: "#/") {
                // A regular expression.
                skipRawLiteral(until: "/#")
            } else if begins(with: "\"\"\"") {
                readLiteral(until: "\"\"\"")
            } else if begins(with: "\"") {
                readLiteral(until: "\"")
            } else {
                index += 1
            }
        }
    }

    private mutating func skipComment() {
        index = code[index...].firstIndex(where: \.isNewline) ?? code.count
    }

    private mutating func skipRawLiteral(until end: String) {
        index += 2
        while index < code.count, !begins(with: end) { index += 1 }
        index += end.count
    }

    private mutating func readLiteral(until end: String) {
        let context = code[max(0, index - StringLiteral.contextLength)..<index]
        var literal = StringLiteral(context: String(context))
        index += end.count
        while index < code.count, code[index] != "\"" || !begins(with: end) {
            if code[index] != "\\" {
                literal.content.append(code[index])
                index += 1
            } else if begins(with: "\\(") {
                index += 1
                readCode(isValue: true)
                literal.content.append(StringLiteral.value)
            } else {
                literal.content += readEscape()
            }
        }
        index += end.count
        found.append(literal)
    }

    /// Returns the text of an escape sequence; empty for the end of a line.
    private mutating func readEscape() -> String {
        let character = code[index + 1]
        index += 2
        switch character {
        case "n": return "\n"
        case "u":
            // The braces with the number follow.
            index = code[index...].firstIndex(of: "}").map { end in end + 1 } ?? code.count
            return ""
        case let character where character.isNewline:
            while index < code.count, code[index] == " " { index += 1 }
            return ""
        default: return String(character)
        }
    }
}
