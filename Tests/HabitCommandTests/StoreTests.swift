import Foundation
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the store's file: its use by other programs, and files that are not stores.
@Suite(.fileStoreOnly) struct StoreTests {
    @Test func ogrinfoReadsLayers() async throws {
        let folder = try await SampleData.folder()
        let list = try await Program.run("/usr/bin/ogrinfo", ["-ro", "habitat.db"], in: folder.path)
        for layer in ["event", "item", "post"] { #expect(list.output.contains(": \(layer) (Point)"), "\(list.output)") }
        for (layer, count) in [("event", 4990), ("item", 300), ("post", 400)] {
            let info = try await Program.run("/usr/bin/ogrinfo", ["-ro", "-so", "habitat.db", layer], in: folder.path)
            #expect(info.output.contains("Feature Count: \(count)"))
            #expect(info.output.contains("ID[\"EPSG\",4326]"))
            #expect(info.output.contains("Geometry: Point"))
        }
    }

    @Test func pathThatSQLiteDoesNotOpenIsRefusedWithReason() async throws {
        let folder = try TemporaryFolder()
        for command in ["init", "history", "doctor"] {
            let memory = try await Program.habitat(command, "--store", ":memory:", in: folder)
            #expect(memory.status != 0, "\(memory)")
            #expect(memory.errors.contains("SQLite's name of a database in memory"), "\(memory)")
        }
        #expect(try await Program.habitat("init", "--store", "./:memory:", in: folder).status == 0)
        let part = String(repeating: "e", count: 100)
        let path = Array(repeating: part, count: 6).joined(separator: "/")
        try FileManager.default.createDirectory(atPath: folder.file(path), withIntermediateDirectories: true)
        for command in ["init", "history"] {
            let long = try await Program.habitat(command, "--store", path + "/s.db", in: folder)
            #expect(long.status != 0, "\(long)")
            #expect(long.errors.contains("is too long for a store"), "\(long)")
        }
        #expect(try await Program.habitat("init", "--store", "s.db", in: folder).status == 0)
        let backup = try await Program.habitat("backup", path + "/s.db", "--store", "s.db", in: folder)
        #expect(backup.status != 0, "\(backup)")
        #expect(backup.errors.contains("is too long for a store"), "\(backup)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(path)).isEmpty)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let stores = names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(Set(stores) == [part, ":memory:", "s.db"])
    }

    /// A relative path counts with its folder, and a symbolic link with its target.
    @Test func lengthOfAbsolutePathDecides() async throws {
        let folder = try TemporaryFolder()
        // SQLite opens paths of at most 504 bytes.
        let root = folder.path.replacing("//", with: "/")
        let space = 504 - root.utf8.count - "//s.db".utf8.count
        let parts = [String(repeating: "a", count: space / 2), String(repeating: "b", count: space - space / 2 - 1)]
        let path = parts.joined(separator: "/")
        try FileManager.default.createDirectory(atPath: folder.file(path), withIntermediateDirectories: true)
        #expect(try await Program.habitat("init", "--store", path + "/s.db", in: folder).status == 0)
        #expect(try await Program.habitat("init", "--store", path + "/s1.db", in: folder).status != 0)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: folder.file(path))
        #expect(try await Program.habitat("history", "--store", "link/s.db", in: folder).status == 0)
        #expect(try await Program.habitat("init", "--store", "link/s1.db", in: folder).status != 0)
    }

    @Test func spatialIndexMatchesRows() async throws {
        let folder = try await SampleData.folder()
        for layer in ["event", "item", "post"] {
            let check = try await Program.run(
                "/usr/bin/ogrinfo",
                [
                    "-ro", "-q", "-dialect", "SQLite", "habitat.db", "-sql",
                    "SELECT CheckSpatialIndex('\(layer)', 'geometry') AS ok",
                ],
                in: folder.path)
            #expect(check.output.contains("ok (Integer) = 1"), "\(check.output) \(check.errors)")
        }
    }

    /// The views have the values of the lists, with one difference: an expired item has its stored state.
    ///
    /// SQLite without extensions can read them.
    @Test(arguments: [
        ("events", "id,user,habit,title,day,at,comment,outcome,has_photo,unplanned,amount", ["history"]),
        (
            "items", "id,user,name,description,claimed_by,posted_at,expires,has_photo",
            ["item", "list", "--state", "all"]
        ),
        ("posts", "id,user,caption,posted_at,has_photo", ["post", "list"]),
    ])
    func viewHasValuesOfList(view: String, columns: String, command: [String]) async throws {
        let folder = try await SampleData.folder()
        let script = """
            import csv, sqlite3, sys
            db = sqlite3.connect('file:habitat.db?mode=ro', uri=True)
            names = sys.argv[2].split(',')
            flags = {'has_photo': ('false', 'true'), 'unplanned': ('false', 'true')}
            with open(sys.argv[3], newline='', encoding='utf-8') as file:
                listed = [tuple(row[name] for name in names) for row in csv.DictReader(file)]
            def text(name, value):
                if name in flags:
                    return flags[name][value]
                return '' if value is None else f'{value:g}' if isinstance(value, float) else str(value)
            rows = db.execute(f"SELECT {','.join(names)} FROM {sys.argv[1]}")
            found = [tuple(text(name, value) for name, value in zip(names, row)) for row in rows]
            print(len(found), [pair for pair in zip(sorted(found), sorted(listed)) if pair[0] != pair[1]][:2])
            """
        let list = try TemporaryFolder()
        let result = try await Program.habitat(
            command + ["--now", SampleData.now, "--format", "csv", "--columns", columns], in: folder)
        try list.write(result.output, to: "list.csv")
        let compared = try await Program.run(
            "/usr/bin/python3", ["-c", script, view, columns, list.file("list.csv")], in: folder.path)
        let count = parseCSV(result.output).count - 1
        #expect(count > 100, "\(compared)")
        #expect(compared.output == "\(count) []\n", "\(compared)")
    }

    /// Programs show the views as layers, and use the spatial index of the tables.
    @Test func ogrinfoReadsViewsAsLayers() async throws {
        let folder = try await SampleData.folder()
        let list = try await Program.run("/usr/bin/ogrinfo", ["-ro", "habitat.db"], in: folder.path)
        for layer in ["events", "items", "posts"] {
            #expect(list.output.contains(": \(layer) (Point)"), "\(list.output)")
        }
        #expect(list.errors.isEmpty)
        let box = ["-9.2", "38.7", "-9.1", "38.75"]
        let inside = try await Program.habitat(
            "history", "--bbox", box.joined(separator: ","), "--format", "csv", "--columns", "id", "--now",
            SampleData.now, in: folder)
        let arguments = ["-ro", "-so", "habitat.db", "events", "-spat"] + box
        let info = try await Program.run("/usr/bin/ogrinfo", arguments, in: folder.path)
        #expect(info.output.contains("Feature Count: \(inside.lines.count - 1)\n"), "\(info)")
        #expect(info.output.contains("Geometry: Point"), "\(info)")
        #expect(info.output.contains("ID[\"EPSG\",4326]"), "\(info)")
        #expect(info.output.contains("FID Column = fid"), "\(info)")
    }

    /// A table of another program keeps its definition, and the migration succeeds.
    @Test func migrationKeepsTableOfOtherProgram() async throws {
        let statement = "CREATE TABLE events (seven)"
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        try await EarlierStore.create(12, at: store)
        try await RawStore.execute(store, [statement])
        #expect(try await Program.habitat("user", "add", "newcomer", in: folder).status == 0)
        let script = """
            import sqlite3
            db = sqlite3.connect('habitat.db')
            print(*[row[0] for row in db.execute("SELECT sql FROM sqlite_schema WHERE name = 'events'")])
            print(*[row[0] for row in db.execute('SELECT view_name FROM views_geometry_columns ORDER BY 1')])
            """
        let result = try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path)
        #expect(result.output == "\(statement)\nitems posts\n", "\(result)")
        let events = try await Program.habitat("query", "SELECT id FROM events", "--format", "csv", in: folder)
        #expect(events.lines == ["id", "e1"], "\(events)")
    }

