import StoreEngine

/// The identity of a store and the number of its last change.
///
/// All programs read the same version from a store, also after a restart.
public struct StoreVersion: Sendable, Hashable {
    /// The identity of the store and of its log of changes.
    public var store: String
    /// The number of transactions that changed the store.
    public var change: Int64
    /// The time of the last change of a record in microseconds, which differs in a store that was restored from a backup.
    public var time: Int64

    /// Reads the version.
    ///
    /// - Parameter session: A session of the store.
    /// - Throws: An error of the engine.
    public init(in session: any Session) throws {
        let last = "SELECT at FROM change WHERE number = (SELECT max(number) FROM change)"
        let sql: SQL = "SELECT log_id, change, coalesce((\(raw: last)), 0) FROM store"
        let found = try session.first(sql) { row in
            Self(
                store: row.text(0) ?? "",
                change: row.integer(1),
                time: row.integer(2))
        }
        self = found ?? Self(store: "", change: 0, time: 0)
    }

    private init(store: String, change: Int64, time: Int64) {
        self.store = store
        self.change = change
        self.time = time
    }
}
