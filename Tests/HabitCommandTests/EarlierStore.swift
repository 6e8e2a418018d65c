import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Creates stores of earlier schema versions by running the schema steps in Python.
enum EarlierStore {
    /// Range of schema versions, starting at 1.
    static var versions: ClosedRange<Int> { 1...StoreSchema.spatiaLite.version }

    /// Creates a store of schema `version` with two users and one record of each kind that has an instant.
    static func create(_ version: Int, at path: String) async throws {
        try await run(fill: records, version, at: path, source: "")
    }

    /// Creates a store of schema `version` with the records of another store.
    ///
    /// Columns that the version lacks are left out.
    static func create(_ version: Int, at path: String, copying source: String) async throws {
        try await run(fill: copy, version, at: path, source: source)
    }

    /// Creates the tables of a version and then runs `fill`.
    private static func run(fill: String, _ version: Int, at path: String, source: String) async throws {
        let steps = StoreSchema.spatiaLite.steps.prefix(version)
        let script = [tables, fill, end].joined(separator: "\n")
        let result = try await Program.run("/usr/bin/python3", ["-c", script, path, source] + steps, in: "/")
        try #require(result.status == 0, "\(result.errors)")
    }

    private static let tables = """
        import sqlite3, sys
        path, source, steps = sys.argv[1], sys.argv[2], sys.argv[3:]
        db = sqlite3.connect(path, isolation_level=None)
        db.enable_load_extension(True)
        db.load_extension('mod_spatialite')
        db.execute('PRAGMA journal_mode = WAL')
        if source: db.execute('ATTACH ? AS source', (source,))
        db.execute('BEGIN')
        db.execute("SELECT InitSpatialMetaData('WGS84_ONLY')").fetchall()
        for step in steps:
            statement = ''
            for line in (step.rstrip().removesuffix(';') + ';').splitlines(True):
                statement += line
                if sqlite3.complete_statement(statement):
                    db.execute(statement).fetchall()
                    statement = ''
        """

    private static let end = """
        db.execute('PRAGMA application_id = %d' % 0x48414254)
        db.execute('PRAGMA user_version = %d' % len(steps))
        db.execute('COMMIT')
        """

    /// The statements that insert two users and one record of each kind that has an instant.
    private static let records = """
        at = 1795155300000000
        db.execute("INSERT INTO account (id, external_id) VALUES (1, 'ann'), (2, 'bob')")
        db.execute("INSERT INTO follow (id, follower_id, followee_id, status, share, requested_at) VALUES (1, 1, 2, 'accepted', 'all', ?)", (at,))
        db.execute('''INSERT INTO habit (id, external_id, user_id, title, title_folded, weekdays)
            VALUES (1, 'run', 1, 'Run', 'run', 127)''')
        db.execute('''INSERT INTO event (id, external_id, user_id, habit_id, day, occurred_at, comment, comment_folded, outcome,
            unplanned, geometry) VALUES (1, 'e1', 1, 1, '2026-11-20', ?, 'Rain', 'rain', 'done', 0, MakePoint(-9.1, 38.7, 4326))''', (at,))
        db.execute("INSERT INTO item (id, external_id, user_id, name, state, posted_at) VALUES (1, 'i1', 1, 'Pot', 'claimed', ?)", (at,))
        db.execute("INSERT INTO claim (id, item_id, user_id, state, claimed_at) VALUES (1, 1, 2, 'claimed', ?)", (at,))
        db.execute('''INSERT INTO message (id, external_id, item_id, sender_id, recipient_id, sent_at, text)
            VALUES (1, 'm1', 1, 2, 1, ?, 'Hello')''', (at,))
        db.execute("INSERT INTO post (id, external_id, user_id, posted_at, deleted_at) VALUES (1, 'p1', 1, ?, ?)", (at, at))
        """

    /// The statements that copy the records of another store.
    private static let copy = """
        for table in ('account follow habit habit_schedule photo event item claim message post setting').split():
            there = [row[1] for row in db.execute(f'PRAGMA source.table_info({table})')]
            names = ', '.join(row[1] for row in db.execute(f'PRAGMA main.table_info({table})') if row[1] in there)
            db.execute(f'INSERT INTO main.{table} ({names}) SELECT {names} FROM source.{table}')
        """
}
