import Base
import StoreEngine

/// The permissions of the role that runs user-supplied SQL.
///
/// Each rule is a query over the catalog. It returns the statements that an administrator has to run to meet the rule,
/// and no row if the rule is met. The rules revoke permissions that PostgreSQL grants to every role.
///
/// Outside `pg_catalog`, the role executes exactly the functions that the views and SQL over them need. In `pg_catalog`, it
/// executes functions without side effects, except functions that read XML or run SQL given as text: libxml2 does not
/// observe the time limit. So a function of a new extension is refused until an administrator has revoked it.
enum AnalystRole {
    /// Returns the statements that an administrator still has to run, in their order.
    ///
    /// - Parameters:
    ///   - connection: A connection of any role to the store's database.
    ///   - role: The name of the analyst's role.
    ///   - owner: The name of the program's role.
    ///   - functions: The functions that the role needs.
    /// - Returns: One SQL statement per element, or an empty array if the role meets all rules.
    /// - Throws: `PostGISError` if the server rejects the query or the connection fails.
    static func openStatements(
        _ connection: PostGISConnection,
        role: String,
        owner: String,
        functions: AnalystFunctions
    ) throws -> [String] {
        let selects = rules.enumerated().map { rank, rule in
            "SELECT \(rank) AS rank, rule.* FROM (\(rule)) AS rule(statement)"
        }
        let sql = """
            WITH analyst AS (
                SELECT named.rolname, coalesce(role.oid, 0) AS oid, role.oid IS NOT NULL AS is_there,
                  coalesce(rolsuper, false) AS rolsuper,
                  coalesce(rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls, false) AS has_attributes
                FROM (VALUES (\(connection.literal(role))::name)) AS named(rolname)
                LEFT JOIN pg_catalog.pg_roles AS role ON role.rolname = named.rolname
              ),
              owner AS (SELECT * FROM pg_catalog.pg_roles WHERE rolname = \(connection.literal(owner))),
              needed AS (\(functions.select(connection))),
              excess AS (
                SELECT routine.oid, routine.pronamespace,
                  routine.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AS is_built_in
                FROM analyst
                JOIN pg_catalog.pg_proc AS routine
                  ON pg_catalog.has_function_privilege(analyst.oid, routine.oid, 'EXECUTE')
                WHERE NOT rolsuper
                  AND CASE
                    WHEN routine.pronamespace = 'pg_catalog'::pg_catalog.regnamespace THEN \(dangerousCondition)
                    ELSE routine.oid NOT IN (SELECT needed.oid FROM needed)
                  END
              )
            SELECT coalesce(string_agg(statement, chr(10) ORDER BY rank, statement), '')
            FROM (
            \(selects.joined(separator: "\nUNION ALL\n"))
            ) AS rules
            """
        let text = try connection.execute(sql).text ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The volatile functions of `pg_catalog` that the role may execute.
    ///
    /// The role can change its own settings, and the limits of a statement that runs do not depend on them.
    private static let harmless = ["set_config"]

    /// A condition that the function `routine` of `pg_catalog` has side effects, reads XML, runs SQL given as text, or shows
    /// the SQL of other sessions.
    private static let dangerousCondition = """
        (
          routine.provolatile = 'v'
            AND routine.proname <> ALL (ARRAY[\(harmless.map { "'\($0)'" }.joined(separator: ", "))]::name[])
          OR 'xml'::pg_catalog.regtype = ANY (routine.proargtypes::oid[])
          OR routine.prorettype IN ('xml'::pg_catalog.regtype, 'xml[]'::pg_catalog.regtype)
          OR routine.proname ~ '(^|_)(xml|xpath)'
          OR routine.proname IN ('ts_stat', 'pg_stat_get_backend_activity')
          OR routine.proname = 'ts_rewrite' AND routine.proargtypes[1] = 'text'::pg_catalog.regtype::oid
        )
        """

    /// The rules.
    ///
    /// In their queries, `analyst` and `owner` are the rows of the two roles, `needed` the functions that the analyst needs,
    /// and `excess` the others that the analyst can execute.
    private static let rules = [
        // The following rules check the permissions of the role. A new role has those of PUBLIC.
        "SELECT format('CREATE ROLE %I LOGIN;', rolname) FROM analyst WHERE NOT is_there",
        """
        SELECT format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;', rolname)
        FROM analyst
        WHERE rolsuper OR has_attributes
        """,
        """
        SELECT format('REVOKE %I FROM %I;', granted.rolname, analyst.rolname)
        FROM analyst
        JOIN pg_catalog.pg_auth_members AS membership ON membership.member = analyst.oid
        JOIN pg_catalog.pg_roles AS granted ON granted.oid = membership.roleid
        """,
        // The program's role keeps the permission for the lock that serializes writers.
        """
        SELECT format('GRANT EXECUTE ON FUNCTION pg_catalog.pg_advisory_xact_lock(bigint) TO %I;', owner.rolname)
        FROM owner
        JOIN pg_catalog.pg_proc AS lock ON lock.oid = 'pg_catalog.pg_advisory_xact_lock(bigint)'::regprocedure
        WHERE NOT owner.rolsuper AND NOT EXISTS (
          SELECT FROM pg_catalog.aclexplode(lock.proacl) AS entry WHERE entry.grantee = owner.oid
        )
        """,
        // The program's role keeps the functions that are revoked from PUBLIC.
        inSchemas("GRANT EXECUTE ON ALL ROUTINES IN SCHEMA %I TO %I;", of: "owner"),
        builtIn("GRANT EXECUTE ON FUNCTION %s TO %I;", of: "owner"),
        inSchemas("REVOKE EXECUTE ON ALL ROUTINES IN SCHEMA %I FROM PUBLIC, %I;", of: "analyst"),
        builtIn("REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %I;", of: "analyst"),
        """
        SELECT format('GRANT EXECUTE ON ROUTINE %s TO %I;', needed.oid::pg_catalog.regprocedure, rolname)
        FROM analyst
        JOIN needed ON NOT pg_catalog.has_function_privilege(analyst.oid, needed.oid, 'EXECUTE')
          OR needed.pronamespace IN (SELECT excess.pronamespace FROM excess)
        WHERE NOT rolsuper
        """,
        """
        SELECT format('REVOKE CREATE, TEMPORARY ON DATABASE %I FROM PUBLIC, %I;', current_database(), rolname)
        FROM analyst
        WHERE NOT rolsuper
          AND pg_catalog.has_database_privilege(analyst.oid, current_database(), 'TEMPORARY, CREATE')
        """,
        """
        SELECT format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I;', nspname, rolname)
        FROM analyst
        JOIN pg_catalog.pg_namespace ON pg_catalog.has_schema_privilege(analyst.oid, pg_namespace.oid, 'CREATE')
        WHERE NOT rolsuper
        """,
        """
        SELECT format('REVOKE USAGE ON SCHEMA habitat FROM PUBLIC, %I;', rolname)
        FROM analyst
        JOIN pg_catalog.pg_namespace ON pg_catalog.has_schema_privilege(analyst.oid, pg_namespace.oid, 'USAGE')
        WHERE NOT rolsuper AND nspname = 'habitat'
        """,
        // Otherwise, a session of the analyst shows the text of its queries to the other sessions of the role.
        setting(
            "track_activities",
            to: "off",
            isMet: "ANY (ARRAY['track_activities=off', 'track_activities=false'])"),
        setting(
            "temp_file_limit",
            to: "''1GB''",
            isMet:
                "ANY (SELECT entry FROM pg_catalog.unnest(setconfig) AS entry WHERE entry ~ '^temp_file_limit=[1-9]')"),
    ]

    /// Returns a rule with a statement for each schema with functions that the analyst does not need.
    private static func inSchemas(_ statement: String, of role: String) -> String {
        """
        SELECT format('\(statement)', nspname, rolname)
        FROM \(role)
        JOIN pg_catalog.pg_namespace
          ON pg_namespace.oid IN (SELECT excess.pronamespace FROM excess WHERE NOT excess.is_built_in)
        WHERE NOT rolsuper
        """
    }

    /// Returns a rule with statements for the dangerous functions of `pg_catalog`, 20 in each.
    private static func builtIn(_ statement: String, of role: String) -> String {
        """
        SELECT format('\(statement)', string_agg(routine.name, ', ' ORDER BY routine.name), rolname)
        FROM \(role)
        CROSS JOIN (
          SELECT excess.oid::pg_catalog.regprocedure::text AS name,
            (row_number() OVER (ORDER BY excess.oid::pg_catalog.regprocedure::text) - 1) / 20 AS part
          FROM excess
          WHERE excess.is_built_in
        ) AS routine
        WHERE NOT rolsuper
        GROUP BY routine.part, rolname
        """
    }

    /// Returns a rule for a setting of the role that only an administrator can change.
    ///
    /// - Parameters:
    ///   - name: The name of the setting.
    ///   - value: The required value, in which a quotation mark is doubled.
    ///   - isMet: The end of a comparison of an entry `name=value` with the permitted values.
    /// - Returns: The SELECT of the rule.
    private static func setting(
        _ name: String,
        to value: String,
        isMet: String
    ) -> String {
        """
        SELECT format('ALTER ROLE %I SET \(name) TO %s;', rolname, '\(value)')
        FROM analyst
        WHERE NOT EXISTS (
          SELECT
          FROM pg_catalog.pg_db_role_setting
          CROSS JOIN LATERAL pg_catalog.unnest(setconfig) AS setting
          WHERE setrole = analyst.oid
            AND setdatabase IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
            AND setting = \(isMet)
        )
        """
    }
}
