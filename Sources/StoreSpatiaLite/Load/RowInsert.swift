import CSQLite
import GRDB

/// An INSERT of many rows, ``rowsAtOnce`` in one statement.
///
/// The start and the end of a statement cost as much as a row. If a row is rejected, the insert throws and the
/// preceding rows remain. Use it only in transactions that are then rolled back.
struct RowInsert {
    /// The number of rows in one statement.
    static let rowsAtOnce = 32

    private let db: Database
    private let columnCount: Int
    private let one: GRDB.Statement
    private let many: GRDB.Statement

    init(into table: String, columns: [String], _ db: Database) throws {
        self.db = db
        columnCount = columns.count
        let names = columns.joined(separator: ", ")
        let parameters = repeatElement("?", count: columns.count).joined(separator: ", ")
        // Without OR FAIL, SQLite keeps the data that it needs to undo a statement of several rows.
        func insert(_ rows: Int) throws -> GRDB.Statement {
            let values = repeatElement("(\(parameters))", count: rows).joined(separator: ", ")
            return try db.makeStatement(
                sql: "INSERT OR FAIL INTO \(table) (\(names)) VALUES \(values)")
        }
        one = try insert(1)
        many = try insert(Self.rowsAtOnce)
    }

    /// The range of parameters to which a row is bound.
    struct Slot {
        var statement: OpaquePointer
        /// The index of the parameter for the first column.
        var parameter: Int32
        /// The index of the row in the statement, 0..<``rowsAtOnce``.
        ///
        /// Memory that is bound by its address must stay unchanged until this slot is bound again.
        var index: Int
    }

    /// Inserts rows 0 to `count` - 1, each of which `bind` binds.
    func run(_ count: Int, bind: (_ row: Int, _ slot: Slot) throws -> Void) throws {
        var row = 0
        while row < count {
            let isMany = count - row >= Self.rowsAtOnce
            let statement = isMany ? many.sqliteStatement : one.sqliteStatement
            let rows = isMany ? Self.rowsAtOnce : 1
            for index in 0..<rows {
                let parameter = Int32(index * columnCount + 1)
                try bind(row + index, Slot(statement: statement, parameter: parameter, index: index))
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
