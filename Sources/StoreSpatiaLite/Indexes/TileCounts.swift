import CSQLite
import GRDB
import Geo
import StoreEngine

/// The counts of the rows of a located table by owner and by tile of the map.
///
/// A map of many rows reads the counts instead of the rows. The rows whose position only their owner sees have the negative key of
/// the owner, and the counts of all owners include them. Triggers update the counts with the rows. The triggers, the
/// schema and this type must use the same definition of a tile.
///
/// The counts are filled in one pass like ``PackedRTree``: by a radix sort and an append. Memory: 16 bytes for each
/// row, 32 during the sort, and 24 for each count.
struct TileCounts {
    /// The highest zoom of the counts.
    private static let zoom = 16
    /// The differences between the bits of a tile of that zoom and of the other tiles, the lowest zoom first.
    private static let shifts: [UInt64] = [32, 24, 16, 8, 0]
    /// The owner of the counts of the rows of all owners.
    private static let allOwners: Int64 = 0

    private struct Entry {
        var owner: Int64
        /// The code of the tile of the highest zoom.
        var cell: UInt64
    }

    /// The number of rows of an owner in a tile.
    private struct Count: Equatable {
        var owner: Int64
        var cell: Int64
        var rows: Int64

        init(owner: Int64, cell: Int64, rows: Int64) {
            self.owner = owner
            self.cell = cell
            self.rows = rows
        }

        /// Creates a count from its columns, or returns `nil` if a damaged row contains other values than integers.
        init?(_ row: GRDB.Row) {
            guard let owner = Int64.fromDatabaseValue(row[0]) else {
                return nil
            }
            guard let cell = Int64.fromDatabaseValue(row[1]) else {
                return nil
            }
            guard let rows = Int64.fromDatabaseValue(row[2]) else {
                return nil
            }
            self.init(owner: owner, cell: cell, rows: rows)
        }

        /// Whether the primary key of this count is less than the primary key of `other`.
        func precedes(_ other: Count) -> Bool {
            (owner, cell) < (other.owner, other.cell)
        }
    }

    private let declared: SchemaDeclaration.TileCounts
    private var entries: [Entry] = []

    init(_ declared: SchemaDeclaration.TileCounts) {
        self.declared = declared
    }

    /// The columns of the table of the counts.
    private var columns: [String] {
        [declared.owner, "cell", declared.count]
    }

    // MARK: Filling

    /// Adds a row.
    mutating func add(of owner: Int64, at position: Position) {
        let code = MapPoint(position).tile(at: Self.zoom).code
        entries.append(Entry(owner: owner, cell: UInt64(bitPattern: code)))
    }

    /// Replaces all counts with those of the added rows.
    mutating func replace(in db: Database) throws {
        guard try db.tableExists(declared.counts) else {
            return
        }
        try db.execute(sql: "DELETE FROM \(declared.counts)")
        let counts = removeCounts()
        let insert = try RowInsert(into: declared.counts, columns: columns, db)
        try insert.run(counts.count) { row, slot in
            sqlite3_bind_int64(slot.statement, slot.parameter, counts[row].owner)
            sqlite3_bind_int64(slot.statement, slot.parameter + 1, counts[row].cell)
            sqlite3_bind_int64(slot.statement, slot.parameter + 2, counts[row].rows)
        }
    }

    /// Counts the rows with keys greater than `lastID`, none of which is counted.
    ///
    /// The method uses and removes the added rows.
    mutating func add(after lastID: Int64, in db: Database) throws {
        guard try db.tableExists(declared.counts) else {
            return
        }
        _ = try addRows(after: lastID, in: db)
        let upsert = try db.makeStatement(
            sql: """
                INSERT INTO \(declared.counts) (\(columns.joined(separator: ", ")))
                VALUES (?, ?, ?)
                ON CONFLICT (\(declared.owner), cell) DO UPDATE
                SET \(declared.count) = \(declared.count) + excluded.\(declared.count)
                """)
        for count in removeCounts() {
            try upsert.execute(arguments: [count.owner, count.cell, count.rows])
        }
    }

    /// Adds the rows of the table with keys greater than `lastID`, and returns whether all their geometries are valid.
    private mutating func addRows(after lastID: Int64, in db: Database) throws -> Bool {
        var areValid = true
        let sql = """
            SELECT \(declared.countedOwner), geometry
            FROM \(declared.table)
            WHERE id > \(lastID) AND geometry IS NOT NULL
            """
        let statement = try SpatiaLiteStatement(db.makeStatement(sql: sql), on: db)
        try statement.forEach { row in
            if let position = row.position(1) {
                add(of: row.integer(0), at: position)
            } else {
                areValid = false
            }
            return true
        }
        return areValid
    }

    /// Returns the counts of the added rows in the order of the primary key, and removes the rows.
    private mutating func removeCounts() -> [Count] {
        var counts: [Count] = []
        entries.sortRadix(by: \.cell)
        var ofAllOwners: [Count] = []
        Self.append(entries[...], of: Self.allOwners, to: &ofAllOwners)
        entries.sortRadix { entry in UInt64(bitPattern: entry.owner) ^ (1 << 63) }
        var start = 0
        while start < entries.count {
            let owner = entries[start].owner
            let next = entries[start...].firstIndex { entry in entry.owner != owner }
            let end = next ?? entries.count
            Self.append(entries[start..<end], of: owner, to: &counts)
            start = end
        }
        entries = []
        let firstPositive = counts.firstIndex { count in count.owner > Self.allOwners }
        counts.insert(contentsOf: ofAllOwners, at: firstPositive ?? counts.endIndex)
        return counts
    }

    /// Appends the counts of an owner.
    ///
    /// The entries are sorted by their tile, and therefore also by the tiles of lower zooms.
    private static func append(_ entries: ArraySlice<Entry>, of owner: Int64, to counts: inout [Count]) {
        guard !entries.isEmpty else {
            return
        }
        for shift in shifts {
            var last = Count(owner: owner, cell: 0, rows: 0)
            for entry in entries {
                let cell = Int64(bitPattern: entry.cell >> shift)
                if cell != last.cell {
                    if last.rows > 0 {
                        counts.append(last)
                    }
                    last = Count(owner: owner, cell: cell, rows: 0)
                }
                last.rows += 1
            }
            counts.append(last)
        }
    }

    // MARK: Checks

    /// Calls `body` with the name of each wrong, missing or additional count.
    ///
    /// If the table does not exist, the store has an older schema, and another check reports that. Another check also
    /// reports invalid geometries, whose former tiles are unknown. The method uses and removes the added rows.
    mutating func findInconsistencies(in db: Database, _ body: (String) -> Void) throws {
        guard try db.tableExists(declared.counts), try addRows(after: .min, in: db) else {
            return
        }
        var expected = removeCounts()[...]
        let rows = try GRDB.Row.fetchCursor(
            db,
            sql: """
                SELECT \(columns.joined(separator: ", "))
                FROM \(declared.counts)
                ORDER BY \(declared.owner), cell
                """)
        while let row = try rows.next() {
            guard let count = Count(row) else {
                body("invalid count")
                continue
            }
            while let next = expected.first, next.precedes(count) {
                body("missing \(name(next))")
                expected.removeFirst()
            }
            if expected.first != count {
                body(name(count))
            }
            if let next = expected.first, !count.precedes(next) {
                expected.removeFirst()
            }
        }
        for next in expected {
            body("missing \(name(next))")
        }
    }

    private func name(_ count: Count) -> String {
        "count of \(declared.ownerTitle) \(count.owner) in tile \(count.cell)"
    }
}