    /// Recipes read the view of Habitat, so a store with another view of the same name is refused before its migration.
    @Test func viewOfOtherProgramIsRefusedUntilItIsRemoved() async throws {
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        try await EarlierStore.create(12, at: store)
        try await RawStore.execute(store, ["CREATE VIEW events AS SELECT 7 AS seven"])
        let refused = try await Program.habitat("user", "add", "newcomer", in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("view events"), "\(refused)")
        #expect(refused.errors.contains("DROP VIEW \"events\""), "\(refused)")
        try await RawStore.execute(store, ["DROP VIEW \"events\""])
        #expect(try await Program.habitat("user", "add", "newcomer", in: folder).status == 0)
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
    }

    /// Only PostgreSQL stores need libpq, and the error names it if it is missing.
    @Test func fileStoreWorksWithoutLibpq() async throws {
        let folder = try TemporaryFolder()
        try folder.write("not a library", to: "libpq.so.5")
        let without = ["LD_LIBRARY_PATH": folder.path]
        #expect(try await Program.habitat("init", in: folder, environment: without).status == 0)
        #expect(try await Program.habitat("history", in: folder, environment: without).status == 0)
        let refused = try await Program.habitat(
            "history", "--store", "postgresql://ann@127.0.0.1:1/habitat", in: folder, environment: without)
        #expect(refused.status == 69)
        #expect(
            refused.errors.contains(
                "libpq 14 or newer cannot be loaded (\(folder.file("libpq.so.5"))"),
            "\(refused.errors)")
    }

    /// Only writers need SpatiaLite, and the error names it if it is missing.
    @Test func readersWorkWithoutSpatiaLite() async throws {
        let folder = try TemporaryFolder()
        try folder.write("not a library", to: "libspatialite.so.7")
        let without = ["LD_LIBRARY_PATH": folder.path]
        let store = try await SampleData.folder().file("habitat.db")
        for command in [
            ["history", "--near", "38.7223,-9.1393", "--limit", "3"],
            ["near", "38.7223,-9.1393", "--within", "3000km"],
            ["query", "SELECT longitude, latitude FROM events ORDER BY id LIMIT 3"],
            ["report", "run", "nightly-summary"], ["history", "--comment", "chuva", "--format", "geojson"],
        ] {
            let arguments = command + ["--store", store, "--now", SampleData.now]
            let result = try await Program.habitat(arguments, in: folder, environment: without)
            let expected = try await Program.habitat(arguments, in: folder)
            #expect(result.status == 0, "\(result)")
            #expect(result == expected, "\(result)")
        }
        let new = try await Program.habitat(["init", "--store", "new.db"], in: folder, environment: without)
        #expect(new.status == 69)
        #expect(new.errors.hasPrefix("error[store-unavailable]: SpatiaLite cannot be loaded"))
        #expect(new.errors.contains("libspatialite7"), "\(new.errors)")
        #expect(
            try await Program.habitat("init", "--store", "new.db", in: folder).status == 0,
            "the store can be created later")
    }

    @Test func storeIsReadableOnlyByOwner() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        for name in folder.names {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.file(name))[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(name)")
        }
    }

    @Test func initKeepsExistingStore() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        #expect(try await Program.habitat("ingest", "users.csv", in: folder).status == 0)
        #expect(try await Program.habitat("init", in: folder).status == 0)
        #expect(
            try await Program.habitat("user", "list", "--format", "csv", in: folder).output
                == "id,name,following,follower\nann,,none,none\n")
    }

    @Test func fileThatIsNotStoreIsRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "just text, and enough of it to be no SQLite database at all, whatever one may think of it: "
                + String(repeating: "x", count: 4000), to: "text.db")
        try folder.write("", to: "empty.db")
        let other = try await Program.run(
            "/usr/bin/python3",
            ["-c", "import sqlite3; sqlite3.connect('other.db').execute('CREATE TABLE t (a)').connection.commit()"],
            in: folder.path)
        try #require(other.status == 0, "\(other.errors)")
        try FileManager.default.createDirectory(atPath: folder.file("folder.db"), withIntermediateDirectories: false)
        for (name, status, slug) in [
            ("none.db", 69, "store-unavailable"), ("text.db", 65, "store-not-habitat"),
            ("empty.db", 65, "store-not-habitat"),
            ("other.db", 65, "store-not-habitat"), ("folder.db", 65, "store-not-habitat"),
        ] as [(String, Int32, String)] {
            let before = FileManager.default.contents(atPath: folder.file(name))
            let result = try await Program.habitat("history", "--store", name, in: folder)
            #expect(result.status == status, "\(name): \(result.errors)")
            #expect(result.errors.hasPrefix("error[\(slug)]: "), "\(name): \(result.errors)")
            if name != "none.db", name != "empty.db" {
                let load = try await Program.habitat("ingest", SampleData.path, "--store", name, in: folder)
                #expect(load.status == 65, "\(name): \(load.errors)")
                #expect(FileManager.default.contents(atPath: folder.file(name)) == before)
            }
        }
        #expect(!folder.names.contains("none.db"))
    }

    @Test(.fileStoreOnly) func truncatedStoreIsReportedAsDamaged() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        let store = folder.file("habitat.db")
        let whole = try #require(FileManager.default.contents(atPath: store))
        try whole.prefix(3000).write(to: URL(fileURLWithPath: store))
        for command in ["history", "stats", "doctor"] {
            let result = try await Program.habitat(command, in: folder)
            #expect(result.status == 65, "\(command): \(result)")
            #expect(result.errors.hasPrefix("error[store-damaged]: "), "\(command): \(result)")
        }
    }

    @Test func statsCountRowsPositionsAndBytes() async throws {
        let rows = parseCSV(try await SampleData.habitat("stats", "--format", "csv").output)
        #expect(rows[0] == ["kind", "rows", "located", "bytes"])
        let pairs = rows.dropFirst().map { ($0[0] ?? "", Array($0[1...2])) }
        let counts = Dictionary(uniqueKeysWithValues: pairs)
        #expect(counts["events"] == ["4990", "4098"])
        #expect(counts["items"] == ["300", "256"])
        #expect(counts["posts"] == ["400", "341"])
        #expect(counts["users"] == ["40", nil])
        #expect(counts["schedules"] == ["5", nil])
        #expect(counts["messages"] == ["408", nil])
        #expect(rows.dropFirst().allSatisfy { ($0[3].flatMap { Int($0) } ?? 0) >= 4096 })
    }

    @Test(
        .fileStoreOnly,
        arguments: [
            (["--format", "text"], "settings      0           8.2 kB\n"),
            (["--plain"], "settings\t0\t\t8192\n"),
            (["--format", "csv"], "settings,0,,8192\n"),
            (["--format", "ndjson"], #"{"kind":"settings","rows":0,"located":null,"bytes":8192}"# + "\n"),
        ])
    func statsShowUnitOfBytesOnlyToPeople(options: [String], line: String) async throws {
        let result = try await SampleData.habitat(["stats"] + options)
        #expect(result.output.contains(line), "\(result)")
    }

    /// A store without the columns of this version is not read.
    ///
    /// The first command that writes migrates it.
    @Test func earlierStoreIsMigratedByWriter() async throws {
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        try await EarlierStore.create(1, at: store, copying: SampleData.folder().file("habitat.db"))
        let queries = [
            ["report", "run", "habits", "--date", "2026-11-20"], ["history", "--comment", "a"],
            ["history", "--comment", "いい"], ["history", "--comment", "chuva"],
            ["history", "--near", "38.7,-9.1", "--limit", "20"],
        ]
        func runQueries(_ folder: TemporaryFolder) async throws -> [String] {
            try await queries.asyncMap { query in
                let result = try await Program.habitat(
                    ["--now", Reports.now] + query + ["--format", "csv"], in: folder)
                #expect(result.status == 0, "\(query): \(result.errors)")
                #expect(result.lines.count > 1, "\(query): \(result.errors)")
                return result.output
            }
        }
        let new = try await runQueries(SampleData.folder())
        let bytes = FileManager.default.contents(atPath: store)
        for query in queries + [["doctor"]] {
            let refused = try await Program.habitat(query, in: folder)
            #expect(refused.status == 69, "\(refused)")
            #expect(refused.errors.hasPrefix("error[store-unavailable]: "), "\(refused)")
        }
        #expect(FileManager.default.contents(atPath: store) == bytes)
        #expect(try await Program.habitat("user", "add", "newcomer", in: folder).status == 0)
        #expect(try await runQueries(folder) == new)
        let doctor = try await Program.habitat("doctor", in: folder)
        #expect(doctor.status == 0, "\(doctor)")
    }

    /// A store without an index is slower but returns the same results.
    @Test func missingIndexDoesNotChangeResults() async throws {
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        try await FileManager.default.copyItem(atPath: SampleData.folder().file("habitat.db"), toPath: store)
        try await RawStore.execute(
            store, ["DROP INDEX event_skipped", "DROP INDEX event_day", "DROP INDEX event_user_day"])
        for query in [
            ["report", "run", "nightly-summary", "--date", "2026-11-20"], ["habit", "list"], ["todo", "--as", "alice"],
            ["history", "--limit", "20"],
        ] {
            let arguments = ["--now", SampleData.now] + query + ["--format", "csv"]
            let result = try await Program.habitat(arguments, in: folder)
            #expect(result.status == 0, "\(query): \(result.errors)")
            #expect(result.lines.count > 1, "\(query): \(result.errors)")
            #expect(try await result == Program.habitat(arguments, in: SampleData.folder()), "\(query)")
        }
        let habit = ["habit", "add", "--title", "Hum", "--id", "alice:hum", "--days", "1111111"]
        let event = ["event", "add", "--habit", "alice:hum"]
        for change in [habit, event] {
            let result = try await Program.habitat(change + ["--as", "alice", "--now", SampleData.now], in: folder)
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    /// The triggers of schema 4 lost terms of an edited comment.
    ///
    /// Schema 5 rebuilds the index.
    @Test func migrationRebuildsCommentIndex() async throws {
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        try await EarlierStore.create(4, at: store, copying: SampleData.folder().file("habitat.db"))
        try await RawStore.execute(
            store,
            [
                "UPDATE event SET comment = 'Rückenwind', comment_folded = 'rückenwind' WHERE external_id = 'e00001'",
                "UPDATE event SET comment = 'Gegenwind', comment_folded = 'gegenwind' WHERE external_id = 'e00001'",
            ])
        func find() async throws -> [String] {
            let found = try await Program.habitat(
                "history", "--comment", "enwind", "--columns", "id", "--format", "csv", in: folder)
            return Array(found.lines.dropFirst())
        }
        #expect(try await Program.habitat("user", "add", "newcomer", in: folder).status == 0)
        #expect(try await find() == ["e00001"])
        let doctor = try await Program.habitat("doctor", in: folder)
        #expect(doctor.status == 0, "\(doctor)")
    }

    /// Time zones are available in the shipped program, static or not.
    @Test func timeZonesAreKnown() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id,time_zone\nann,Pacific/Kiritimati\nbob,Not/AZone\n", to: "users.csv")
        let result = try await Program.habitat("ingest", "users.csv", "--format", "csv", in: folder)
        #expect(result.output.contains("users,1,0,0,1"))
        #expect(result.errors.contains("(time-zone-invalid)"))
    }
}

/// Tests that exit status 0 means that a change is stored, even if the output pipe is closed.
@Suite struct ClosedPipeTests {
    @Test func commandCompletesWhenOutputPipeIsClosed() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        // The pipe has no reader when the command begins.
        let script = """
            import os, subprocess, sys
            reader, writer = os.pipe()
            os.close(reader)
            print(subprocess.run(sys.argv[1:], stdout=writer).returncode)
            """
        for command in [
            "ingest users.csv", "user add bob --format json",
            "habit add --as ann --id ann:run --title Run --days 1111111 --start 2026-01-01",
        ] {
            let arguments = ["-c", script, Program.habitat] + command.split(separator: " ").map(String.init)
            let result = try await Program.run("/usr/bin/python3", arguments, in: folder.path)
            #expect(result.output == "0\n", "\(result)")
            #expect(result.errors == "", "\(result)")
        }
        let users = try await Program.habitat("user", "list", "--format", "csv", "--columns", "id", in: folder)
        #expect(users.output == "id\nann\nbob\n")
        let habits = try await Program.habitat("habit", "list", "--format", "csv", "--columns", "id", in: folder)
        #expect(habits.output == "id\nann:run\n")
    }
}
