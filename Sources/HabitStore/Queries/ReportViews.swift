import HabitModel
import StoreEngine

/// The views that reports and user-supplied SQL read: public columns, with only the rows that the viewer can see.
///
/// Each view has one definition. A session uses the views as queries for one viewer, with literals. A PostgreSQL store
/// with a role for the analyst also has the views in its catalog, with functions instead of literals: see
/// ``AnalystStore``.
///
/// For a user, the engine evaluates the view before any condition of the query. Otherwise an error that a condition
/// raises on a hidden row would reveal that row. Instants are RFC 3339 text at their own offset, days are ISO text, and
/// booleans are 0 or 1.
public struct ReportViews: Sendable {
    /// The viewer of the views.
    public var viewer: Viewer
    /// The clock that defines the current date of each user.
    public var clock: Clock

    /// Creates the views for `viewer` at the time of `clock`.
    public init(viewer: Viewer, clock: Clock) {
        self.viewer = viewer
        self.clock = clock
    }

    /// Registers the table functions that reports can call, and returns the views.
    func register(in session: any Session) throws -> [AnalysisView] {
        try HabitFunctions(viewer: viewer, clock: clock, in: session).register()
        try NearFunctions(viewer: viewer, session: session).register()
        let state = ItemQuery.state(try LocalDates(clock, in: session))
        var viewerKey = Value.null
        if case .user(let key, _) = viewer { viewerKey = .integer(key) }
        let terms = Terms(
            viewer: Self.literal(viewerKey), itemState: Self.literal(state),
            optimizationFence: viewer == .operator ? "" : session.dialect.optimizationFence)
        return Self.views(viewer, session.dialect, terms)
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
        /// A condition that every view includes, or `nil`.
        var guardCondition: String?
        /// The end of a view for a user: see ``Dialect/optimizationFence``.
        ///
        /// The text is empty for the operator.
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
            view.source = stated(view.source)
            view.conditions = stated(view.conditions)
            return view
        }
    }

    private static func definitions(_ viewer: Viewer, _ dialect: any Dialect, _ terms: Terms) -> [AnalysisView] {
        let visibility = Visibility(viewer: viewer)
        func restrict(_ conditions: String?...) -> String {
            let conditions = (conditions + [terms.guardCondition]).compactMap(\.self)
            let all = conditions.isEmpty ? "" : "\nWHERE " + conditions.joined(separator: "\n  AND ")
            return terms.optimizationFence.isEmpty ? all : "\(all)\n\(terms.optimizationFence)"
        }
        return [
            AnalysisView(
                name: "users",
                columns: UserTable.outputs.viewColumns(dialect),
                source: "account\n\(UserQuery.joins)", conditions: terms.openCondition),
            AnalysisView(
                name: "habits",
                columns: HabitTable.outputs(visibility).viewColumns(dialect),
                source: "habit\nJOIN account ON account.id = habit.user_id",
                join: HabitFunctions.viewJoin(dialect), conditions: restrict(visibility.habits)),
            AnalysisView(
                name: "events",
                columns: EventTable.outputs.viewColumns(dialect),
                source: """
                    event
                    \(EventTable.habitJoin)
                    JOIN account ON account.id = event.user_id
                    """, conditions: restrict(visibility.events(dialect))),
            AnalysisView(
                name: "items",
                columns: ItemTable.outputs(visibility, state: terms.itemState).viewColumns(dialect),
                source: "item\n\(ItemQuery.joins)", conditions: terms.openCondition),
            AnalysisView(
                name: "posts",
                columns: PostTable.outputs.viewColumns(dialect),
                source: "post\nJOIN account ON account.id = post.user_id",
                conditions: restrict("post.deleted_at IS NULL", visibility.posts)),
            AnalysisView(
                name: "follows",
                columns: FollowTable.outputs.viewColumns(dialect),
                source: "follow\n\(FollowTable.joins)", conditions: restrict(visibility.follows)),
            AnalysisView(
                name: "claims",
                columns: ClaimTable.outputs.viewColumns(dialect),
                source: "claim\n\(ClaimTable.joins)", conditions: restrict(visibility.claims)),
            AnalysisView(
                name: "messages",
                columns: MessageTable.outputs.viewColumns(dialect),
                source: "message\n\(MessageTable.joins)", conditions: restrict(visibility.messages)),
        ]
    }
}
