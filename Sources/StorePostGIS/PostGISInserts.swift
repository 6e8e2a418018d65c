import HabitModel
import StoreEngine

/// New rows that are buffered until another statement runs, and are then sent in one network round trip.
final class PostGISInserts: Inserts {
    /// Maximum number of rows in one network round trip.
    private static let capacity = 256

    private let sql: PostGISTranslation
    private unowned let session: PostGISSession
    private let didInsert: (Int64) -> Void
    private var rows: [[PostGISParameter]] = []

    init(
        into table: String, columns: [String], in session: PostGISSession, didInsert: @escaping (Int64) -> Void
    ) {
        sql = PostGISTranslation(SQL.insert(into: table, columns: columns) + " RETURNING id", functions: [:])
        self.session = session
        self.didInsert = didInsert
    }

    func insert(_ values: [Value]) throws {
        rows.append(values.map(PostGISParameter.init))
        // All buffers are written in their order, because these rows may refer to rows of other tables.
        if rows.count >= Self.capacity { try session.flushPending() }
    }

    /// Discards the pending rows.
    func forget() { rows = [] }

    func write() throws {
        guard !rows.isEmpty else { return }
        let waiting = rows
        rows = []
        for result in try session.connection.run(sql.sql, each: waiting, in: .store) {
            guard try result.next(), let key = result.row?.integer(0) else {
                throw HabitError(.internal, "the server did not store a row")
            }
            didInsert(key)
        }
    }
}
