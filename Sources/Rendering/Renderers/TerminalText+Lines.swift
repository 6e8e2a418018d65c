extension TerminalText {
    /// Returns the text in lines of at most `limit` terminal columns.
    ///
    /// Lines end at spaces. A longer word continues on the next line.
    ///
    /// - Parameter limit: The maximum width of a line, at least 2, because some characters have two columns.
    /// - Returns: The lines without spaces at their ends; one empty line for an empty text.
    func lines(of limit: Int) -> [TerminalText] {
        guard width > limit else { return [self] }
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let size = TerminalText(String(word)).width
            if !line.isEmpty, used + 1 + size > limit {
                lines.append(line)
                line = ""
                used = 0
            } else if !line.isEmpty {
                line += " "
                used += 1
            }
            for character in word {
                let width = character.terminalWidth
                if used + width > limit {
                    lines.append(line)
                    line = ""
                    used = 0
                }
                line.append(character)
                used += width
            }
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines.map { line in TerminalText(line) }
    }
}
