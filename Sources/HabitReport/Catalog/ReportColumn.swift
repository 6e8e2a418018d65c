import Rendering
import StoreEngine

/// A column that the header of a report declares.
public struct ReportColumn: Sendable, Equatable {
    /// The type of the values in a column.
    public enum Kind: String, Sendable, CaseIterable {
        case text, integer, number, boolean, date, instant
    }

    /// The name of the column in the SQL.
    public var name: String
    /// The type of the values.
    public var kind: Kind
    /// The unit of a number, for example `m` or `degrees`, or `nil` if it has no unit.
    public var unit: String?
    /// The quantity that the values measure, or `nil` if the type and the unit determine their form.
    ///
    /// A header line has it in place of the unit.
    public var measure: Column.Measure?
    /// The description in the header.
    public var meaning: String
    /// The line (from 1) of the declaration in the header.
    public var line: Int

    static let form = "-- column: NAME TYPE [UNIT] - MEANING"

    /// The form in which a renderer writes the values.
    ///
    /// Instants are text in the report views.
    public var value: Column.Value {
        switch kind {
        case .text: .text
        case .instant: .instantText
        case .integer: .integer
        case .number: .number(decimals: decimals)
        case .boolean: .boolean
        case .date: .day
        }
    }

    /// The column of a result, whose value is at `index` in the engine's row.
    func column(at index: Int) -> Column { Column(name, value, at: index, measure: shownMeasure) }

    /// The measure of the values in texts for people.
    ///
    /// A number whose name ends in `_rate` is a share.
    private var shownMeasure: Column.Measure? {
        if let measure { return measure }
        switch unit {
        case "m": return .distance
        case "degrees": return .degrees
        case "bytes": return .bytes
        default: return kind == .number && name.hasSuffix("_rate") ? .share : nil
        }
    }

    /// Returns the measure that a word of a header line specifies for a type, or `nil` if the word is a unit.
    static func measure(named word: String, of kind: Kind) -> Column.Measure? {
        switch (kind, word) {
        case (.number, "share"): .share
        case (.text, "status"): .status
        case (.text, "color"): .color
        case (.text, "outcome"): .outcome
        case (.text, "schedule"): .schedule
        default: nil
        }
    }

    /// The number of decimals, which depends on the unit.
    private var decimals: Int {
        switch unit {
        case "m": 3
        case "degrees": 7
        default: 6
        }
    }
}

/// The indexes of the columns that contain the geometry of a row.
public enum ReportGeometry: Sendable, Equatable {
    /// A point with a longitude and a latitude, in degrees.
    case point(longitude: Int, latitude: Int)
    /// A bounding box with four sides, in degrees.
    case box(west: Int, south: Int, east: Int, north: Int)

    var columns: [Int] {
        switch self {
        case .point(let longitude, let latitude): [longitude, latitude]
        case .box(let west, let south, let east, let north): [west, south, east, north]
        }
    }
}

extension Chart {
    /// The columns that must have one of certain types, with the allowed types.
    var columnKinds: [(String, [ReportColumn.Kind])] {
        switch self {
        case .map: []
        case .calendar(let day, let value, _): [(day, [.date]), (value, [.text])]
        case .bars(let value, _, _): [(value, [.integer, .number])]
        case .line(let value, let over, _): [(value, [.integer, .number]), (over, [.date])]
        case .week(let value, let weekday, let hour):
            [value, weekday, hour].map { ($0, [.integer, .number]) }
        }
    }

    /// The parameters that the chart reads, with their types.
    var parameterKinds: [(String, ReportParameter.Kind)] {
        switch self {
        case .map(_, let circle?): [(circle.center, .position), (circle.radius, .distance)]
        case .map(_, nil), .calendar, .bars, .line, .week: []
        }
    }
}
