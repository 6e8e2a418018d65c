import CSQLite
import GRDB
import Geo
import StoreEngine

/// The index of the rows of a located table by owner and by tile of the map.
///
/// A query that may read the rows of some owners finds them here, so that its time does not depend on the rows of other
/// owners. A row whose position only its owner sees has the negative key of the owner. Triggers update the index with the
/// rows. The triggers, the schema and this type must use the same definition of a tile.
///
/// The index is filled in one pass like ``PackedRTree``: by a radix sort and an append. Memory: 24 bytes for each row, 48
/// during the sort.
struct OwnerTileIndex {
    /// The zoom of the tiles.
    private static let zoom = 16

    private struct Entry: Equatable {
        var owner: Int64
        /// The code of the tile.
        var cell: Int64
        /// The key of the row.
        var key: Int64

        init(owner: Int64, cell: Int64, key: Int64) {
            self.owner = owner
            self.cell = cell
            self.key = key
        }

        /// Creates an entry from its columns, or returns `nil` if a damaged row contains other values than integers.
        init?(_ row: GRDB.Row) {
            guard let owner = Int64.fromDatabaseValue(row[0]) else {
                return nil
            }
            guard let cell = Int64.fromDatabaseValue(row[1]) else {
                return nil
            }
            guard let key = Int64.fromDatabaseValue(row[2]) else {
                return nil
            }
            self.init(owner: owner, cell: cell, key: key)
        }

        /// Whether the entry precedes another entry in the primary key of the index.
        func precedes(_ other: Entry) -> Bool {
            (owner, cell, key) < (other.owner, other.cell, other.key)
        }
    }

    private let declared: SchemaDeclaration.OwnerTileIndex
    private var entries: [Entry] = []

    init(_ declared: SchemaDeclaration.OwnerTileIndex) {
        self.declared = declared
    }

    /// The columns of the index.
    private var columns: [String] {
        [declared.owner, "cell", declared.key]
    }

    // MARK: Filling

    /// Adds a row.
    ///
    /// The caller adds rows in the order of their keys.
    mutating func add(_ key: Int64, of owner: Int64, at position: Position) {
        let cell = MapPoint(position).tile(at: Self.zoom).code
        entries.append(Entry(owner: owner, cell: cell, key: key))
    }

    /// Replaces all entries of the index with those of the added rows.
    mutating func replace(in db: Database) throws {
        guard try db.tableExists(declared.index) else {
            return
        }
        try db.execute(sql: "DELETE FROM \(declared.index)")
        try append(to: db)
    }

    /// Adds the rows with keys greater than `lastID`, none of which has an entry.
    mutating func add(after lastID: Int64, in db: Database) throws {
        guard try db.tableExists(declared.index) else {
            return
        }
        _ = try addRows(after: lastID, in: db)
        try append(to: db)
    }

    /// Adds the rows of the store with keys greater than `lastID`, and returns whether all their geometries are valid.
    private mutating func addRows(after lastID: Int64, in db: Database) throws -> Bool {
        var areValid = true
        let sql = """
            SELECT id, geometry, \(declared.indexedOwner)
            FROM \(declared.table)
            WHERE id > \(lastID) AND geometry IS NOT NULL
            ORDER BY id
            """
        let statement = try SpatiaLiteStatement(db.makeStatement(sql: sql), on: db)
        try statement.forEach { row in
            if let position = row.position(1) {
                add(row.integer(0), of: row.integer(2), at: position)
            } else {
                areValid = false
            }
            return true
        }
        return areValid
    }

    /// Inserts the added rows in the order of the primary key, and removes them from this value.
    private mutating func append(to db: Database) throws {
        let sorted = removeSorted()
        let insert = try RowInsert(into: declared.index, columns: columns, db)
        try insert.run(sorted.count) { row, slot in
            let entry = sorted[row]
            sqlite3_bind_int64(slot.statement, slot.parameter, entry.owner)
            sqlite3_bind_int64(slot.statement, slot.parameter + 1, entry.cell)
            sqlite3_bind_int64(slot.statement, slot.parameter + 2, entry.key)
        }
    }

    /// Returns the added rows in the order of the primary key, and removes them.
    private mutating func removeSorted() -> [Entry] {
        entries.sortRadix { entry in UInt64(bitPattern: entry.cell) }
        entries.sortRadix { entry in UInt64(bitPattern: entry.owner) ^ (1 << 63) }
        defer { entries = [] }
        return entries
    }

    // MARK: Checks

    /// Calls `body` with the name of each wrong, missing or additional entry.
    ///
    /// If the index does not exist, the store has an older schema, and another check reports that. Another check also
    /// reports invalid geometries, whose former tiles are unknown.
    mutating func findInconsistencies(in db: Database, _ body: (String) -> Void) throws {
        guard try db.tableExists(declared.index), try addRows(after: .min, in: db) else {
            return
        }
        var expected = removeSorted()[...]
        let names = columns.joined(separator: ", ")
        let stored = try GRDB.Row.fetchCursor(db, sql: "SELECT \(names) FROM \(declared.index) ORDER BY \(names)")
        while let row = try stored.next() {
            guard let entry = Entry(row) else {
                body("invalid tile")
                continue
            }
            while let next = expected.first, next.precedes(entry) {
                body("missing \(Self.name(next))")
                expected.removeFirst()
            }
            if expected.first == entry {
                expected.removeFirst()
            } else {
                body(Self.name(entry))
            }
        }
        for next in expected {
            body("missing \(Self.name(next))")
        }
    }

    private static func name(_ entry: Entry) -> String {
        "tile \(entry.cell) of row \(entry.key)"
    }
}
