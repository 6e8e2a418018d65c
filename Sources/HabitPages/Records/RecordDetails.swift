import Rendering
import StoreEngine

/// The parts of a page with one record: its photo, its figures, and its other values.
struct RecordDetails {
    private let record: ListedRecord
    private let columns: [Column]
    private let name: String
    private let markup: RecordMarkup

    /// The columns whose values are figures of a habit.
    private static let figures: Set<String> = [
        "status", "completion_rate", "streak_current", "streak_longest", "score",
    ]

    /// Creates the parts.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - shape: The visible columns.
    ///   - name: The text that stands for the record.
    ///   - markup: The writer of the values.
    init(
        of record: ListedRecord,
        _ shape: ResultShape,
        named name: String,
        _ markup: RecordMarkup
    ) {
        self.record = record
        self.name = name
        self.markup = markup
        columns = RecordColumns.ofPage(shape, record)
    }

    /// The markup of the parts.
    var html: HTML {
        let photo = markup.photo(of: record, named: name)
        let note = columns.contains(where: \.isInstant) ? markup.names.times.note : ""
        return "\(photo)\(figures)<dl class=\"card\">\n\(values)\(position)</dl>\n\(note)"
    }

    /// The figures; empty for a record that is not a habit.
    private var figures: HTML {
        guard record.values["completion_rate"] != nil || record.values["streak_current"] != nil else { return "" }
        var tiles: HTML = ""
        for column in columns where Self.figures.contains(column.name) {
            tiles += entry(column)
        }
        return "<dl class=\"tiles\">\n\(tiles)</dl>\n"
    }

    private var values: HTML {
        let hasFigures = !figures.text.isEmpty
        var values: HTML = ""
        for column in columns where !hasFigures || !Self.figures.contains(column.name) {
            values += entry(column)
        }
        return values
    }

    private func entry(_ column: Column) -> HTML {
        let heading = RecordColumns.heading(column.name)
        return "<div><dt>\(heading)</dt><dd>\(markup.html(column.name, of: record))</dd></div>\n"
    }

    /// The coordinates; empty for a record without a position.
    private var position: HTML {
        guard let position = record.position else { return "" }
        return "<div><dt>\(RecordColumns.heading("position"))</dt><dd>\(HTML.coordinates(of: position))</dd></div>\n"
    }
}
