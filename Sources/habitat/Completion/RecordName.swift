import Base

/// The name of a record, which a shell offers unless the shell could change it.
struct RecordName {
    var id: String
    var name: String

    /// Returns the text that completes the typed text, or `nil` if neither the name nor the ID begins with it.
    ///
    /// The ID stands for a name that is not plain. Shells discard it unless it begins with the typed text.
    func completion(of typed: String) -> String? {
        let isPlain = Self.isPlain(name)
        if isPlain, let text = Self.completion(of: typed, by: name, \.folded) {
            return text
        }
        guard id.hasPrefix(typed), !isPlain || !typed.isEmpty else {
            return nil
        }
        return id
    }

    /// Whether shells keep a text: it contains no quote, backslash or control character, and is not an option.
    static func isPlain(_ text: String) -> Bool {
        guard !text.isEmpty, !text.hasPrefix("-") else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control && scalar != "'" && scalar != "\"" && scalar != "\\"
        }
    }

    /// Completes a typed text to a name.
    ///
    /// The typed letters are kept, because most shells discard a value that does not begin with them.
    ///
    /// - Parameters:
    ///   - typed: The text before the cursor.
    ///   - name: The name.
    ///   - folded: Returns a text without the differences that the command ignores.
    /// - Returns: The typed text and the rest of the name, or `nil` if the name does not begin with the text.
    static func completion(of typed: String, by name: String, _ folded: (String) -> String) -> String? {
        let goal = folded(typed)
        guard folded(name).hasPrefix(goal) else { return nil }
        // Folding can change the number of characters.
        for length in 0...name.count where folded(String(name.prefix(length))) == goal {
            return typed + name.dropFirst(length)
        }
        return nil
    }
}
