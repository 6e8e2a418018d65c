/// A pattern that a complete text must match.
public struct TextPattern: Sendable, Hashable {
    /// A part of a pattern.
    public enum Part: Sendable, Hashable {
        /// Any number of characters, including none.
        case any
        /// One character.
        case one
        /// One given character.
        case literal(Unicode.Scalar)
    }

    /// The parts in the order of the text.
    public let parts: [Part]

    /// Creates the pattern of texts that contain `text`.
    public init(containing text: String) {
        let literals = text.unicodeScalars.map { Part.literal($0) }
        parts = [.any] + literals + [.any]
    }

    /// Parses a pattern of the operator LIKE: `%` stands for any characters, `_` for one, and `\` escapes the next one.
    ///
    /// A backslash at the end stands for itself. Consecutive `%` have the effect of one.
    public init(like text: String) {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                parts.append(.literal(scalar))
                isEscaped = false
            case "\\":
                isEscaped = true
            case "%" where parts.last == .any:
                break
            case "%":
                parts.append(.any)
            case "_":
                parts.append(.one)
            default:
                parts.append(.literal(scalar))
            }
        }
        if isEscaped {
            parts.append(.literal("\\"))
        }
        self.parts = parts
    }
}
