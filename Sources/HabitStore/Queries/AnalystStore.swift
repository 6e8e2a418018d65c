import Foundation
import HabitModel

/// The second login of a PostgreSQL store, which runs user-supplied SQL and can read the report views and nothing else.
///
/// The permissions of its role are the defence: no filter of words can keep SQL from calling functions, since PostgreSQL takes
/// `alias.f` for a call of `f`.
public struct AnalystStore: Sendable {
    /// `postgresql://role@host/database`: the same database as the store's, with a role of its own.
    public var url: String

    public init(url: String) { self.url = url }

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
        url = named
    }

    /// The report views as the catalog keeps them.
    ///
    /// - Parameters:
    ///   - forOperator: Whether the rows of all users are visible, instead of those that one user may see.
    ///   - viewer: An expression for the key of the viewer's account.
    ///   - today: An expression for the date of the user in the row of `account`.
    ///   - condition: A condition that is true only in a session that was registered for such a viewer.
    func views(
        forOperator: Bool, viewer: String, today: String, condition: String, _ dialect: any Dialect
    ) -> [AnalysisView] {
        let terms = ReportViews.Terms(
            viewer: forOperator ? "NULL" : viewer, itemState: ItemQuery.state(LocalDates(expression: today)).text,
            guardCondition: condition, barrier: "")
        return ReportViews.views(forOperator ? .operator : .user(key: 0, id: ""), dialect, terms)
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
