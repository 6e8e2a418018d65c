import Crypto
import Foundation
import HabitModel
import StoreEngine

/// Copies everything that a store holds into another, whatever their engines, with the keys that it has there.
///
/// What was copied is committed a million rows at a time: a copy that was cut short goes on where it stopped. Memory does not grow
/// with the stores.
public struct StoreCopy {
    /// What became of a table.
    public struct Result: Sendable {
        public var table: String
        /// How many rows both stores hold now, and how many of them this copy has written.
        public var rows: Int
        public var copied: Int
        /// SHA-256 over all rows, which is that of both stores.
        public var digest: String

        public static let shape = ResultShape(
            columns: [
                Column("table", .text, at: 0), Column("rows", .integer, at: 1), Column("copied", .integer, at: 2),
                Column("sha256", .text, at: 3, isSecondary: true),
            ],
            identity: ["table"])

        public var row: ValueRow {
            ValueRow([.text(table), .integer(Int64(rows)), .integer(Int64(copied)), .text(digest)])
        }
    }

    private let source: any Engine
    private let target: any Engine
    /// Rows of one transaction.
    var chunk = 1_000_000

    public init(from source: any Engine, to target: any Engine) {
        self.source = source
        self.target = target
    }

    /// Copies the source's state at the beginning, and then reads what the target holds again; `onProgress` is told of each part.
    ///
    /// Throws `duplicate-key` where the target holds anything that the source does not; nothing is written to a table of which that
    /// is true. Throws `store-damaged` where the target does not hold in the end what was read.
    public func run(_ onProgress: (_ table: String, _ rows: Int) throws -> Void = { _, _ in }) throws -> [Result] {
        try source.read { session in
            // Where the target holds other things nothing is written at all.
            let begun = try StoredTable.all.map { try begin($0, session) }
            let copied = try zip(StoredTable.all, begun).map { try copy($0, from: session, after: $1, onProgress) }
            return try target.read { target in
                try StoredTable.all.indices.map { index in
                    try verify(StoredTable.all[index], copied[index], begun: begun[index].rows, target)
                }
            }
        }
    }

    /// How far an earlier copy came.
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
                "the store to copy to holds other \(table.name) rows than the one to copy from",
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
                        .busy, "somebody else is writing into the store to copy to: copy again when that is done")
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
                "the copy does not hold the \(table.name) rows that were read: was somebody else writing into it? Copy again into an empty store"
            )
        }
        let hex = digest.map { String(format: "%02x", $0) }.joined()
        return Result(table: table.name, rows: copied.rows, copied: copied.rows - begun, digest: hex)
    }

    private static func read(_ table: StoredTable, upTo last: Value?, _ session: any Session) throws -> Progress {
        var progress = Progress()
        try session.query(table.select(upTo: last)) { row in
            add(table.values(of: row), to: &progress)
            return true
        }
        return progress
    }

    /// Each value with its kind and length, so that different rows never give the same bytes.
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

/// A table as every engine has it.
struct StoredTable {
    var name: String
    /// The first is the key, by which its rows come in order.
    var columns: [String]

    /// All tables, each after the tables that it refers to.
    static let all = [
        StoredTable(.settings, hasKey: false),
        StoredTable(.users), StoredTable(.follows), StoredTable(.habits), StoredTable(.schedules),
        StoredTable("photo", "id sha256 media_type bytes"),
        StoredTable(.events), StoredTable(.items), StoredTable(.claims), StoredTable(.messages), StoredTable(.posts),
        StoredTable("identity", "id issuer subject user_id email"),
        StoredTable("token", "id external_id user_id sha256 label created_at expires_at is_session"),
        StoredTable("used_id_token", "id sha256 expires_at"),
    ]

    private init(_ kind: RecordKind, hasKey: Bool = true) {
        (name, columns) = (kind.table, (hasKey ? ["id"] : []) + kind.storedColumns)
    }

    private init(_ name: String, _ columns: String) {
        self.name = name
        self.columns = columns.split(separator: " ").map(String.init)
    }

    /// The last of the keys.
    var last: SQL { SQL("SELECT max(\(columns[0])) FROM \(name)") }

    /// The rows by their keys: those behind one, or those up to it; all where it is null.
    func select(after last: Value) -> SQL { select(last == .null ? nil : last, ">") }
    func select(upTo last: Value?) -> SQL { select(last, "<=") }

    private func select(_ key: Value?, _ comparison: String) -> SQL {
        let condition = key == nil ? "" : "\nWHERE \(columns[0]) \(comparison) :key"
        return SQL(
            "SELECT \(columns.joined(separator: ", "))\nFROM \(name)\(condition)\nORDER BY \(columns[0])",
            key.map { ["key": $0] } ?? [:])
    }

    func values(of row: any Row) -> [Value] {
        columns.indices.map { columns[$0] == "geometry" ? .point(row.position($0)) : row.value($0) }
    }
}
