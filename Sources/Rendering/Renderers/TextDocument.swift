import StoreEngine

/// A text document for people that consists of paragraphs, definition lists and tables.
public struct TextDocument {
    private let output: OutputBuffer
    private let options: RenderOptions

    /// Creates an empty document that is written to `output`.
    public init(_ output: OutputBuffer, options: RenderOptions) {
        self.output = output
        self.options = options
    }

    /// Appends `text` verbatim.
    public func add(_ text: String) { output.append(text) }

    /// Appends a paragraph and breaks its lines between words at the width of the page.
    public func add(paragraph text: String) {
        for line in lines(text, width: options.width) { output.append(line + "\n") }
    }

    /// Appends a list below its title, in the format of the help of a command.
    ///
    /// - Parameters:
    ///   - definitions: The terms and their meanings. Each meaning is to the right of its term.
    ///   - title: The title of the list.
    public func add(definitions: [(term: String, meaning: String)], title: String) {
        output.append("\n\(title)\n")
        let indent = String(repeating: " ", count: 26)
        for (term, meaning) in definitions {
            var head = "  " + term
            let room = indent.count - TerminalText(head).width
            if room < 2 {
                output.append(head + "\n")
                head = indent
            } else {
                head += String(repeating: " ", count: room)
            }
            for line in lines(meaning, width: options.width - indent.count) {
                output.append(head + line + "\n")
                head = indent
            }
        }
    }

    private func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, TerminalText(line).width + 1 + TerminalText(String(word)).width > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Appends a blank line and a table.
    public func add(_ rows: [ValueRow], _ shape: ResultShape) throws {
        output.append("\n")
        try OutputFormat.text.renderer(for: shape, options: options, into: output).render(rows)
    }
}
