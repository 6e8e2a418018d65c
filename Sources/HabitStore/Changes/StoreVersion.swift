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
        let found = try session.first("SELECT log_id, change, coalesce((\(raw: last)), 0) FROM store") {
            ($0.text(0) ?? "", $0.integer(1), $0.integer(2))
        }
        (store, change, time) = found ?? ("", 0, 0)
    }
}
