import Foundation
import HabitTestSupport
import Testing

/// Tests of the options, the errors and the transaction of `habitat import`.
@Suite(.engineIndependent) struct ImportCommandTests {
    private func sample(_ name: String) -> String { ImportCases.folder + "/" + name }

    /// Runs a Python script in the folder.
    private func python(_ script: String, in folder: TemporaryFolder) async throws {
        let run = try await Program.run(
            "/usr/bin/python3", ["-c", "import sqlite3, zipfile\n" + script], in: folder.path)
        try #require(run.status == 0, "\(run)")
    }

    /// Checks that an import fails with an error of the complete input and stores nothing.
    private func expectFailure(
        _ arguments: [String], slug: String, status: Int32 = 65, containing texts: String...,
        in folder: TemporaryFolder
    ) async throws {
        let before = try ImportedRows(of: "ana", in: folder)
        let run = try await Program.habitat(["import"] + arguments + ["--user", "ana"], in: folder)
        #expect(run.status == status, "\(run)")
        #expect(run.errors.contains("error[\(slug)]: "), "\(run)")
        for text in texts { #expect(run.errors.contains(text), "\(run)") }
        #expect(try ImportedRows(of: "ana", in: folder) == before)
    }

    // MARK: Write-ahead logs

    /// A script that creates the database of Loop whose second entry is only in its write-ahead log.
    private static let loggedDatabase = """
        import os, shutil
        c = sqlite3.connect('live.db'); c.execute('PRAGMA journal_mode = WAL')
        c.execute('CREATE TABLE Habits (id INTEGER PRIMARY KEY, name TEXT, freq_num INT, freq_den INT, type INT)')
        c.execute('CREATE TABLE Repetitions (id INTEGER PRIMARY KEY, habit INT, timestamp INT, value INT)')
        c.execute("INSERT INTO Habits VALUES (1, 'Run', 1, 1, 0)")
        c.execute('INSERT INTO Repetitions VALUES (1, 1, 1777593600000, 2)'); c.commit()
        c.execute('PRAGMA wal_checkpoint(TRUNCATE)')
        c.execute('INSERT INTO Repetitions VALUES (2, 1, 1777680000000, 2)'); c.commit()
        os.mkdir('copy')
        for end in ['', '-wal', '-shm']: shutil.copy('live.db' + end, 'copy/loop.db' + end)
        z = zipfile.ZipFile('copy.zip', 'w')
        for name in os.listdir('copy'): z.write('copy/' + name, 'files/' + name)
        z.close()

        """

    private func days(in folder: TemporaryFolder) throws -> [String] {
        try folder.rows("SELECT day FROM events ORDER BY day")
    }

    @Test(arguments: ["copy/loop.db", "copy", "copy.zip"]) func writeAheadLogOfLoopIsRead(input: String) async throws {
        let folder = try await ImportCases.store.copy()
        try await python(Self.loggedDatabase, in: folder)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.file("copy")).sorted()
        let run = try await Program.habitat("import", input, "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(!run.errors.contains("Skipped files"), "\(run)")
        #expect(try days(in: folder) == ["2026-05-01", "2026-05-02"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("copy")).sorted() == before)
    }

    /// SQLite ignores the end of a log after a damaged frame, a log without a valid header, and an empty log.
    @Test(
        arguments: [
            ("w[-1] ^= 1", ["2026-05-01"]), ("w[0] = 0", ["2026-05-01"]), ("w = b''", ["2026-05-01"]),
            ("w = w[:-1]", ["2026-05-01"]), ("w += bytes(5000)", ["2026-05-01", "2026-05-02"]),
            ("w += w[32:]", ["2026-05-01", "2026-05-02"]),
        ])
    func damagedLogIsReadLikeSQLiteDoes(change: String, expected: [String]) async throws {
        let folder = try await ImportCases.store.copy()
        let damage =
            "w = bytearray(open('copy/loop.db-wal', 'rb').read()); \(change); open('copy/loop.db-wal', 'wb').write(w)"
        let compare = """
            for end in ['', '-wal']: shutil.copy('copy/loop.db' + end, 'other.db' + end)
            rows = sqlite3.connect('other.db').execute("SELECT date(timestamp / 1000, 'unixepoch') FROM Repetitions")
            open('days.txt', 'w').write(' '.join(sorted(row[0] for row in rows)))
            """
        try await python(Self.loggedDatabase + damage + "\n" + compare, in: folder)
        #expect(try folder.read("days.txt") == expected.joined(separator: " "))
        let run = try await Program.habitat("import", "copy/loop.db", "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try days(in: folder) == expected)
    }

    // MARK: Values that cannot be read

    @Test func valuesThatCannotBeReadAreCountedInNotice() async throws {
        let folder = try await ImportCases.store.copy()
        func activity(_ day: Int, _ seconds: String) -> String {
            "<Activity Sport=\"Run\"><Id>2026-05-0\(day)T08:00:00Z</Id><Lap><TotalTimeSeconds>\(seconds)</TotalTimeSeconds></Lap></Activity>"
        }
        let activities = activity(1, "1800,5") + activity(2, "60") + activity(3, "x")
        try folder.write("<TrainingCenterDatabase>\(activities)</TrainingCenterDatabase>", to: "a.tcx")
        let run = try await Program.habitat("import", "a.tcx", "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(
            run.errors.hasPrefix("a.tcx: 2 durations cannot be read and are ignored, for example '1800,5'\n"), "\(run)")
    }

    @Test func unusableTZIsReportedForNewAccount() async throws {
        let folder = try await ImportCases.store.copy()
        let run = try await Program.habitat("user", "add", "zoe", in: folder, environment: ["TZ": "CET-1CEST"])
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("TZ is 'CET-1CEST', which is not the name of a time zone"), "\(run)")
        let named = try await Program.habitat(
            "user", "add", "zed", "--time-zone", "Europe/Oslo", in: folder, environment: ["TZ": "CET-1CEST"])
        #expect(named.status == 0, "\(named)")
        #expect(named.errors.isEmpty, "\(named)")
    }

    // MARK: Formats

    @Test(
        arguments: [
            ("a.txt", "some text\n", "text that begins with 'some text'"),
            ("a.json", "{\"b\":1,\"a\":{}}", "a JSON object with the members a, b"),
            ("a.xml", "<?xml version=\"1.0\"?>\n<!-- x --><x:root xmlns:x=\"u\"/>", "root element 'root'"),
            ("a.csv", "", "empty"),
            ("b.csv", "x,y\n1,2\n", "a table with the columns x, y, but has no column for habit and for day or at"),
        ])
    func unknownFormatIsDescribed(name: String, text: String, description: String) async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write(text, to: name)
        try await expectFailure(
            [name], slug: "format-not-recognised", containing: description, "loop-db, loop-csv", in: folder)
    }

