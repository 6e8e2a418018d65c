import Base
import Crypto
import HabitModel
import StoreEngine

/// Copies all rows of a store, with their keys, into another store, which may have another engine.
///
/// Commits after every million rows. An interrupted copy resumes after the last committed row. The memory use does not
/// depend on the size of the stores.
public struct StoreCopy {
    /// The result for one table.
    public struct Result: Sendable {
        /// The name of the table.
        public var table: String
        /// The number of rows in each of the two stores.
        public var rows: Int
        /// The number of rows that this copy has written.
        public var copied: Int
        /// The SHA-256 digest of all rows in hexadecimal, which is equal in both stores.
        public var digest: String

        /// The shape of the results.
        public static let shape = ResultShape(
            columns: [
                Column("table", .text, at: 0), Column("rows", .integer, at: 1), Column("copied", .integer, at: 2),
                Column("sha256", .text, at: 3, isSecondary: true),
            ],
            identity: ["table"])

        /// The result as a row.
        public var row: ValueRow {
            ValueRow([.text(table), .integer(Int64(rows)), .integer(Int64(copied)), .text(digest)])
        }
    }

    private let source: any Engine
    private let target: any Engine
    /// The maximum number of rows in one transaction.
    var chunk = 1_000_000

    /// Creates a copy of all rows in `source` to `target`.
    public init(from source: any Engine, to target: any Engine) {
        self.source = source
        self.target = target
    }

    /// Copies a snapshot of the source, then reads the target again and compares both.
    ///
    /// - Parameter onProgress: A closure that receives the name of the table and the number of its rows in the target
    ///   after each transaction. An error stops the copy.
    /// - Returns: One result for each table.
    /// - Throws: `duplicate-key` if the target contains rows that differ from the source; the method then writes
    ///   nothing. `busy` if another process writes to the target. `store-damaged` if the target differs from the source
    ///   after the copy.
    public func run(_ onProgress: (_ table: String, _ rows: Int) throws -> Void = { _, _ in }) throws -> [Result] {
        try source.read { session in
            // If any table of the target contains other rows, the copy writes nothing.
            let begun = try StoredTable.all.map { try begin($0, session) }
            let copied = try zip(StoredTable.all, begun).map { try copy($0, from: session, after: $1, onProgress) }
            try target.write { target in
                for kind in RecordKind.allCases { try ChangeLog(target).addAll(of: kind) }
            }
            return try target.read { target in
                try StoredTable.all.indices.map { index in
                    try verify(StoredTable.all[index], copied[index], begun: begun[index].rows, target)
                }
            }
        }
    }

    /// The rows of a table that have been read or copied: their digest, their number and the last key.
    private struct Progress {
        var digest = SHA256()
        var rows = 0
        var last: Value = .null
    }

    private func begin(_ table: StoredTable, _ session: any Session) throws -> Progress {
        let stored = try target.read { try Self.read(table, upTo: nil, $0) }
        guard stored.rows > 0 else { return stored }
        let expected = try Self.read(table, upTo: stored.last, session)
        guard stored.rows == expected.rows, stored.digest.finalize() == expected.digest.finalize() else {
            throw HabitError(
                .duplicateKey,
                "the target store and the source store have different \(table.name) rows",
                .advice("copy into an empty store"), .take(.exportStore))
        }
        return stored
    }

    private func copy(
        _ table: StoredTable, from session: any Session, after begun: Progress,
        _ onProgress: (String, Int) throws -> Void
    ) throws -> Progress {
        var progress = begun
        let statement = try session.prepare(bound: table.select(after: begun.last))
        var next = try statement.next()
        while next != nil {
            try target.bulkWrite { target in
                let last = try target.first(table.last, { $0.value(0) }) ?? .null
                guard last == progress.last else {
                    throw HabitError(
                        .busy, "another process is writing to the target store: repeat the copy when it has finished")
                }
                try target.deferringIndexes {
                    let batch = try target.batch(into: table.name, columns: table.columns, keyed: true)
                    var rows = 0
                    while let row = next, rows < chunk {
                        let values = table.values(of: row)
                        try batch.add(values)
                        if batch.isFull { _ = try batch.write() }
                        Self.add(values, to: &progress)
                        rows += 1
                        next = try statement.next()
                    }
                    _ = try batch.write()
                }
            }
            try onProgress(table.name, progress.rows)
        }
        return progress
    }

