import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// Renders the rows of a result in the chosen format.
final class RowReceiver {
    private let renderer: any Renderer
    private let buffer: OutputBuffer
    private var isFinished = false
    /// The paragraph after the rows of a table, if there are rows.
    private var footer: String?
    private var footerWidth = 0

    init(_ renderer: any Renderer, into buffer: OutputBuffer) {
        self.renderer = renderer
        self.buffer = buffer
    }

    var count: Int { renderer.rowCount }
    var unlocated: Int { renderer.unlocatedCount }
    var undated: Int { renderer.undatedCount }
    var hiddenColumns: [String] { renderer.hiddenColumns }

    /// Adds a paragraph after the rows, if there are rows.
    func addFooter(_ text: String, width: Int) {
        footer = text
        footerWidth = width
    }

    func begin() throws { try renderer.begin() }
    func append(_ row: any Row) throws { try renderer.append(row) }
    func append(_ rows: [ValueRow]) throws { for row in rows { try renderer.append(row) } }

    /// Renders all rows of a query.
    func append(_ sql: SQL, in session: any Session) throws { try renderer.append(sql, in: session) }

    /// Returns an empty part of the document, which any thread can render, or `nil` if the format has no parts.
    func part() -> DocumentPart? { DocumentPart(of: renderer) }

    /// Adds a table after the rows that are already written.
    ///
    /// - Parameters:
    ///   - rows: The rows of the table.
    ///   - shape: The shape of the rows.
    ///   - options: The options of the output.
    ///   - title: The line before the table, or `nil` for none.
    /// - Throws: An error of the output.
    func appendTable(
        _ rows: [ValueRow],
        _ shape: ResultShape,
        options: RenderOptions,
        title: String? = nil
    ) throws {
        guard let title else { return try TextDocument(buffer, options: options).add(rows, shape) }
        addTitle(title)
        let renderer = try OutputFormat.text.renderer(for: shape, options: options, into: buffer)
        try renderer.render(rows)
        buffer.append("\n")
    }

    /// Adds the title of a table.
    func addTitle(_ title: String) { buffer.append("\(title)\n") }

    /// Writes the remaining output and commits it.
    ///
    /// A second call has no effect.
    func finish() throws {
        guard !isFinished else { return }
        isFinished = true
        try renderer.end()
        if let footer, renderer.rowCount > 0 { buffer.append(paragraph: footer, width: footerWidth) }
        try buffer.close()
    }
}
