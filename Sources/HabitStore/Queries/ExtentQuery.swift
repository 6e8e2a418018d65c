import Base
import Geo
import HabitModel
import StoreEngine

/// The area and the time of the records of a list.
public struct Extent: Sendable, Equatable {
    /// A box that contains all positions, or `nil` if no record has a position.
    public var box: BoundingBox?
    /// The earliest instant, or `nil` if it is unknown.
    public var from: Instant?
    /// The latest instant, or `nil` if it is unknown.
    public var to: Instant?
}

/// A query for the extent of the records that a viewer can see.
///
/// The query reads at most ``rowLimit`` records. If the viewer can see more, the box is the world, and the time of records
/// other than events is unknown. Records that the viewer cannot see do not affect the extent.
public struct ExtentQuery: Sendable {
    /// The maximum number of records that the query reads.
    static let rowLimit = 20_000

    /// The kind of the records: a kind with an instant.
    public var kind: RecordKind
    /// The viewer of the query.
    public var viewer: Viewer
    /// Whether the extent goes to a client without a token, which sees no exact position of an item.
    public var isPublic = false
    /// Whether the list contains only records with a position.
    public var isLocated = false

    /// Creates a query for the records of `kind` that `viewer` can see.
    public init(_ kind: RecordKind, viewer: Viewer) {
        self.kind = kind
        self.viewer = viewer
    }

    private var visibility: Visibility { Visibility(viewer: viewer, isPublic: isPublic) }

    /// Reads the extent.
    ///
    /// - Returns: The extent, or `nil` if the kind has neither positions nor instants.
    public func extent(in session: any Session) throws -> Extent? {
        guard let rows else { return nil }
        let dialect = session.dialect
        let (longitude, latitude) = (dialect.longitude(of: "geometry"), dialect.latitude(of: "geometry"))
        let ends = kind.hasPosition ? "min(\(longitude)), min(\(latitude)), max(\(longitude)), max(\(latitude))" : nil
        let sql = SQL(
            """
            SELECT count(*), min(at), max(at)\(ends.map { ", \($0)" } ?? "")
            FROM (
              \(select(dialect, rows))
              LIMIT \(Self.rowLimit + 1)
            ) AS visible
            """, visibility.bindings)
        var extent = Extent()
        try session.query(sql) { row in
            let isComplete = row.integer(0) <= Self.rowLimit
            if isComplete, !row.isNull(1) {
                extent.from = Instant(microseconds: row.integer(1))
                extent.to = Instant(microseconds: row.integer(2))
            }
            guard kind.hasPosition else { return false }
            extent.box = isComplete ? Self.box(row) : .world
            return false
        }
        if kind == .events { (extent.from, extent.to) = try days(in: session) }
        return extent
    }

    private static func box(_ row: any Row) -> BoundingBox? {
        guard !row.isNull(3) else { return nil }
        return BoundingBox(west: row.number(3), south: row.number(4), east: row.number(5), north: row.number(6))
    }

    /// The FROM clause, the conditions and the instant of the records, or `nil` for a kind without an instant.
    private var rows: (from: String, conditions: [String?], instant: String)? {
        switch kind {
        case .events: ("event", [], "event.occurred_at")
        case .items: ("item \(Visibility.claimJoin)", [], "item.posted_at")
        case .posts: ("post", ["post.deleted_at IS NULL", visibility.posts], "post.posted_at")
        case .follows: ("follow", [visibility.follows], "follow.requested_at")
        case .claims: ("claim JOIN item ON item.id = claim.item_id", [visibility.claims], "claim.claimed_at")
        case .messages: ("message", [visibility.messages], "message.sent_at")
        case .settings, .users, .habits, .schedules: nil
        }
    }

