import Base
import Geo
import HabitModel
import StoreEngine

/// The counts of events by user and by tile of the map that a query of a map uses.
///
/// The table `event_map` contains the counts. They include the events of each user who shares all events with the viewer. The table
/// counts positions in private places for the negative key of their user, and only the user and the operator read these counts.
struct EventMapCounts {
    /// The zooms of the tiles of the table.
    private static let zooms = [0, 4, 8, 12, 16]
    /// The highest of the zooms.
    static let highestZoom = 16
    /// The key of the rows that count the events of all users.
    private static let allUsers: Int64 = 0

    let session: any Session
    let query: EventQuery

    /// Creates the counts of a query, or returns `nil` if the store has no counts for its scope.
    ///
    /// In the scope `friends`, a query finds few events.
    init?(_ query: EventQuery, in session: any Session) {
        guard session.dialect.traits.hasTileCounts else {
            return nil
        }
        if query.scope == .friends, query.viewer != .operator {
            return nil
        }
        self.query = query
        self.session = session
    }

    /// Returns the condition on `event_map` that selects the users.
    private func users() throws -> SQL {
        guard case .user = query.viewer else {
            let all: SQL = "event_map.user_id = \(.integer(Self.allUsers), as: "all_users")"
            guard query.isPublic, try hasPrivatePositions() else { return all }
            return "event_map.user_id > \(.integer(Self.allUsers), as: "all_users")"
        }
        let visibility = query.visibility
        let owners = query.scope == .all ? visibility.fullySharing : "SELECT \(visibility.key) AS user_id"
        return """
            event_map.user_id IN (
              \(owners)
              UNION ALL
              SELECT -account.id
              FROM account
              WHERE account.id = \(visibility.key)
            )
            """
    }

    /// Returns whether any user has a position in a private place.
    private func hasPrivatePositions() throws -> Bool {
        let sql: SQL = """
            SELECT 1
            FROM event_map
            WHERE event_map.user_id < \(.integer(Self.allUsers), as: "all_users")
            LIMIT 1
            """
        return try session.first(sql) { _ in true } ?? false
    }

    /// Returns the lowest zoom of the table from `zoom` on, or `nil` if the table has only lower zooms.
    private static func zoom(from zoom: Int) -> Int? { zooms.first { $0 >= zoom } }

    /// The events in a part of the map.
    struct Part {
        /// The events of each cell, by the code of the cell.
        var cells: [Int64: Cell] = [:]
        /// The number of events.
        var events = 0

        /// The number of events of a cell, and the key of the last user with events in it.
        struct Cell {
            var events: Int
            var user: Int64
        }
    }

    /// Returns the events of the selected users in some tiles.
    ///
    /// - Parameters:
    ///   - tiles: The tiles.
    ///   - zoom: The zoom of the cells to count, from the zoom of the tiles to the highest zoom of the table.
    ///   - limit: The number of cells after which the method stops. The result then has more cells.
    /// - Returns: The number of events of each cell.
    /// - Throws: An error of the engine.
    func events(in tiles: MapTileRange, byCellsOf zoom: Int, limit: Int = .max) throws -> Part {
        var part = Part()
        guard let stored = Self.zoom(from: zoom) else { return part }
        let shift = Int64(2 * (stored - zoom))
        try forEach(in: tiles, at: stored, users: users()) { user, code, events in
            let cell = code >> shift
            let known = part.cells[cell]?.events ?? 0
            part.cells[cell] = Part.Cell(events: known + events, user: abs(user))
            part.events += events
            return part.cells.count <= limit
        }
        return part
    }

    /// Returns the number of all located events of some of the selected users.
    func total(of wanted: Set<Int64>) throws -> Int {
        var total = 0
        try forEach(in: MapTileRange(.world), at: 0, users: users()) { user, _, events in
            if wanted.contains(abs(user)) { total += events }
            return true
        }
        return total
    }

    private func forEach(
        in tiles: MapTileRange,
        at stored: Int,
        users: SQL,
        _ body: (_ user: Int64, _ code: Int64, _ events: Int) -> Bool
    ) throws {
        for codes in tiles.codes(at: stored) {
            let first: SQL = "\(.integer(codes.lowerBound), as: "first_cell")"
            let last: SQL = "\(.integer(codes.upperBound), as: "last_cell")"
            let sql: SQL = """
                SELECT event_map.user_id, event_map.cell, event_map.events
                FROM event_map
                WHERE \(users) AND event_map.cell BETWEEN \(first) AND \(last)
                """
            try session.query(sql) { row in
                let code = row.integer(1)
                guard let tile = MapTile(code: code), tiles.contains(tile) else {
                    return true
                }
                let user = row.integer(0)
                let events = Int(row.integer(2))
                return body(user, code, events)
            }
        }
    }

    /// Returns the keys of the users who let the viewer see only the newest event of each habit.
    func newestOnlyUsers() throws -> [Int64] {
        guard query.scope == .all, case .user = query.viewer else {
            return []
        }
        let sql: SQL = """
            SELECT follow.followee_id
            FROM follow
            WHERE \(query.visibility.grantsNewestOnly)
            ORDER BY follow.followee_id
            """
        var keys: [Int64] = []
        try session.query(sql) { row in
            keys.append(row.integer(0))
            return true
        }
        return keys
    }
}
