import Base
import StoreEngine

/// Writes rows as an HTML page with charts and a table.
///
/// With `single`, the row is a list of names and values. The charts are complete only after the last row, but are
/// before the table for readers and screen readers. The table is therefore buffered, up to 1 MiB. A longer table is
/// written first, with a link to the charts after it. Memory use does not depend on the number of rows, except for this
/// buffer and the limits of the charts.
public final class HTMLRenderer: Renderer {
    /// Maximum size of the buffered table in bytes.
    static let pendingByteLimit = 1 << 20
    /// Maximum number of rows that a section of a larger page shows without folding its table.
    static let mostUnfolded = 30
    /// Number of rows received, including the rows that a section does not list.
    public private(set) var rowCount = 0
    private let options: RenderOptions
    private let table: HTMLTable
    private let meanings: [RenderOptions.PageContent.Entry]
    private let output: OutputBuffer
    private let role: Role
    private var drawings: [any ChartDrawing]
    private var undrawable = 0
    /// The buffered rows.
    ///
    /// `nil` once they are written to the output.
    private var waiting: OutputBuffer?

    /// Creates a renderer of a complete page for the columns of `shape`.
    public convenience init(_ shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
        self.init(shape, options: options, into: output, role: .document)
    }

    /// Creates a renderer of the charts and the table for a page that has a frame and a heading already.
    ///
    /// The table has the columns for people and at most ``RenderOptions/Page/mostRows`` rows.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows.
    ///   - options: The options of the output.
    ///   - output: The buffer to which the part is appended.
    package convenience init(part shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
        self.init(shape, options: options, into: output, role: .part)
    }

    convenience init(section id: String, of shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
        self.init(shape, options: options, into: output, role: .section(id))
    }

    private init(_ shape: ResultShape, options: RenderOptions, into output: OutputBuffer, role: Role) {
        self.options = options
        let isDocument = role == .document
        table = HTMLTable(isDocument ? shape : shape.forPeople, options)
        meanings = Self.meanings(options, isDocument ? nil : shape.forPeople)
        self.output = output
        self.role = role
        drawings = options.page.charts.compactMap { chart in
            chart.drawing(of: shape, on: options.page)
        }
        undrawable = options.page.charts.count - drawings.count
        waiting = OutputBuffer()
    }

    /// The part of the page that the rows are.
    private enum Role: Equatable {
        /// The complete page.
        case document
        /// A section with an ID on a page with several results.
        case section(String)
        /// The charts and the table of a page with a frame of its own.
        case part
    }

    /// The ID of the section on a page with several results; `nil` for another role.
    private var section: String? {
        guard case .section(let id) = role else { return nil }
        return id
    }

    /// Whether the table has a limited number of rows.
    private var isLimited: Bool { role != .document }

    /// Returns the meanings of the columns in the table: all columns, or only those of a section.
    private static func meanings(_ options: RenderOptions, _ shape: ResultShape?) -> [RenderOptions.PageContent.Entry] {
        guard let shape else { return options.page.columns }
        let names = Set(shape.columns.map(\.name))
        let shown = options.page.columns.filter { entry in names.contains(entry.name) }
        guard options.ratesAsPercent else { return shown }
        return shown.map { entry in
            let name = entry.name.replacing("_", with: " ")
            return .init(name, entry.value)
        }
    }

    /// The frame of a page whose content is the rows.
    private var frame: PageFrame {
        var frame = PageFrame(title: options.page.title, style: .inlined)
        frame.summary = options.page.description
        return frame
    }

    /// Appends the beginning of the page or section, up to the introduction.
    public func begin() throws {
        let page = options.page
        if let section {
            output.append(
                """
                <section id="\(section)">
                <details class="section" open><summary><h2>\(isolated: page.title)</h2></summary>

                """ as HTML)
        } else if role == .document {
            output.append(frame.opening)
            output.append("<main>\n<h1>\(isolated: page.title)</h1>\n" as HTML)
        }
        output.append(HTMLDocument.introduction(page))
        if drawings.isEmpty, role == .document { try release(folded: false) }
    }

