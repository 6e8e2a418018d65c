import Foundation
import Geo
import HabitModel
import StoreEngine

/// A query ready to run, and what its rows look like.
public struct Selection: Sendable {
    public var sql: SQL
    public var shape: ResultShape
    /// Where in the engine's row the values lie that it is sorted by; empty but for pages.
    public var cursor = 0..<0

    public init(_ sql: SQL, shape: ResultShape, cursor: Range<Int> = 0..<0) {
        self.sql = sql
        self.shape = shape
        self.cursor = cursor
    }
}

/// A circle on the Earth, including its edge.
public struct Near: Sendable, Equatable {
    /// The radius if the user names none.
    public static let defaultDistance = Distance.kilometers(5)

    public var center: Position
    public var distance: Distance
    /// What the first column says of this place, where several are asked about.
    public var label: Label?

    public init(center: Position, within distance: Distance = defaultDistance, label: Label? = nil) {
        self.center = center
        self.distance = distance
        self.label = label
    }

    /// Holds all of it.
    var box: BoundingBox { .around(center, within: distance) }
}

/// Tells the rows of one question from those of others: a column and what it says.
public struct Label: Sendable, Equatable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

public enum SortOrder: String, Sendable, CaseIterable {
    /// Latest first.
    case newest
    /// Nearest first.
    case distance
    /// As the store has them: nothing waits for the last row, and memory does not grow.
    case stored

    /// The order of rows of `table`, of which `newest` is the one by time; by distance only where there is a place.
    func terms(of table: String, near: Near?, newest: [OrderTerm], _ dialect: any Dialect) -> [OrderTerm] {
        switch self {
        case .stored: []
        case .distance where near != nil:
            [
                OrderTerm("distance_m", value: dialect.distance(to: "\(table).geometry"), .distance),
                OrderTerm("\(table).external_id"),
            ]
        case .newest, .distance: newest + [.descending("\(table).external_id")]
        }
    }
}

/// A SELECT put together from fixed fragments.
struct SelectBuilder {
    var columns: [String]
    var from: String
    var joins = ""
    var conditions: [String] = []
    /// Empty where the rows need none.
    var order: [OrderTerm]
    var limit: Int?
    var page: Page?
    /// As ``SQL/texts``, which are not of use in pages.
    var texts: [Int: TextColumn] = [:]
    private(set) var bindings: [String: Value] = [:]

    init(columns: [String], from table: String, order: [OrderTerm]) {
        self.columns = columns
        from = table
        self.order = order
    }

    mutating func bind(_ more: [String: Value]) { bindings.merge(more) { _, new in new } }

    mutating func require(_ condition: String?, _ more: [String: Value] = [:]) {
        guard let condition else { return }
        conditions.append(condition)
        bind(more)
    }

    mutating func require(_ condition: SQL) { require(condition.text, condition.bindings) }

    /// Whether `column` is one of `keys`.
    mutating func require(_ column: String, in keys: [Int64], as name: String, negated: Bool = false) {
        guard !keys.isEmpty else { return require(negated ? nil : "FALSE") }
        let names = keys.indices.map { ":\(name)_\($0)" }
        require("\(column) \(negated ? "NOT IN" : "IN") (\(names.joined(separator: ", ")))")
        for (index, key) in keys.enumerated() { bind(["\(name)_\(index)": .integer(key)]) }
    }

    /// Narrows to a place, through the spatial index of `table`; with `near`, adds the columns `distance_m` and, where
    /// the centre has an id, `center`.
    mutating func narrow(_ table: String, near: Near?, box: BoundingBox?, dialect: any Dialect) {
        let geometry = "\(table).geometry"
        // All the world is no matter for an index.
        let isEverywhere = box?.isWorld == true
        if isEverywhere { require("\(geometry) IS NOT NULL") }
        let box = isEverywhere ? nil : box
        if let window = near.map(\.box) ?? box {
            let candidates = dialect.candidates(in: window, of: table)
            from = candidates.text
            bind(candidates.bindings)
        }
        if let box { require(dialect.isInside(box, geometry: geometry)) }
        guard let near else { return }
        let distance = dialect.distance(to: geometry)
        columns.append("\(distance) AS \(ResultShape.distance)")
        require(
            "\(distance) <= :meters",
            [
                "longitude": .number(near.center.longitude), "latitude": .number(near.center.latitude),
                "meters": .number(near.distance.meters),
            ])
        if let label = near.label { self.label(label) }
    }

