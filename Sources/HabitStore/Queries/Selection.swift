import Base
import Foundation
import Geo
import HabitModel
import StoreEngine

/// A query that is ready to run, with the shape of its rows.
public struct Selection: Sendable {
    /// The statement with the values of its parameters.
    public var sql: SQL
    /// The shape of the rows.
    public var shape: ResultShape
    /// The indices of the sort columns in the engine's row.
    ///
    /// The array is empty unless the query reads a page.
    public var cursor: [Int] = []

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - sql: The statement with the values of its parameters.
    ///   - shape: The shape of the rows.
    ///   - cursor: The indices of the sort columns in the engine's row.
    public init(_ sql: SQL, shape: ResultShape, cursor: [Int] = []) {
        self.sql = sql
        self.shape = shape
        self.cursor = cursor
    }

    /// Returns the number of rows.
    func count(in session: any Session) throws -> Int {
        let counting = SQL("SELECT count(*) FROM (\(sql.text)) AS counted", sql.bindings)
        return try session.first(counting) { Int($0.integer(0)) } ?? 0
    }
}

/// A geodesic circle.
///
/// Positions exactly at the distance are inside the circle.
public struct Near: Sendable, Equatable {
    /// The radius if the user does not specify one.
    public static let defaultDistance = Distance.kilometers(5)

    /// The center of the circle.
    public var center: Position
    /// The radius of the circle.
    public var distance: Distance
    /// The label of the rows if a query searches several circles, or `nil` for rows without a label column.
    public var label: Label?

    /// Creates a circle around `center`.
    public init(center: Position, within distance: Distance = defaultDistance, label: Label? = nil) {
        self.center = center
        self.distance = distance
        self.label = label
    }

    /// A bounding box that contains the circle.
    var box: BoundingBox { .around(center, within: distance) }

    /// Returns a smaller circle that contains enough rows, or the complete circle.
    ///
    /// The closest rows are then found without a search of the complete circle. The method tries circles from 500 m
    /// on, each with four times the previous radius. The last circle contains on average at most 16 times `count` rows.
    ///
    /// - Parameters:
    ///   - count: The number of rows that the circle must contain.
    ///   - countRows: Returns the number of rows in a circle. It can stop at `count`.
    /// - Returns: The circle.
    /// - Throws: The errors of `countRows`.
    func smaller(containing count: Int, _ countRows: (Near) throws -> Int) rethrows -> Near {
        var meters = 500.0
        while meters < distance.meters {
            // A new value for each radius: with optimization, Swift 6.3 returns the first radius of a circle that is
            // changed in this loop.
            let circle = Near(center: center, within: .meters(meters), label: label)
            if try countRows(circle) >= count { return circle }
            meters *= 4
        }
        return self
    }

    /// Returns a smaller circle that contains a page of rows sorted by distance, or the complete circle.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - session: The session that counts the rows of smaller circles.
    ///   - selection: Returns the query for the page in a circle.
    /// - Returns: The circle.
    /// - Throws: The errors of `selection` and of the engine.
    public func smaller(
        containing page: Page, in session: any Session, _ selection: (Near) throws -> Selection
    ) throws -> Near {
        // A page reads one row more, which shows whether another page follows.
        try smaller(containing: page.limit + 1) { try selection($0).count(in: session) }
    }
}

/// The conditions on the position of a row.
///
/// A row must meet all of them.
struct SpatialFilter {
    /// The circle that contains the position, or `nil`.
    var near: Near?
    /// The box that contains the position, or `nil`.
    var box: BoundingBox?
    /// The area that contains the position, or `nil`.
    var area: Area?

    /// Whether there are no conditions.
    var isEmpty: Bool { near == nil && box == nil && area == nil }

    /// A box that contains the positions of all rows, or `nil` if the spatial index excludes no row.
    var window: BoundingBox? {
        near?.box ?? [box, area?.box].compactMap(\.self).first { !$0.isWorld }
    }
}

/// A constant column that distinguishes the rows of one query from the rows of other queries.
public struct Label: Sendable, Equatable {
    /// The name of the column.
    public var name: String
    /// The value of the column in every row.
    public var value: String

    /// Creates a label from the name and the value of its column.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The order of the rows of a query.
public enum SortOrder: String, Sendable, CaseIterable {
    /// The order by time, latest first.
    case newest
    /// The order by distance, nearest first.
    case distance
    /// The order in which the engine finds the rows. The engine does not sort, so the memory use is constant.
    case stored

