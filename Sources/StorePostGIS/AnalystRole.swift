import HabitModel
import StoreEngine

/// The permissions of the role that runs user-supplied SQL.
///
/// Each rule is a query over the catalog. It returns the statements that an administrator has to run to meet the rule,
/// and no row if the rule is met. The rules revoke permissions that PostgreSQL grants to every role: large objects,
/// signals to other sessions, advisory locks, notifications, waiting, temporary tables, functions that run with the
/// rights of their owner, and PostGIS functions that read the planner's statistics.
enum AnalystRole {
    /// Returns the statements that an administrator still has to run, in their order.
    ///
    /// - Parameters:
    ///   - connection: A connection of any role to the store's database.
    ///   - role: The name of the analyst's role.
    ///   - owner: The name of the program's role.
    /// - Returns: One SQL statement per element, or an empty array if the role meets all rules.
    /// - Throws: `PostGISError` if the server rejects the query or the connection fails.
    static func openStatements(_ connection: PostGISConnection, role: String, owner: String) throws -> [String] {
        let sql = """
            WITH analyst AS (
                SELECT named.rolname, coalesce(role.oid, 0) AS oid, role.oid IS NOT NULL AS is_there,
                  coalesce(rolsuper, false) AS rolsuper,
                  coalesce(rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls, false) AS has_attributes
                FROM (VALUES (\(connection.literal(role))::name)) AS named(rolname)
                LEFT JOIN pg_catalog.pg_roles AS role ON role.rolname = named.rolname
              ),
              owner AS (SELECT * FROM pg_catalog.pg_roles WHERE rolname = \(connection.literal(owner)))
            SELECT coalesce(string_agg(statement, chr(10) ORDER BY rank, statement), '')
            FROM (
            \(rules.enumerated().map { "SELECT \($0) AS rank, rule.* FROM (\($1)) AS rule(statement)" }.joined(separator: "\nUNION ALL\n"))
            ) AS rules
            """
        let text = try connection.execute(sql).text ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// The rules.
    ///
    /// In their queries, `analyst` and `owner` are the rows of the two roles.
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
        """
        SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC, %I;', routine.oid::pg_catalog.regprocedure, rolname)
        FROM analyst
        JOIN pg_catalog.pg_proc AS routine ON pg_catalog.has_function_privilege(analyst.oid, routine.oid, 'EXECUTE')
        WHERE NOT rolsuper
          AND (
            routine.pronamespace = 'pg_catalog'::pg_catalog.regnamespace AND routine.proname ~ '^(lo_.*|lowrite|loread|pg_(terminate|cancel)_backend|pg_notify|pg_sleep.*|pg_(try_)?advisory_.*|pg_logical_emit_message|pg_stat_get_backend_activity)$'
            OR routine.proname ~ '^dblink'
            -- PostGIS reads the planner's statistics of any table with these, which tell where its rows are.
            OR routine.proname ~ '^(_postgis_(stats|selectivity|join_selectivity|index_extent)|st_(estimated_?extent|find_?extent))$'
            -- What runs with its owner's rights is not for SQL of users.
            OR routine.prosecdef AND routine.pronamespace <> 'pg_catalog'::pg_catalog.regnamespace
          )
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
        setting("track_activities", "off", isMet: "ANY (ARRAY['track_activities=off', 'track_activities=false'])"),
        setting(
            "temp_file_limit", "'1GB'",
            isMet:
                "ANY (SELECT entry FROM pg_catalog.unnest(setconfig) AS entry WHERE entry ~ '^temp_file_limit=[1-9]')"),
    ]

    /// Returns a rule for a setting of the role that only an administrator can change.
    private static func setting(_ name: String, _ value: String, isMet: String) -> String {
        """
        SELECT format('ALTER ROLE %I SET \(name) TO %s;', rolname, \(value.hasPrefix("'") ? "'\(value.replacing("'", with: "''"))'" : "'\(value)'"))
        FROM analyst
        WHERE NOT EXISTS (
          SELECT
          FROM pg_catalog.pg_db_role_setting
          CROSS JOIN LATERAL pg_catalog.unnest(setconfig) AS item
          WHERE setrole = analyst.oid AND setdatabase IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
            AND item = \(isMet)
        )
        """
    }
}
