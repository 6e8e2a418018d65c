import Base
import CSQLite
import GRDB
import Geo

/// The table `event_cell`, which indexes located events by grid cell and day.
///
/// A query for the newest events in an area uses it, so that it does not read all events in the area, as it would with
/// the R*Tree. Triggers update the table with the events. The triggers, the schema and this type must use the same
/// definition of a cell.
///
/// The table is filled in one pass like ``PackedRTree``: by a radix sort and an append. Memory: 16 bytes for each
/// event, 32 during the sort.
struct EventCells {
    /// The number of cells in a degree.
    private static let perDegree = 20.0
    /// The difference between the numbers of cells in adjacent rows, which is greater than the number of columns.
    private static let rowLength: Int64 = 10_000
    /// The maximum number of cells of a query, and the maximum ratio of their area to the area of the box.
    ///
    /// Beyond these limits, the lookups in the cells cost more than they save.
    private static let (most, excess) = (400, 16.0)

    private static func column(_ longitude: Double) -> Int64 { Int64(perDegree * (longitude + 180)) }
    private static func row(_ latitude: Double) -> Int64 { Int64(perDegree * (latitude + 90)) }

    /// Returns the number of the cell that contains `position`.
    static func cell(of position: Position) -> Int64 {
        rowLength * row(position.latitude) + column(position.longitude)
    }

    /// Returns an SQL expression for the cell of the point `geometry`.
    static func cell(of geometry: String) -> String {
        let (row, column) = ("point_latitude(\(geometry)) + 90", "point_longitude(\(geometry)) + 180")
        return "\(rowLength) * CAST(\(perDegree) * (\(row)) AS INTEGER) + CAST(\(perDegree) * (\(column)) AS INTEGER)"
    }

    /// Returns the numbers of all cells that can contain a position in the box.
    ///
    /// Returns `nil` if there are too many cells, or if they cover much more than the box.
    static func cells(in box: BoundingBox) -> [Int64]? {
        var cells: [Int64] = []
        var area = 0.0
        for part in box.parts {
            let (rows, columns) = (row(part.south)...row(part.north), column(part.west)...column(part.east))
            guard rows.count * columns.count + cells.count <= most else { return nil }
            for row in rows { cells += columns.map { rowLength * row + $0 } }
            area += perDegree * (part.north - part.south) * perDegree * (part.east - part.west)
        }
        cells = cells.distinct()
        return Double(cells.count) <= excess * area ? cells : nil
    }

    /// Calls `body` with the ID of each event without a correct entry, and with the name of each wrong entry.
    ///
    /// If the table does not exist, the store has an older schema. Another check reports that.
    static func findInconsistencies(in db: Database, _ body: (String) -> Void) throws {
        guard try db.tableExists("event_cell") else { return }
        let names = try String.fetchCursor(
            db,
            sql: """
                SELECT external_id
                FROM event
                WHERE point_longitude(geometry) IS NOT NULL AND NOT EXISTS (
                  SELECT 1 FROM event_cell WHERE cell = \(cell(of: "geometry")) AND day = event.day AND event_id = event.id
                )
                UNION ALL
                SELECT 'entry ' || event_id
                FROM event_cell
                LEFT JOIN event ON event.id = event_cell.event_id
                WHERE event_cell.day IS NOT event.day OR event.geometry IS NULL
                  OR event_cell.cell <> \(cell(of: "event.geometry"))
                """)
        while let name = try names.next() { body(name) }
    }

    // MARK: Filling

    /// Adds the events with keys greater than `lastID`, none of which has an entry.
    static func add(after lastID: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO event_cell (cell, day, event_id)
                SELECT \(cell(of: "geometry")) AS cell, day, id
                FROM event
                WHERE id > ? AND point_longitude(geometry) IS NOT NULL
                ORDER BY cell, day, id
                """, arguments: [lastID])
    }

    /// An entry that is sorted by cell and then by day.
    ///
    /// The upper 32 bits of `order` are the cell. The lower 32 bits are the number of the day with its sign bit
    /// inverted.
    private struct Entry {
        var order: UInt64
        var id: Int64

        var cell: Int64 { Int64(order >> 32) }
        var day: Day { Day(number: Int32(bitPattern: UInt32(truncatingIfNeeded: order) ^ 1 << 31)) }
    }

    private var entries: [Entry] = []
    /// Whether the day of every added event is a date.
    private var isComplete = true

    /// Adds an event to be written by ``replace(in:)``.
    ///
    /// The caller adds events in the order of their keys. Another check reports days that are not dates.
    mutating func add(_ id: Int64, on day: Day?, at position: Position) {
        guard let day else { return isComplete = false }
        let order = UInt64(Self.cell(of: position)) << 32 | UInt64(UInt32(bitPattern: day.number) ^ 1 << 31)
        entries.append(Entry(order: order, id: id))
    }

    /// Replaces all rows of the table with the added events.
    mutating func replace(in db: Database) throws {
        try db.execute(sql: "DELETE FROM event_cell")
        guard isComplete else { return try Self.add(after: 0, in: db) }
        entries.sortRadix(by: \.order)
        let length = 10
        var days = [UInt8](repeating: 0, count: RowInsert.rowsAtOnce * length)
        try days.withUnsafeMutableBytes { days in
            try RowInsert(into: "event_cell", columns: ["cell", "day", "event_id"], db).run(entries.count) {
                row, slot in
                let entry = entries[row]
                let offset = slot.index * length
                let text = UnsafeMutableRawBufferPointer(rebasing: days[offset..<offset + length])
                text.copyBytes(from: entry.day.description.utf8)
                sqlite3_bind_int64(slot.statement, slot.parameter, entry.cell)
                sqlite3_bind_text(
                    slot.statement, slot.parameter + 1, text.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(length), nil)
                sqlite3_bind_int64(slot.statement, slot.parameter + 2, entry.id)
            }
        }
        entries = []
    }
}
