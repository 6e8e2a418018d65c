import Base
import Geo
import HabitModel
import StoreEngine

/// The table functions `events_near`, `items_near` and `posts_near`.
///
/// Each function returns the IDs and distances of the visible records within a number of meters of a position. Records
/// at exactly that distance are included. The functions read the spatial index.
struct NearFunctions {
    var viewer: Viewer
    var session: any Session

    /// The functions.
    var functions: [TableFunction] {
        let visibility = Visibility(viewer: viewer)
        return [
            function("event", visibility.events(session.dialect)),
            function("item", nil, at: visibility.itemPosition, joins: Visibility.claimJoin),
            function("post", "post.deleted_at IS NULL" + (visibility.posts.map { " AND \($0)" } ?? "")),
        ]
    }

    private func function(
        _ table: String, _ condition: String?, at position: VisiblePosition? = nil, joins: String = ""
    ) -> TableFunction {
        let name = "\(table)s_near"
        return TableFunction(
            name, columns: [.init("id", .text), .init("distance_m", .number)],
            parameters: ["at_longitude", "at_latitude", "within_metres"]
        ) { [viewer, session] arguments, _ in
            let near = try Self.near(arguments, of: name)
            var select = SelectBuilder(columns: ["\(table).external_id"], from: table, order: [])
            select.joins = joins
            select.filterSpatially(table, SpatialFilter(near: near), session.dialect, at: position)
            if condition != nil || position != nil { select.bind(Visibility(viewer: viewer).bindings) }
            select.require(condition)
            return StatementRows(try session.prepare(bound: select.sql))
        }
    }

    private static func near(_ arguments: [Value], of name: String) throws -> Near {
        let numbers = arguments.compactMap { value -> Double? in
            switch value {
            case .number(let number): number
            case .integer(let number): Double(number)
            default: nil
            }
        }
        guard numbers.count == 3, let center = Position(longitude: numbers[0], latitude: numbers[1]),
            numbers[2] >= 0, numbers[2].isFinite
        else {
            throw HabitError(
                .parameterInvalid,
                "the arguments of \(name) are invalid: pass a longitude (-180 to 180), a latitude (-90 to 90) and meters (at least 0)"
            )
        }
        return Near(center: center, within: min(.meters(numbers[2]), .farthest))
    }
}

/// The rows of a statement as the rows of a table function.
private final class StatementRows: TableFunctionRows {
    private let statement: any Statement
    private var row: (any Row)?

    init(_ statement: any Statement) { self.statement = statement }

    func next() throws -> Bool {
        row = try statement.next()
        return row != nil
    }

    func value(_ column: Int) throws -> Value { row?.value(column) ?? .null }
}
