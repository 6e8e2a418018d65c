extension OutputBuffer {
    /// Appends a paragraph in lines of at most `width` terminal columns, each with a line feed.
    ///
    /// - Parameters:
    ///   - text: The paragraph. Control characters are replaced by symbols.
    ///   - width: The maximum width of a line.
    ///   - indent: The number of spaces before each line except the first.
    package func append(paragraph text: String, width: Int, indent: Int = 2) {
        for (i, line) in TerminalText(text).lines(of: width - indent).enumerated() {
            if i > 0 { append(String(repeating: " ", count: indent)) }
            append(line.isolated)
            append(UInt8(ascii: "\n"))
        }
    }
}
