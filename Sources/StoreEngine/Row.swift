import Base
import Geo

/// One row of a result, decoded on access.
///
/// Columns have indexes from 0. The row is valid until the next row is requested. An engine decodes a column when it is
/// read, so a renderer can write numbers and text into its buffer without an intermediate copy.
public protocol Row {
    /// Returns whether the column is null.
    func isNull(_ index: Int) -> Bool
    /// Returns the column as an integer, or 0 if it is null.
    func integer(_ index: Int) -> Int64
    /// Returns the column as a real number, or 0 if it is null.
    func number(_ index: Int) -> Double
    /// Calls `body` with the UTF-8 of the column if it is not null.
    ///
    /// - Parameters:
    ///   - index: The index of the column.
    ///   - body: A closure that reads the bytes, which are valid only until it returns.
    /// - Returns: `false` if the column is null.
    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool
    /// Returns the point of a geometry column, or `nil` if it is null.
    func position(_ index: Int) -> Position?
    /// Returns the bytes of the column, or an empty array if it is null.
    func blob(_ index: Int) -> [UInt8]
    /// Returns the storage class of the column, for user-supplied SQL whose columns have no declared type.
    func storage(_ index: Int) -> Storage
}

/// The storage class of a value in the engine.
public enum Storage: Sendable {
    case null, integer, number, text, blob
}

extension Row {
    /// Returns the column as a value that stays valid after the row.
    package func value(_ index: Int) -> Value {
        switch storage(index) {
        case .null: .null
        case .integer: .integer(integer(index))
        case .number: .number(number(index))
        case .text: .text(text(index))
        case .blob: .blob(blob(index))
        }
    }

    /// Returns the result of `body` for the UTF-8 of the column, or `nil` if the column is null.
    @inline(__always)
    public func withText<Result>(_ index: Int, _ body: (Span<UInt8>) -> Result) -> Result? {
        var result: Result?
        _ = readText(index) { result = body($0) }
        return result
    }

    /// Returns the column as a date, or `nil` if it does not contain a date.
    package func day(_ index: Int) -> Day? {
        var day: Day?
        _ = readText(index) { day = Day(utf8: $0) }
        return day
    }

    // The method does not call `withText`. That method is generic and costs a metadata lookup if the type of the row is
    // unknown.
    /// Returns the column as a string, or `nil` if it is null.
    public func text(_ index: Int) -> String? {
        var text: String?
        _ = readText(index) { text = $0.text }
        return text
    }
}

/// One output column and the index of its value in the engine's row.
public struct Column: Sendable, Equatable {
    // No case contains a reference-counted value, because renderers read a `Value` for each cell.
    /// The type of a column's values and their stored form.
    public enum Value: Sendable, Equatable {
        /// A text.
        case text
        /// An integer.
        case integer
        /// A real number with at most `decimals` decimals and no trailing zeros.
        ///
        /// `nil` selects the shortest text that parses to the same number.
        case number(decimals: Int?)
        /// A Boolean, stored as 0 or 1.
        case boolean
        /// A calendar date, stored as its ISO text.
        case day
        /// An instant, stored as microseconds since 1970-01-01 UTC.
        ///
        /// `offset` is the index of the column with the UTC offset in minutes, positive if the local time is ahead of
        /// UTC. It is `nil` if there is no such column.
        case instant(offset: Int?)
        /// An instant, stored as its RFC 3339 text, as in the report views.
        case instantText
        /// The longitude of the point at the column's index, in degrees.
        case longitude
        /// The latitude of the point at the column's index, in degrees.
        case latitude
        /// A JSON document, stored as its text.
        ///
        /// A JSON output contains the document. Other outputs contain its text.
        case json
        /// A value of any storage class, for user-supplied SQL.
        case any
    }

    /// The quantity that the values of a column measure, which determines their form in texts for people.
    ///
    /// Formats for programs ignore the measure.
    public enum Measure: Sendable, Equatable {
        /// A fraction from 0 to 1.
        case share
        /// A distance in meters.
        case distance
        /// An angle in degrees, which keeps its decimals.
        case degrees
        /// A number of bytes.
        case bytes
        /// An amount of a habit, in the unit of the row's ``unit`` column.
        case amount
        /// The unit of the row's ``amount`` columns.
        case unit
        /// A status of a habit.
        case status
        /// The color of a status, as `#rrggbb`.
        case color
        /// The outcome of a day.
        case outcome
        /// The schedule of a habit: names of weekdays, or a target such as `3 times in 7 days`.
        case schedule
        /// The date of an instant, without its time.
        case date
        /// The latitude and the longitude of a point, with 4 decimals.
        case place
    }

    /// The name of the column in outputs.
    public var name: String
    /// The type of the value and its stored form.
    public var value: Value
    /// The index in the engine's row.
    public var index: Int
    /// The quantity that the values measure, or `nil` if their type determines their form.
    public var measure: Measure?
    /// The index of the key of another row if the value is whether that row exists, otherwise `nil`.
    public var key: Int?

    /// Creates a column whose value is at `index` in the engine's row.
    public init(_ name: String, _ value: Value, at index: Int, measure: Measure? = nil, key: Int? = nil) {
        self.name = name
        self.value = value
        self.index = index
        self.measure = measure
        self.key = key
    }
}

