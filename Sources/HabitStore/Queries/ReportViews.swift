import Base
import HabitModel
import StoreEngine

/// The views that reports and user-supplied SQL read: public columns, with only the rows that the viewer can see.
///
/// Each view has one definition. A session uses the views as queries for one viewer, with literals. A PostgreSQL store
/// with a role for the analyst also has the views in its catalog, with functions instead of literals: see
/// ``AnalystStore``.
///
/// For SQL of a user, the engine evaluates the view before any condition of the statement. Otherwise an error that a
/// condition raises on a hidden row would reveal that row. A statement without conditions needs no such order, and
/// neither does the SQL of the program, which raises no error on a row. Instants are RFC 3339 text at their own offset,
/// days are ISO text, and booleans are 0 or 1.
public struct ReportViews: Sendable {
    /// The viewer of the views.
    public var viewer: Viewer
    /// The clock that defines the current date of each user.
    public var clock: Clock
    /// Other threads, which do a part of the work of the table functions.
    private let crew: ReadCrew
    /// The limits of the statement.
    private let limits: QueryLimits

    /// Creates the views for `viewer` at the time of `clock`.
    ///
    /// - Parameters:
    ///   - viewer: The viewer of the views.
    ///   - clock: The clock that defines the current date of each user.
    ///   - crew: Other threads, which do a part of the work of the table functions.
    ///   - limits: The limits of the statement.
    public init(viewer: Viewer, clock: Clock, crew: ReadCrew = .alone, limits: QueryLimits = QueryLimits()) {
        self.viewer = viewer
        self.clock = clock
        self.crew = crew
        self.limits = limits
    }

    /// Registers the table functions that reports can call, and returns the views for a statement.
    ///
    /// - Parameters:
    ///   - session: The session that runs the statement.
    ///   - sql: The text of the statement.
    ///   - origin: The author of the statement.
    /// - Returns: The views.
    /// - Throws: An error of the engine.
    func register(in session: any Session, for sql: String, origin: AnalysisOrigin) throws -> [AnalysisView] {
        let functions = try functions(in: session)
        try session.register(functions)
        let needsFence = origin == .user && Self.canRunBeforeView(sql, functions)
        let state = ItemQuery.state(try LocalDates(clock, in: session))
        var viewerKey = Value.null
        if case .user(let key, _) = viewer { viewerKey = .integer(key) }
        let terms = Terms(
            viewer: Self.literal(viewerKey), itemState: Self.literal(state),
            hasNewestOnly: try Visibility(viewer: viewer).includesNewestOnly(in: session),
            optimizationFence: needsFence ? session.dialect.optimizationFence : "")
        return Self.views(viewer, session.dialect, terms)
    }

    /// Returns whether the engine may evaluate an expression of `sql` on a row before the conditions of the view.
    ///
    /// This is possible for conditions, and for arguments of table functions, which join rows.
    private static func canRunBeforeView(_ sql: String, _ functions: [TableFunction]) -> Bool {
        let names = SQLNames(sql)
        return names.hasConditions
            || (functions.map(\.name) + ["json_each", "json_tree"]).contains { names.contains(view: $0) }
    }

    /// Returns the table functions that reports can call.
    func functions(in session: any Session) throws -> [TableFunction] {
        try HabitFunctions(viewer: viewer, clock: clock, crew: crew, limits: limits, in: session).functions
            + NearFunctions(viewer: viewer, session: session).functions
            + EventCountFunctions(viewer: viewer, session: session, crew: crew).functions
            + [LocalTimeFunction(viewer: viewer, session: session).function]
    }

    /// Returns whether a statement calls a table function whose work several threads can share.
    static func canUseThreads(_ sql: String) -> Bool {
        let names = SQLNames(sql)
        return (EventCountFunctions.names + [HabitFunctions.completionsName]).contains { names.contains(view: $0) }
    }

    /// Returns the report views for the catalog of a database, for the operator or for users.
    static func inCatalog(_ catalog: CatalogTerms, _ dialect: any Dialect) -> [AnalysisView] {
        let terms = Terms(
            viewer: catalog.isForOperator ? "NULL" : catalog.viewer,
            itemState: ItemQuery.state(LocalDates(expression: catalog.today)).text, guardCondition: catalog.condition,
            optimizationFence: "")
        return views(catalog.isForOperator ? .operator : .user(key: 0, id: ""), dialect, terms)
    }

