/// A check of a configuration file before the parser reads it.
///
/// The parser aborts the process at some malformed headers and brackets. This check refuses them, and also what a
/// configuration does not need: texts over several lines, and other than ASCII characters outside texts and comments.
struct ConfigurationSyntax {
    /// A problem with its location.
    struct Problem {
        var message: String
        var location: ConfigurationLocation
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var startOfLine = 0
    /// The opening brackets without a closing bracket.
    private var open: [Unicode.Scalar] = []

    /// Returns the first problem of a text, or `nil` if the parser can read it.
    static func problem(in text: String) -> Problem? {
        var syntax = ConfigurationSyntax(scalars: Array(text.unicodeScalars))
        while syntax.index < syntax.scalars.count {
            guard let message = syntax.step() else { continue }
            return syntax.problem(message)
        }
        return nil
    }

    private init(scalars: [Unicode.Scalar]) {
        self.scalars = scalars
        // The byte order mark at the beginning of a file.
        if scalars.first == "\u{feff}" { index = 1 }
    }

    private func problem(_ message: String) -> Problem {
        let offset = max(index - startOfLine, 0)
        let location = ConfigurationLocation(line: line, column: offset + 1)
        return Problem(message: message, location: location)
    }

    private func scalar(at offset: Int) -> Unicode.Scalar? {
        let index = index + offset
        return index < scalars.count ? scalars[index] : nil
    }

    /// Reads a text, a comment, or one scalar.
    ///
    /// - Returns: The problem at the current position, or `nil`.
    private mutating func step() -> String? {
        let scalar = scalars[index]
        switch scalar {
        case "\n":
            endLine()
        case "\r" where self.scalar(at: 1) == "\n":
            index += 1
        case "#":
            skipComment()
        case "\"", "'":
            return skipText(scalar)
        case "[" where open.isEmpty && isFirstInLine:
            return skipHeader()
        case "[", "{":
            open.append(scalar)
            index += 1
        case "]":
            return closeBracket("[")
        case "}":
            return closeBracket("{")
        case "\t", " "..."~":
            index += 1
        default:
            return "the character is not allowed outside quotation marks"
        }
        return nil
    }

    private mutating func endLine() {
        index += 1
        line += 1
        startOfLine = index
    }

    /// Moves to the end of the line.
    private mutating func skipComment() {
        while index < scalars.count, scalars[index] != "\n" {
            index += 1
        }
    }

    /// Moves after the header of a table and its comment.
    private mutating func skipHeader() -> String? {
        guard isHeader else {
            return "the line is not the header of a table, such as [places]"
        }
        skipComment()
        return nil
    }

    /// Moves after a bracket that closes an open bracket of a kind.
    private mutating func closeBracket(_ opening: Unicode.Scalar) -> String? {
        guard open.popLast() == opening else {
            return "the bracket does not close an open bracket"
        }
        index += 1
        return nil
    }

    /// Moves after a text in one line.
    private mutating func skipText(_ quote: Unicode.Scalar) -> String? {
        if scalar(at: 1) == quote, scalar(at: 2) == quote {
            return "a text over several lines is not supported"
        }
        var end = index + 1
        while end < scalars.count, scalars[end] != "\n" {
            if scalars[end] == quote {
                index = end + 1
                return nil
            }
            let isEscape = scalars[end] == "\\" && quote == "\""
            end += isEscape ? 2 : 1
        }
        return "the text has no closing quotation mark"
    }

    private var isFirstInLine: Bool {
        let before = scalars[startOfLine..<index]
        return before.allSatisfy { scalar in
            scalar.isBlank || scalar == "\u{feff}"
        }
    }

    /// Whether the current line is the header of a table.
    private var isHeader: Bool {
        let line = scalars[startOfLine...].prefix { scalar in
            scalar != "\n"
        }
        let text = String(String.UnicodeScalarView(line))
        return ConfigurationText.isHeader(text)
    }
}