    @Test func otherDatabasesAndWorkbooksAreNamed() async throws {
        let folder = try await ImportCases.store.copy()
        try await python("c = sqlite3.connect('a.db'); c.execute('CREATE TABLE t (a)'); c.commit()", in: folder)
        try await expectFailure(
            ["a.db"], slug: "format-not-recognised",
            containing: "a SQLite database without the tables Habits and Repetitions", in: folder)
        try await python("zipfile.ZipFile('a.xlsx', 'w').writestr('xl/workbook.xml', '<workbook/>')", in: folder)
        try await expectFailure(["a.xlsx"], slug: "format-not-recognised", containing: "ssconvert", in: folder)
        try await python(
            """
            c = sqlite3.connect('a.gpkg'); c.execute('PRAGMA application_id = 0x47504B47')
            for table in ['Habits', 'Repetitions']: c.execute(f'CREATE TABLE {table} (a)')
            c.commit()
            """, in: folder)
        try await expectFailure(["a.gpkg"], slug: "format-not-recognised", containing: "ogr2ogr", in: folder)
    }

    @Test func declaredFormatMustMatch() async throws {
        let folder = try await ImportCases.store.copy()
        let file = sample("loop/loop-v25.db")
        try await expectFailure([file, "--from", "harsh"], slug: "format-mismatch", containing: "loop-db", in: folder)
        try await expectFailure([file, "--from", "none"], slug: "parameter-invalid", status: 64, in: folder)
        let run = try await Program.habitat("import", file, "--from", "loop-db", "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
    }

    @Test func fileInArchiveOrGzipIsRecognized() async throws {
        let folder = try await ImportCases.store.copy()
        let path = sample("habitbull/habitbull.csv")
        try await python(
            """
            z = zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED)
            z.write('\(path)', '../../habits.csv'); z.writestr('readme.txt', 'hello')
            z.close()
            import gzip; gzip.open('a.csv.gz', 'wb').write(open('\(path)', 'rb').read())
            """, in: folder)
        for name in ["a.zip", "a.csv.gz"] {
            let run = try await Program.habitat(
                "import", name, "--user", "ana", "--format", "csv", "--max-rejects", "1", in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(ImportCounts(run).read == 11, "\(run)")
        }
        let input = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.zip")))
        let piped = try await Program.habitat(
            ["import", "-", "--user", "bob", "--format", "csv", "--max-rejects", "1"], in: folder, input: input)
        #expect(piped.status == 0, "\(piped)")
        #expect(ImportCounts(piped).count("inserted", of: "events") == 5, "\(piped)")
    }

    /// A name with `..` is only text, and a name must not select a format.
    @Test func archiveInsideArchiveIsNotRead() async throws {
        let folder = try await ImportCases.store.copy()
        try await python(
            """
            zipfile.ZipFile('inner.zip', 'w').write('\(sample("habitbull/habitbull.csv"))', 'habits.csv')
            zipfile.ZipFile('outer.zip', 'w').write('inner.zip')
            """, in: folder)
        try await expectFailure(["outer.zip"], slug: "format-not-recognised", containing: "inner.zip", in: folder)
    }

    // MARK: Damaged inputs

    @Test func newerDatabaseIsNotKnown() async throws {
        let folder = try await ImportCases.store.copy()
        try await python(
            """
            import shutil; shutil.copy('\(sample("loop/loop-v25.db"))', 'a.db')
            c = sqlite3.connect('a.db'); c.execute('PRAGMA user_version = 26'); c.commit()
            """, in: folder)
        try await expectFailure(["a.db"], slug: "version-not-known", containing: "26", in: folder)
    }

    @Test func databaseIsOpenedWithoutOtherFiles() async throws {
        let folder = try await ImportCases.store.copy()
        try await python(
            """
            import shutil, os; os.mkdir('db'); shutil.copy('\(sample("loop/loop-v25.db"))', 'db/a.db')
            c = sqlite3.connect('db/a.db'); c.execute('PRAGMA journal_mode = WAL'); c.close(); os.chmod('db', 0o500)
            """, in: folder)
        let run = try await Program.habitat("import", "db/a.db", "--user", "ana", "--format", "csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(ImportCounts(run).count("inserted", of: "events") == 25, "\(run)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("db")) == ["a.db"])
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.file("db"))
    }

