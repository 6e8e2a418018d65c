extension String {
    /// The text as one word of a command in a message.
    ///
    /// A text with characters that a shell interprets is in double quotes, with a backslash before the characters that
    /// are special in them.
    var shellWord: String {
        let isPlain = !isEmpty && first != "~" && allSatisfy(\.isPlainInShell)
        guard !isPlain else { return self }
        let specialCharacters = "\\\"$`!"
        let escaped = map { character in
            specialCharacters.contains(character) ? "\\\(character)" : "\(character)"
        }
        return "\"\(escaped.joined())\""
    }
}

extension Character {
    /// Whether a shell does not interpret the character.
    fileprivate var isPlainInShell: Bool {
        isLetter || isNumber || "-_.@:/+=,%^".contains(self)
    }
}
