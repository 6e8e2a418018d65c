import Base
import CSQLite
import GRDB
import Geo
import StoreEngine

/// A statement that GRDB compiles, and that is bound and stepped without a copy of its rows.
final class SpatiaLiteStatement: Statement {
    private let statement: GRDB.Statement
    private let db: Database
    private var handle: OpaquePointer { statement.sqliteStatement }
    /// The restrictions of user-supplied SQL, or `nil` for a statement of the program.
    private let analysis: SpatiaLiteAnalysis?
    /// The cache to which the compiled statement returns, and the text that is its key there.
    private let home: (cache: StatementCache, sql: String)?
    /// The bound texts and BLOBs, at addresses that stay valid until other values are bound.
    private let bound = GrowableByteBuffer(capacity: 256)
    private let texts: RowTextLookups
    /// Returns `nil`, because a lookup in a file costs no network round trip.
    var pipelined: (any PipelinedStatement)? { nil }

    private lazy var row = SpatiaLiteRow(handle: handle, texts: UnsafeBufferPointer(texts.texts))

    let parameters: [String]
    var columnNames: [String] { statement.columnNames }

    init(
        _ statement: GRDB.Statement,
        on db: Database,
        analysis: SpatiaLiteAnalysis? = nil,
        home: (cache: StatementCache, sql: String)? = nil,
        texts: consuming RowTextLookups = RowTextLookups()
    ) {
        self.analysis = analysis
        self.texts = texts
        self.home = home
        self.statement = statement
        self.db = db
        let handle = statement.sqliteStatement
        let count = sqlite3_bind_parameter_count(handle)
        parameters = (0..<count).map { index in
            guard let name = sqlite3_bind_parameter_name(handle, index + 1) else { return "" }
            return String(String(cString: name).dropFirst())
        }
    }

    deinit {
        if let (cache, sql) = home { cache.checkIn(statement, for: sql) }
    }

    func bind(_ values: [Value]) throws {
        sqlite3_reset(handle)
        guard values.count == parameters.count else {
            throw HabitError(
                .internal, "the statement has \(parameters.count) parameters, but \(values.count) values were bound")
        }
        bound.removeAll()
        let byteCount = values.reduce(0) { sum, value in sum + value.byteCount }
        bound.reserve(byteCount)
        for (index, value) in values.enumerated() {
            let code = bind(value, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    func forEach(_ body: (any Row) throws -> Bool) throws {
        guard let analysis else { return try walk(body) }
        // SQLite may compile a statement again when it is stepped. The authorizer must then be in force again.
        try analysis.authorizer.whileInForce(on: db) { try walk(body) }
    }

    private func walk(_ body: (any Row) throws -> Bool) throws {
        defer { sqlite3_reset(handle) }
        while let row = try next() {
            guard try body(row) else { return }
        }
    }

    func next() throws -> (any Row)? {
        while true {
            let code = analysis?.watch.measure { sqlite3_step(handle) } ?? sqlite3_step(handle)
            switch code {
            case SQLITE_ROW:
                guard try texts.find(of: handle) else { continue }
                return row
            case SQLITE_DONE:
                sqlite3_reset(handle)
                return nil
            default:
                let error = failure(code)
                sqlite3_reset(handle)
                throw analysis?.explain(error) ?? error
            }
        }
    }

    @discardableResult
    func run() throws -> Int {
        try forEach { _ in true }
        return Int(sqlite3_changes64(db.sqliteConnection))
    }

    /// Runs an INSERT of one row and returns the key of the row.
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
            let copy = text.withUTF8 { bound.append(contentsOf: UnsafeRawBufferPointer($0)) }
            return copy.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), nil)
            }
        case .blob(let bytes): return bindBlob(bytes.withUnsafeBytes { bound.append(contentsOf: $0) }, at: index)
        case .point(let position):
            return bindBlob(bound.append(PointBlob.length) { PointBlob.write(position, into: $0) }, at: index)
        }
    }

    private func bindBlob(_ bytes: UnsafeRawBufferPointer, at index: Int32) -> Int32 {
        sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), nil)
    }

    private func failure(_ code: Int32) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
    }
}

extension Value {
    /// The number of bytes that the bound value needs.
    fileprivate var byteCount: Int {
        switch self {
        case .null, .integer, .number: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .point: PointBlob.length
        }
    }
}

/// The current row of a statement, read from SQLite's memory.
private struct SpatiaLiteRow: Row {
    let handle: OpaquePointer
    /// The texts that replace keys, owned by the statement.
    let texts: UnsafeBufferPointer<RowTextLookups.Text>

    func isNull(_ index: Int) -> Bool { storage(index) == .null }
    func integer(_ index: Int) -> Int64 { sqlite3_column_int64(handle, Int32(index)) }
    func number(_ index: Int) -> Double { sqlite3_column_double(handle, Int32(index)) }

    func readText(_ index: Int, _ body: (Span<UInt8>) -> Void) -> Bool {
        if index < texts.count, texts[index].isRead {
            body(texts[index].bytes.span)
            return true
        }
        // The value is unprotected, which is safe because one thread at a time uses the connection. SQLite looks up its
        // column only once.
        let value = sqlite3_column_value(handle, Int32(index))
        // SQLite requires that the text is read before its length.
        guard let bytes = sqlite3_value_text(value) else { return false }
        body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value))).span)
        return true
    }

    func position(_ index: Int) -> Position? {
        let value = sqlite3_column_value(handle, Int32(index))
        guard let blob = sqlite3_value_blob(value) else { return nil }
        return PointBlob.position(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value))))
    }

    func blob(_ index: Int) -> [UInt8] {
        guard let blob = sqlite3_column_blob(handle, Int32(index)) else { return [] }
        return Array(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, Int32(index)))))
    }

    func storage(_ index: Int) -> Storage {
        if index < texts.count, texts[index].isRead { return .text }
        return switch sqlite3_column_type(handle, Int32(index)) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .number
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }
}
