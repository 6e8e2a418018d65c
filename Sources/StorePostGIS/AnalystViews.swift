import Base
import Foundation
import StoreEngine

/// The report views in a store's catalog, which the analyst's role reads instead of the tables.
///
/// A view has the rights of its owner, the program's role. It reads its viewer from a row of `viewer_session`. The
/// program commits that row for the analyst's connection before it runs SQL there. The row contains the server process
/// of that connection and its start. SQL cannot change either, and the viewer does not depend on a setting.
struct AnalystViews {
    /// The schemas of the views, for users and for the operator.
    static let (forUsers, forOperator) = ("habitat_views", "habitat_operator_views")

    private let statements: [String]
    /// The names of the views with their schemas.
    private let names: [String]
    /// A digest of the definitions.
    ///
    /// Each version of the definitions has a different label.
    private let label: String
    /// The functions that the views and SQL over them need.
    let functions: AnalystFunctions

    init(_ schema: StoreSchema, _ dialect: PostGISDialect) {
        let sets = [Self.forUsers, Self.forOperator].map { name in
            let isForOperator = name == Self.forOperator
            let terms = CatalogTerms(
                isForOperator: isForOperator, viewer: Self.term("viewer"), today: Self.today,
                condition: isForOperator ? Self.term("is_operator") : "\(Self.term("viewer")) IS NOT NULL")
            let views = schema.catalogViews(terms, dialect)
            return (schema: name, views: views)
        }
        names = sets.flatMap { set in set.views.map { "\(set.schema).\($0.name)" } }
        let views = sets.flatMap { set in
            set.views.map { view in
                var columns = view
                columns.columns = view.columns.filter { !view.isJoined($0) }
                // A function that a user's SQL calls never reads a row that the view excludes.
                let option = set.schema == Self.forUsers ? " WITH (security_barrier)" : ""
                return
                    "CREATE VIEW \(set.schema).\(view.name)\(option) AS\n\(PostGISAnalysis.qualified(columns.select()))"
            }
        }
        statements = [Self.session] + views.map { PostGISTranslation($0, functions: [:]).sql }
        functions = AnalystFunctions(
            views: statements, postgis: dialect.postgis, allowed: PostGISAnalysis.allowedFunctions)
        // New functions can be executed by every role until the views are installed again.
        let program = statements + [String(decoding: PackageResources.postgis_functions_sql, as: UTF8.self)]
        let digest = Array(program.joined(separator: ";\n").utf8).sha256
        label = "Habitat report views \(Data(digest).base64URLEncoded)"
    }

    /// Returns a column of the row that the program has committed for the connection.
    ///
    /// PostgreSQL evaluates the term once per statement. A view reads the row with its owner's rights. The number and
    /// the start of the server process identify the caller's session.
    private static func term(_ column: String) -> String { "(SELECT own.\(column) FROM \(own))" }

    private static let own = """
        "\(forUsers)".viewer_session AS own
        WHERE own.pid = pg_backend_pid()
          AND own.started = (SELECT backend_start FROM pg_stat_get_activity(pg_backend_pid()))
        """

    /// The date of the user in the row of `account`.
    private static let today =
        "coalesce(\(term("local_days")) ->> account.time_zone, \(term("report_day"))) COLLATE \"C\""

    /// Removes the views of any version.
    static let removal = "DROP SCHEMA IF EXISTS \(forOperator), \(forUsers) CASCADE"

    private static let session = """
        \(removal);
        CREATE SCHEMA \(forUsers);
        CREATE SCHEMA \(forOperator);
        CREATE UNLOGGED TABLE \(forUsers).viewer_session (
          pid INTEGER PRIMARY KEY,
          started TIMESTAMPTZ NOT NULL,
          is_operator BOOLEAN NOT NULL,
          viewer BIGINT,
          -- The date in UTC, or for all users; and those of time zones that have another one.
          report_day TEXT COLLATE "C" NOT NULL,
          local_days JSONB NOT NULL,
          CHECK (is_operator = (viewer IS NULL))
        );
        CREATE VIEW \(forUsers).own_session AS SELECT own.is_operator, own.viewer FROM \(own);
        """

    // MARK: Installation

    /// Creates the views if they are missing or of another version, and grants `role` read access to them.
    func install(_ connection: PostGISConnection, for role: String) throws {
        guard try !isInstalled(connection, for: role) else { return }
        let role = connection.identifier(role)
        try connection.execute("BEGIN")
        do {
            try connection.use(.store)
            for statement in statements { try connection.execute(statement) }
            try connection.execute(
                """
                GRANT USAGE ON SCHEMA \(Self.forUsers), \(Self.forOperator), habitat_functions TO \(role);
                GRANT SELECT ON \(Self.forUsers).own_session, \(names.joined(separator: ", ")) TO \(role);
                REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA habitat, habitat_functions FROM PUBLIC, \(role);
                COMMENT ON SCHEMA \(Self.forUsers) IS \(connection.literal(label))
                """)
            try grantOwnFunctions(connection, to: role)
            try connection.execute("COMMIT")
        } catch {
            _ = try? connection.execute("ROLLBACK")
            connection.forgetPath()
            throw error
        }
    }

    /// Lets the role execute the functions of the program that the views need.
    private func grantOwnFunctions(_ connection: PostGISConnection, to role: String) throws {
        let sql = """
            SELECT string_agg(needed.oid::regprocedure::text, ', ')
            FROM (\(functions.select(connection))) AS needed
            WHERE needed.pronamespace = 'habitat_functions'::regnamespace
            """
        guard let list = try connection.execute(sql).text else { return }
        try connection.execute("GRANT EXECUTE ON ROUTINE \(list) TO \(role)")
    }

    /// Whether the store has the views of this version of the program, and `role` has access to them.
    func isInstalled(_ connection: PostGISConnection, for role: String) throws -> Bool {
        let role = connection.literal(role)
        let schema = connection.literal(Self.forUsers)
        return try connection.execute(
            """
            SELECT EXISTS (
              SELECT FROM pg_namespace
              WHERE nspname = \(schema) AND obj_description(oid, 'pg_namespace') = \(connection.literal(label))
                AND EXISTS (
                  SELECT FROM pg_roles
                  WHERE rolname = \(role) AND has_schema_privilege(pg_roles.oid, pg_namespace.oid, 'USAGE')
                )
            )
            """
        ).text == "t"
    }
}
