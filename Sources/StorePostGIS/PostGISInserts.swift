import HabitModel
import StoreEngine

/// New rows that wait until anything else is asked, and are then sent together: one way to the server for all of them.
final class PostGISInserts: Inserts {
    /// So many rows are sent together.
    private static let capacity = 256

    private let sql: PostGISText
    private unowned let session: PostGISSession
    private let didInsert: (Int64) -> Void
    private var rows: [[PostGISParameter]] = []

    init(
        into table: String, columns: [String], in session: PostGISSession, didInsert: @escaping (Int64) -> Void
    ) {
        sql = PostGISText(SQL.insert(into: table, columns: columns) + " RETURNING id", functions: [:])
        self.session = session
        self.didInsert = didInsert
    }

    func insert(_ values: [Value]) throws {
        rows.append(values.map(PostGISParameter.init))
        // The others before it: this row may refer to theirs.
        if rows.count >= Self.capacity { try session.writeWaiting() }
    }

    /// What waits is not wanted any more.
    func forget() { rows = [] }

    func write() throws {
        guard !rows.isEmpty else { return }
        let waiting = rows
        rows = []
        for result in try session.connection.run(sql.sql, each: waiting, in: .store) {
            guard try result.next(), let key = result.row?.integer(0) else {
                throw HabitError(.internal, "a row was not stored")
            }
            didInsert(key)
        }
    }
}
