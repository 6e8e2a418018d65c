import CSQLite
import GRDB

/// An INSERT that is run for many rows, ``rowsAtOnce`` by one statement: to begin and end a statement costs as much as a row.
///
/// A row that is refused throws, and leaves those before it: for transactions that are then rolled back.
struct RowInsert {
    static let rowsAtOnce = 32

    private let db: Database
    private let columnCount: Int
    private let one: GRDB.Statement
    private let many: GRDB.Statement

    init(into table: String, columns: [String], _ db: Database) throws {
        self.db = db
        columnCount = columns.count
        let row = "(\(repeatElement("?", count: columns.count).joined(separator: ", ")))"
        // FAIL, since SQLite keeps what it needs to undo a statement of several rows otherwise.
        func insert(_ rows: Int) throws -> GRDB.Statement {
            let values = repeatElement(row, count: rows).joined(separator: ", ")
            return try db.makeStatement(
                sql: "INSERT OR FAIL INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(values)")
        }
        one = try insert(1)
        many = try insert(Self.rowsAtOnce)
    }

    /// Where a row is bound.
    struct Slot {
        var statement: OpaquePointer
        /// The parameter of the first column.
        var parameter: Int32
        /// Which of the statement's rows it is, less than ``rowsAtOnce``: what is bound by its address stays there until this
        /// slot is bound again.
        var place: Int
    }

    /// Inserts rows 0 to `count` - 1, each bound by `bind`.
    func run(_ count: Int, bind: (_ row: Int, _ slot: Slot) throws -> Void) throws {
        var row = 0
        while row < count {
            let isMany = count - row >= Self.rowsAtOnce
            let (statement, rows) = isMany ? (many.sqliteStatement, Self.rowsAtOnce) : (one.sqliteStatement, 1)
            for place in 0..<rows {
                let parameter = Int32(place * columnCount + 1)
                try bind(row + place, Slot(statement: statement, parameter: parameter, place: place))
            }
            let code = sqlite3_step(statement)
            sqlite3_reset(statement)
            guard code == SQLITE_DONE else {
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
            }
            row += rows
        }
    }
}
