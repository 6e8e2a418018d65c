import CSpatiaLite
import GRDB
import Geo
import HabitModel

/// A statement that GRDB compiled, bound and stepped without a copy of its rows.
final class SpatiaLiteStatement: Statement {
    private let statement: GRDB.Statement
    private let db: Database
    private var handle: OpaquePointer { statement.sqliteStatement }
    /// What watches over a statement from outside.
    private let analysis: SpatiaLiteAnalysis?
    private lazy var row = SpatiaLiteRow(handle: handle)

    let parameters: [String]
    var columnNames: [String] { statement.columnNames }

    init(_ statement: GRDB.Statement, on db: Database, analysis: SpatiaLiteAnalysis? = nil) {
        self.analysis = analysis
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
        guard let analysis else { return try walk(body) }
        // SQLite may compile a statement again when it is stepped: it is then watched again.
        try analysis.authorizer.whileInForce(on: db) { try walk(body) }
    }

    private func walk(_ body: (any HabitStore.Row) throws -> Bool) throws {
        defer { sqlite3_reset(handle) }
        while let row = try next() {
            guard try body(row) else { return }
        }
    }

    func next() throws -> (any HabitStore.Row)? {
        let code = analysis?.watch.measure { sqlite3_step(handle) } ?? sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return row
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return nil
        default:
            let error = failure(code)
            sqlite3_reset(handle)
            throw analysis?.explain(error) ?? error
        }
    }

    @discardableResult
    func run() throws -> Int {
        try forEach { _ in true }
        return Int(sqlite3_changes64(db.sqliteConnection))
    }

    func insert() throws -> Int64 {
        while try next() != nil {}
        return sqlite3_last_insert_rowid(db.sqliteConnection)
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
