import Base
import HabitModel
import StoreEngine

/// The views, columns and functions that the SQL of reports can use.
public enum ReportSchema {
    /// The shape of ``rows(in:)``.
    ///
    /// The kind is `view`, `rows` for a function that returns rows, or `value` for a function that returns a value. A
    /// view has a row for each column.
    public static let shape = ResultShape(columns: [
        Column("kind", .text, at: 0),
        Column("name", .text, at: 1),
        Column("column", .text, at: 2),
        Column("type", .text, at: 3),
    ])

    /// The functions that return a value, with its type.
    static let values: [(call: String, type: String)] = [
        ("weekday(day)", "integer"),
        ("week_start(day)", "date"),
        ("month(day)", "text"),
        ("year(day)", "integer"),
        ("iso_week(day)", "text"),
        ("day_add(day, days)", "date"),
        ("day_diff(later, earlier)", "integer"),
        ("local_hour(at)", "integer"),
        ("microseconds(at)", "integer"),
        ("distance(longitude, latitude, to_longitude, to_latitude)", "number"),
        ("in_area(longitude, latitude, area)", "boolean"),
        ("median(number)", "number"),
        ("percentile(number, fraction)", "number"),
    ]

    /// Returns the views with their columns, and the functions with the columns of their rows.
    ///
    /// - Parameter session: A session on the store.
    /// - Returns: The rows, which are the same for every viewer.
    /// - Throws: An error of the engine.
    public static func rows(in session: any Session) throws -> [ValueRow] {
        var rows: [ValueRow] = []
        for view in ReportViews.outputs(for: .operator) {
            for output in view.outputs.of(.views) {
                let type = output.shown.typeName
                for column in output.names {
                    rows.append(row("view", name: view.name, column: column, type: type))
                }
            }
        }
        let views = ReportViews(viewer: .operator, clock: Clock(now: .now))
        for function in try views.functions(in: session) {
            let parameters = function.parameters.joined(separator: ", ")
            let call = "\(function.name)(\(parameters))"
            for column in function.columns {
                let type = "\(column.kind)"
                rows.append(row("rows", name: call, column: column.name, type: type))
            }
        }
        for value in values {
            rows.append(row("value", name: value.call, column: nil, type: value.type))
        }
        return rows
    }

    private static func row(
        _ kind: String,
        name: String,
        column: String?,
        type: String
    ) -> ValueRow {
        ValueRow([
            .text(kind),
            .text(name),
            .text(column),
            .text(type),
        ])
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
