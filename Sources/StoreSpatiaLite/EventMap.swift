import CSQLite
import GRDB
import Geo

/// The table `event_map`, which counts the located events by user and by tile of the map.
///
/// A map of many events reads the counts instead of the events. Triggers update the table with the events. The
/// triggers, the schema and this type must use the same definition of a tile.
///
/// The table is filled in one pass like ``PackedRTree``: by a radix sort and an append. Memory: 16 bytes for each
/// event, 32 during the sort, and 24 for each row of the table.
struct EventMap {
    /// The highest zoom of the table.
    private static let zoom = 16
    /// The differences between the bits of a tile of that zoom and of the other tiles, the lowest zoom first.
    private static let shifts: [UInt64] = [32, 24, 16, 8, 0]
    /// The user of the rows that count the events of all users.
    private static let allUsers: Int64 = 0

    private struct Entry {
        var user: Int64
        /// The code of the tile of the highest zoom.
        var cell: UInt64
    }

    /// A row of the table.
    private struct Count: Equatable {
        var user: Int64
        var cell: Int64
        var events: Int64

        init(user: Int64, cell: Int64, events: Int64) {
            self.user = user
            self.cell = cell
            self.events = events
        }

        /// Creates a count from its columns, or returns `nil` if a damaged row contains other values than integers.
        init?(_ row: GRDB.Row) {
            guard let user = Int64.fromDatabaseValue(row[0]), let cell = Int64.fromDatabaseValue(row[1]),
                let events = Int64.fromDatabaseValue(row[2])
            else { return nil }
            self.init(user: user, cell: cell, events: events)
        }
    }

    private var entries: [Entry] = []

    /// Adds an event.
    mutating func add(of user: Int64, at position: Position) {
        let code = MapPoint(position).tile(at: Self.zoom).code
        entries.append(Entry(user: user, cell: UInt64(bitPattern: code)))
    }

    /// Replaces all rows of the table with those of the added events.
    mutating func replace(in db: Database) throws {
        guard try db.tableExists("event_map") else { return }
        try db.execute(sql: "DELETE FROM event_map")
        let counts = counts()
        try RowInsert(into: "event_map", columns: ["user_id", "cell", "events"], db).run(counts.count) { row, slot in
            sqlite3_bind_int64(slot.statement, slot.parameter, counts[row].user)
            sqlite3_bind_int64(slot.statement, slot.parameter + 1, counts[row].cell)
            sqlite3_bind_int64(slot.statement, slot.parameter + 2, counts[row].events)
        }
    }

    /// Adds the events with keys greater than `lastID`, which the table does not count.
    static func add(after lastID: Int64, in db: Database) throws {
        guard try db.tableExists("event_map") else { return }
        var new = EventMap()
        _ = try new.addEvents(after: lastID, in: db)
        let upsert = try db.makeStatement(
            sql: """
                INSERT INTO event_map (user_id, cell, events)
                VALUES (?, ?, ?)
                ON CONFLICT (user_id, cell) DO UPDATE SET events = events + excluded.events
                """)
        for count in new.counts() { try upsert.execute(arguments: [count.user, count.cell, count.events]) }
    }

    /// Adds the events of the store with keys greater than `lastID`, and returns whether all their geometries are valid.
    private mutating func addEvents(after lastID: Int64, in db: Database) throws -> Bool {
        var areValid = true
        let sql = "SELECT user_id, geometry FROM event WHERE id > \(lastID) AND geometry IS NOT NULL"
        try SpatiaLiteStatement(db.makeStatement(sql: sql), on: db).forEach { row in
            if let position = row.position(1) { add(of: row.integer(0), at: position) } else { areValid = false }
            return true
        }
        return areValid
    }

    /// Returns the rows of the added events in the order of the primary key, and removes the events.
    private mutating func counts() -> [Count] {
        var counts: [Count] = []
        entries.sortRadix(by: \.cell)
        Self.append(entries[...], of: Self.allUsers, to: &counts)
        entries.sortRadix { UInt64(bitPattern: $0.user) ^ (1 << 63) }
        var start = 0
        while start < entries.count {
            let user = entries[start].user
            let end = entries[start...].firstIndex { $0.user != user } ?? entries.count
            Self.append(entries[start..<end], of: user, to: &counts)
            start = end
        }
        entries = []
        return counts
    }

    /// Appends the rows of a user.
    ///
    /// The entries are sorted by their tile, and therefore also by the tiles of lower zooms.
    private static func append(_ entries: ArraySlice<Entry>, of user: Int64, to counts: inout [Count]) {
        guard !entries.isEmpty else { return }
        for shift in shifts {
            var last = Count(user: user, cell: 0, events: 0)
            for entry in entries {
                let cell = Int64(bitPattern: entry.cell >> shift)
                if cell != last.cell {
                    if last.events > 0 { counts.append(last) }
                    last = Count(user: user, cell: cell, events: 0)
                }
                last.events += 1
            }
            counts.append(last)
        }
    }

    /// Calls `body` with the name of each wrong, missing or additional row.
    ///
    /// If the table does not exist, the store has an older schema, and another check reports that. Another check also
    /// reports invalid geometries, whose former tiles are unknown.
    static func findInconsistencies(in db: Database, _ body: (String) -> Void) throws {
        var events = EventMap()
        guard try db.tableExists("event_map"), try events.addEvents(after: .min, in: db) else { return }
        var expected = events.counts()[...]
        let rows = try GRDB.Row.fetchCursor(
            db, sql: "SELECT user_id, cell, events FROM event_map ORDER BY user_id, cell")
        while let row = try rows.next() {
            guard let count = Count(row) else {
                body("invalid count")
                continue
            }
            while let next = expected.first, (next.user, next.cell) < (count.user, count.cell) {
                body("missing \(name(next))")
                expected.removeFirst()
            }
            if expected.first?.user == count.user, expected.first?.cell == count.cell {
                if expected.first != count { body("\(name(count))") }
                expected.removeFirst()
            } else {
                body("\(name(count))")
            }
        }
        for next in expected { body("missing \(name(next))") }
    }

    private static func name(_ count: Count) -> String { "count of user \(count.user) in tile \(count.cell)" }
}