    /// Returns the order of the rows of `table`.
    ///
    /// The order by distance requires a circle. Without a circle, the rows are sorted by time.
    ///
    /// - Parameters:
    ///   - table: The name of the table.
    ///   - near: The circle of the query, or `nil`.
    ///   - newest: The order by time, without the ID.
    ///   - dialect: The SQL dialect of the engine.
    ///   - position: The position that the viewer sees, or `nil` for the stored position.
    /// - Returns: The terms of the order, or an empty array for the stored order.
    func terms(
        of table: String, near: Near?, newest: [OrderTerm], _ dialect: any Dialect, at position: VisiblePosition? = nil
    ) -> [OrderTerm] {
        let geometry = (position ?? .stored(in: table)).expression
        switch self {
        case .stored: return []
        case .distance where near != nil:
            return [
                OrderTerm("distance_m", value: dialect.distance(to: geometry), .distance),
                OrderTerm("\(table).external_id"),
            ]
        case .newest, .distance: return newest + [.descending("\(table).external_id")]
        }
    }
}

/// A builder for a SELECT that consists of fixed fragments.
struct SelectBuilder {
    var columns: [String]
    var from: String
    var joins = ""
    var conditions: [String] = []
    /// The order of the rows.
    ///
    /// An empty array means that the order is undefined.
    var order: [OrderTerm]
    var limit: Int?
    /// An expression for the group of a row, or `nil` for one group.
    ///
    /// The rows are sorted by their group first, and ``limit`` is the maximum number of rows of each group.
    var group: String?
    var page: Page?
    /// See ``SQL/texts``.
    ///
    /// A query for a page does not use it.
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

    /// Adds a condition that `column` is one of `keys`, or with `negated` that it is not one of them.
    mutating func require(_ column: String, in keys: [Int64], as name: String, negated: Bool = false) {
        if negated, keys.isEmpty { return }
        require(membership(of: column, in: keys, as: name, negated: negated))
    }

    /// Returns a condition that `column` is one of `keys`, or with `negated` that it is not one of them.
    ///
    /// Binds the keys to parameters whose names begin with `name`.
    mutating func membership(
        of column: String, in keys: [Int64], as name: String, negated: Bool = false
    ) -> String {
        guard !keys.isEmpty else { return negated ? "TRUE" : "FALSE" }
        let names = keys.indices.map { ":\(name)_\($0)" }
        for (index, key) in keys.enumerated() { bind(["\(name)_\(index)": .integer(key)]) }
        return "\(column) \(negated ? "NOT IN" : "IN") (\(names.joined(separator: ", ")))"
    }

    /// Restricts the rows to an area, with the spatial index of `table`.
    ///
    /// With a circle, the method adds the column `distance_m`, and the column of the label if the circle has a label.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - filter: The conditions on the position.
    ///   - dialect: The SQL dialect of the engine.
    ///   - position: The position that the viewer sees, or `nil` for the stored position.
    mutating func filterSpatially(
        _ table: String, _ filter: SpatialFilter, _ dialect: any Dialect, at position: VisiblePosition? = nil
    ) {
        let position = position ?? .stored(in: table)
        let geometry = position.expression
        if let window = filter.window {
            let candidates = dialect.candidates(
                in: window, of: table, column: position.column, orKeys: position.exceptions)
            from = candidates.text
            bind(candidates.bindings)
        }
        if let box = filter.box {
            require(
                box.isWorld
                    ? SQL("\(geometry) IS NOT NULL")
                    : dialect.isInside(box, geometry: geometry, prefix: "bbox"))
        }
        if let area = filter.area {
            require(dialect.isInside(area, geometry: geometry, includesBorder: true, name: "area"))
        }
        guard let near = filter.near else { return }
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

    /// Restricts the rows to those inside a box and those without a position, without the spatial index.
    mutating func require(
        _ table: String, insideOrUnlocated box: BoundingBox?, dialect: any Dialect, at position: VisiblePosition? = nil
    ) {
        guard let box, !box.isWorld else { return }
        let geometry = (position ?? .stored(in: table)).expression
        let isInside = dialect.isInside(box, geometry: geometry, prefix: "open_box")
        require("(\(geometry) IS NULL OR \(isInside.text))", isInside.bindings)
    }

    /// Adds a column that has the value of `label` in every row.
    mutating func label(_ label: Label) {
        columns.append("CAST(:label AS TEXT) AS \(label.name)")
        bind(["label": .text(label.value)])
    }

    /// Returns the complete result, or the rows of ``page`` if it is set.
    ///
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
    func selection(_ shape: ResultShape) throws -> Selection {
        guard let page else { return Selection(sql, shape: shape) }
        return Selection(
            try keys(of: page).sql, shape: shape, cursor: Array(columns.count..<columns.count + order.count))
    }

    /// Returns a page of rows of `table` and looks up the details of only these rows.
    ///
    /// An inner query selects the keys and the other columns of the page. An outer query joins the details.
    ///
    /// - Parameters:
    ///   - shape: The shape of the rows.
    ///   - table: The table of the rows.
    ///   - details: The expressions of the columns to look up.
    ///   - joins: The joins that the details require.
    ///   - page: The page to read.
    ///   - dialect: The SQL dialect of the engine.
    /// - Returns: The query, with the cursor of each row in its last columns.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
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
        return Selection(sql, shape: shape, cursor: Array(count - order.count..<count))
    }

