import Base
import Foundation
import StoreEngine

/// The report views in a store's catalog, which the analyst's role reads instead of the tables.
///
/// A view has the rights of its owner, the program's role. It finds its reader in a row of the table of the readers'
/// sessions. The program commits that row for the analyst's connection before it runs SQL there. The row contains the
/// server process of that connection and its start. SQL cannot change either, and the reader does not depend on a
/// setting.
struct AnalystViews {
    /// The schema of the views for readers who can read only some rows.
    static let forReaders = "habitat_views"
    /// The schema of the views for the operator.
    static let forOperator = "habitat_operator_views"

    private let statements: [String]
    /// The names of the views with their schemas.
    private let names: [String]
    /// A digest of the definitions.
    ///
    /// Each version of the definitions has a different label.
    private let label: String
    /// The functions that the views and SQL over them need.
    let functions: AnalystFunctions

    /// The views of one schema.
    private struct ViewSet {
        var schema: String
        var views: [AnalysisView]

        /// The statements that create the views.
        var statements: [String] {
            // A function that a reader's SQL calls never reads a row that the view excludes.
            let option = schema == AnalystViews.forReaders ? " WITH (security_barrier)" : ""
            return views.map { view in
                var ofTables = view
                ofTables.columns = view.columns.filter { column in !view.isJoined(column) }
                let select = PostGISAnalysis.qualified(ofTables.select())
                return "CREATE VIEW \(schema).\(view.name)\(option) AS\n\(select)"
            }
        }
    }

    init(_ schema: StoreSchema, _ dialect: PostGISDialect) {
        let session = ReaderSessionSQL(schema.declaration.readerSession)
        let sets = [Self.forReaders, Self.forOperator].map { name in
            let terms = session.terms(isForOperator: name == Self.forOperator)
            return ViewSet(schema: name, views: schema.catalogViews(terms, dialect))
        }
        names = sets.flatMap { set in
            set.views.map { view in "\(set.schema).\(view.name)" }
        }
        let views = sets.flatMap(\.statements)
        statements = [session.creation] + views.map { view in PostGISTranslation(view, functions: [:]).sql }
        functions = AnalystFunctions(
            views: statements,
            postgis: dialect.postgis,
            allowed: AnalysisWords.functions)
        // New functions can be executed by every role until the views are installed again.
        let program = statements + [String(decoding: PackageResources.postgis_functions_sql, as: UTF8.self)]
        let digest = Array(program.joined(separator: ";\n").utf8).sha256
        label = "Habitat report views \(Data(digest).base64URLEncoded)"
    }

    /// Removes the views of any version.
    static let removal = "DROP SCHEMA IF EXISTS \(forOperator), \(forReaders) CASCADE"

    // MARK: Installation

    /// Creates the views if they are missing or of another version, and grants `role` read access to them.
    func install(_ connection: PostGISConnection, for role: String) throws {
        guard try !isInstalled(connection, for: role) else { return }
        let role = connection.identifier(role)
        try connection.execute("BEGIN")
        do {
            try connection.use(.store)
            for statement in statements {
                try connection.execute(statement)
            }
            try connection.execute(
                """
                GRANT USAGE ON SCHEMA \(Self.forReaders), \(Self.forOperator), habitat_functions TO \(role);
                GRANT SELECT ON \(Self.forReaders).own_session, \(names.joined(separator: ", ")) TO \(role);
                REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA habitat, habitat_functions FROM PUBLIC, \(role);
                COMMENT ON SCHEMA \(Self.forReaders) IS \(connection.literal(label))
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
        let schema = connection.literal(Self.forReaders)
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
