import Foundation
import HabitModel
import StoreEngine
import StorePostGIS

extension AnalystStore {
    /// The login that the option `analyst-store` names, else the environment's `HABITAT_ANALYST_STORE`; nil if neither does, or if
    /// the store is a file and only the environment does.
    ///
    /// - Throws: `usage` if the text is not the address of a database, or the option is given for a file.
    public init?(option: String?, for location: StoreLocation) throws {
        guard let named = option ?? ProcessInfo.processInfo.environment["HABITAT_ANALYST_STORE"],
            !named.isEmpty || option != nil
        else { return nil }
        guard case .database = StoreLocation(named) else {
            throw HabitError(
                .usage, "the analyst's store is not an address: write postgresql://role@host/database",
                field: "analyst-store")
        }
        guard case .database = location else {
            guard option == nil else {
                throw HabitError(
                    .usage, "a store in a file needs no analyst's store", field: "analyst-store", .omit(.analystStore))
            }
            return nil
        }
        self.init(url: named)
    }
}

extension Engine {
    /// Runs `body` on one consistent state of the store, in a session that may run user-supplied SQL for `viewer`.
    ///
    /// - Throws: `store-unavailable` if the store has an analyst's role that does not have exactly the permissions it needs; what
    ///   `body` throws.
    public func analyze<Result>(
        as viewer: Viewer, clock: Clock, _ body: (any Session) throws -> Result
    ) throws -> Result {
        try analyze(AnalysisScope(viewer, clock), body)
    }
}

extension AnalysisScope {
    public init(_ viewer: Viewer, _ clock: Clock) {
        var key: Int64?
        if case .user(let user, _) = viewer { key = user }
        self.init(viewer: key, clock: clock)
    }
}
