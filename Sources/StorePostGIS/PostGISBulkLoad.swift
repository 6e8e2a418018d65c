import Base

/// A load of many rows into a table, without the cost of its indexes and foreign keys for each row.
///
/// If the table is `event` and has no rows, both are dropped inside the transaction of the load. They are created again
/// at its end, which checks all references in one pass. A cluster keeps both. The servers then update the
/// statistics of the planner (ANALYZE). The counts of events for maps are updated at the end of every load.
struct PostGISBulkLoad {
    private let connection: PostGISConnection
    private let table: String
    private var repairs: [String] = []

    init(_ connection: PostGISConnection, table: String, isDistributed: Bool) throws {
        self.connection = connection
        self.table = table
        guard table == "event", !isDistributed else { return }
        guard try connection.execute("SELECT 1 FROM habitat.event LIMIT 1").text == nil else {
            try countLater()
            return
        }
        try drop(
            """
            SELECT format('DROP TRIGGER %I ON habitat.event', tgname), pg_get_triggerdef(oid)
            FROM pg_trigger
            WHERE tgrelid = 'habitat.event'::regclass AND tgname = 'event_map_insert'
            """)
        repairs.append("SELECT fill_event_map()")
        try drop(
            """
            SELECT format('ALTER TABLE habitat.%I DROP CONSTRAINT %I', '\(table)', conname),
              format('ALTER TABLE habitat.%I ADD CONSTRAINT %I %s', '\(table)', conname, pg_get_constraintdef(oid))
            FROM pg_constraint
            WHERE conrelid = 'habitat.\(table)'::regclass AND contype = 'f'
            ORDER BY conname
            """)
        try drop(
            """
            SELECT format('DROP INDEX habitat.%I', indexname), replace(indexdef, ' ON ONLY ', ' ON ')
            FROM pg_indexes
            WHERE schemaname = 'habitat' AND tablename = '\(table)' AND indexname <> '\(table)_pkey'
            ORDER BY indexname
            """)
    }

    /// Counts the new events for maps at the end of the load, because each count costs more than an insert.
    private mutating func countLater() throws {
        let last = try connection.execute("SELECT max(id) FROM habitat.event").text.flatMap { Int64($0) } ?? 0
        try connection.execute("SET LOCAL habitat.counts_new_events = 'no'")
        repairs += ["SET LOCAL habitat.counts_new_events = 'yes'", "SELECT count_events_after(\(last))"]
    }

    /// Runs commands and stores the commands that undo them.
    ///
    /// - Parameter sql: A query with two columns: the DROP command of an object and the command that creates it again.
    /// - Throws: `PostGISError` if the server rejects a command or the connection fails.
    private mutating func drop(_ sql: String) throws {
        let result = try connection.run(sql, [], in: .store)
        var commands: [String] = []
        while try result.next(), let row = result.row {
            commands.append(row.text(0) ?? "")
            repairs.append(row.text(1) ?? "")
        }
        for command in commands { try connection.execute(command) }
    }

    func finish() throws {
        for repair in repairs.reversed() { try connection.execute(repair) }
        try connection.execute("ANALYZE habitat.\(table)")
    }
}
