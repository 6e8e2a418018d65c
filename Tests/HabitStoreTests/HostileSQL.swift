/// Statements that try to read, write or disturb more than the report views allow.
///
/// Each one uses an attack that is possible in some engine or version.
enum HostileSQL {
    /// Texts that no result may contain, such as other users' data, addresses and token digests.
    static let secrets = ["secret-comment", "secret@example.org", "secret-message", "secret-reason", "5ec2e7"]

    static let statements = tables + calls + rows + files + sessions + writes + shapes

    /// Table names, quoted or not, in every position of a statement.
    private static let tables =
        [
            "account", "habitat.account", "\"habitat\".\"account\"", "main.account", "temp.account", "public.account",
            "habitat.token", "habitat.identity", "habitat.message", "habitat.event", "habitat.event_0", "event",
            "habitat_views.viewer_session", "viewer_session", "pg_authid", "pg_catalog.pg_shadow", "pg_stat_activity",
            "pg_largeobject", "pg_largeobject_metadata", "pg_proc", "information_schema.columns", "sqlite_schema",
            "sqlite_master", "pragma_table_info('account')", "dbstat", "event_comment", "idx_event_geometry",
            "main.events", "\"main\".\"events\"", "main.items", "[main].[posts]", "views_geometry_columns",
            "spatial_ref_sys", "public.spatial_ref_sys", "pg_stats", "pg_statistic",
        ].map { "SELECT * FROM \($0)" } + [
            "TABLE habitat.account", "SELECT (SELECT email FROM habitat.account LIMIT 1)",
            "SELECT id FROM users WHERE EXISTS (SELECT 1 FROM habitat.account WHERE email LIKE 's%')",
            "WITH account AS (SELECT 1) SELECT email FROM habitat.account",
            "WITH events AS (SELECT * FROM habitat.event) SELECT comment FROM events",
            "SELECT comment FROM events UNION ALL SELECT email FROM habitat.account",
            "SELECT * FROM events, LATERAL (SELECT email FROM habitat.account) AS a",
            "SELECT id FROM users ORDER BY (SELECT email FROM habitat.account LIMIT 1)",
            "SELECT count(*) FROM events GROUP BY (SELECT max(email) FROM habitat.account)",
            "SELECT 'habitat.account'::regclass", "SELECT regclass 'habitat.account'",
            "SELECT regtype 'habitat.account'",
            "SELECT CAST('habitat.account' AS regclass)", "SELECT to_regclass('habitat.account')",
            "SELECT NULL::habitat.account",
            "SELECT habitat_operator_views.events.comment FROM habitat_operator_views.events",
            "SELECT comment FROM habitat_operator_views.events",
            "SELECT comment FROM \"habitat_operator_views\".\"events\"",
        ]

    /// Function calls by name.
    private static let calls = [
        "query_to_xml('SELECT email FROM habitat.account', true, true, '')",
        "table_to_xml('habitat.account', true, true, '')", "database_to_xml(true, true, '')",
        "schema_to_xml('habitat', true, true, '')", "cursor_to_xml('c', 1, true, true, '')",
        "ts_stat('SELECT to_tsvector(email) FROM habitat.account')",
        "ts_rewrite('a'::tsquery, 'SELECT a, b FROM habitat.x')",
        "pg_read_file('/etc/passwd')", "pg_read_binary_file('/etc/passwd')", "pg_ls_dir('/')",
        "lo_import('/etc/passwd')",
        "lo_create(4711)", "lo_creat(-1)", "lo_from_bytea(4712, 'x')", "lo_put(4711, 0, 'x')", "lo_unlink(4711)",
        "lo_get(4711)", "pg_terminate_backend(pg_backend_pid())", "pg_cancel_backend(1)", "pg_sleep(9)",
        "pg_sleep_for('9 s')", "pg_notify('a', 'b')", "pg_advisory_lock(1212236372)", "pg_try_advisory_lock(1)",
        "pg_advisory_xact_lock(1212236372)", "set_config('search_path', 'habitat', false)",
        "set_config('role', 'habitat', false)", "set_config('statement_timeout', '0', false)",
        "current_setting('port')",
        "nextval('habitat.event_id')", "setval('habitat.event_id', 1)", "currval('habitat.event_id')",
        "pg_reload_conf()",
        "pg_switch_wal()", "pg_logical_emit_message(true, 'a', 'b')", "dblink('host=localhost', 'SELECT 1')",
        "pg_export_snapshot()", "txid_current()", "inet_server_addr()", "pg_stat_get_activity(NULL)",
        "pg_stat_get_backend_activity(1)", "has_table_privilege('habitat.account', 'SELECT')", "habitat_views.viewer()",
        "habitat.count_events()", "pg_get_viewdef('habitat_views.events'::regclass)", "load_extension('x')",
        "readfile('/etc/passwd')", "BlobFromFile('/etc/passwd')", "BlobToFile(x'00', '/tmp/x')", "fts5(1)",
        "InitSpatialMetaData(1)", "ImportSHP('a', 'b', 'c')", "ExportSHP('account', 'geometry', 'x', 'y')",
        "eval('SELECT 1')", "randomblob(9)", "sqlite_compileoption_get(1)", "spatialite_version()",
        "writefile('x', 'y')",
    ].map { "SELECT \($0)" }

