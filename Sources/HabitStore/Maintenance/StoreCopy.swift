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
                Column("table", .text, at: 0),
                Column("rows", .integer, at: 1),
                Column("copied", .integer, at: 2),
                Column("sha256", .text, at: 3),
            ],
            identity: ["table"])

        /// The result as a row.
        public var row: ValueRow {
            ValueRow([
                .text(table),
                .integer(Int64(rows)),
                .integer(Int64(copied)),
                .text(digest),
            ])
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
    public func run(
        _ onProgress: (_ table: String, _ rows: Int) throws -> Void = { _, _ in }
    ) throws -> [Result] {
        let tables = StoredTable.all
        return try source.read { session in
            // If any table of the target contains other rows, the copy writes nothing.
            let begun = try tables.map { table in
                try begin(table, session)
            }
            let copied = try zip(tables, begun).map { table, progress in
                try copy(table, from: session, after: progress, onProgress)
            }
            let key = try LogState(of: .everyone, in: session).key
            try target.write { target in
                try target.run("UPDATE store SET key = \(.blob(key), as: "key")")
                try ChangeLog(target).begin()
            }
            return try target.read { target in
                try tables.indices.map { index in
                    try verify(
                        tables[index],
                        copied: copied[index],
                        begun: begun[index].rows,
                        in: target)
                }
            }
        }
    }

    /// The rows of a table that have been read or copied: their digest, their number and the last key.
    private struct Progress {
        var digest = SHA256()
        var rows = 0
        var last: Value = .null

        /// Adds the values of a row.
        mutating func add(_ values: [Value]) {
            var encoding = RowEncoding()
            for value in values {
                encoding.append(value)
            }
            digest.update(data: encoding.bytes)
            rows += 1
            last = values.first ?? .null
        }

        func hasSameRows(as other: Progress) -> Bool {
            rows == other.rows && digest.finalize() == other.digest.finalize()
        }
    }

    private func begin(_ table: StoredTable, _ session: any Session) throws -> Progress {
        let stored = try target.read { target in
            try Self.read(table, upTo: nil, in: target)
        }
        guard stored.rows > 0 else { return stored }
        let expected = try Self.read(table, upTo: stored.last, in: session)
        guard stored.hasSameRows(as: expected) else {
            throw HabitError(
                .duplicateKey,
                "the target store and the source store have different \(table.name) rows",
                .advice("copy into an empty store"),
                .take(.exportStore))
        }
        return stored
    }

    private func copy(
        _ table: StoredTable,
        from session: any Session,
        after begun: Progress,
        _ onProgress: (String, Int) throws -> Void
    ) throws -> Progress {
        var progress = begun
        let version = Value.integer(RecordVersion.new())
        let importVersions = table.hasVersions ? try Self.importVersions(in: session) : []
        let statement = try session.prepare(bound: table.select(after: begun.last))
        var next = try statement.next()
        while next != nil {
            try target.bulkWrite { target in
                try Self.requireLast(progress.last, of: table, in: target)
                try target.deferringIndexes {
                    let columns = table.columns + (table.hasVersions ? [RecordVersion.column] : [])
                    let batch = try target.batch(into: table.name, columns: columns, keyed: true)
                    var rows = 0
                    while let row = next, rows < chunk {
                        let values = table.values(of: row)
                        if table.hasVersions {
                            let stored = Value.integer(row.integer(table.columns.count))
                            let isImported = importVersions.contains(stored)
                            try batch.add(values + [isImported ? stored : version])
                        } else {
                            try batch.add(values)
                        }
                        if batch.isFull {
                            _ = try batch.write()
                        }
                        progress.add(values)
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

    /// Returns the versions of the records that recorded imports have inserted, which an undo of the import compares.
    private static func importVersions(in session: any Session) throws -> Set<Value> {
        var versions: Set<Value> = []
        try session.query("SELECT version FROM import_run") { row in
            versions.insert(row.value(0))
            return true
        }
        return versions
    }

    /// Checks that no other process has added rows to a table of the target.
    ///
    /// - Throws: `busy` if the greatest key is not `key`.
    private static func requireLast(
        _ key: Value,
        of table: StoredTable,
        in target: any Session
    ) throws {
        let last = try target.first(table.last) { row in row.value(0) } ?? .null
        guard last != key else { return }
        throw HabitError(
            .busy,
            "another process is writing to the target store: repeat the copy when it has finished")
    }

    private func verify(
        _ table: StoredTable,
        copied: Progress,
        begun: Int,
        in target: any Session
    ) throws -> Result {
        let stored = try Self.read(table, upTo: nil, in: target)
        guard stored.hasSameRows(as: copied) else {
            throw HabitError(
                .storeDamaged,
                "the \(table.name) rows of the target store differ from the source store, possibly because another process wrote to it: repeat the copy into an empty store"
            )
        }
        let digest = copied.digest.finalize()
        return Result(
            table: table.name,
            rows: copied.rows,
            copied: copied.rows - begun,
            digest: digest.hexadecimal)
    }

    private static func read(
        _ table: StoredTable,
        upTo last: Value?,
        in session: any Session
    ) throws -> Progress {
        var progress = Progress()
        try session.query(table.select(upTo: last)) { row in
            let values = table.values(of: row)
            progress.add(values)
            return true
        }
        return progress
    }
}

/// The bytes of the values of a row, each with its kind and length, so different rows never have the same bytes.
private struct RowEncoding {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ value: Value) {
        switch value {
        case .null:
            begin(tag: 0, byteCount: 0)
        case .integer(let number):
            begin(tag: 1, byteCount: 8)
            append(UInt64(bitPattern: number))
        case .number(let number):
            begin(tag: 2, byteCount: 8)
            append(number.bitPattern)
        case .text(let text):
            begin(tag: 3, byteCount: text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        case .blob(let blob):
            begin(tag: 4, byteCount: blob.count)
            bytes.append(contentsOf: blob)
        case .point(let position):
            begin(tag: 5, byteCount: 16)
            append(position.longitude.bitPattern)
            append(position.latitude.bitPattern)
        }
    }

    private mutating func begin(tag: UInt8, byteCount: Int) {
        bytes.append(tag)
        append(UInt32(truncatingIfNeeded: byteCount))
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { number in
            bytes.append(contentsOf: number)
        }
    }
}

/// A table that every engine has.
struct StoredTable {
    var name: String
    /// The columns.
    ///
    /// The first column is the key, which defines the order of the rows.
    var columns: [String]
    /// Whether each row has a version, which the copy replaces unless a recorded import has inserted the row.
    ///
    /// A query reads the version after the columns.
    var hasVersions = false

    /// All tables.
    ///
    /// Each table follows the tables that it references.
    static let all = [
        StoredTable(.settings, hasKey: false),
        StoredTable(.users),
        StoredTable(.follows),
        StoredTable(.blocks),
        StoredTable(.habits),
        StoredTable(.schedules),
        StoredTable(.pauses),
        StoredTable("photo", "id sha256 media_type bytes"),
        StoredTable(.events),
        StoredTable(.items),
        StoredTable(.claims),
        StoredTable(.messages),
        StoredTable(.reads),
        StoredTable(.posts),
        StoredTable("identity", "id issuer subject user_id email"),
        StoredTable(
            "token",
            "id external_id user_id sha256 label created_at expires_at kind source_id operator_sha256 definition"),
        StoredTable("used_once", "id sha256 expires_at"),
        StoredTable(
            "passkey",
            """
            id external_id user_id credential user_handle public_key algorithm counter label created_at used_at
            """),
        StoredTable(
            "import_run",
            """
            id external_id user_id imported_at format file habits events posts updated version first_change last_change
            """),
    ]

    private init(_ kind: RecordKind, hasKey: Bool = true) {
        name = kind.table
        columns = kind.storedColumns
        hasVersions = hasKey
        if hasKey {
            columns.insert("id", at: 0)
        }
    }

    private init(_ name: String, _ columns: String) {
        let names = columns.split(separator: " ")
        self.name = name
        self.columns = names.map(String.init)
    }

    /// The query for the greatest key.
    var last: SQL {
        "SELECT max(\(raw: columns[0])) FROM \(raw: name)"
    }

    /// Returns a query for the rows after the key `last`, or for all rows if it is null, sorted by key.
    func select(after last: Value) -> SQL {
        guard last != .null else { return select("") }
        return select(condition(">", last))
    }

    /// Returns a query for the rows up to the key `last`, or for all rows if it is `nil`, sorted by key.
    func select(upTo last: Value?) -> SQL {
        guard let last else { return select("") }
        return select(condition("<=", last))
    }

    /// Returns a WHERE clause that compares the key of a row with a key.
    private func condition(_ comparison: String, _ key: Value) -> SQL {
        "WHERE \(raw: columns[0]) \(raw: comparison) \(key, as: "key")"
    }

    private func select(_ condition: SQL) -> SQL {
        """
        SELECT \(raw: (columns + (hasVersions ? [RecordVersion.column] : [])).joined(separator: ", "))
        FROM \(raw: name)
        \(condition)
        ORDER BY \(raw: columns[0])
        """
    }

    func values(of row: any Row) -> [Value] {
        columns.indices.map { index in
            let isPoint = Self.points.contains(columns[index])
            return isPoint ? .point(row.position(index)) : row.value(index)
        }
    }

    /// The columns of points.
    private static let points: Set<String> = ["geometry", "shown"]
}
