import Base

/// The rule for the symbol of a habit: one visible character, such as an emoji or a letter.
public enum HabitSymbol {
    /// The maximum length, in bytes.
    ///
    /// The longest emoji of Unicode have fewer bytes. A character can have any number of combining marks.
    public static let byteLimit = 64

    /// Checks that a text is one visible character, and converts it to NFC.
    ///
    /// - Parameter text: The text in the input.
    /// - Returns: The character in NFC, the form in which texts are stored.
    /// - Throws: `text-invalid` if the text contains a control character or changes the direction of text;
    ///   `field-invalid` if it is not one visible character or has too many bytes.
    public static func check(_ text: String) throws(HabitError) -> String {
        let name = Field.symbol.name
        let symbol = text.composed
        try symbol.requireSingleLine(name)
        guard !symbol.unicodeScalars.contains(where: \.properties.isBidiControl) else {
            throw HabitError(
                .textInvalid,
                "the \(name) contains a character that changes the direction of text: remove it",
                field: name)
        }
        guard symbol.count == 1, let first = symbol.unicodeScalars.first, isVisible(first) else {
            throw HabitError(.fieldInvalid, "the \(name) must be one visible character, such as an emoji", field: name)
        }
        guard symbol.utf8.count <= byteLimit else {
            throw HabitError(
                .fieldInvalid,
                "the \(name) has \(symbol.utf8.count) bytes; at most \(byteLimit) are allowed: use another character",
                field: name,
                parameters: [.length(symbol.utf8.count), .limit(byteLimit)])
        }
        return symbol
    }

    /// Whether a character that begins with the scalar has a shape of its own: it is not a space, a mark or a format
    /// character.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator: false
        case .nonspacingMark, .enclosingMark, .spacingMark: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