    /// PostgreSQL treats `alias.f` as a call of `f` if the rows of `alias` have one column.
    private static let rows =
        [
            "select to_tsvector('simple', coalesce(email, '')) from habitat.account",
            "select to_tsvector('simple', coalesce(text, '')) from habitat.message",
            "select to_tsvector('simple', coalesce(comment, '')) from habitat.event",
            "select to_tsvector('simple', encode(sha256, 'hex')) from habitat.token",
            "select to_tsvector('simple', coalesce(comment, '')) from habitat_operator_views.events",
            // Planner statistics reveal the extent of a table's rows.
            "select array_to_tsvector(array[public.st_estimatedextent('habitat', 'event_0', 'geometry')::text])",
            "select array_to_tsvector(array[public._postgis_stats('habitat.event'::regclass, 'geometry')])",
            "select array_to_tsvector(array[public._postgis_index_extent('habitat.event', 'geometry')::text])",
        ].map { "SELECT l.ts_stat FROM trim('\($0.replacing("'", with: "''"))') AS l" }
        + [
            "SELECT l.lo_create FROM abs(4713) AS l", "SELECT l.lo_unlink FROM abs(4711) AS l",
            "SELECT l.lo_creat FROM abs(131072) AS l", "SELECT l.pg_terminate_backend FROM abs(1) AS l",
            "SELECT l.pg_sleep FROM sqrt(81) AS l", "SELECT l.pg_read_file FROM trim('/etc/passwd') AS l",
            "SELECT l.pg_ls_dir FROM trim('/') AS l", "SELECT l.lo_import FROM trim('/etc/passwd') AS l",
            "SELECT l.nextval FROM trim('habitat.event_id') AS l",
            "SELECT l.to_regclass FROM trim('habitat.account') AS l",
            "SELECT l.pg_advisory_lock FROM abs(1212236372) AS l", "SELECT l.loread FROM abs(1) AS l",
            "SELECT l.\"ts_stat\" FROM trim('select to_tsvector(email) from habitat.account') AS l",
            "SELECT (l).ts_stat FROM trim('select to_tsvector(email) from habitat.account') AS l",
            "SELECT max(l.ts_stat::text) FROM trim('select to_tsvector(email) from habitat.account') AS l",
        ]

    /// Access to files and programs.
    private static let files = [
        "COPY habitat.account TO '/tmp/x'", "COPY (SELECT 1) TO PROGRAM 'id'", "ATTACH 'x.db' AS x",
        "VACUUM INTO 'x.db'",
        "SELECT * FROM csv('x')", "SELECT * FROM fsdir('/')", "SELECT * FROM zipfile('x')",
        "SELECT * FROM VirtualText('x')",
    ]

    /// Statements with effects beyond their own execution.
    private static let sessions = [
        "SET ROLE habitat", "RESET ROLE", "SET SESSION AUTHORIZATION habitat", "SET search_path TO habitat", "BEGIN",
        "COMMIT", "ROLLBACK", "SELECT 1; SET ROLE habitat", "LISTEN a", "NOTIFY a", "PREPARE p AS SELECT 1",
        "DISCARD ALL",
        "PRAGMA writable_schema = 1", "PRAGMA table_info(account)", "DO $$ BEGIN END $$", "LOCK TABLE habitat.event",
        "DECLARE c CURSOR FOR SELECT 1", "CALL habitat.f()", "EXPLAIN SELECT 1 FROM habitat.account",
    ]

    private static let writes = [
        "DELETE FROM events", "DELETE FROM habitat.event", "UPDATE habitat.account SET email = 'x'",
        "INSERT INTO habitat.account (external_id) VALUES ('x')", "DROP TABLE habitat.event",
        "CREATE TABLE t (a integer)",
        "CREATE TEMP TABLE t (a integer)", "CREATE TEMP VIEW events AS SELECT 1", "TRUNCATE habitat.event",
        "WITH d AS (DELETE FROM habitat.event RETURNING comment) SELECT * FROM d", "SELECT 1 INTO other",
        "SELECT * INTO TEMP other FROM events", "GRANT ALL ON habitat.account TO PUBLIC",
        "SELECT id FROM users FOR UPDATE",
        "MERGE INTO habitat.event USING habitat.event AS e ON true WHEN MATCHED THEN DELETE",
    ]

    /// Texts that SQL parsers split differently.
    private static let shapes = [
        "SELECT E'\\' || email FROM habitat.account -- '", "SELECT $$ ' $$, email FROM habitat.account",
        "SELECT U&\"\\0065mail\" FROM habitat.account", "SELECT 1 /* /* */ FROM habitat.account */",
        "SELECT email FROM habitat./**/account", "SELECT email FROM habitat\n.\naccount",
        "SELECT (ARRAY['a'])[1].upper", "SELECT (events).comment FROM habitat.event AS events",
        "SELECT 1/(SELECT count(*) - 1 FROM habitat.account WHERE email LIKE 's%')",
        // An error on a hidden row would reveal the row.
        "SELECT count(*) FROM events WHERE 1 / (CASE comment WHEN 'secret-comment' THEN 0 ELSE 1 END) = 1",
        "SELECT count(*) FROM events WHERE CAST(comment AS integer) > 0 AND comment LIKE 'secret%'",
        "SELECT * FROM habit_days((SELECT max(email) FROM habitat.account), NULL)",
        "SELECT * FROM habit_days((SELECT l.ts_stat::text FROM trim('select to_tsvector(email) from habitat.account') AS l LIMIT 1), NULL)",
    ]
}