    /// Returns a SELECT of the instants and positions of the visible records.
    private func select(
        _ dialect: any Dialect, _ rows: (from: String, conditions: [String?], instant: String)
    ) -> String {
        let position = kind == .items ? visibility.itemPosition : .stored(in: kind.table)
        let geometry = kind.hasPosition ? ", \(position.expression) AS geometry" : ""
        let columns = "SELECT \(rows.instant) AS at\(geometry)"
        if kind == .events, viewer != .operator {
            return """
                \(columns)
                  FROM (
                    \(Visibility.fullySharing)
                  ) AS owner
                  \(dialect.orderedJoin) event ON event.user_id = owner.user_id
                  UNION ALL
                  \(columns)
                  \(newest(dialect))
                """
        }
        let conditions = rows.conditions.compactMap(\.self)
        let filter = conditions.isEmpty ? "" : "\n  WHERE \(conditions.joined(separator: " AND "))"
        return "\(columns)\n  FROM \(rows.from)\(filter)"
    }

    /// Returns the FROM clause of the newest events of the users who share only these events.
    private func newest(_ dialect: any Dialect) -> String {
        """
        FROM follow
          JOIN habit ON habit.user_id = follow.followee_id
          \(dialect.newestEventJoin)
          WHERE \(Visibility.grantsNewestOnly)
        """
    }

    // MARK: Days of events

    /// Returns the instants between which the days of the events are, in every time zone.
    private func days(in session: any Session) throws -> (from: Instant?, to: Instant?) {
        let sql = viewer == .operator ? allDays : visibleDays(session.dialect)
        let days = try session.first(SQL(sql, visibility.bindings)) { ($0.day(0), $0.day(1)) }
        return (days?.0.map(Self.begin), days?.1.map(Self.end))
    }

    /// The instant at which a day begins in the first time zone, 14 hours ahead of UTC.
    private static func begin(_ day: Day) -> Instant {
        Instant(microseconds: day.startInUTC.microseconds - 14 * 3_600_000_000)
    }

    /// The instant at which a day ends in the last time zone, 12 hours behind UTC.
    private static func end(_ day: Day) -> Instant {
        Instant(microseconds: day.startInUTC.microseconds + 36 * 3_600_000_000)
    }

    /// A SELECT of the first and the last day of all events, from the index on days.
    ///
    /// A list of located events reads only the first and the last events, up to the limit.
    private var allDays: String {
        func day(_ order: String) -> String {
            guard isLocated else { return "(SELECT day FROM event ORDER BY day \(order) LIMIT 1)" }
            return """
                (
                    SELECT day
                    FROM (SELECT day, geometry FROM event ORDER BY day \(order) LIMIT \(Self.rowLimit)) AS edge
                    WHERE geometry IS NOT NULL
                    ORDER BY day \(order)
                    LIMIT 1
                  )
                """
        }
        return "SELECT \(day("ASC")) AS first_day, \(day("DESC")) AS last_day"
    }

    /// Returns a SELECT of the first and the last day of the visible events, with one lookup for each user and habit.
    ///
    /// A list of located events reads only the first and the last events of each user, up to the limit.
    private func visibleDays(_ dialect: any Dialect) -> String {
        func day(_ order: String) -> String {
            let days = """
                SELECT event.day, event.geometry
                    FROM event
                    WHERE event.user_id = owner.user_id
                    ORDER BY event.day \(order)
                """
            guard isLocated else { return "(SELECT day FROM (\(days) LIMIT 1) AS edge)" }
            return """
                (
                    SELECT day
                    FROM (\(days) LIMIT \(Self.rowLimit)) AS edge
                    WHERE geometry IS NOT NULL
                    ORDER BY day \(order)
                    LIMIT 1
                  )
                """
        }
        let located = isLocated ? "\n  AND event.geometry IS NOT NULL" : ""
        guard !dialect.isDistributed else {
            return """
                SELECT min(event.day), max(event.day)
                FROM event
                WHERE \(visibility.events(dialect) ?? "TRUE")\(located)
                """
        }
        return """
            SELECT min(first_day), max(last_day)
            FROM (
              SELECT \(day("ASC")) AS first_day, \(day("DESC")) AS last_day
              FROM (
                \(Visibility.fullySharing)
              ) AS owner
              UNION ALL
              SELECT event.day, event.day
              \(newest(dialect))\(located)
            ) AS owner_days
            """
    }
}

extension RecordKind {
    fileprivate var hasPosition: Bool { Self.located.contains(self) }
}
