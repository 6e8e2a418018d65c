import Base
import Geo
import Rendering
import StoreEngine

/// A value of a record on a page, which stays valid after its row.
enum ListedValue {
    case text(String)
    /// A number, with its text in outputs.
    case number(Double, text: String)
    case boolean(Bool)
    case day(Day)
    case instant(Instant)

    /// Reads a value, or returns `nil` for null.
    ///
    /// - Parameters:
    ///   - column: The column.
    ///   - row: The row.
    ///   - precision: Maximum number of decimals of a degree.
    init?(_ column: Column, of row: some Row, precision: Int?) {
        guard !row.isNull(column.index) else { return nil }
        switch column.value {
        case .boolean:
            self = .boolean(row.integer(column.index) != 0)
        case .day:
            guard let day = row.day(column.index) else { return nil }
            self = .day(day)
        case .instant:
            self = .instant(Instant(microseconds: row.integer(column.index)))
        case .integer, .number:
            let text = Self.text(column, of: row, precision: precision)
            self = .number(row.number(column.index), text: text)
        case .text, .instantText, .longitude, .latitude, .json, .any:
            let text = Self.text(column, of: row, precision: precision)
            if text.isEmpty { return nil }
            self = .text(text)
        }
    }

    /// Returns the text of a value in outputs.
    private static func text(
        _ column: Column,
        of row: some Row,
        precision: Int?
    ) -> String {
        let buffer = OutputBuffer()
        _ = buffer.append(
            column.value,
            at: column.index,
            of: row,
            precision: precision
        ) { text in buffer.append(text) }
        return buffer.text
    }
}

/// A record of a page.
struct ListedRecord {
    let id: String
    /// The values that are not null, by the names of their columns.
    let values: [String: ListedValue]
    /// The position, if the page may show it.
    var position: Position?

    /// Reads the values of a row.
    ///
    /// - Parameters:
    ///   - id: The ID of the record.
    ///   - row: The row.
    ///   - columns: The columns of the values.
    ///   - precision: Maximum number of decimals of a degree.
    init(id: String, of row: some Row, columns: [Column], precision: Int? = nil) {
        self.id = id
        var values: [String: ListedValue] = [:]
        for column in columns {
            values[column.name] = ListedValue(column, of: row, precision: precision)
        }
        self.values = values
    }

    /// Returns the text of a column, or `nil` if it is null or not a text.
    func text(_ name: String) -> String? {
        guard case .text(let text)? = values[name] else { return nil }
        return text
    }

    /// The text that stands for the record: its title, its name, its caption or its text; `nil` if it has no such text.
    ///
    /// A long text is shortened.
    var title: String? {
        for name in Self.titles {
            guard let title = text(name) else { continue }
            let isLong = title.count > Self.longestTitle
            return isLong ? title.prefix(Self.longestTitle - 1) + "…" : title
        }
        return nil
    }

    /// Maximum number of characters of a title.
    private static let longestTitle = 80

    /// The columns whose texts stand for a record.
    static let titles = ["title", "name", "caption", "text"]
}
