extension Double {
    /// Parses a finite decimal number such as `-1.5e3`, or returns `nil`.
    ///
    /// Hexadecimal numbers and the words for infinity and for no number are not decimal.
    ///
    /// - Parameter text: The complete text of the number, without white space.
    // `Double.init` without a label means the initializer of the standard library.
    @_disfavoredOverload
    @inlinable
    package init?(decimal text: some StringProtocol) {
        let isDecimal = text.utf8.allSatisfy { byte in
            let isDigit = byte &- UInt8(ascii: "0") < 10
            return isDigit || "+-.eE".utf8.contains(byte)
        }
        guard isDecimal, let value = Double(text), value.isFinite else { return nil }
        self = value
    }
}
