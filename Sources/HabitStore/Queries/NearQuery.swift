import Base
import Geo
import HabitModel
import StoreEngine

/// A query for events, items and posts near a position.
public struct NearQuery: Sendable {
    /// A kind of record that can have a position.
    public enum Kind: String, Sendable, CaseIterable {
        case events, items, posts

        /// The name of the column that contains the instant of a record of this kind.
        var instantColumn: String {
            switch self {
            case .events: "at"
            case .items, .posts: "posted_at"
            }
        }
    }

    /// The kinds of record to find.
    public var kinds: [Kind]
    /// The query for events.
    ///
    /// This query replaces its circle, order and limit.
    public var events: EventQuery
    /// The query for items.
    ///
    /// This query replaces its circle, order and limit.
    public var items: ItemQuery
    /// The query for posts.
    ///
    /// This query replaces its circle, order and limit.
    public var posts: PostQuery
    /// The order of the rows.
    public var sort = SortOrder.distance
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// The number of closest rows to find, or `nil` for all rows inside the circle.
    ///
    /// If it is set, the radius of the circle is the maximum distance of the search.
    public var nearest: Int?
    /// The page to read, or `nil` for the complete result.
    ///
    /// A page with ``nearest`` is a page of the closest rows. The stored order has no pages.
    public var page: Page?
    /// Whether rows of several kinds have the column `has_photo`.
    ///
    /// Rows of one kind always have it.
    public var showsPhotos = false

