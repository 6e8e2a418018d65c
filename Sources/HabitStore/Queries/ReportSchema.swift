import Base
import HabitModel
import StoreEngine

/// The views, columns and functions that the SQL of reports can use.
public enum ReportSchema {
    /// The shape of ``rows(in:)``.
    ///
    /// The kind is `view`, `rows` for a function that returns rows, or `value` for a function that returns a value. A
    /// view has a row for each column.
    public static let shape = ResultShape(
        columns: ["kind", "name", "column", "type"].enumerated().map { Column($1, .text, at: $0) })

    /// The functions that return a value, with its type.
    static let values: [(call: String, type: String)] = [
        ("weekday(day)", "integer"), ("week_start(day)", "date"), ("month(day)", "text"), ("year(day)", "integer"),
        ("iso_week(day)", "text"), ("day_add(day, days)", "date"), ("day_diff(later, earlier)", "integer"),
        ("local_hour(at)", "integer"), ("microseconds(at)", "integer"),
        ("distance(longitude, latitude, to_longitude, to_latitude)", "number"),
        ("in_area(longitude, latitude, area)", "boolean"), ("median(number)", "number"),
        ("percentile(number, fraction)", "number"),
    ]

    /// Returns the views with their columns, and the functions with the columns of their rows.
    ///
    /// - Parameter session: A session on the store.
    /// - Returns: The rows, which are the same for every viewer.
    /// - Throws: An error of the engine.
    public static func rows(in session: any Session) throws -> [ValueRow] {
        let views = ReportViews(viewer: .operator, clock: Clock(now: .now))
        let columns = ReportViews.outputs(for: .operator).flatMap { view in
            view.outputs.of(.views).flatMap { column in
                column.names.map { ["view", view.name, $0, column.shown.typeName] }
            }
        }
        let functions = try views.functions(in: session).flatMap { function in
            let call = "\(function.name)(\(function.parameters.joined(separator: ", ")))"
            return function.columns.map { ["rows", call, $0.name, "\($0.kind)"] }
        }
        let values = values.map { ["value", $0.call, "", $0.type] }
        return (columns + functions + values).map { row in
            ValueRow(row.map { $0.isEmpty ? .null : .text($0) })
        }
    }
}

extension OutputColumn.Source {
    /// The name of the type of the values in a view, as in the header of a report.
    fileprivate var typeName: String {
        switch self {
        case .isPresent: "boolean"
        case .instant: "instant"
        case .reference: "text"
        case .position: "number"
        case .expression(_, let value):
            switch value {
            case .integer: "integer"
            case .number, .longitude, .latitude: "number"
            case .boolean: "boolean"
            case .day: "date"
            case .instant, .instantText: "instant"
            case .text, .json, .any: "text"
            }
        }
    }
}
