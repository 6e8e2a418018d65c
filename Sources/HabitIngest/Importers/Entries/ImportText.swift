extension StringProtocol {
    /// The text without white space at its beginning and its end.
    var trimmed: String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// Joins texts with ` – ` (an en dash), without empty ones.
func joined(_ texts: String?...) -> String {
    let trimmedTexts = texts.compactMap { text in text?.trimmed }
    let visibleTexts = trimmedTexts.filter { text in !text.isEmpty }
    return visibleTexts.joined(separator: " – ")
}