    /// Creates a query for the given kinds, with a query for each kind.
    public init(kinds: [Kind], events: EventQuery, items: ItemQuery, posts: PostQuery) {
        self.kinds = kinds
        self.events = events
        self.items = items
        self.posts = posts
    }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Parameters:
    ///   - near: The circle to search.
    ///   - session: The session that runs the query. With ``nearest``, this method also runs queries to find the
    ///     radius.
    /// - Returns: The query with its bindings and the shape of its rows.
    /// - Throws: `not-found` if a filter names a user or a habit that does not exist or is hidden from the viewer;
    ///   `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(near: Near, in session: any Session) throws -> Selection {
        guard let page else { return try complete(near: near, in: session) }
        var all = self
        all.page = nil
        if sort == .newest { all.events = sortable }
        return try rows(of: page, in: all.complete(near: near, in: session))
    }

    /// Returns the query for all rows, without pages, with the columns of a text table for people.
    private func complete(near: Near, in session: any Session) throws -> Selection {
        var selection = try rows(near: near, in: session)
        selection.shape = shown(selection.shape, label: near.label?.name)
        return selection
    }

    /// Returns a shape with the columns of a text table for people.
    ///
    /// - Parameters:
    ///   - shape: The shape.
    ///   - label: The name of the label column, or `nil` for a query without labels.
    /// - Returns: The shape with its table.
    private func shown(_ shape: ResultShape, label: String?) -> ResultShape {
        var shape = shape
        let names = [label, ResultShape.distance].compactMap(\.self)
        shape.table = names.map { name in
            TableColumn(name)
        }
        switch kinds.first {
        case .events where kinds.count == 1: shape.table += ["title", "day", .ifUsed("comment"), "user"]
        case .items where kinds.count == 1: shape.table += ["id", "name", "state", "has_photo", "user"]
        case .posts where kinds.count == 1:
            shape.table += ["id", "caption", TableColumn("posted_at", label: "day"), "has_photo", "user"]
        default:
            shape.labels = ColumnLabel.standard
            shape.table += ["kind", "title", TableColumn("at", label: "day"), "user"]
        }
        return shape
    }

    /// Returns the query for all rows, without pages.
    private func rows(near: Near, in session: any Session) throws -> Selection {
        guard nearest == nil || sort != .stored else {
            // The closest rows are found by distance, so their stored order is undefined.
            var query = self
            query.sort = .distance
            return try query.rows(near: near, in: session)
        }
        var near = near
        if let nearest {
            near = try near.smaller(containing: nearest) { circle in
                try kinds.reduce(0) { found, kind in
                    guard found < nearest else { return found }
                    let inside = try selection(of: kind, near: circle, limit: nearest, in: session)
                    return try found + inside.count(in: session)
                }
            }
        }
        if let nearest, sort == .newest { return try newestFirst(ofNearest: nearest, near: near, in: session) }
        let limit = [limit, nearest].compactMap(\.self).min()
        if kinds.count == 1, let kind = kinds.first {
            return try selection(of: kind, near: near, limit: limit, in: session)
        }
        return try union(near: near, limit: limit, in: session)
    }

    /// Returns the closest rows, sorted by time.
    private func newestFirst(ofNearest count: Int, near: Near, in session: any Session) throws -> Selection {
        var closest = self
        closest.sort = .distance
        closest.nearest = nil
        closest.limit = count
        closest.events = sortable
        var selection = try closest.rows(near: near, in: session)
        selection.sql = selection.sql.nested(as: "closest", "\(order.clause)\(Self.limit(limit))")
        return selection
    }

    /// The query for events with the columns that the order by time requires.
    private var sortable: EventQuery {
        var sortable = events
        sortable.columns?.formUnion(["day", "at"])
        return sortable
    }

    // MARK: Order and pages

    /// The order of the rows, by the names of the columns in the SELECT.
    private var order: [OrderTerm] {
        let kind = kinds.count > 1 ? [OrderTerm(column: "kind")] : []
        switch sort {
        case .stored: return []
        case .distance: return [OrderTerm(column: ResultShape.distance, .distance), OrderTerm(column: "id")] + kind
        case .newest:
            let day = kinds == [.events] ? [OrderTerm.descending(column: "day", .day)] : []
            return day + [.descending(column: "at", .instant, isNullable: true), .descending(column: "id")] + kind
        }
    }

    /// Returns a LIMIT clause, or empty SQL for all rows.
    private static func limit(_ count: Int?) -> SQL {
        guard let count else { return "" }
        return "\nLIMIT \(.integer(Int64(count)), as: "limit")"
    }

    /// Returns a page of the rows of a complete result, and one row more, which shows whether another page follows.
    ///
    /// - Parameters:
    ///   - page: The page to read.
    ///   - found: The query for all rows. Its columns contain the columns of ``order``.
    /// - Returns: The query for the page. The columns of its cursor are output columns.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
    private func rows(of page: Page, in found: Selection) throws -> Selection {
        var selection = found
        let after = try page.after.map { cursor in try order.condition(after: cursor) }
        let condition = after.map { condition -> SQL in "WHERE \(condition)\n" } ?? ""
        selection.sql = found.sql.nested(
            as: "found", "\(condition)\(order.clause)\(Self.limit(page.limit + 1))")
        selection.cursor = order.compactMap { term in indexOfColumn(of: term, in: found.shape) }
        return selection
    }

    /// Returns the index of the column that contains the value of a term of the order.
    private func indexOfColumn(of term: OrderTerm, in shape: ResultShape) -> Int? {
        var name = term.column
        // Records of one kind have the name of that kind for their instant.
        if name == "at", kinds.count == 1, let kind = kinds.first { name = kind.instantColumn }
        return shape.columns.first { $0.name == name }?.index
    }

    /// Returns the query for the records of one kind.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - near: The circle.
    ///   - limit: The maximum number of rows, or `nil`.
    ///   - isPart: Whether the query is a part of another query.
    ///   - session: The session that runs the query.
    /// - Returns: The query.
    /// - Throws: The errors of ``selection(near:in:)``.
    private func selection(
        of kind: Kind,
        near: Near,
        limit: Int?,
        isPart: Bool = false,
        in session: any Session
    ) throws -> Selection {
        switch kind {
        case .events:
            var query = events
            query.filter.near = near
            query.sort = sort
            query.limit = limit
            var select = EventSelect(query, in: session)
            select.isPart = isPart
            return try select.selection()
        case .items: return try items.near(near, sort: sort, limit: limit).selection(in: session)
        case .posts: return try posts.near(near, sort: sort, limit: limit).selection(in: session)
        }
    }

    // MARK: Several kinds

    /// Returns the rows of all kinds, with the columns that all kinds have.
    private func union(near: Near, limit: Int?, in session: any Session) throws -> Selection {
        var all = self
        all.events.columns = ["id", "user", "title", "at", "longitude", "latitude"]
        if showsPhotos { all.events.columns?.insert("has_photo") }
        let names = unionColumns(near).joined(separator: ", ")
        let parts = try kinds.map { kind -> SQL in
            let rows = try all.selection(of: kind, near: near, limit: nil, isPart: true, in: session).sql
            return """
                SELECT '\(raw: kind.rawValue)' AS kind, \(raw: names)
                FROM (
                \(rows)
                ) AS \(raw: kind.rawValue)
                """
        }
        let rows = parts.joined(separator: "\nUNION ALL\n")
        let sql = rows.nested(as: "nearby", "\(order.clause)\(Self.limit(limit))")
        var shape = Self.shape
        if showsPhotos { shape.columns.append(Column("has_photo", .boolean, at: 7, key: 8)) }
        return Selection(sql, shape: shape.near(near))
    }

    /// Returns the names of the columns that all kinds have, after the column `kind`.
    private func unionColumns(_ near: Near) -> [String] {
        let photo = showsPhotos ? ["has_photo", "has_photo\(Projection.keySuffix)"] : []
        let label = near.label.map { label in [label.name] } ?? []
        return ["id", "owner", "title", "at", "at_offset", "geometry"] + photo + [ResultShape.distance] + label
    }

    /// Returns the shape of the rows of several queries that have a label column.
    ///
    /// - Parameter label: The name of the label column.
    /// - Returns: The shape, with a distance column and the label column.
    public func shape(labelled label: String) -> ResultShape {
        shown(records(labelled: label), label: label)
    }

    private func records(labelled label: String) -> ResultShape {
        switch kinds.first {
        case .events where kinds.count == 1:
            (nearest != nil && sort == .newest ? sortable : events).shape(labelled: label, near: true)
        case .items where kinds.count == 1: ItemQuery.shape.near().labelled(label)
        case .posts where kinds.count == 1: PostQuery.shape.near().labelled(label)
        default: Self.shape.near().labelled(label)
        }
    }

    private static let shape = ResultShape(
        columns: [
            Column("kind", .text, at: 0), Column("id", .text, at: 1), Column("user", .text, at: 2),
            Column("title", .text, at: 3), Column("at", .instant(offset: 5), at: 4),
            Column("longitude", .longitude, at: 6), Column("latitude", .latitude, at: 6),
        ],
        geometry: 6, identity: ["kind", "id"])
}

extension RecordQuery {
    /// Returns the query for the records in a circle.
    fileprivate func near(_ near: Near, sort: SortOrder, limit: Int?) -> RecordQuery {
        var query = self
        query.near = near
        query.sort = sort
        query.limit = limit
        return query
    }
}