    /// Adds a column that says `label` in every row.
    mutating func label(_ label: Label) {
        columns.append("CAST(:label AS TEXT) AS \(label.name)")
        bind(["label": .text(label.value)])
    }

    /// The rows as they are asked for, or the page of them.
    ///
    /// Throws `parameter-invalid` for a page after a row that is not of this order.
    func selection(_ shape: ResultShape) throws -> Selection {
        guard let page else { return Selection(sql, shape: shape) }
        return Selection(try keys(of: page).sql, shape: shape, cursor: columns.count..<columns.count + order.count)
    }

    /// The page of rows of `table` whose keys and other columns this selects: first which they are, then what `details` say of
    /// them, so that only those are looked up.
    func selection(
        _ shape: ResultShape, of table: String, details: [String], joins: String, _ page: Page, _ dialect: any Dialect
    ) throws -> Selection {
        var keys = try keys(of: page)
        let names = keys.columns.map { $0.components(separatedBy: " AS ").last ?? $0 }
        keys.columns.insert("\(table).id AS key", at: 0)
        var sql = keys.sql
        sql.text = """
            SELECT
              \((details + names.map { "page.\($0)" }).joined(separator: ",\n  "))
            FROM (
            \(sql.text)
            ) AS page
            \(dialect.orderedJoin) \(table) ON \(table).id = page.key
            \(joins)
            ORDER BY \(order.keySQL)
            """
        let count = details.count + names.count
        return Selection(sql, shape: shape, cursor: count - order.count..<count)
    }

    /// With what the rows are sorted by as columns, and one row more, which tells whether there is another page.
    private func keys(of page: Page) throws -> SelectBuilder {
        var select = self
        select.columns += order.keys
        if let after = page.after { select.require(try order.condition(after)) }
        select.limit = page.limit + 1
        return select
    }

    var sql: SQL {
        var text = "SELECT\n  \(columns.joined(separator: ",\n  "))\nFROM \(from)"
        if !joins.isEmpty { text += "\n\(joins)" }
        if !conditions.isEmpty { text += "\nWHERE " + conditions.joined(separator: "\n  AND ") }
        if !order.isEmpty { text += "\nORDER BY " + order.map(\.sql).joined(separator: ", ") }
        var bindings = bindings
        if let limit {
            text += "\nLIMIT :limit"
            bindings["limit"] = .integer(Int64(limit))
        }
        var sql = SQL(text, bindings)
        sql.texts = texts
        return sql
    }
}

extension ResultShape {
    /// The shape with what ``SelectBuilder/narrow(_:near:box:dialect:)`` adds behind the other columns.
    func near(_ near: Near?) -> ResultShape {
        guard let near else { return self }
        let shape = self.near()
        return near.label.map { shape.labelled($0.name) } ?? shape
    }

    /// The column that says how far away a row is.
    static let distance = "distance_m"

    func near() -> ResultShape {
        var shape = self
        shape.choice?.append(Self.distance)
        shape.columns.append(Column(Self.distance, .number(decimals: 3), at: nextIndex))
        return shape
    }

    /// The shape with the column of a ``Label`` before all others, which the SELECT has behind them.
    func labelled(_ name: String) -> ResultShape {
        var shape = self
        let column = Column(name, .text, at: nextIndex)
        shape.choice?.insert(name, at: 0)
        shape.columns.insert(column, at: 0)
        shape.identity.insert(column, at: 0)
        return shape
    }

    /// The index behind all that the shape reads.
    private var nextIndex: Int {
        let offsets = columns.compactMap { column in
            if case .instant(let offset) = column.value { offset } else { nil }
        }
        var point = 0
        if case .point(let index) = geometry { point = index }
        return ([point] + columns.map(\.index) + offsets).reduce(0, max) + 1
    }
}