    @Test(arguments: [50, 1000, 4096, 5000, 12_000, 20_000, 28_671])
    func truncatedDatabaseStoresNothing(size: Int) async throws {
        let folder = try await ImportCases.store.copy()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: sample("loop/loop-v25.db")))
        try folder.write(bytes.prefix(size), to: "a.db")
        try await expectFailure(["a.db"], slug: "archive-unreadable", containing: "a.db", in: folder)
    }

    /// The last page contains only zeros, so the file has the size that its header declares.
    @Test func damagedPageOfDatabaseStoresNothing() async throws {
        let folder = try await ImportCases.store.copy()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: sample("loop/loop-v25.db")))
        for page in 1..<bytes.count / 4096 {
            var damaged = bytes
            damaged.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
            try folder.write(damaged, to: "a.db")
            try await expectFailure(["a.db"], slug: "archive-unreadable", containing: "a.db", in: folder)
        }
    }

    @Test func databaseIsReadFromPipe() async throws {
        let folder = try await ImportCases.store.copy()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: sample("loop/loop-v25.db")))
        let run = try await Program.habitat(
            ["import", "-", "--user", "ana", "--format", "csv"], in: folder, input: bytes)
        #expect(run.status == 0, "\(run)")
        #expect(ImportCounts(run).count("inserted", of: "events") == 25, "\(run)")
    }

    @Test func damagedFileOfArchiveStoresNothing() async throws {
        let folder = try await ImportCases.store.copy()
        let path = sample("loop/Loop Habits CSV 2026-11-01.zip")
        try await python(
            """
            d = bytearray(open('\(path)', 'rb').read())
            i = d.rfind(b'PK\\1\\2', 0, d.rfind(b'/Checkmarks.csv')); d[i + 16] ^= 1
            open('a.zip', 'wb').write(d); open('b.zip', 'wb').write(d[:-100])
            """, in: folder)
        try await expectFailure(["a.zip"], slug: "archive-unreadable", containing: "checksum", in: folder)
        try await expectFailure(["b.zip"], slug: "archive-unreadable", containing: "b.zip", in: folder)
    }

    // MARK: Users

    @Test func operatorNamesUserAndUserImportsOwnRecords() async throws {
        let folder = try await ImportCases.store.copy()
        let file = sample("csv/matrix-wide.csv")
        #expect(try await Program.habitat("import", file, in: folder).status == 64)
        let unknown = try await Program.habitat("import", file, "--user", "zoe", in: folder)
        #expect(unknown.status == 66)
        #expect(unknown.errors.contains("habitat user add"))
        #expect(try await Program.habitat("import", file, "--user", "ana", "--as", "bob", in: folder).status == 77)
        #expect(try await Program.habitat("import", file, "--as", "bob", in: folder).status == 0)
        #expect(try ImportedRows(of: "bob", in: folder).events.count == 4)
        #expect(try ImportedRows(of: "ana", in: folder).events.isEmpty)
    }

    // MARK: Rejected and skipped entries

    @Test func rejectsContainSkippedEntriesWithContent() async throws {
        let folder = try await ImportCases.store.copy()
        let run = try await Program.habitat(
            "import", sample("harsh"), "--user", "ana", "--rejects", "refused.csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("1 skipped entry has a note or an amount."), "\(run)")
        let rows = try folder.read("refused.csv").split(separator: "\n")
        #expect(rows.count == 6)
        #expect(rows.contains { $0.contains(",not-done,") && $0.contains("late") })
        #expect(rows.contains { $0.contains(",line-invalid,") && $0.contains("2026-03-09 : Gym") })
    }

    /// Corrected rows of the file of rejected entries can be loaded.
    @Test func correctedRejectsAreLoaded() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        let run = try await Program.habitat(
            "import", sample("loop/loop-v25.db"), "--user", "ana", "--rejects", "refused.ndjson", in: folder)
        #expect(run.status == 65, "\(run)")
        var rows = try folder.read("refused.ndjson")
        rows = rows.replacing("Practise the piano for an hour", with: "Piano")
        rows = rows.replacing("Scales first, then the new piece, then whatever you like best", with: "Scales first")
        rows = rows.replacing("Did you run? – Any distance counts", with: "Any distance counts")
        rows = rows.replacing("a note that is longer than twenty characters", with: "a note")
        try folder.write(rows, to: "corrected.ndjson")
        let load = try await Program.habitat("ingest", "corrected.ndjson", in: folder)
        #expect(load.status == 0, "\(load)")
        #expect(try ImportedRows(of: "ana", in: folder).events.count == 25)
    }

    /// One command for each limit is enough, and each error names its habit.
    @Test func noticesOfLimitsAreSufficient() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        let command = ["import", sample("loop/loop-v25.db"), "--user", "ana"]
        let first = try await Program.habitat(command, in: folder)
        #expect(first.status == 65, "\(first)")
        let title = "'Practise the piano for an hour': title: the title has 30 characters"
        let line = try #require(first.errors.split(separator: "\n").first { line in line.contains(title) })
        #expect(line.hasSuffix(", and 2 entries of the habit"), "\(first)")
        let settings = first.errors.matches(of: /run 'habitat (setting set [a-z-]+ \d+)'/)
        #expect(!settings.isEmpty)
        for match in settings {
            let run = try await Program.habitat(match.1.split(separator: " ").map(String.init), in: folder)
            #expect(run.status == 0, "\(run)")
        }
        #expect(try await Program.habitat(command, in: folder).status == 0)
    }

    @Test func rejectedPostKeepsItsValues() async throws {
        let folder = try await ImportCases.store.copy()
        let entries = [
            #"{"type":"checkin","id":"a","createdAt":"2026-06-01 10:00:00","shout":"hi","lat":91,"lng":0}"#,
            #"{"type":"checkin","id":"b","createdAt":"yesterday","shout":"ho","lat":1,"lng":2}"#,
        ]
        try folder.write("{\"items\":[\(entries.joined(separator: ","))]}", to: "c.json")
        let run = try await Program.habitat("import", "c.json", "--user", "ana", "--rejects", "r.ndjson", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("c.json:1: entry 2: at: 'yesterday'"), "\(run)")
        let load = try await Program.habitat("ingest", "r.ndjson", in: folder)
        #expect(load.status == 0, "\(load)")
        let posts = try folder.rows("SELECT id, caption, longitude FROM posts ORDER BY id")
        #expect(posts == ["swarm:a,hi,", "swarm:b,ho,2"])
    }

    @Test func rejectedRowOfTableKeepsItsValues() async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write("id,user,title,days\nrun,ana,Run,1111111\n", to: "habits.csv")
        try #require(try await Program.habitat("ingest", "habits.csv", in: folder).status == 0)
        try folder.write("day,habit,status,amount,note\n2026-02-30,Run,x,5.5,wet\n", to: "a.csv")
        let run = try await Program.habitat("import", "a.csv", "--user", "ana", "--rejects", "r.csv", in: folder)
        #expect(run.status == 65, "\(run)")
        let rows = try folder.read("r.csv").replacing("2026-02-30", with: "2026-02-28")
        try folder.write(rows, to: "r.csv")
        let load = try await Program.habitat("ingest", "r.csv", in: folder)
        #expect(load.status == 0, "\(load)")
        let events = try folder.rows("SELECT habit, day, outcome, amount, comment FROM events")
        #expect(events == ["run,2026-02-28,done,5.5,wet"])
    }

    @Test func rejectedEntryOfNestedListNamesHabit() async throws {
        let folder = try await ImportCases.store.copy()
        let records = #"{"day": "2026-01-01", "done": true}, {"day": "01/02/2026", "done": true}"#
        try folder.write(#"{"habits": [{"name": "Tea", "records": [\#(records)]}]}"#, to: "b.json")
        let run = try await Program.habitat("import", "b.json", "--user", "ana", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("b.json:1: entry 2: 'Tea': day: "), "\(run)")
    }

    @Test func historyOfOtherHabiticaExportIsReported() async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write(
            #"{"tasks": {"dailys": [{"_id": "a", "text": "Tea", "history": []}]}, "preferences": {}}"#, to: "u.json")
        try folder.write(
            "Task Name,Task ID,Task Type,Date,Value\nTea,a,daily,2026-06-01 06:30:00,1\n", to: "h.csv")
        let first = try await Program.habitat("import", "u.json", "--user", "ana", in: folder)
        #expect(first.status == 0, "\(first)")
        #expect(!first.errors.contains("JSON export"), "\(first)")
        let second = try await Program.habitat("import", "h.csv", "--user", "ana", in: folder)
        #expect(second.status == 0, "\(second)")
        #expect(second.errors.contains("import only one of the two files"), "\(second)")
    }

    /// The other rows are stored.
    @Test func missingPhotoRejectsRow() async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write("habit,day,photo\nA,2026-06-01,\nA,2026-06-02,none.jpg\nA,2026-06-03,\n", to: "a.csv")
        try await python("zipfile.ZipFile('a.zip', 'w').write('a.csv')", in: folder)
        for name in ["a.csv", "a.zip"] {
            let run = try await Program.habitat(
                "import", name, "--user", "ana", "--create-habits", "--format", "csv", in: folder)
            #expect(run.status == 65, "\(run)")
            #expect(run.errors.contains("a.csv:3: 'A', 2026-06-02: photo: "), "\(run)")
            #expect(ImportCounts(run).reasons("rejected") == ["photo-invalid": 1], "\(run)")
            #expect(try ImportedRows(of: "ana", in: folder).events.count == 2)
        }
    }

    /// A blank identifier is not the identifier of a check-in.
    @Test func checkinsWithoutIDAreDifferentPosts() async throws {
        let folder = try await ImportCases.store.copy()
        let items = [1, 2].map { day in
            #"{"type":"checkin","id":"","createdAt":"2026-06-0\#(day) 10:00:00","shout":"hi"}"#
        }
        try folder.write("{\"items\":[\(items.joined(separator: ","))]}", to: "c.json")
        let run = try await Program.habitat("import", "c.json", "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try ImportedRows(of: "ana", in: folder).posts.count == 2)
    }

    @Test func riseOfHabitOfHabiticaIsDoneDespiteLaterFall() async throws {
        let folder = try await ImportCases.store.copy()
        let rows = [("06:30", 1), ("07:30", 0)].map { "Tea,a,habit,2026-06-01 \($0.0):00,\($0.1)\n" }
        try folder.write("Task Name,Task ID,Task Type,Date,Value\n" + rows.joined(), to: "h.csv")
        let run = try await Program.habitat("import", "h.csv", "--user", "ana", "--format", "csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(ImportCounts(run).reasons("skipped") == ["not-done": 1], "\(run)")
        #expect(try ImportedRows(of: "ana", in: folder).events.count == 1)
    }

    @Test func bytesAfterGzipAreNamed() async throws {
        let folder = try await ImportCases.store.copy()
        try await python(
            """
            import gzip
            open('a.csv.gz', 'wb').write(gzip.compress(open('\(sample("habitbull/habitbull.csv"))', 'rb').read()) + b'more')
            """, in: folder)
        try await expectFailure(["a.csv.gz"], slug: "archive-unreadable", containing: "a.csv.gz", in: folder)
    }

    @Test func strictImportStoresNothing() async throws {
        let folder = try await ImportCases.store.copy()
        try await expectFailure([sample("harsh"), "--strict"], slug: "rows-rejected", in: folder)
        try await expectFailure([sample("harsh"), "--max-rejects", "3"], slug: "too-many-rejects", in: folder)
        let run = try await Program.habitat(
            "import", sample("harsh"), "--user", "ana", "--max-rejects", "4", in: folder)
        #expect(run.status == 0, "\(run)")
    }

    @Test func conflictPolicyDecidesAboutChangedEntries() async throws {
        let folder = try await ImportCases.store.copy()
        func load(_ comment: String, _ policy: String) async throws -> ProgramResult {
            try folder.write("2026-03-02 : Gym : y : \(comment)\n", to: "log")
            return try await Program.habitat(
                "import", "log", "--user", "ana", "--on-conflict", policy, "--format", "csv", in: folder)
        }
        #expect(ImportCounts(try await load("a", "update")).count("inserted", of: "events") == 1)
        #expect(ImportCounts(try await load("b", "keep")).count("unchanged", of: "events") == 1)
        #expect(ImportCounts(try await load("b", "reject")).reasons("rejected") == ["duplicate-key": 1])
        #expect(ImportCounts(try await load("b", "update")).count("updated", of: "events") == 1)
        #expect(try ImportedRows(of: "ana", in: folder).events.first?.contains("| b |") == true)
    }

    /// A newer export with fewer days does not move the start of a habit.
    @Test func laterExportKeepsStart() async throws {
        let folder = try await ImportCases.store.copy()
        for day in ["2026-03-02", "2026-04-02"] {
            try folder.write("\(day) : Gym : y\n", to: "log")
            #expect(try await Program.habitat("import", "log", "--user", "ana", in: folder).status == 0)
        }
        #expect(try ImportedRows(of: "ana", in: folder).habits.first?.contains("2026-03-02") == true)
    }

    @Test func dryRunShowsFirstRecords() async throws {
        let run = try await Program.habitat(
            "import", sample("harsh"), "--user", "ana", "--dry-run", "--max-rejects", "4",
            in: await ImportCases.store.copy())
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("legs"), "\(run)")
        #expect(run.output.contains("3 a week"), "\(run)")
        let habits = run.output.firstMatch(of: /^Habits \((all|5 of \d+) rows\)\n/)
        #expect(habits != nil, "\(run)")
        let events = run.output.firstMatch(of: /\n\nEvents \((all|5 of \d+) rows\)\n/)
        #expect(events != nil, "\(run)")
        #expect(run.output.contains("…"), "IDs are short: \(run)")
        #expect(run.output.contains("\n\nSummary\n"), "\(run)")
    }

    @Test func narrowSummaryKeepsReason() async throws {
        let folder = try await ImportCases.store.copy()
        let name = String(repeating: "long-name-of-a-folder-", count: 3) + "waypoints.gpx"
        try FileManager.default.copyItem(atPath: sample("gpx/waypoints-1.0.gpx"), toPath: folder.file(name))
        let run = try await Program.habitat("import", name, "--user", "ana", "--width", "80", in: folder)
        #expect(run.output.contains("reason"), "\(run)")
        #expect(run.output.contains("position-invalid"), "\(run)")
        #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run)")
        #expect(!run.errors.contains("too narrow"), "\(run)")
    }

    @Test func filesOfOtherFormatsAreReported() async throws {
        let folder = try await ImportCases.store.copy()
        for (file, name) in [
            ("gpx/waypoints-1.0.gpx", "a.gpx"), ("photos/IMG_0001.jpg", "b.jpg"), ("swarm/swarm-export.zip", "c.zip"),
        ] {
            try folder.write(try Data(contentsOf: URL(fileURLWithPath: sample(file))), to: "mixed/" + name)
        }
        try await python("zipfile.ZipFile('mixed/d.zip', 'w').writestr('a.txt', 'hello')", in: folder)
        let run = try await Program.habitat(
            "import", "mixed", "--user", "ana", "--max-rejects", "9", "--format", "csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(ImportCounts(run).formats == ["gpx", "swarm"], "\(run)")
        #expect(run.errors.contains("Skipped files"), "\(run)")
        #expect(run.errors.contains(": mixed/b.jpg, mixed/d.zip"), "\(run)")
    }

    /// An export of several files is not the only content of a folder.
    @Test func everyFormatOfFolderIsImported() async throws {
        let folder = try await ImportCases.store.copy()
        let files = ["google/Records.json", "loop/loop-v25.db", "gpx/waypoints-1.0.gpx", "habitbull/habitbull.csv"]
        for file in files {
            let name = try #require(file.split(separator: "/").last)
            try folder.write(try Data(contentsOf: URL(fileURLWithPath: sample(file))), to: "mixed/\(name)")
        }
        try folder.write("habit,day\nA,2026-06-01\n", to: "mixed/table.csv")
        let run = try await Program.habitat(
            "import", "mixed", "--user", "ana", "--max-rejects", "9", "--format", "csv", in: folder)
        let formats: Set = ["google", "loop-db", "gpx", "habitbull"]
        #expect(run.status == 0, "\(run)")
        #expect(ImportCounts(run).formats == formats, "\(run)")
        #expect(run.errors.contains("Skipped files"), "\(run)")
        #expect(run.errors.contains(": mixed/table.csv"), "\(run)")
        let track = try await Program.habitat(
            "import", sample("csv/when-no-place.csv"), "--user", "ana", "--create-habits", "--places-from", "mixed",
            in: folder)
        #expect(track.status == 0, "\(track)")
    }

    @Test func damagedFileOfFolderIsNamed() async throws {
        let folder = try await ImportCases.store.copy()
        for name in ["a.gpx", "b.gpx"] {
            try FileManager.default.createDirectory(
                atPath: folder.file("mixed"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: sample("gpx/day-1.1.gpx"), toPath: folder.file("mixed/" + name))
        }
        let database = try Data(contentsOf: URL(fileURLWithPath: sample("loop/loop-v25.db")))
        try folder.write(database.prefix(9000), to: "mixed/c.db")
        try await expectFailure(["mixed"], slug: "archive-unreadable", containing: "mixed/c.db", in: folder)
        try FileManager.default.removeItem(atPath: folder.file("mixed/c.db"))
        try await python(
            """
            import gzip
            data = gzip.compress(open('mixed/b.gpx', 'rb').read())
            open('mixed/d.gpx.gz', 'wb').write(data[:-5])
            """, in: folder)
        try await expectFailure(["mixed"], slug: "gzip-truncated", containing: "mixed/d.gpx.gz", in: folder)
    }

    /// No importer reads the damaged file.
    @Test func damagedOtherFileOfArchiveStoresNothing() async throws {
        let folder = try await ImportCases.store.copy()
        try await python(
            """
            z = zipfile.ZipFile('a.zip', 'w')
            z.writestr('checkins1.json', '{"items":[{"id":"a","type":"checkin","createdAt":1714557600}]}')
            z.writestr('tips.json', '{"unique":1}' + ' ' * 100000); z.close()
            d = open('a.zip', 'rb').read()
            open('a.zip', 'wb').write(d.replace(b'unique', b'uniqua'))
            """, in: folder)
        try await expectFailure(["a.zip"], slug: "archive-unreadable", containing: "tips.json", in: folder)
    }

    @Test func archiveWithoutOtherFormatsHasNoNoticeOfFiles() async throws {
        for file in ["swarm/swarm-export.zip", "strava/export", "apple-health/export.zip", "kml/places.kmz"] {
            let run = try await Program.habitat(
                "import", sample(file), "--user", "ana", in: try await ImportCases.store.copy())
            #expect(!run.errors.contains("Skipped files"), "\(run)")
        }
    }

    @Test(arguments: ["refused.csv", "refused.ndjson"]) func fileOfRejectedEntriesIsRefusedByName(name: String)
        async throws
    {
        let folder = try await ImportCases.store.copy()
        _ = try await Program.habitat("import", sample("harsh"), "--user", "ana", "--rejects", name, in: folder)
        try await expectFailure(
            [name], slug: "format-not-recognised", containing: "load the file with 'habitat ingest'", in: folder)
    }

    @Test func tableWithOtherColumnsIsDescribed() async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write("Datum;Gewohnheit\n01.04.2026;Laufen\n", to: "a.csv")
        let cases: [([String], String)] = [
            ([], "format-not-recognised"), (["--from", "csv"], "format-mismatch"),
        ]
        for (options, slug) in cases {
            try await expectFailure(
                ["a.csv"] + options, slug: slug, containing: "Datum, Gewohnheit", "--map field=Column", in: folder)
        }
        let options = ["a.csv", "--map", "day=Datumm", "--map", "habit=Gewohnheit"]
        try await expectFailure(
            options, slug: "header-invalid", containing: "no column 'Datumm' (columns: Datum, Gewohnheit)", in: folder)
    }

    @Test func helpListsKindsAndFields() async throws {
        let help = try await Program.habitat("help", "import", in: try TemporaryFolder()).output
        #expect(!help.contains("schedules"), "\(help)")
        for field in ["latitude", "caption"] { #expect(help.contains(field), "\(help)") }
    }

    /// A notice offers only remedies that can help.
    @Test func noticeOfTracksNamesUsefulRemedies() async throws {
        let folder = try await ImportCases.store.copy()
        let point = "<trkpt lat=\"1\" lon=\"2\"><time>2026-06-01T08:00:00Z</time></trkpt>"
        let cases: [(String, String, [String], Bool, Bool)] = [
            ("<type>run</type>", point, [], true, true), ("", point, [], true, false),
            ("<type>run</type>", "<trkpt lat=\"1\" lon=\"2\"/>", [], false, false),
            ("", point, ["--tracks", "events"], true, false),
        ]
        for (type, points, options, places, tracks) in cases {
            try folder.write("<gpx><trk>\(type)<trkseg>\(points)</trkseg></trk></gpx>", to: "a.gpx")
            let run = try await Program.habitat(["import", "a.gpx", "--user", "ana"] + options, in: folder)
            #expect(run.errors.contains("--places-from") == places, "\(run)")
            #expect(run.errors.contains("--tracks") == tracks, "\(run)")
        }
    }

    @Test func ingestNamesImport() async throws {
        let folder = try await ImportCases.store.copy()
        for file in ["loop/loop-v25.db", "loop/Loop Habits CSV 2026-11-01.zip", "harsh", "habitbull/habitbull.csv"] {
            let run = try await Program.habitat("ingest", sample(file), in: folder)
            #expect(run.status != 0, "\(run)")
            #expect(run.errors.contains("habitat import"), "\(run)")
        }
    }
}
