extension String {
    /// The text as one word of a command in a message.
    ///
    /// A text with characters that a shell interprets is in double quotes, with a backslash before the characters that
    /// are special in them.
    var shellWord: String {
        let isPlain =
            !isEmpty && first != "~" && allSatisfy { $0.isLetter || $0.isNumber || "-_.@:/+=,%^".contains($0) }
        guard !isPlain else { return self }
        let escaped = map { "\\\"$`!".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }
}