    /// Returns the query with the sort values as additional columns and with one row more than the page has.
    ///
    /// The additional row shows whether another page follows.
    private func keys(of page: Page) throws -> SelectBuilder {
        var select = self
        select.columns += order.keys
        if let after = page.after { select.require(try order.condition(after)) }
        select.limit = page.limit + 1
        return select
    }

    var sql: SQL {
        guard let group else { return ungrouped }
        var all = self
        (all.group, all.limit, all.order) = (nil, nil, [OrderTerm(group)] + order)
        guard let limit else { return all.ungrouped }
        let names = columns.map { $0.components(separatedBy: " AS ").last ?? $0 }
        all.columns += [
            "\(group) AS row_group",
            "row_number() OVER (PARTITION BY \(group)\(orderClause)) AS number_in_group",
        ]
        all.order = []
        var sql = all.ungrouped
        sql.text = """
            SELECT \(names.joined(separator: ", "))
            FROM (
            \(sql.text)
            ) AS grouped
            WHERE number_in_group <= :limit
            ORDER BY row_group, number_in_group
            """
        sql.bind(["limit": .integer(Int64(limit))])
        return sql
    }

    private var orderClause: String {
        order.isEmpty ? "" : " ORDER BY " + order.map(\.sql).joined(separator: ", ")
    }

    private var ungrouped: SQL {
        var text = "SELECT\n  \(columns.joined(separator: ",\n  "))\nFROM \(from)"
        if !joins.isEmpty { text += "\n\(joins)" }
        if !conditions.isEmpty { text += "\nWHERE " + conditions.joined(separator: "\n  AND ") }
        if !order.isEmpty { text += "\n" + orderClause.dropFirst() }
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
    /// Returns the shape with the columns that ``SelectBuilder/filterSpatially(_:_:_:at:)`` appends.
    func near(_ near: Near?) -> ResultShape {
        guard let near else { return self }
        let shape = self.near()
        return near.label.map { shape.labelled($0.name) } ?? shape
    }

    /// The name of the column that contains the distance of a row from the center, in meters.
    static let distance = "distance_m"

    func near() -> ResultShape {
        var shape = self
        shape.choice?.append(Self.distance)
        shape.columns.append(Column(Self.distance, .number(decimals: 3), at: nextIndex, isEssential: true))
        return shape
    }

    /// Returns the shape with the column of a ``Label`` before all others.
    ///
    /// In the SELECT, it follows all others.
    func labelled(_ name: String) -> ResultShape {
        var shape = self
        let column = Column(name, .text, at: nextIndex)
        shape.choice?.insert(name, at: 0)
        shape.columns.insert(column, at: 0)
        shape.identity.insert(column, at: 0)
        return shape
    }

    /// The index after the last index that the shape reads.
    private var nextIndex: Int {
        let offsets = columns.compactMap { column in
            if case .instant(let offset) = column.value { offset } else { nil }
        }
        var point = 0
        if case .point(let index) = geometry { point = index }
        return ([point] + columns.map(\.index) + offsets).reduce(0, max) + 1
    }
}
