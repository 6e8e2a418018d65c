import Foundation
import HabitTestSupport
import Testing

/// Access to a store without the program.
///
/// Python reads and damages it with SQLite alone, without SpatiaLite.
enum RawStore {
    /// Returns one line for each record.
    ///
    /// Source ids replace the keys of the store.
    static func records(_ path: String) async throws -> String {
        guard TestServer.isUsed else { return try await python(dump, [path]).output }
        // For a PostgreSQL store, the export is the list of records.
        let folder = try TemporaryFolder()
        let result = try await Program.habitat("export", "all", "--store", path, in: folder)
        try #require(result.status == 0, "\(result.errors)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("all")).sorted()
        return try names.map { "\($0)\n" + ($0.hasSuffix(".csv") ? try folder.read("all/\($0)") : "") }.joined()
    }

    /// Returns one line for each table, index and trigger.
    static func schema(_ path: String) async throws -> String { try await python(schema, [path]).output }

    private static let schema = """
        import sqlite3, sys
        db = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True)
        for row in db.execute('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name'): print(row)
        """

    /// Runs statements without triggers and without foreign key checks, and then restores the triggers.
    static func damage(_ path: String, _ statements: [String]) async throws {
        _ = try await python(withoutTriggers, [path] + statements)
    }

    static func execute(_ path: String, _ statements: [String]) async throws {
        _ = try await python(execute, [path] + statements)
    }

    private static func python(_ script: String, _ arguments: [String]) async throws -> ProgramResult {
        let result = try await Program.run("/usr/bin/python3", ["-c", script] + arguments, in: "/")
        try #require(result.status == 0, "\(result.errors)")
        return result
    }

    private static let dump = """
        import json, sqlite3, sys
        db = sqlite3.connect('file:' + sys.argv[1] + '?mode=ro', uri=True)
        refs = {t: dict(db.execute('SELECT id, external_id FROM ' + t)) for t in ('account', 'habit', 'item')}
        refs['photo'] = dict(db.execute('SELECT id, hex(sha256) || media_type FROM photo'))
        names = {'user_id': 'account', 'follower_id': 'account', 'followee_id': 'account', 'sender_id': 'account',
                 'recipient_id': 'account', 'blocker_id': 'account', 'blocked_id': 'account', 'habit_id': 'habit', 'item_id': 'item', 'photo_id': 'photo'}
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        for table in ('setting account follow block habit habit_schedule pause photo event item claim message read_marker post').split():
            # A store of an earlier version does not have all tables.
            if table not in tables: continue
            columns = sorted(c[1] for c in db.execute('PRAGMA table_info(' + table + ')') if c[1] not in ('id', 'version'))
            references = [(i, refs[names[c]]) for i, c in enumerate(columns) if c in names]
            lines = []
            for row in map(list, db.execute('SELECT "' + '", "'.join(columns) + '" FROM ' + table)):
                for i, ids in references: row[i] = ids.get(row[i], row[i])
                row = [value.hex() if isinstance(value, bytes) else value for value in row]
                lines.append(table + ' ' + json.dumps(dict(zip(columns, row))))
            print('\\n'.join(sorted(lines)))
        """

    private static let execute = """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1], isolation_level=None)
        db.execute('PRAGMA synchronous = OFF')
        for statement in sys.argv[2:]: db.execute(statement)
        """

    private static let withoutTriggers = """
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1], isolation_level=None)
        db.execute('PRAGMA synchronous = OFF')
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('event', 'item', 'post')").fetchall()
        for name, sql in triggers: db.execute('DROP TRIGGER ' + name)
        for statement in sys.argv[2:]: db.execute(statement)
        for name, sql in triggers: db.execute(sql)
        """
}

/// A store that takes a noticeable time to read.
///
/// It is created once.
enum LargeStore {
    static let eventCount = 40_000

    private static let shared = Task { () async throws -> TemporaryFolder in
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "data/users.csv")
        try folder.write("id,user,title,days\n" + rows { "h\($0),ann,H\($0),1111111\n" }, to: "data/habits.csv")
        try folder.write(events(in: 2020), to: "data/events.csv")
        let result = try await Program.habitat("ingest", "data", in: folder)
        try #require(result.status == 0, "\(result.errors)")
        return folder
    }

    static func folder() async throws -> TemporaryFolder { try await shared.value }

    private static func rows(_ row: (Int) -> String) -> String { (1...140).map(row).joined() }

    /// Returns events of `year` as CSV.
    ///
    /// The store contains exactly the events of 2020.
    static func events(in year: Int) -> String {
        var text = "habit,day,comment,longitude,latitude\n"
        for index in 0..<eventCount {
            let habit = index % 140 + 1
            let day = index / 140
            let date = "\(year)-\(String(day / 28 + 1 + 100).suffix(2))-\(String(day % 28 + 1 + 100).suffix(2))"
            text += "h\(habit),\(date),note \(index),\(Double(index) / 1000 - 20),\(Double(index % 1000) / 20)\n"
        }
        return text
    }
}

extension Program {
    /// Starts `habitat` with no blocked signals, so that signals end it.
    ///
    /// A process inherits the signal mask of the test's thread.
    static func startInterruptible(
        _ arguments: [String], in folder: TemporaryFolder, scratch: TemporaryFolder
    ) throws -> RunningProgram {
        let script =
            "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execv(sys.argv[1], sys.argv[1:])"
        return try start(
            "/usr/bin/python3", ["-c", script, habitat] + arguments, in: folder.path, scratch: scratch)
    }
}

extension RunningProgram {
    /// Returns whether the program has opened a file.
    func hasOpen(_ path: String) -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let folder = "/proc/\(processIdentifier)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == target
        }
    }
}

extension TemporaryFolder {
    /// Names of all files except the WAL and shared memory files of SQLite.
    var namesWithoutWAL: [String] { names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } }

    /// Names of temporary output files.
    var temporaryNames: [String] { names.filter { $0.hasSuffix(".tmp") } }

    /// Waits until a temporary file exists or the process has ended.
    func waitForTemporaryName(of process: RunningProgram) async throws {
        try await waitUntil("a temporary file exists", every: .microseconds(500)) {
            !temporaryNames.isEmpty || !process.isRunning
        }
    }

    func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file(name))[.posixPermissions] as? Int
    }

    func contents(_ name: String) -> Data? { FileManager.default.contents(atPath: file(name)) }

    /// Returns the size of a file in bytes, or 0 if the file does not exist.
    func size(_ name: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: file(name))[.size] as? Int) ?? 0
    }
}
