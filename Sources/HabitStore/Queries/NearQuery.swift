import Geo
import HabitModel
import StoreEngine

/// What lies near a place, of one kind or of several.
public struct NearQuery: Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case events, items, posts
    }

    public var kinds: [Kind]
    /// The filters for each kind; their `near` is the place.
    public var events: EventQuery
    public var items: ItemQuery
    public var posts: PostQuery
    public var sort = SortOrder.distance
    public var limit: Int?
    /// Looks for this many of the closest instead of all; `near.distance` is then the farthest it looks.
    public var nearest: Int?

    public init(kinds: [Kind], events: EventQuery, items: ItemQuery, posts: PostQuery) {
        self.kinds = kinds
        self.events = events
        self.items = items
        self.posts = posts
    }

    public func selection(near: Near, in session: any Session) throws -> Selection {
        guard nearest == nil || sort != .stored else {
            // The closest are found by their distance.
            var query = self
            query.sort = .distance
            return try query.selection(near: near, in: session)
        }
        var near = near
        if let nearest { near.distance = try radius(holding: nearest, near: near, in: session) }
        if let nearest, sort == .newest { return try newestFirst(ofNearest: nearest, near: near, in: session) }
        let limit = [limit, nearest].compactMap(\.self).min()
        if kinds.count == 1, let kind = kinds.first {
            return try selection(of: kind, near: near, limit: limit, in: session)
        }
        return try union(near: near, limit: limit, in: session)
    }

    /// The closest ones, sorted anew.
    private func newestFirst(ofNearest count: Int, near: Near, in session: any Session) throws -> Selection {
        var closest = self
        (closest.sort, closest.nearest, closest.limit) = (.distance, nil, count)
        closest.events = sortable
        var selection = try closest.selection(near: near, in: session)
        let day = kinds == [.events] ? "day DESC, " : ""
        let order = "\(day)at DESC NULLS LAST, id DESC\(kinds.count > 1 ? ", kind" : "")"
        selection.sql.text = "SELECT *\nFROM (\n\(selection.sql.text)\n) AS closest\nORDER BY \(order)"
        if let limit { selection.sql += SQL("\nLIMIT :closest_limit", ["closest_limit": .integer(Int64(limit))]) }
        return selection
    }

    /// The events, with what they can be sorted by anew.
    private var sortable: EventQuery {
        var sortable = events
        sortable.columns?.formUnion(["day", "at"])
        return sortable
    }

    /// A distance within which there are `count` rows, or the farthest that `near` allows.
    ///
    /// Tries circles of four times the radius each; the last one holds on average at most 16 times what is asked for.
    private func radius(holding count: Int, near: Near, in session: any Session) throws -> Distance {
        var radius = min(Distance.meters(500), near.distance)
        while radius < near.distance {
            var circle = near
            circle.distance = radius
            var found = 0
            for kind in kinds where found < count {
                let inside = try selection(of: kind, near: circle, limit: count, in: session).sql
                let counting = SQL("SELECT count(*) FROM (\(inside.text)) AS inside", inside.bindings)
                found += try session.first(counting) { Int($0.integer(0)) } ?? 0
            }
            if found >= count { return radius }
            radius = min(.meters(radius.meters * 4), near.distance)
        }
        return near.distance
    }

    private func selection(of kind: Kind, near: Near, limit: Int?, in session: any Session) throws -> Selection {
        switch kind {
        case .events:
            var query = events
            (query.filter.near, query.sort, query.limit) = (near, sort, limit)
            return try query.selection(in: session)
        case .items:
            var query = items
            (query.near, query.sort, query.limit) = (near, sort, limit)
            return try query.selection(in: session)
        case .posts:
            var query = posts
            (query.near, query.sort, query.limit) = (near, sort, limit)
            return try query.selection(in: session)
        }
    }

    // MARK: Several kinds

    /// The kinds' rows side by side, each cut to the columns that all have.
    private func union(near: Near, limit: Int?, in session: any Session) throws -> Selection {
        var sql = SQL("")
        var all = self
        all.events.columns = ["id", "user", "title", "at", "longitude", "latitude"]
        all.events.isPart = true
        for kind in kinds {
            var part = try all.selection(of: kind, near: near, limit: nil, in: session).sql
            let columns =
                "id, owner, title, at, at_offset, geometry, distance_m" + (near.label.map { ", \($0.name)" } ?? "")
            part.text = "SELECT '\(kind.rawValue)' AS kind, \(columns)\nFROM (\n\(part.text)\n) AS \(kind.rawValue)"
            sql.text += sql.text.isEmpty ? part.text : "\nUNION ALL\n" + part.text
            sql.bind(part.bindings)
        }
        sql.text = "SELECT *\nFROM (\n\(sql.text)\n) AS nearby"
        switch sort {
        case .stored: break
        case .distance: sql.text += "\nORDER BY distance_m, id, kind"
        case .newest: sql.text += "\nORDER BY at DESC NULLS LAST, id DESC, kind"
        }
        if let limit { sql += SQL("\nLIMIT :limit", ["limit": .integer(Int64(limit))]) }
        return Selection(sql, shape: Self.shape.near(near))
    }

    /// What the rows look like, before any place is asked about; `label` is the name of their first column.
    public func shape(labelled label: String) -> ResultShape {
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
