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

    /// The name of the column in outputs.
    public var name: String
    /// The type of the value and its stored form.
    public var value: Value
    /// The index in the engine's row.
    public var index: Int
    /// Whether a text table that is too narrow omits this column before other columns.
    public var isSecondary: Bool
    /// Whether a text table that is too narrow omits this column only after all others.
    public var isEssential: Bool

    /// Creates a column whose value is at `index` in the engine's row.
    public init(
        _ name: String,
        _ value: Value,
        at index: Int,
        isSecondary: Bool = false,
        isEssential: Bool = false
    ) {
        self.name = name
        self.value = value
        self.index = index
        self.isSecondary = isSecondary
        self.isEssential = isEssential
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
    /// The names of the columns that a text table shows, or an empty array if it shows all columns.
    public var table: [String] = []
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
    /// A text table shows all of them. Returns `nil` if a name is not among the columns.
    public func selecting(_ names: [String]) -> ResultShape? {
        var shape = self
        shape.columns = []
        shape.table = []
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

    /// The shape of a text for people: the columns of ``table``, with ``textColumns``.
    public var forPeople: ResultShape {
        var shape = self
        shape.columns = columns.map { column in
            textColumn(column.name) ?? column
        }
        guard table.isEmpty else {
            return shape.selecting(table) ?? shape
        }
        let columnNames = Set(columns.map(\.name))
        shape.columns += textColumns.filter { !columnNames.contains($0.name) }
        return shape
    }

    /// Returns the column of ``textColumns`` with this name, or `nil` if there is no such column.
    private func textColumn(_ name: String) -> Column? {
        textColumns.first { $0.name == name }
    }
}