    /// Adds `row` to the charts and to the table.
    ///
    /// - Throws: `internal` for a second row with `single`, or an error of `OutputBuffer.flush()`.
    public func append(_ row: some Row) throws {
        if options.single, rowCount > 0 { throw HabitError.secondRow }
        for i in drawings.indices { drawings[i].add(row) }
        rowCount += 1
        if isLimited, rowCount > options.page.mostRows { return }
        let target = waiting ?? output
        if rowCount == 1 { table.begin(in: target) }
        table.append(row, to: target)
        if let waiting, waiting.count > Self.pendingByteLimit {
            if !drawings.isEmpty {
                let link: HTML = "<a href=\"#\(chartsID)\">\(HTMLText.Table.charts)</a>"
                output.append("<p class=\"note\">\(HTMLText.Table.chartsFollow(link))</p>\n" as HTML)
            }
            try release(folded: section != nil)
        }
        try output.flushIfFull()
    }

    /// Appends the charts, the rest of the table, the meanings of the columns, and the end of the page or section.
    public func end() throws {
        let isFolded = section != nil && rowCount > Self.mostUnfolded
        if waiting != nil {
            appendCharts()
            try release(folded: isFolded)
            appendTableEnd(folded: isFolded)
        } else {
            appendTableEnd(folded: section != nil)
            appendCharts()
        }
        if hasTable { output.append(HTMLDocument.meanings(meanings)) }
        switch role {
        case .document: output.append("</main>\n\(frame.closing)" as HTML)
        case .section: output.append(literal: "</details>\n</section>\n")
        case .part: break
        }
        try output.flushIfFull()
    }

    /// Writes the buffered rows to the output.
    ///
    /// Later rows are written directly.
    private func release(folded: Bool) throws {
        guard let waiting else { return }
        if folded, hasTable {
            // If the table did not fit into the buffer, the number of its rows is not known yet.
            let isCounted = waiting.count <= Self.pendingByteLimit
            let rows = HTMLText.Table.rows(rowCount)
            let title = isCounted ? HTMLText.Table.titled(withRows: rows) : HTMLText.Table.title
            output.append("<details><summary>\(title)</summary>\n" as HTML)
        }
        output.append(waiting)
        self.waiting = nil
        try output.flushIfFull()
    }

    private func appendTableEnd(folded: Bool) {
        if rowCount == 0 {
            let reason = options.page.parameters.isEmpty ? HTMLText.Table.empty : HTMLText.Table.noMatch
            output.append("<p class=\"empty\">\(reason)</p>\n" as HTML)
        } else if hasTable {
            table.end(in: output)
            if !options.single { output.append("<p class=\"count\">\(countText)</p>\n" as HTML) }
        }
        if folded, hasTable { output.append(literal: "</details>\n") }
    }

    private var hasTable: Bool { !isLimited || options.page.mostRows > 0 }

    private var countText: String {
        let all = HTMLText.Table.rows(rowCount)
        guard isLimited, rowCount > options.page.mostRows else { return all }
        let most = options.page.mostRows
        guard let file = options.page.links.first?.value else {
            return HTMLText.Table.first(most, of: all)
        }
        return HTMLText.Table.firstInFile(most, of: all, file: file)
    }

    private var chartsID: String {
        guard let section else { return "charts" }
        return section + "-charts"
    }

    private func appendCharts() {
        let figures = drawings.compactMap { drawing in drawing.figure() }
        if !figures.isEmpty {
            output.append("<div class=\"charts\" id=\"\(chartsID)\">\n" as HTML)
            for figure in figures { output.append(figure) }
            output.append(literal: "</div>\n")
        }
        if undrawable > 0, rowCount > 0 {
            output.append("<p class=\"note\">\(HTMLText.Table.missingChart)</p>\n" as HTML)
        }
    }
}
