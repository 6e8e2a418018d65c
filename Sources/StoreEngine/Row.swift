import Geo
import HabitModel

/// One row of a result, as the engine has it: columns by index from 0, valid until the next row is asked for.
///
/// An engine decodes on access, so that a renderer can write numbers and text into its buffer without a copy between.
public protocol Row {
    func isNull(_ index: Int) -> Bool
    /// 0 where the column is null.
    func integer(_ index: Int) -> Int64
    /// 0 where the column is null.
    func number(_ index: Int) -> Double
    /// Hands the column's UTF-8 to `body`, and says whether there is any: false where it is null. The bytes are valid only
    /// inside `body`.
    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool
    /// The point of a geometry column, nil where it is null.
    func position(_ index: Int) -> Position?
    /// The column's bytes, empty where it is null.
    func blob(_ index: Int) -> [UInt8]
    /// What a column without a declared type holds: of use for an analyst's own SQL.
    func storage(_ index: Int) -> Storage
}

/// What a value is in the engine.
public enum Storage: Sendable {
    case null, integer, number, text, blob
}

extension Row {
    /// The column as a value of its own.
    package func value(_ index: Int) -> Value {
        switch storage(index) {
        case .null: .null
        case .integer: .integer(integer(index))
        case .number: .number(number(index))
        case .text: .text(text(index))
        case .blob: .blob(blob(index))
        }
    }

    /// What `body` makes of the column's UTF-8, nil where it is null.
    @inline(__always)
    public func withText<Result>(_ index: Int, _ body: (Span<UInt8>) -> Result) -> Result? {
        var result: Result?
        _ = readText(index) { result = body($0) }
        return result
    }

    /// The column as a date, nil where it holds none.
    package func day(_ index: Int) -> Day? {
        var day: Day?
        _ = readText(index) { day = Day(utf8: $0) }
        return day
    }

    /// The column as a string, nil where it is null.
    // Not by `withText`, which is generic, and costs a look-up of its type where the row's is not known.
    public func text(_ index: Int) -> String? {
        var text: String?
        _ = readText(index) { text = $0.text }
        return text
    }
}

/// One column of an output, and where in the engine's row its value lies.
public struct Column: Sendable, Equatable {
    // Nothing in it is counted: renderers look at one for each cell.
    public enum Value: Sendable, Equatable {
        case text
        case integer
        /// A real number with at most this many decimals, trailing zeros dropped; nil: the shortest that reads back alike.
        case number(decimals: Int?)
        /// Stored as 0 or 1.
        case boolean
        /// A calendar date, stored as its ISO text.
        case day
        /// Microseconds since 1970 UTC; `offset` is the index of the column that holds the minutes its clock was ahead of UTC.
        case instant(offset: Int?)
        /// Half of the point at `index`.
        case longitude
        case latitude
        /// A JSON document, stored as its text: part of a JSON output, a text in others.
        case json
        /// Whatever the engine holds: an analyst's own SQL.
        case any
    }

    public var name: String
    public var value: Value
    /// The index in the engine's row.
    public var index: Int
    /// Whether a text table that is too narrow leaves it out before the others.
    public var isSecondary: Bool

    public init(_ name: String, _ value: Value, at index: Int, isSecondary: Bool = false) {
        self.name = name
        self.value = value
        self.index = index
        self.isSecondary = isSecondary
    }
}

/// Where in the engine's row its place lies.
public enum Geometry: Sendable, Equatable {
    /// The point at this index.
    case point(Int)
    /// The box whose sides are the numbers at these indexes, in degrees.
    case box(west: Int, south: Int, east: Int, north: Int)
}

/// The shape of a result: what its rows look like before any is there.
public struct ResultShape: Sendable, Equatable {
    public var columns: [Column]
    /// Makes each row a Feature. Nil where rows have no place.
    public var geometry: Geometry?
    /// The columns that make up a Feature's `id`, joined with `/`, shown or not; empty where it has none.
    public var identity: [Column]
    /// The names of the columns that say where the point is as numbers of their own: a Feature has them in its geometry alone.
    public var coordinates: [String] = []
    /// The names of all columns that could be asked for, where ``columns`` are only some of them.
    public var choice: [String]?
    /// The names of all columns that could be asked for.
    public var names: [String] { choice ?? columns.map(\.name) }
    /// The names of the columns that a table for people shows, where those are not all.
    public var table: [String] = []

    /// `geometry` is the index of a point; `identity` names columns.
    public init(columns: [Column], geometry: Int? = nil, identity: [String] = []) {
        self.columns = columns
        self.geometry = geometry.map { .point($0) }
        self.identity = identity.compactMap { name in columns.first { $0.name == name } }
    }

    /// The shape with only the named columns, in that order.
    ///
    /// Nil where a name is not among the columns.
    public func selecting(_ names: [String]) -> ResultShape? {
        var shape = self
        (shape.columns, shape.table) = ([], [])
        for name in names {
            guard let column = columns.first(where: { $0.name == name }) else { return nil }
            shape.columns.append(column)
        }
        return shape
    }
}
