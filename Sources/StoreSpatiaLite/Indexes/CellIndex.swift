import Base
import CSQLite
import GRDB
import Geo
import StoreEngine

/// The index of the rows of a located table by grid cell and day.
///
/// A query for the newest rows in an area uses it, so that it does not read all rows in the area, as it would with the
/// R*Tree. Triggers update the index with the rows. The triggers, the schema and this type must use the same definition
/// of a cell.
///
/// The index is filled in one pass like ``PackedRTree``: by a radix sort and an append. Memory: 16 bytes for each
/// row, 32 during the sort.
struct CellIndex {
    /// The number of cells in a degree.
    private static let perDegree = 20.0
    /// The difference between the numbers of cells in adjacent rows, which is greater than the number of columns.
    private static let rowLength: Int64 = 10_000
    /// The maximum number of cells of a query.
    ///
    /// Beyond this limit, the lookups in the cells cost more than they save.
    private static let cellLimit = 400
    /// The maximum ratio of the area of the cells of a query to the area of its box.
    private static let excess = 16.0
    /// The length of a day as text, in bytes.
    private static let dayLength = 10

    private let declared: SchemaDeclaration.CellIndex
    private var entries: [Entry] = []
    /// Whether the day of every added row is a date.
    private var isComplete = true

    init(_ declared: SchemaDeclaration.CellIndex) {
        self.declared = declared
    }

    // MARK: Cells

    private static func column(_ longitude: Double) -> Int64 {
        Int64(perDegree * (longitude + 180))
    }

    private static func row(_ latitude: Double) -> Int64 {
        Int64(perDegree * (latitude + 90))
    }

    /// Returns the number of the cell that contains `position`.
    static func cell(of position: Position) -> Int64 {
        rowLength * row(position.latitude) + column(position.longitude)
    }

    /// Returns an SQL expression for the cell of the point `geometry`.
    private static func cell(of geometry: String) -> String {
        let row = "CAST(\(perDegree) * (point_latitude(\(geometry)) + 90) AS INTEGER)"
        let column = "CAST(\(perDegree) * (point_longitude(\(geometry)) + 180) AS INTEGER)"
        return "\(rowLength) * \(row) + \(column)"
    }

    /// Returns the numbers of all cells that can contain a position in the box.
    ///
    /// Returns `nil` if there are too many cells, or if they cover much more than the box.
    static func cells(in box: BoundingBox) -> [Int64]? {
        var cells: [Int64] = []
        var area = 0.0
        for part in box.parts {
            let rows = row(part.south)...row(part.north)
            let columns = column(part.west)...column(part.east)
            guard rows.count * columns.count + cells.count <= cellLimit else {
                return nil
            }
            for row in rows {
                cells += columns.map { column in rowLength * row + column }
            }
            area += perDegree * (part.north - part.south) * perDegree * (part.east - part.west)
        }
        cells = cells.distinct()
        return Double(cells.count) <= excess * area ? cells : nil
    }

    // MARK: Checks

    /// Calls `body` with the ID of each row without a correct entry, and with the name of each wrong entry.
    ///
    /// If the index does not exist, the store has an older schema. Another check reports that.
    func findInconsistencies(in db: Database, _ body: (String) -> Void) throws {
        let index = declared.index
        let table = declared.table
        let key = declared.key
        let day = declared.day
        guard try db.tableExists(index) else {
            return
        }
        let names = try String.fetchCursor(
            db,
            sql: """
                SELECT external_id
                FROM \(table)
                WHERE point_longitude(geometry) IS NOT NULL AND NOT EXISTS (
                  SELECT 1
                  FROM \(index)
                  WHERE cell = \(Self.cell(of: "geometry")) AND \(day) = \(table).\(day) AND \(key) = \(table).id
                )
                UNION ALL
                SELECT 'entry ' || \(key)
                FROM \(index)
                LEFT JOIN \(table) ON \(table).id = \(index).\(key)
                WHERE \(index).\(day) IS NOT \(table).\(day) OR \(table).geometry IS NULL
                  OR \(index).cell <> \(Self.cell(of: "\(table).geometry"))
                """)
        while let name = try names.next() {
            body(name)
        }
    }

    // MARK: Filling

    /// Adds the rows with keys greater than `lastID`, none of which has an entry.
    func add(after lastID: Int64, in db: Database) throws {
        let day = declared.day
        try db.execute(
            sql: """
                INSERT INTO \(declared.index) (cell, \(day), \(declared.key))
                SELECT \(Self.cell(of: "geometry")) AS cell, \(day), id
                FROM \(declared.table)
                WHERE id > ? AND point_longitude(geometry) IS NOT NULL
                ORDER BY cell, \(day), id
                """,
            arguments: [lastID])
    }

    /// An entry that is sorted by cell and then by day.
    ///
    /// The upper 32 bits of `order` are the cell. The lower 32 bits are the number of the day with its sign bit
    /// inverted.
    private struct Entry {
        var order: UInt64
        var id: Int64

        init(id: Int64, cell: Int64, day: Day) {
            let number = UInt32(bitPattern: day.number) ^ 1 << 31
            order = UInt64(cell) << 32 | UInt64(number)
            self.id = id
        }

        var cell: Int64 {
            Int64(order >> 32)
        }

        var day: Day {
            let number = UInt32(truncatingIfNeeded: order) ^ 1 << 31
            return Day(number: Int32(bitPattern: number))
        }
    }

    /// Adds a row to be written by ``replace(in:)``.
    ///
    /// The caller adds rows in the order of their keys. Another check reports days that are not dates.
    mutating func add(_ id: Int64, on day: Day?, at position: Position) {
        guard let day else {
            isComplete = false
            return
        }
        let entry = Entry(id: id, cell: Self.cell(of: position), day: day)
        entries.append(entry)
    }

    /// Replaces all entries of the index with the added rows.
    mutating func replace(in db: Database) throws {
        try db.execute(sql: "DELETE FROM \(declared.index)")
        guard isComplete else {
            try add(after: 0, in: db)
            return
        }
        entries.sortRadix(by: \.order)
        let insert = try RowInsert(into: declared.index, columns: ["cell", declared.day, declared.key], db)
        var days = [UInt8](repeating: 0, count: RowInsert.rowsAtOnce * Self.dayLength)
        try days.withUnsafeMutableBytes { days in
            try insert.run(entries.count) { row, slot in
                let offset = slot.index * Self.dayLength
                let text = UnsafeMutableRawBufferPointer(rebasing: days[offset..<offset + Self.dayLength])
                Self.bind(entries[row], to: slot, text: text)
            }
        }
        entries = []
    }

    /// Binds an entry, whose day is written to `text`.
    private static func bind(_ entry: Entry, to slot: RowInsert.Slot, text: UnsafeMutableRawBufferPointer) {
        text.copyBytes(from: entry.day.description.utf8)
        let start = text.baseAddress?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_int64(slot.statement, slot.parameter, entry.cell)
        sqlite3_bind_text(slot.statement, slot.parameter + 1, start, Int32(dayLength), nil)
        sqlite3_bind_int64(slot.statement, slot.parameter + 2, entry.id)
    }
}
