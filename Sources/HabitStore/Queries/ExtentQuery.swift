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
        let sql: SQL = """
            SELECT \(aggregates(dialect).joined(separator: ", "))
            FROM (
              \(select(rows, dialect))
              LIMIT \(.integer(Int64(Self.rowLimit + 1)), as: "row_limit")
            ) AS visible
            """
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
        if kind == .events {
            let days = try days(in: session)
            extent.from = days.from
            extent.to = days.to
        }
        return extent
    }

    /// Returns the columns of the extent: the number of records, their time, and their box.
    private func aggregates(_ dialect: any Dialect) -> [SQL] {
        let times: [SQL] = ["count(*)", "min(at)", "max(at)"]
        guard kind.hasPosition else { return times }
        let point: SQL = "geometry"
        let coordinates = dialect.coordinates(of: point)
        let longitude = coordinates.longitude
        let latitude = coordinates.latitude
        let box: [SQL] = ["min(\(longitude))", "min(\(latitude))", "max(\(longitude))", "max(\(latitude))"]
        return times + box
    }

    private static func box(_ row: any Row) -> BoundingBox? {
        guard !row.isNull(3) else { return nil }
        return BoundingBox(west: row.number(3), south: row.number(4), east: row.number(5), north: row.number(6))
    }

    /// The FROM clause, the conditions and the instant of the records.
    private struct Rows {
        var source: SQL
        var conditions: [SQL?] = []
        var instant: SQL
    }

    /// The records, or `nil` for a kind without an instant.
    private var rows: Rows? {
        switch kind {
        case .events: Rows(source: "event", instant: "event.occurred_at")
        case .items:
            Rows(
                source: "item \(Visibility.claimJoin)",
                conditions: [visibility.items],
                instant: "item.posted_at")
        case .posts:
            Rows(
                source: "post",
                conditions: ["post.deleted_at IS NULL", visibility.posts],
                instant: "post.posted_at")
        case .follows: Rows(source: "follow", conditions: [visibility.follows], instant: "follow.requested_at")
        case .claims:
            Rows(
                source: "claim JOIN item ON item.id = claim.item_id",
                conditions: [visibility.claims],
                instant: "claim.claimed_at")
        case .messages: Rows(source: "message", conditions: [visibility.messages], instant: "message.sent_at")
        case .reads:
            Rows(
                source: "read_marker JOIN item ON item.id = read_marker.item_id",
                conditions: [visibility.reads],
                instant: "read_marker.read_at")
        case .settings, .users, .habits, .schedules, .pauses, .blocks: nil
        }
    }

    /// Returns a SELECT of the instants and positions of the visible records.
    private func select(_ rows: Rows, _ dialect: any Dialect) -> SQL {
        var columns = [SelectColumn("at", rows.instant)]
        if kind.hasPosition {
            let position = kind == .items ? visibility.itemPosition : visibility.position(in: kind.table)
            columns.append(SelectColumn("geometry", position.expression))
        }
        guard kind == .events, viewer != .operator else {
            var select = Select(columns, from: rows.source)
            for condition in rows.conditions {
                select.require(condition)
            }
            return select.sql
        }
        return """
            SELECT \(columns.list)
              FROM (
                \(visibility.fullySharing)
              ) AS owner
              \(raw: dialect.traits.orderedJoin) event ON event.user_id = owner.user_id
              UNION ALL
              SELECT \(columns.list)
              \(newest(dialect))
            """
    }

    /// Returns the FROM clause of the newest events of the users who share only these events.
    private func newest(_ dialect: any Dialect) -> SQL {
        """
        FROM \(dialect.newestEventsOfFollowed)
          WHERE \(visibility.grantsNewestOnly)
        """
    }

    // MARK: Days of events

    /// The position of an event that the viewer sees.
    private var eventPosition: SQL { visibility.position(in: "event").expression }

    /// Returns the instants between which the days of the events are, in every time zone.
    private func days(in session: any Session) throws -> (from: Instant?, to: Instant?) {
        let sql = viewer == .operator ? allDays : visibleDays(session.dialect)
        let days = try session.first(sql) { row in (row.day(0), row.day(1)) }
        return (days?.0.map(Self.begin), days?.1.map(Self.end))
    }

    /// The instant at which a day begins in the first time zone, 14 hours ahead of UTC.
    private static func begin(_ day: Day) -> Instant {
        Instant(microseconds: day.startInUTC.microseconds - 14 * 3_600_000_000)
    }

    /// The instant at which a day ends in the last time zone, UTC−12.
    private static func end(_ day: Day) -> Instant {
        Instant(microseconds: day.startInUTC.microseconds + 36 * 3_600_000_000)
    }

    /// A SELECT of the first and the last day of all events, from the index on days.
    ///
    /// A list of located events reads only the first and the last events, up to the limit.
    private var allDays: SQL {
        let events: SQL = "SELECT day, \(eventPosition) AS geometry FROM event"
        return """
            SELECT \(endDay(of: events, order: "ASC")) AS first_day, \(endDay(of: events, order: "DESC")) AS last_day
            """
    }

    /// Returns a subquery for the first or the last day of some events.
    ///
    /// A list of located events reads only the first and the last events, up to the limit.
    ///
    /// - Parameters:
    ///   - events: A SELECT of the days and the positions.
    ///   - order: `ASC` for the first day, `DESC` for the last.
    /// - Returns: The subquery.
    private func endDay(of events: SQL, order: String) -> SQL {
        let sorted: SQL = "\(events) ORDER BY day \(raw: order)"
        guard isLocated else { return "(SELECT day FROM (\(sorted) LIMIT 1) AS edge)" }
        return """
            (
                SELECT day
                FROM (\(sorted) LIMIT \(.integer(Int64(Self.rowLimit)), as: "row_limit")) AS edge
                WHERE geometry IS NOT NULL
                ORDER BY day \(raw: order)
                LIMIT 1
              )
            """
    }

    /// Returns a SELECT of the first and the last day of the visible events, with one lookup for each user and habit.
    ///
    /// A list of located events reads only the first and the last events of each user, up to the limit.
    private func visibleDays(_ dialect: any Dialect) -> SQL {
        let located: SQL = isLocated ? "\n  AND \(eventPosition) IS NOT NULL" : ""
        guard !dialect.traits.isDistributed else {
            return """
                SELECT min(event.day), max(event.day)
                FROM event
                WHERE \(visibility.events(dialect) ?? "TRUE")\(located)
                """
        }
        let events: SQL = """
            SELECT event.day, \(eventPosition) AS geometry FROM event WHERE event.user_id = owner.user_id
            """
        let first = endDay(of: events, order: "ASC")
        let last = endDay(of: events, order: "DESC")
        return """
            SELECT min(first_day), max(last_day)
            FROM (
              SELECT \(first) AS first_day, \(last) AS last_day
              FROM (
                \(visibility.fullySharing)
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
