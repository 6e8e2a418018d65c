import Rendering
import StoreEngine

/// A column of a report, as its header declares it.
public struct ReportColumn: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case text, integer, number, boolean, date, instant
    }

    public var name: String
    public var kind: Kind
    /// What a number counts: `m`, `degrees`.
    public var unit: String?
    public var meaning: String
    /// Where the header declares it.
    public var line: Int

    static let form = "-- column: NAME TYPE [UNIT] - MEANING"

    /// How a renderer writes its values. Instants are text in the views.
    public var value: Column.Value {
        switch kind {
        case .text, .instant: .text
        case .integer: .integer
        case .number: .number(decimals: decimals)
        case .boolean: .boolean
        case .date: .day
        }
    }

    /// As many decimals as requirement R-05 gives distances and rates, and R-02 degrees.
    private var decimals: Int {
        switch unit {
        case "m": 3
        case "degrees": 7
        default: 6
        }
    }
}

/// Those of a report's columns that make the place of a row, by their index.
public enum ReportGeometry: Sendable, Equatable {
    case point(longitude: Int, latitude: Int)
    case box(west: Int, south: Int, east: Int, north: Int)

    var columns: [Int] {
        switch self {
        case .point(let longitude, let latitude): [longitude, latitude]
        case .box(let west, let south, let east, let north): [west, south, east, north]
        }
    }
}

extension Chart {
    /// The types of the columns that must not be names.
    var columnKinds: [(String, [ReportColumn.Kind])] {
        switch self {
        case .map: []
        case .calendar(let day, let value, _): [(day, [.date]), (value, [.text])]
        case .bars(let value, _, _): [(value, [.integer, .number])]
        case .line(let value, let over, _): [(value, [.integer, .number]), (over, [.date])]
        }
    }
}
