import CSQLite
import GRDB
import Geo
import HabitModel

/// `event_cell`: the events that have a place, by the cell of a grid in which it lies, and by day.
///
/// What is newest in a place is found by it without a look at all that is there, which the R*Tree would name. Triggers keep it as
/// the events are; they and the schema say the same of a cell as is said here.
///
/// It is filled at once as ``PackedRTree`` is: a radix sort and an append to the table. Memory: 16 bytes a place, 32 while they are
/// sorted.
struct EventCells {
    /// Cells to a degree.
    private static let perDegree = 20.0
    /// More than there are columns.
    private static let rowLength: Int64 = 10_000
    /// Of more cells the look into each costs more than is won, and so where they are so many times as large as the box.
    private static let (most, excess) = (400, 16.0)

    private static func column(_ longitude: Double) -> Int64 { Int64(perDegree * (longitude + 180)) }
    private static func row(_ latitude: Double) -> Int64 { Int64(perDegree * (latitude + 90)) }

    static func cell(of position: Position) -> Int64 {
        rowLength * row(position.latitude) + column(position.longitude)
    }

    /// The cell of the point `geometry`: an expression.
    static func cell(of geometry: String) -> String {
        let (row, column) = ("point_latitude(\(geometry)) + 90", "point_longitude(\(geometry)) + 180")
        return "\(rowLength) * CAST(\(perDegree) * (\(row)) AS INTEGER) + CAST(\(perDegree) * (\(column)) AS INTEGER)"
    }

    /// All cells with a position that lies in the box; nil where they are too many, or hold much else.
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

    /// Hands over the events that it does not have as they are, and what else is in it. Without it the store is of an older schema,
    /// which is for another check.
    static func findWrong(in db: Database, _ body: (String) -> Void) throws {
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

    /// Adds the events behind `lastID`, of which it has none.
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

    /// An entry as it is sorted: by the cell, and behind it by the number of the day.
    private struct Entry {
        var order: UInt64
        var id: Int64

        var cell: Int64 { Int64(order >> 32) }
        var day: Day { Day(number: Int32(bitPattern: UInt32(truncatingIfNeeded: order) ^ 1 << 31)) }
    }

    private var entries: [Entry] = []
    /// Whether all days were dates.
    private var isComplete = true

    /// Notes an event, in the order of the ids; what is no date is for a check to say.
    mutating func add(_ id: Int64, on day: Day?, at position: Position) {
        guard let day else { return isComplete = false }
        let order = UInt64(Self.cell(of: position)) << 32 | UInt64(UInt32(bitPattern: day.number) ^ 1 << 31)
        entries.append(Entry(order: order, id: id))
    }

    /// Takes the place of all that the table holds.
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
                let place = slot.place * length
                let text = UnsafeMutableRawBufferPointer(rebasing: days[place..<place + length])
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

extension [Int64] {
    /// Sorted, each once.
    consuming func distinct() -> [Int64] {
        sort()
        var last: Int64?
        removeAll { number in
            defer { last = number }
            return number == last
        }
        return self
    }
}
