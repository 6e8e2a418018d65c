extension String {
    /// The text, truncated to 40 characters for a message.
    ///
    /// The user can still find the value in the input.
    var excerpt: String { count <= 40 ? self : prefix(39) + "…" }

    /// The text with escapes (`\u{1B}`) instead of control characters, for the complete name of a file in a message.
    var withoutControls: String {
        guard unicodeScalars.contains(where: { $0.isControlOfText }) else { return self }
        return unicodeScalars.map { scalar in
            scalar.isControlOfText ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
        }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets the character instead of showing it.
    fileprivate var isControlOfText: Bool { properties.generalCategory == .control || properties.isBidiControl }
}