    private func verify(
        _ table: StoredTable, _ copied: Progress, begun: Int, _ target: any Session
    ) throws -> Result {
        let stored = try Self.read(table, upTo: nil, target)
        let digest = copied.digest.finalize()
        guard stored.rows == copied.rows, stored.digest.finalize() == digest else {
            throw HabitError(
                .storeDamaged,
                "the \(table.name) rows of the target store differ from the source store, possibly because another process wrote to it: repeat the copy into an empty store"
            )
        }
        return Result(
            table: table.name, rows: copied.rows, copied: copied.rows - begun, digest: digest.hexadecimal)
    }

    private static func read(_ table: StoredTable, upTo last: Value?, _ session: any Session) throws -> Progress {
        var progress = Progress()
        try session.query(table.select(upTo: last)) { row in
            add(table.values(of: row), to: &progress)
            return true
        }
        return progress
    }

    /// Adds the values to the digest, each with its kind and length, so different rows never have the same bytes.
    private static func add(_ values: [Value], to progress: inout Progress) {
        var bytes: [UInt8] = []
        func append(_ tag: UInt8, _ value: some Sequence<UInt8>, _ count: Int) {
            bytes.append(tag)
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: value)
        }
        func bits(_ value: UInt64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        for value in values {
            switch value {
            case .null: append(0, [], 0)
            case .integer(let number): append(1, bits(UInt64(bitPattern: number)), 8)
            case .number(let number): append(2, bits(number.bitPattern), 8)
            case .text(let text): append(3, text.utf8, text.utf8.count)
            case .blob(let blob): append(4, blob, blob.count)
            case .point(let position):
                append(5, bits(position.longitude.bitPattern) + bits(position.latitude.bitPattern), 16)
            }
        }
        progress.digest.update(data: bytes)
        progress.rows += 1
        progress.last = values[0]
    }
}

/// A table that every engine has.
struct StoredTable {
    var name: String
    /// The columns.
    ///
    /// The first column is the key, which defines the order of the rows.
    var columns: [String]

    /// All tables.
    ///
    /// Each table follows the tables that it references.
    static let all = [
        StoredTable(.settings, hasKey: false),
        StoredTable(.users), StoredTable(.follows), StoredTable(.habits), StoredTable(.schedules),
        StoredTable("photo", "id sha256 media_type bytes"),
        StoredTable(.events), StoredTable(.items), StoredTable(.claims), StoredTable(.messages), StoredTable(.posts),
        StoredTable("identity", "id issuer subject user_id email"),
        StoredTable("token", "id external_id user_id sha256 label created_at expires_at is_session is_calendar"),
        StoredTable("used_id_token", "id sha256 expires_at"),
    ]

    private init(_ kind: RecordKind, hasKey: Bool = true) {
        (name, columns) = (kind.table, (hasKey ? ["id"] : []) + kind.storedColumns)
    }

    private init(_ name: String, _ columns: String) {
        self.name = name
        self.columns = columns.split(separator: " ").map(String.init)
    }

    /// The query for the greatest key.
    var last: SQL { SQL("SELECT max(\(raw: columns[0])) FROM \(raw: name)") }

    /// Returns a query for the rows after the key `last`, or for all rows if it is null, sorted by key.
    func select(after last: Value) -> SQL { select(last == .null ? "" : condition(">", last)) }
    /// Returns a query for the rows up to the key `last`, or for all rows if it is `nil`, sorted by key.
    func select(upTo last: Value?) -> SQL { select(last.map { key in condition("<=", key) } ?? "") }

    /// Returns a WHERE clause that compares the key of a row with a key.
    private func condition(_ comparison: String, _ key: Value) -> SQL {
        "WHERE \(raw: columns[0]) \(raw: comparison) \(key, as: "key")"
    }

    private func select(_ condition: SQL) -> SQL {
        """
        SELECT \(raw: columns.joined(separator: ", "))
        FROM \(raw: name)
        \(condition)
        ORDER BY \(raw: columns[0])
        """
    }

    func values(of row: any Row) -> [Value] {
        columns.indices.map { Self.points.contains(columns[$0]) ? .point(row.position($0)) : row.value($0) }
    }

    /// The columns of points.
    private static let points: Set<String> = ["geometry", "shown"]
}