    /// The SQL fragments that differ between queries.
    struct Terms {
        /// The key of the viewer's account, or NULL for the operator.
        var viewer: String
        /// An expression for the state of an item on the date of its poster.
        var itemState: String
        /// Whether a followed user may share only the newest event of each habit with the viewer.
        var hasNewestOnly = true
        /// A condition that every view includes, or `nil`.
        var guardCondition: String?
        /// The end of a view for a user: see ``Dialect/optimizationFence``.
        ///
        /// The text is empty unless a user wrote the SQL.
        var optimizationFence: String

        /// The conditions of a view that does not hide rows.
        var openCondition: String { guardCondition.map { "\nWHERE \($0)" } ?? "" }
    }

    /// Returns the SQL with literals instead of parameters.
    ///
    /// The values are keys, dates and names of time zones.
    private static func literal(_ sql: SQL) -> String {
        sql.text.replacing(/:([a-z_0-9]+)/) { literal(sql.bindings[String($0.output.1)] ?? .null) }
    }

    private static func literal(_ value: Value) -> String {
        switch value {
        case .integer(let number): String(number)
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        default: "NULL"
        }
    }

    /// Returns the views for the operator or for a user.
    ///
    /// Only the kind of `viewer` matters, because `terms` contain the key of the user.
    static func views(_ viewer: Viewer, _ dialect: any Dialect, _ terms: Terms) -> [AnalysisView] {
        func stated(_ sql: String) -> String { sql.replacing(":viewer", with: terms.viewer) }
        return definitions(viewer, dialect, terms).map { view in
            var view = view
            view.columns = view.columns.map { ($0.name, stated($0.sql)) }
            for index in view.lookups.indices { view.lookups[index].sql = stated(view.lookups[index].sql) }
            view.conditions = stated(view.conditions)
            return view
        }
    }

    /// The columns of each view.
    ///
    /// Only the kind of `viewer` matters.
    static func outputs(
        for viewer: Viewer, itemState: String = "item.state"
    ) -> [(name: String, outputs: [OutputColumn])] {
        let visibility = Visibility(viewer: viewer)
        return [
            ("users", UserTable.outputs), ("habits", HabitTable.outputs(visibility)), ("events", EventTable.outputs),
            ("items", ItemTable.outputs(visibility, state: itemState)), ("posts", PostTable.outputs),
            ("follows", FollowTable.outputs), ("claims", ClaimTable.outputs), ("messages", MessageTable.outputs),
        ]
    }

    private static func definitions(_ viewer: Viewer, _ dialect: any Dialect, _ terms: Terms) -> [AnalysisView] {
        let visibility = Visibility(viewer: viewer)
        func restrict(_ conditions: String?...) -> String {
            let conditions = (conditions + [terms.guardCondition]).compactMap(\.self)
            let all = conditions.isEmpty ? "" : "\nWHERE " + conditions.joined(separator: "\n  AND ")
            return terms.optimizationFence.isEmpty ? all : "\(all)\n\(terms.optimizationFence)"
        }
        let outputs = Dictionary(
            uniqueKeysWithValues: Self.outputs(for: viewer, itemState: terms.itemState).map { ($0.name, $0.outputs) })
        func columns(_ view: String) -> [(name: String, sql: String)] { outputs[view]?.viewColumns(dialect) ?? [] }
        return [
            AnalysisView(
                name: "users",
                columns: columns("users"),
                source: "account", joins: UserQuery.joins, conditions: terms.openCondition),
            AnalysisView(
                name: "habits",
                columns: columns("habits"),
                source: "habit", joins: "JOIN account ON account.id = habit.user_id",
                join: HabitFunctions.viewJoin(dialect), conditions: restrict(visibility.habits)),
            AnalysisView(
                name: "events",
                columns: columns("events"),
                source: "event", joins: "\(EventTable.habitJoin(dialect))\nJOIN account ON account.id = event.user_id",
                conditions: restrict(visibility.manyEvents(dialect, includingNewestOnly: terms.hasNewestOnly))),
            AnalysisView(
                name: "items",
                columns: columns("items"),
                source: "item", joins: ItemQuery.joins, conditions: terms.openCondition),
            AnalysisView(
                name: "posts",
                columns: columns("posts"),
                source: "post", joins: "JOIN account ON account.id = post.user_id",
                conditions: restrict("post.deleted_at IS NULL", visibility.posts)),
            AnalysisView(
                name: "follows",
                columns: columns("follows"),
                source: "follow", joins: FollowTable.joins, conditions: restrict(visibility.follows)),
            AnalysisView(
                name: "claims",
                columns: columns("claims"),
                source: "claim", joins: ClaimTable.joins, conditions: restrict(visibility.claims)),
            AnalysisView(
                name: "messages",
                columns: columns("messages"),
                source: "message", joins: MessageTable.joins, conditions: restrict(visibility.messages)),
        ]
    }
}
