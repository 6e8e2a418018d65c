import Base
import Geo
import HabitModel
import StoreEngine

/// The table functions `events_near`, `items_near` and `posts_near`.
///
/// Each function returns the IDs and distances of the visible records within a number of meters of a position. Records
/// at exactly that distance are included. For the operator, the functions read the spatial index. For a user, they read the
/// events and posts of the visible users, so that their time does not depend on other records.
struct NearFunctions {
    var viewer: Viewer
    var session: any Session

    /// The functions.
    var functions: [TableFunction] {
        let visibility = Visibility(viewer: viewer)
        return [
            function(
                "event",
                conditions: [visibility.events(session.dialect)],
                at: visibility.position(in: "event"),
                owned: .events(.all, visibility, in: session)),
            function(
                "item",
                conditions: [visibility.items],
                at: visibility.itemPosition,
                joins: Visibility.claimJoin),
            function(
                "post",
                conditions: ["post.deleted_at IS NULL", visibility.posts],
                at: visibility.position(in: "post"),
                owned: .posts(visibility, in: session)),
        ]
    }

    private func function(
        _ table: String,
        conditions: [SQL?],
        at position: VisiblePosition,
        joins: SQL = "",
        owned: OwnedSource? = nil
    ) -> TableFunction {
        let name = "\(table)s_near"
        let columns: [TableFunction.Column] = [
            .init("id", .text),
            .init("distance_m", .number),
        ]
        return TableFunction(
            name,
            columns: columns,
            parameters: ["at_longitude", "at_latitude", "within_meters"]
        ) { [session, viewer] arguments, _ in
            let near = try Self.near(arguments, of: name)
            let located = SpatialSource(
                SpatialFilter(near: near),
                of: table,
                at: position,
                dialect: session.dialect)
            let id = SelectColumn("id", "\(raw: table).external_id")
            var source = located.source
            if viewer != .operator, let owned, let window = SpatialFilter(near: near).window {
                source = try owned.rows(in: window)
            }
            var select = Select(
                [id] + located.columns,
                from: source,
                joins: joins)
            select.require(all: located.conditions)
            for condition in conditions {
                select.require(condition)
            }
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
        guard numbers.count == 3,
            let center = Position(longitude: numbers[0], latitude: numbers[1]),
            numbers[2] >= 0,
            numbers[2].isFinite
        else {
            throw HabitError(
                .parameterInvalid,
                "the arguments of \(name) are invalid: pass a longitude (-180 to 180), a latitude (-90 to 90) and meters (at least 0)"
            )
        }
        let radius = min(Distance.meters(numbers[2]), .farthest)
        return Near(center: center, within: radius)
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
