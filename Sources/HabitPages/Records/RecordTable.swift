import Rendering
import StoreEngine

/// A table of records: the title of each record first, its photo second and its ID last.
struct RecordTable {
    /// The caption.
    let title: String
    let shape: ResultShape
    let records: [ListedRecord]
    let markup: RecordMarkup
    /// Returns the path of the page of a record.
    let path: (ListedRecord) -> String

    /// The markup; empty without records.
    var html: HTML {
        guard !records.isEmpty else { return "" }
        let columns = RecordColumns(shape, of: records)
        var rows: HTML = ""
        for record in records {
            rows += row(of: record, columns)
        }
        // The user can focus and scroll the box with the keyboard.
        return """
            <div class="table records" tabindex="0" role="region" aria-label="\(PageText.Record.table(title))">
            <table>
            <caption>\(isolated: title)</caption>
            <thead><tr>\(header(columns))</tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            </div>
            \(columns.haveTimes ? markup.names.times.note : "")
            """
    }

    private func header(_ columns: RecordColumns) -> HTML {
        let first = columns.title.map { column in RecordColumns.heading(column.name) } ?? RecordColumns.heading("id")
        var header: HTML = "<th scope=\"col\">\(first)</th>"
        if columns.hasPhotos { header += "<th scope=\"col\">\(RecordColumns.heading("has_photo"))</th>" }
        for column in columns.others {
            let kind: HTML = column.isNumber ? " class=\"n\"" : ""
            header += "<th scope=\"col\"\(kind)>\(RecordColumns.heading(column.name))</th>"
        }
        if columns.showsID { header += "<th scope=\"col\">\(RecordColumns.heading("id"))</th>" }
        return header
    }

    private func row(
        of record: ListedRecord,
        _ columns: RecordColumns
    ) -> HTML {
        let name = (columns.title == nil ? nil : record.title) ?? record.id
        var row: HTML = "<tr><th scope=\"row\"><a href=\"\(path(record))\">\(isolated: name)</a></th>"
        if columns.hasPhotos { row += "<td>\(markup.photo(of: record, named: name))</td>" }
        for column in columns.others {
            let value = markup.html(column.name, of: record)
            row += "\(Self.opening(of: column))\(value)</td>"
        }
        if columns.showsID { row += "<td class=\"d\">\(isolated: record.id)</td>" }
        return row + "</tr>\n"
    }

    /// Returns the start tag of the cells of a column.
    private static func opening(of column: Column) -> HTML {
        if column.isNumber { return "<td class=\"n\">" }
        return switch column.value {
        case .day, .instant, .boolean: "<td class=\"d\">"
        default: "<td>"
        }
    }
}
