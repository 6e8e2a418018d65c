import Base
import StoreEngine

/// Writes rows as a `<table>` that scrolls within its own box, or one row as a `<dl>` of names and values.
struct HTMLTable {
    private let columns: [Column]
    private let precision: Int?
    private let isSingle: Bool
    private let title: String
    private let ratesAsPercent: Bool
    private let links: RenderOptions.PageContent.CellLinks?

    init(_ shape: ResultShape, _ options: RenderOptions) {
        columns = shape.columns
        precision = options.precision
        ratesAsPercent = options.ratesAsPercent
        links = options.page.cellLinks
        isSingle = options.single
        title = options.page.title
    }

    func begin(in output: OutputBuffer) {
        if isSingle { return output.append("<dl class=\"card\">\n" as HTML) }
        // The user can focus and scroll the box with the keyboard.
        output.append(
            """
            <div class="table" tabindex="0" role="region" aria-label="\(HTMLText.Table.label(title))">
            <table>
            <caption>\(isolated: title)</caption>
            <thead><tr>
            """ as HTML)
        for column in columns {
            let opening: HTML = column.isNumber ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">"
            output.append("\(opening)\(isolated: heading(of: column))</th>" as HTML)
        }
        output.append(literal: "</tr></thead>\n<tbody>\n")
    }

    /// Returns the name of a column, with spaces if the values are written for people.
    private func heading(of column: Column) -> String {
        ratesAsPercent ? column.name.replacing("_", with: " ") : column.name
    }

    func append(_ row: some Row, to output: OutputBuffer) {
        if !isSingle { output.append(literal: "<tr>") }
        for column in columns {
            if isSingle {
                output.append("<div><dt>\(isolated: column.name)</dt>" as HTML)
                output.append(literal: "<dd>")
            }
            append(column, of: row, to: output)
            output.append(literal: isSingle ? "</dd></div>\n" : "</td>")
        }
        if !isSingle { output.append(literal: "</tr>\n") }
    }

    func end(in output: OutputBuffer) {
        if isSingle { return output.append(literal: "</dl>\n") }
        output.append(literal: "</tbody>\n</table>\n</div>\n")
    }

    /// Returns the start tag of a cell, with the class of numbers or of texts that must not break.
    private func opening(of column: Column, of row: some Row) -> StaticString {
        switch column.value {
        case .integer, .number, .longitude, .latitude: "<td class=\"n\">"
        case .any where [.integer, .number].contains(row.storage(column.index)): "<td class=\"n\">"
        case .text where Self.isShort(column.name): "<td class=\"d\">"
        case .instantText where Self.isShort(column.name): "<td class=\"d\">"
        case .day, .instant, .boolean: "<td class=\"d\">"
        case .text, .instantText, .json, .any: "<td>"
        }
    }

    private func append(_ column: Column, of row: some Row, to output: OutputBuffer) {
        if !isSingle {
            output.append(literal: opening(of: column, of: row))
        }
        if column.name == "photo_url", let url = row.text(column.index), Self.isWebAddress(url) {
            return output.append("<a href=\"\(url)\">\(HTMLText.Table.photo)</a>" as HTML)
        }
        if ratesAsPercent, case .number = column.value, let number = column.number(of: row), !column.isDistance {
            let text = column.isRate ? ChartText.percent(number) : HTML.decimal(number, decimals: 2)
            return output.append(text)
        }
        if ratesAsPercent, column.value == .boolean, let number = column.number(of: row) {
            let word = number == 0 ? HTMLText.Table.no : HTMLText.Table.yes
            return output.append("\(word)" as HTML)
        }
        if ratesAsPercent, column.name == "status", let word = column.text(of: row),
            let status = HTML.status(word)
        {
            return output.append(status)
        }
        if let links, links.column == column.name, let text = column.text(of: row) {
            return output.append("<a href=\"\(links.target(of: text))\">\(isolated: text)</a>" as HTML)
        }
        _ = output.append(column.value, at: column.index, of: row, precision: precision) { text in
            appendMark(column, text, to: output)
            output.append(isolated: text)
        }
    }

    /// Whether a text can become a link: an address that runs no script.
    private static func isWebAddress(_ text: String) -> Bool {
        text.hasPrefix("https://") || text.hasPrefix("http://")
    }

    /// Whether a column has short texts that must not break across two lines.
    private static func isShort(_ name: String) -> Bool { name == "status" || name == "color" || name == "id" }

    /// Appends a dot with the color and shape of a status, or a swatch for a color.
    private func appendMark(_ column: Column, _ text: Span<UInt8>, to output: OutputBuffer) {
        guard column.name == "status" || text.first == UInt8(ascii: "#") else { return }
        let text = text.text
        if column.name == "status", let status = StatusWord(rawValue: text) {
            output.append(status.dot)
        } else if let status = StatusWord(color: text) {
            output.append("<i class=\"swatch \(status.cssClass)\"></i>" as HTML)
        } else if let swatch = Swatch(text) {
            output.append("<i class=\"swatch\" style=\"background:\(swatch.color)\"></i>" as HTML)
        }
    }
}

extension Column {
    /// Whether the values are distances in meters, which have 3 decimals.
    fileprivate var isDistance: Bool { name.hasSuffix("_m") }

    /// Whether the column name ends in `_rate`, so that the values are rates from 0 to 1.
    fileprivate var isRate: Bool {
        guard case .number = value else { return false }
        return name.hasSuffix("_rate")
    }

    /// Whether the values are right-aligned in a table.
    package var isNumber: Bool {
        switch value {
        case .integer, .number, .longitude, .latitude: true
        case .text, .boolean, .day, .instant, .instantText, .json, .any: false
        }
    }
}

extension OutputBuffer {
    /// Appends text that may be right-to-left.
    ///
    /// Its direction does not affect the adjacent text.
    fileprivate func append(isolated text: Span<UInt8>) {
        let isASCII = text.allSatisfy { byte in byte < 0x80 }
        if isASCII { return append(html: text) }
        append(literal: "<bdi>")
        append(html: text)
        append(literal: "</bdi>")
    }
}