/// A column of a text table for people.
public struct TableColumn: Sendable, Equatable, ExpressibleByStringLiteral {
    /// The name of the column in ``ResultShape``.
    ///
    /// The name `place` stands for the columns of a position.
    public var name: String
    /// The heading, or `nil` for the label of the shape.
    public var label: String?
    /// Whether the table omits the column if no row has a value.
    public var isOptional: Bool

    /// Creates a column.
    public init(_ name: String, label: String? = nil, isOptional: Bool = false) {
        self.name = name
        self.label = label
        self.isOptional = isOptional
    }

    /// Creates a column that the table always shows.
    public init(stringLiteral name: String) { self.init(name) }

    /// Returns a column that the table omits if no row has a value.
    public static func ifUsed(_ name: String, label: String? = nil) -> TableColumn {
        TableColumn(name, label: label, isOptional: true)
    }
}

/// The source of a row's geometry in the engine's row.
public enum Geometry: Sendable, Equatable {
    /// The point at this index.
    case point(Int)
    /// The box whose sides are the numbers at these indexes, in degrees.
    case box(west: Int, south: Int, east: Int, north: Int)
}

/// The shape of a result, known before its first row.
public struct ResultShape: Sendable, Equatable {
    /// The output columns in their order.
    public var columns: [Column]
    /// The geometry that makes each row a GeoJSON Feature, or `nil` if rows have no geometry.
    public var geometry: Geometry?
    /// The columns whose values, joined with `/`, are the `id` of a Feature.
    ///
    /// An output need not show these columns. The array is empty if Features have no `id`.
    public var identity: [Column]
    /// The names of the columns that contain the coordinates of the point as separate numbers.
    ///
    /// A Feature contains these values only in its geometry.
    public var coordinates: [String] = []
    /// The names of all available columns, or `nil` if ``columns`` contains all of them.
    public var choice: [String]?
    /// The names of all available columns.
    public var names: [String] { choice ?? columns.map(\.name) }
    /// The columns that a text table for people shows, or an empty array if it shows all columns.
    ///
    /// A table that is too narrow omits columns from the right. Names of columns that the result does not have are
    /// ignored.
    public var table: [TableColumn] = []
    /// The headings of columns in texts for people, by name.
    public var labels: [String: String] = [:]
    /// Whether the user has selected the columns, so that a text for people omits no column.
    public var isSelected = false
    /// Whether a text for people has a longitude and a latitude in separate columns.
    public var showsCoordinates = false
    /// Columns that only a text for people shows.
    ///
    /// Each replaces the column of the same name, or follows the other columns if there is no such column.
    public var textColumns: [Column] = []

    /// Creates the shape of a result.
    ///
    /// - Parameters:
    ///   - columns: The output columns.
    ///   - geometry: The index of a point in the engine's row.
    ///   - identity: The names of the columns that form the `id`. Names that are not in `columns` are ignored.
    public init(columns: [Column], geometry: Int? = nil, identity: [String] = []) {
        self.columns = columns
        self.geometry = geometry.map { .point($0) }
        self.identity = identity.compactMap { name in
            columns.first { $0.name == name }
        }
    }

    /// Returns the shape with only the named columns, in the order of `names`.
    ///
    /// A text for people shows all of them. Returns `nil` if a name is not among the columns.
    public func selecting(_ names: [String]) -> ResultShape? {
        var shape = self
        shape.columns = []
        for declared in table { shape.labels[declared.name] = declared.label ?? labels[declared.name] }
        shape.table = []
        shape.isSelected = true
        for name in names {
            let named = columns.first { $0.name == name }
            guard let column = named ?? textColumn(name) else {
                return nil
            }
            shape.columns.append(column)
        }
        shape.textColumns.removeAll { !names.contains($0.name) }
        return shape
    }

    /// The shape of a page for people: the columns of ``table``, with ``textColumns``.
    public var forPeople: ResultShape {
        var shape = self
        shape.columns = columns.map { column in
            textColumn(column.name) ?? column
        }
        guard table.isEmpty else {
            return shape.selecting(table.map(\.name)) ?? shape
        }
        let columnNames = Set(columns.map(\.name))
        shape.columns += textColumns.filter { !columnNames.contains($0.name) }
        return shape
    }

    /// The heading of a column in texts for people.
    ///
    /// It is the label of ``table`` or ``labels``, otherwise the name, with spaces instead of underscores. The names of
    /// columns of user-supplied SQL stay as the user has written them.
    public func heading(of column: Column) -> String {
        let declared = table.first { declared in declared.name == column.name }
        if let label = declared?.label ?? labels[column.name] { return label }
        if column.value == .any { return column.name }
        return String(column.name.map { character in character == "_" ? " " : character })
    }

    /// Returns the names of the columns that a user means by a name or a heading.
    ///
    /// The heading `place` stands for the columns of a position.
    ///
    /// - Parameter word: The word of the user.
    /// - Returns: The names, or only `word` if there is no such column.
    public func columnNames(for word: String) -> [String] {
        let known = names
        if known.contains(word) || textColumn(word) != nil { return [word] }
        if let declared = table.first(where: { $0.label == word }) { return [declared.name] }
        if let labelled = known.first(where: { labels[$0] == word }) { return [labelled] }
        guard word == "place" else { return [word] }
        let position = coordinates.isEmpty ? ["longitude", "latitude"] : coordinates
        return position.allSatisfy(known.contains) ? position : [word]
    }

    /// Returns the column of ``textColumns`` with this name, or `nil` if there is no such column.
    public func textColumn(_ name: String) -> Column? {
        textColumns.first { $0.name == name }
    }
}
