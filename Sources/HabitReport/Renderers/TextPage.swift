import HabitStore

/// A text for people: paragraphs and tables, one below the other.
public struct TextPage {
    private let output: OutputBuffer
    private let options: RenderOptions

    public init(_ output: OutputBuffer, options: RenderOptions) {
        self.output = output
        self.options = options
    }

    public func add(_ text: String) { output.append(text) }

    /// Breaks lines between words, at the width of the page.
    public func add(paragraph text: String) {
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, TerminalText(line).width + 1 + TerminalText(String(word)).width > options.width {
                output.append(line + "\n")
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { output.append(line + "\n") }
    }

    /// A table below a blank line, and below its title.
    public func add(_ rows: [ValueRow], _ shape: ResultShape, title: String? = nil) throws {
        output.append("\n" + (title.map { "\($0)\n" } ?? ""))
        var table = try OutputFormat.text.renderer(for: shape, options: options, into: output)
        try table.begin()
        for row in rows { try table.append(row) }
        try table.end()
    }
}
