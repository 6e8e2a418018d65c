import Base
import StoreEngine

/// A load of many rows into a table, without the cost of its indexes and foreign keys for each row.
///
/// If the table has no rows and is declared to load without indexes, both are dropped inside the transaction of the load.
/// They are created again at its end, which checks all references in one pass. A cluster keeps both. The servers then
/// update the statistics of the planner (ANALYZE). The counts by tile are updated at the end of every load.
struct PostGISBulkLoad {
    private let connection: PostGISConnection
    private let table: String
    private var repairs: [String] = []

    init(
        _ connection: PostGISConnection,
        table: SchemaDeclaration.LocatedTable,
        declaration: SchemaDeclaration,
        isDistributed: Bool
    ) throws {
        self.connection = connection
        self.table = table.name
        guard table.loadsWithoutIndexes, !isDistributed else {
            return
        }
        let tileCounts = declaration.tileCounts
        let counts = tileCounts.table == table.name ? tileCounts : nil
        guard try connection.execute("SELECT 1 FROM habitat.\(table.name) LIMIT 1").text == nil else {
            if let counts {
                try countLater(counts)
            }
            return
        }
        if let counts {
            try dropTrigger(of: counts)
        }
        try dropConstraintsAndIndexes()
    }

    /// Drops the trigger of the counts, which are filled at the end of the load.
    private mutating func dropTrigger(of counts: SchemaDeclaration.TileCounts) throws {
        try drop(
            """
            SELECT format('DROP TRIGGER %I ON habitat.\(table)', tgname), pg_get_triggerdef(oid)
            FROM pg_trigger
            WHERE tgrelid = 'habitat.\(table)'::regclass AND tgname = '\(counts.insertTrigger)'
            """)
        repairs.append("SELECT \(counts.functions.fill)()")
    }

    private mutating func dropConstraintsAndIndexes() throws {
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

    /// Counts the new rows at the end of the load, because each count costs more than an insert.
    private mutating func countLater(_ counts: SchemaDeclaration.TileCounts) throws {
        let last = try connection.execute("SELECT max(id) FROM habitat.\(table)").text
        let lastID = last.flatMap { text in Int64(text) } ?? 0
        let functions = counts.functions
        try connection.execute("SET LOCAL \(functions.countsNewRows) = 'no'")
        repairs.append("SET LOCAL \(functions.countsNewRows) = 'yes'")
        repairs.append("SELECT \(functions.countAfter)(\(lastID))")
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
        for command in commands {
            try connection.execute(command)
        }
    }

    func finish() throws {
        for repair in repairs.reversed() {
            try connection.execute(repair)
        }
        try connection.execute("ANALYZE habitat.\(table)")
    }
}
