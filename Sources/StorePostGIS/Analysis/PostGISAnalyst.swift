import Base
import StoreEngine

/// The connection of the role that runs user-supplied SQL.
///
/// It reads the same state of the store as the program's own connection, through views that are limited to one reader.
final class PostGISAnalyst {
    let connection: PostGISConnection
    /// The server process of the connection and its start, as SQL values.
    ///
    /// The views find the connection's row by both.
    private var process = ""
    private let views: AnalystViews
    private let session: ReaderSessionSQL
    private let role: String

    /// Connects as the analyst.
    ///
    /// - Parameters:
    ///   - analyst: The login of the analyst.
    ///   - schema: The schema of the store.
    ///   - owner: The program's connection to the same store.
    /// - Throws: `store-unavailable` if the role cannot sign in, lacks a permission, or has too many permissions.
    init(_ analyst: AnalystLogin, _ schema: StoreSchema, owner: PostGISConnection) throws {
        connection = try PostGISConnection(analyst.url)
        let dialect = PostGISDialect(
            schema.declaration,
            postgis: owner.postgisSchema,
            isDistributed: false)
        views = AnalystViews(schema, dialect)
        session = ReaderSessionSQL(schema.declaration.readerSession)
        role = connection.role
        try identify(owner)
    }

    /// Connects again if the connection was lost.
    func restore(owner: PostGISConnection) throws {
        if try connection.restore() { try identify(owner) }
    }

    private func identify(_ owner: PostGISConnection) throws {
        let endpoint = "SELECT concat_ws(' ', current_database(), pg_postmaster_start_time(), inet_server_port())"
        guard try connection.execute(endpoint).text == owner.execute(endpoint).text else {
            throw Self.refusal(
                "the URL of the analyst's login has another database than the store", .advice("use the same database"))
        }
        guard role != owner.role else {
            throw Self.refusal(
                "the analyst's login has the same role as the store", .advice("use a separate role"))
        }
        let open = try AnalystRole.openStatements(
            connection, role: role, owner: owner.role, functions: views.functions)
        guard open.isEmpty, try views.isInstalled(owner, for: role) else {
            throw Self.refusal(
                "the role '\(role)' is not ready for user-supplied SQL", .take(.setUpAnalyst))
        }
        process =
            try connection.execute(
                "SELECT format('%s, %L::timestamptz', pg_backend_pid(), backend_start) FROM pg_stat_get_activity(pg_backend_pid())"
            ).text ?? ""
    }

    private static func refusal(_ reason: String, _ remedy: Remedy) -> HabitError {
        HabitError(.storeUnavailable, reason, remedy)
    }

    // MARK: Session of a query

    /// Commits the reader of the connection.
    ///
    /// Call this before the export of the snapshot that the views read.
    func register(_ scope: AnalysisScope, _ owner: PostGISConnection) throws {
        let dates = try dates(scope.clock, owner)
        try owner.execute(
            session.registration(
                of: process,
                reader: scope.reader,
                today: "'\(dates.today)'",
                localDays: owner.literal(dates.localDays)))
    }

    /// Returns the date of most owners, and as JSON the dates of the time zones in which the date is different.
    private func dates(_ clock: Clock, _ owner: PostGISConnection) throws -> (today: Day, localDays: String) {
        if let today = clock.commonToday { return (today, "{}") }
        let today = clock.today(in: .utc)
        let names = try owner.execute(session.timeZones).text
        let list = Array((names ?? "[]").utf8)
        var localDays: [String: JSON] = [:]
        for element in try JSONSlice(list[...]).elements() {
            let zone = try element.text()
            let rules = TimeZoneRules(zone) ?? .utc
            let day = clock.today(in: rules)
            guard day != today else { continue }
            localDays[zone] = .text(day.description)
        }
        return (today, JSON.object(localDays).text)
    }

    /// Begins a transaction on the snapshot of the program's transaction.
    func begin(_ scope: AnalysisScope, _ owner: PostGISConnection) throws {
        try connection.execute(
            """
            BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
            SET TRANSACTION SNAPSHOT \(connection.literal(owner.exportSnapshot()))
            """)
        let seen = try connection.execute(session.ownSession).text
        let expected = scope.reader.map { key in "f \(key)" } ?? "t"
        guard seen == expected else {
            throw Self.refusal(
                "the server does not find the session of the analyst's login",
                .advice("connect to PostgreSQL directly, without a connection pooler"))
        }
        try connection.use(scope.reader == nil ? .operatorViews : .readerViews)
    }

    /// Ends the session, and discards all state that its SQL may have set.
    func end(_ owner: PostGISConnection) {
        connection.abandon()
        _ = try? connection.reset()
        let pid = process.prefix { $0 != "," }
        _ = try? owner.execute("DELETE FROM \(session.table) WHERE pid = \(pid)")
    }
}
