import Base
import GRDB
import StoreEngine

/// A batch of new rows that already have keys; each row is written when it is added.
final class KeyedInsertBatch: InsertBatch {
    private let insert: SpatiaLiteStatement

    init(_ db: Database, table: String, columns: [String]) throws {
        let placeholders = columns.map { ":\($0)" }
        insert = SpatiaLiteStatement(
            try db.makeStatement(
                sql:
                    "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(placeholders.joined(separator: ", ")))"
            ), on: db)
    }

    let isFull = false

    func add(_ values: [Value]) throws {
        try insert.bind(values)
        try insert.run()
    }

    func write() -> [Int64] { [] }
}
