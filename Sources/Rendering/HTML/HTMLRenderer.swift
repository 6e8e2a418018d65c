import HabitModel
import StoreEngine

/// Rows as an HTML page with charts and a table; with `single` the one row as a list of names and values.
///
/// The charts are known when the last row is, and belong before the table, for the eye as for a screen reader. So the
/// table waits in memory for them, up to 1 MiB; one that is longer goes out first, with a link to the charts behind it.
/// Memory does not grow with the rows beyond that and the charts' own bounds.
public final class HTMLRenderer: Renderer {
    static let mostWaiting = 1 << 20
    /// A section of a larger page folds a table that is longer.
    static let mostUnfolded = 30
    /// Its table lists no more rows; the charts show all.
    static let mostListed = 500

    public private(set) var rowCount = 0
    private let options: RenderOptions
    private let table: HTMLTable
    private let output: OutputBuffer
    /// The section's id on a larger page; nil: the rows are the page.
    private let section: String?
    private var drawings: [any ChartDrawing]
    private var undrawable = 0
    /// Rows that wait for the charts, or for being counted. Nil once they have gone out.
    private var waiting: OutputBuffer?

    public convenience init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        self.init(shape, options, output, section: nil)
    }

    init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer, section: String?) {
        self.options = options
        table = HTMLTable(shape, options)
        self.output = output
        self.section = section
        drawings = options.page.charts.compactMap { $0.drawing(of: shape, on: options.page) }
        undrawable = options.page.charts.count - drawings.count
        waiting = OutputBuffer()
    }

    public func begin() throws {
        let page = options.page
        if let section {
            output.append("<section id=\"\(section)\">\n<h2>\(isolated: page.title)</h2>\n" as HTML)
        } else {
            output.append(HTMLDocument.head(title: page.title, description: page.description))
            output.append("<main>\n<h1>\(isolated: page.title)</h1>\n" as HTML)
        }
        output.append(HTMLDocument.introduction(page))
        if drawings.isEmpty, section == nil { try release(folded: false) }
    }

    public func append(_ row: some Row) throws {
        if options.single, rowCount > 0 { throw HabitError.secondRow }
        for i in drawings.indices { drawings[i].add(row) }
        rowCount += 1
        if section != nil, rowCount > Self.mostListed { return }
        let target = waiting ?? output
        if rowCount == 1 { table.begin(in: target) }
        table.append(row, to: target)
        if let waiting, waiting.count > Self.mostWaiting {
            if !drawings.isEmpty {
                output.append("<p class=\"note\"><a href=\"#\(chartsID)\">Charts</a> follow the table.</p>\n" as HTML)
            }
            try release(folded: section != nil)
        }
        try output.flushIfFull()
    }

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
        output.append(HTMLDocument.meanings(options.page.columns))
        output.append(section == nil ? "</main>\n" + HTMLDocument.foot : "</section>\n")
        try output.flushIfFull()
    }

    /// Lets the rows go that have waited; what comes now goes straight out.
    private func release(folded: Bool) throws {
        guard let waiting else { return }
        if folded {
            // Where the table was too long to wait, the number of its rows is not known yet.
            let count = waiting.count > Self.mostWaiting ? "" : " of \(ChartText.count(rowCount, "row"))"
            output.append("<details><summary>Table\(count)</summary>\n" as HTML)
        }
        output.append(waiting)
        self.waiting = nil
        try output.flushIfFull()
    }

    private func appendTableEnd(folded: Bool) {
        if rowCount == 0 {
            let reason: StaticString =
                options.page.parameters.isEmpty
                ? "Nothing to show here yet." : "Nothing fits these parameters. Others may find more."
            output.append(literal: "<p class=\"empty\">")
            output.append(literal: reason)
            output.append(literal: "</p>\n")
        } else {
            table.end(in: output)
            if !options.single { output.append("<p class=\"count\">\(countText)</p>\n" as HTML) }
        }
        if folded { output.append(literal: "</details>\n") }
    }

    private var countText: String {
        let all = ChartText.count(rowCount, "row")
        guard section != nil, rowCount > Self.mostListed else { return all }
        let file = options.page.links.first.map { ": all are in \($0.value)" } ?? ""
        return "The first \(Self.mostListed) of \(all)\(file)"
    }

    private var chartsID: String { (section.map { $0 + "-" } ?? "") + "charts" }

    private func appendCharts() {
        let figures = drawings.compactMap { $0.figure() }
        if !figures.isEmpty {
            output.append("<div class=\"charts\" id=\"\(chartsID)\">\n" as HTML)
            for figure in figures { output.append(figure) }
            output.append(literal: "</div>\n")
        }
        if undrawable > 0, rowCount > 0 {
            output.append(
                literal: "<p class=\"note\">A chart is missing: the columns that it needs were not chosen.</p>\n")
        }
    }
}
