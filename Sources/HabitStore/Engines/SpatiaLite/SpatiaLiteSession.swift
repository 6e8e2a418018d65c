import CSpatiaLite
import GRDB
import Geo
import HabitModel

/// A SpatiaLite connection inside a transaction.
final class SpatiaLiteSession: Session {
    private let db: Database

    init(_ db: Database) { self.db = db }

    var dialect: any Dialect { SpatiaLiteDialect() }

    var checks: [StoreCheck] { SpatiaLiteChecks(db).all }

    func prepare(_ sql: String) throws -> any Statement {
        SpatiaLiteStatement(try db.makeStatement(sql: sql), on: db)
    }

    func load<Result>(_ body: () throws -> Result) throws -> Result {
        let loads = try ["event", "item", "post"].map { try BulkLoad(db, table: $0) }
        let result = try body()
        for load in loads { try load.finish() }
        return result
    }

    func prepareAnalysis(_ sql: String, reading views: [String]) throws -> Analysis {
        let tables = try String.fetchAll(
            db,
            sql: """
                SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'
                UNION ALL SELECT name FROM temp.sqlite_schema WHERE type = 'table'
                """)
        let modules = try String.fetchAll(db, sql: "SELECT name FROM pragma_module_list")
        let authorizer = ViewAuthorizer(views: views, tables: tables, modules: modules)
        do {
            try db.execute(sql: ViewAuthorizer.preparation)
            try AnalysisOutline.check(sql, reading: views, of: db)
            let statement = try authorizer.whileInForce(on: db) { try db.makeStatement(sql: sql) }
            guard statement.isReadonly, statement.columnCount > 0 else {
                throw HabitError(
                    .reportInvalid, "only a SELECT can be run: nothing in the store may be changed this way")
            }
            let guarded = SpatiaLiteStatement(statement, on: db, authorizer: authorizer)
            return Analysis(statement: guarded, views: authorizer.viewsRead)
        } catch let error as DatabaseError {
            // What GRDB says of more than one statement is for programmers.
            let isOne = error.message?.hasPrefix("Multiple statements") != true
            let message = isOne ? error.message : "it is more than one statement"
            let reason = authorizer.refusal ?? message ?? "the engine refused it"
            throw HabitError(
                .reportInvalid, "the SQL cannot be run: \(reason) (it can read \(views.joined(separator: ", ")))")
        }
    }

    func tableSizes() throws -> [String: Int64] {
        var sizes: [String: Int64] = [:]
        let sql: SQL = """
            SELECT object.tbl_name, sum(dbstat.pgsize)
            FROM dbstat
            JOIN sqlite_schema AS object ON object.name = dbstat.name
            WHERE dbstat.aggregate = 1
            GROUP BY object.tbl_name
            ORDER BY object.tbl_name
            """
        try query(sql) { row in
            sizes[row.text(0) ?? ""] = row.integer(1)
            return true
        }
        return sizes
    }

    func plan(_ sql: SQL) throws -> [String] {
        var depths: [Int64: Int] = [0: 0]
        var lines: [String] = []
        try query(SQL("EXPLAIN QUERY PLAN " + sql.text, sql.bindings)) { row in
            let depth = depths[row.integer(1)] ?? 0
            depths[row.integer(0)] = depth + 1
            lines.append(String(repeating: "  ", count: depth) + (row.text(3) ?? ""))
            return true
        }
        return lines
    }
}

/// A statement that GRDB compiled, bound and stepped without a copy of its rows.
private final class SpatiaLiteStatement: Statement {
    private let statement: GRDB.Statement
    private let db: Database
    private var handle: OpaquePointer { statement.sqliteStatement }
    /// SQLite may compile a statement again when it is stepped: an analyst's is then watched again.
    private let authorizer: ViewAuthorizer?

    let parameters: [String]
    var columnNames: [String] { statement.columnNames }

    init(_ statement: GRDB.Statement, on db: Database, authorizer: ViewAuthorizer? = nil) {
        self.authorizer = authorizer
        self.statement = statement
        self.db = db
        let handle = statement.sqliteStatement
        let count = sqlite3_bind_parameter_count(handle)
        parameters = (0..<count).map { index in
            sqlite3_bind_parameter_name(handle, index + 1).map { String(String(cString: $0).dropFirst()) } ?? ""
        }
    }

    func bind(_ values: [Value]) throws {
        sqlite3_reset(handle)
        guard values.count == parameters.count else {
            throw HabitError(.internal, "\(values.count) values for \(parameters.count) parameters")
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    func forEach(_ body: (any HabitStore.Row) throws -> Bool) throws {
        guard let authorizer else { return try step(body) }
        do {
            try authorizer.whileInForce(on: db) { try step(body) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR || error.resultCode == .SQLITE_TOOBIG
        {
            throw HabitError(.reportInvalid, "the SQL cannot be run: \(error.message ?? "the engine refused it")")
        }
    }

    private func step(_ body: (any HabitStore.Row) throws -> Bool) throws {
        defer { sqlite3_reset(handle) }
        let row = SpatiaLiteRow(handle: handle)
        while true {
            let code = sqlite3_step(handle)
            guard code == SQLITE_ROW else {
                if code == SQLITE_DONE { return }
                throw failure(code)
            }
            guard try body(row) else { return }
        }
    }

    @discardableResult
    func run() throws -> Int {
        try forEach { _ in true }
        return Int(sqlite3_changes64(db.sqliteConnection))
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let value): return sqlite3_bind_int64(handle, index, value)
        case .number(let value): return sqlite3_bind_double(handle, index, value)
        case .text(var text):
            return text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), Transient.destructor)
                }
            }
        case .blob(let bytes): return bind(bytes, at: index)
        case .point(let position): return bind(PointBlob.bytes(position), at: index)
        }
    }

    private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        bytes.withUnsafeBytes {
            sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count), Transient.destructor)
        }
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
    }
}

/// The current row of a statement, read where SQLite has it.
private struct SpatiaLiteRow: HabitStore.Row {
    let handle: OpaquePointer

    func isNull(_ index: Int) -> Bool { sqlite3_column_type(handle, Int32(index)) == SQLITE_NULL }
    func integer(_ index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }
    func number(_ index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

    func withText<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        // The text first, then its length: the order that SQLite asks for.
        let bytes = sqlite3_column_text(handle, Int32(index))
        return try body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, Int32(index)))))
    }

    func position(_ index: Int) -> Position? {
        guard let blob = sqlite3_column_blob(handle, Int32(index)) else { return nil }
        return PointBlob.position(
            UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, Int32(index)))))
    }

    func blob(_ index: Int) -> [UInt8] {
        guard let blob = sqlite3_column_blob(handle, Int32(index)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, Int32(index)))))
    }

    func storage(_ index: Int) -> Storage {
        switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .number
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }
}
