extension Double {
    /// Parses a finite decimal number such as `-1.5e3`, or returns `nil`.
    ///
    /// Hexadecimal numbers and the words for infinity and for no number are not decimal.
    init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ ($0 &- 48) < 10 || "+-.eE".utf8.contains($0) }), let value = Double(text),
            value.isFinite
        else { return nil }
        self = value
    }
}
