import Base
import StoreEngine

/// New rows that are buffered until another statement runs, and are then sent in one network round trip.
///
/// On a cluster, Citus would plan each INSERT separately, and an INSERT into a shared table would be a statement on each
/// server. Several rows are therefore sent by COPY.
final class PostGISInserts: Inserts {
    /// Maximum number of rows in one network round trip.
    private static let capacity = 256

    private let table: String
    private let columns: [String]
    private let sql: PostGISTranslation
    private unowned let session: PostGISSession
    private let didInsert: (Int64) -> Void
    private var rows: [[Value]] = []

    init(
        into table: String,
        columns: [String],
        in session: PostGISSession,
        didInsert: @escaping (Int64) -> Void
    ) {
        self.table = table
        self.columns = columns
        let insert = SQL.insert(into: table, columns: columns)
        sql = PostGISTranslation("\(insert) RETURNING id", functions: [:])
        self.session = session
        self.didInsert = didInsert
    }

    func insert(_ values: [Value]) throws {
        rows.append(values)
        // All buffers are written in their order, because these rows may refer to rows of other tables.
        if rows.count >= Self.capacity { try session.flushPending() }
    }

    /// Discards the pending rows.
    func forget() { rows = [] }

    func write() throws {
        guard !rows.isEmpty else { return }
        let pending = rows
        rows = []
        let copies = session.isDistributed && pending.count > 1
        let keys = copies ? try copy(pending) : try insert(pending)
        for key in keys {
            didInsert(key)
        }
    }

    /// Sends the rows by COPY, and returns their keys.
    private func copy(_ rows: [[Value]]) throws -> [Int64] {
        let batch = CopyBatch(session.connection, table: table, columns: columns, keyed: false)
        for row in rows { try batch.add(row) }
        return try batch.write()
    }

    /// Sends an INSERT for each row, and returns the keys of the rows.
    private func insert(_ rows: [[Value]]) throws -> [Int64] {
        let parameters = rows.map { row in row.map(PostGISParameter.init) }
        let results = try session.connection.run(sql.sql, each: parameters, in: .store)
        return try results.map { result in
            guard try result.next(), let key = result.row?.integer(0) else {
                throw HabitError(.internal, "the server did not store a row")
            }
            return key
        }
    }
}
