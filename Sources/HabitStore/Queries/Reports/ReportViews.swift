import Base
import HabitModel
import StoreEngine

/// The views that reports and user-supplied SQL read: public columns, with only the rows that the viewer can see.
///
/// Each view has one definition. A session uses the views as queries for one viewer, with literals. A PostgreSQL store
/// with a role for the analyst also has the views in its catalog, with functions instead of literals: see
/// ``AnalystLogin``.
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
        let needsFence = origin == .untrusted && Self.canRunBeforeView(sql, functions)
        let terms = Terms(
            itemState: ItemRecords.state(on: try LocalDates(clock, in: session).date),
            hasNewestOnly: try Visibility(viewer: viewer).includesNewestOnly(in: session),
            optimizationFence: needsFence ? session.dialect.traits.optimizationFence : "")
        return Self.views(Visibility(viewer: viewer), dialect: session.dialect, terms: terms)
    }

    /// Returns whether the engine may evaluate an expression of `sql` on a row before the conditions of the view.
    ///
    /// This is possible for conditions, and for arguments of table functions, which join rows.
    private static func canRunBeforeView(_ sql: String, _ functions: [TableFunction]) -> Bool {
        let names = SQLNames(sql)
        if names.hasConditions {
            return true
        }
        let joining = functions.map(\.name) + ["json_each", "json_tree"]
        return joining.contains { names.contains(view: $0) }
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
        let shared = EventCountFunctions.names + [HabitFunctions.completionsName]
        return shared.contains { names.contains(view: $0) }
    }

    /// Returns the report views for the catalog of a database, for the operator or for users.
    static func inCatalog(_ catalog: CatalogTerms, _ dialect: any Dialect) -> [AnalysisView] {
        let terms = Terms(
            itemState: ItemRecords.state(on: SQL(catalog.today)),
            guardCondition: SQL(catalog.condition),
            optimizationFence: "")
        let visibility =
            catalog.isForOperator
            ? Visibility(viewer: .operator, key: "NULL")
            : Visibility(viewer: .user(key: 0, id: ""), key: SQL(catalog.reader))
        return views(visibility, dialect: dialect, terms: terms)
    }

    /// The SQL fragments that differ between queries.
    struct Terms {
        /// An expression for the state of an item on the date of its poster.
        var itemState: SQL
        /// Whether a followed user may share only the newest event of each habit with the viewer.
        var hasNewestOnly = true
        /// A condition that every view includes, or `nil`.
        var guardCondition: SQL?
        /// The end of a view for a user: see ``EngineTraits/optimizationFence``.
        ///
        /// The text is empty unless a user wrote the SQL.
        var optimizationFence: String
    }

    /// Returns a literal for a value, which is a key, a date or the name of a time zone.
    private static func literal(_ value: Value) -> String {
        switch value {
        case .integer(let number): String(number)
        case .text(let text): "'\(text.replacing("'", with: "''"))'"
        default: "NULL"
        }
    }

    /// Returns the views for the operator or for a user.
    static func views(
        _ visibility: Visibility,
        dialect: any Dialect,
        terms: Terms
    ) -> [AnalysisView] {
        let sources = sources(visibility, dialect: dialect, terms: terms)
        return sources.map { source in
            AnalysisView(
                name: source.name,
                columns: source.outputs.viewColumns(dialect).map { column in
                    (column.name, column.expression.text(replacingValues: literal))
                },
                source: source.table,
                joins: source.joins.text(replacingValues: literal),
                join: source.function,
                conditions: clauses(source, terms).text(replacingValues: literal))
        }
    }

    /// Returns the columns of each view for the operator or for a user.
    static func outputs(for viewer: Viewer) -> [(name: String, outputs: [OutputColumn])] {
        let visibility = Visibility(viewer: viewer)
        return [
            ("users", UserTable.outputs),
            ("habits", HabitTable.outputs(visibility)),
            ("pauses", PauseTable.outputs),
            ("events", EventTable.outputs(visibility)),
            ("items", ItemTable.outputs(visibility, state: "item.state")),
            ("posts", PostTable.outputs(visibility)),
            ("follows", FollowTable.outputs),
            ("claims", ClaimTable.outputs),
            ("messages", MessageTable.outputs),
        ]
    }

    /// The source of a view.
    private struct Source {
        /// The name of the view.
        var name: String
        /// The columns of all outputs, of which the view has those of ``OutputColumn/Outputs/views``.
        var outputs: [OutputColumn]
        /// The table after FROM.
        var table: String
        /// The joined tables, each with at most one row for each row of the table.
        var joins: SQL
        /// The function that is joined to the view, or `nil`.
        var function: AnalysisView.Join?
        /// The conditions that a row must meet.
        var conditions: [SQL?] = []
    }

    /// Returns the clauses after the sources of a view.
    private static func clauses(_ source: Source, _ terms: Terms) -> SQL {
        let conditions = (source.conditions + [terms.guardCondition]).compactMap(\.self)
        var clauses: SQL = ""
        if !conditions.isEmpty {
            clauses += "\nWHERE \(conditions.joined(separator: "\n  AND "))"
        }
        if !terms.optimizationFence.isEmpty {
            clauses += "\n\(raw: terms.optimizationFence)"
        }
        return clauses
    }

    private static func sources(
        _ visibility: Visibility,
        dialect: any Dialect,
        terms: Terms
    ) -> [Source] {
        [
            Source(
                name: "users",
                outputs: UserTable.outputs,
                table: "account",
                joins: UserRecords.joins(visibility),
                conditions: [visibility.users]),
            Source(
                name: "habits",
                outputs: HabitTable.outputs(visibility),
                table: "habit",
                joins: "JOIN account ON account.id = habit.user_id",
                function: HabitFunctions.viewJoin(dialect),
                conditions: [visibility.habits]),
            Source(
                name: "pauses",
                outputs: PauseTable.outputs,
                table: "pause",
                joins: PauseTable.joins,
                conditions: [visibility.pauses]),
            Source(
                name: "events",
                outputs: EventTable.outputs(visibility),
                table: "event",
                joins: "\(EventTable.habitJoin(dialect))\nJOIN account ON account.id = event.user_id",
                conditions: [visibility.manyEvents(dialect, includingNewestOnly: terms.hasNewestOnly)]),
            Source(
                name: "items",
                outputs: ItemTable.outputs(visibility, state: terms.itemState),
                table: "item",
                joins: ItemRecords.joins,
                conditions: [visibility.items]),
            Source(
                name: "posts",
                outputs: PostTable.outputs(visibility),
                table: "post",
                joins: "JOIN account ON account.id = post.user_id",
                conditions: ["post.deleted_at IS NULL", visibility.posts]),
            Source(
                name: "follows",
                outputs: FollowTable.outputs,
                table: "follow",
                joins: FollowTable.joins,
                conditions: [visibility.follows]),
            Source(
                name: "claims",
                outputs: ClaimTable.outputs,
                table: "claim",
                joins: ClaimTable.joins,
                conditions: [visibility.claims]),
            Source(
                name: "messages",
                outputs: MessageTable.outputs,
                table: "message",
                joins: MessageTable.joins,
                conditions: [visibility.messages]),
        ]
    }
}
