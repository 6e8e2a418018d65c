import Foundation
import HabitTestSupport
import Testing

/// Tests that each kind of bad input causes an error with the right slug and exit status, and no data loss.
@Suite(.engineIndependent) struct BadInputTests {
    private static let files = [
        "users.csv": "id\nann\n", "habits.csv": "id,user,title,days\nrun,ann,Run,1111111\n",
    ]
    private static let template = StoreTemplate(files)

    /// Returns a folder with a store and the files that were loaded into it.
    private static func preparedStore() async throws -> TemporaryFolder {
        let folder = try await template.copy()
        for (name, text) in files { try folder.write(text, to: name) }
        return folder
    }

    private static let row = "{\"habit\":\"run\",\"day\":\"2026-11-20\"}"

    @Test(arguments: [
        ("events.csv", "habbit,day\nrun,2026-11-20\n", "header-invalid"),
        ("events.csv", "habit,day\n,2026-11-20\n", "field-missing"),
        ("events.csv", "habit;day\nrun;2026-11-20\n", "header-invalid"),
        ("events.csv", "nothing,known\nrun,2026-11-20\n", "header-invalid"),
        ("events.csv", "habit,day,habit_id\nrun,2026-11-20,run\n", "header-invalid"),
        ("events.csv", "habit,day\nrun,2026-11-20,more\n", "row-invalid"),
        ("events.csv", "habit,day\n\"run,2026-11-20\n", "row-invalid"),
        ("events.csv", "habit,day,comment\nrun,2026-11-20,\"a\0b\"\n", "text-invalid"),
        ("events.csv", "habit,day,at\nrun,2026-11-20,2026-11-17T12:00:00Z\n", "day-mismatch"),
        ("events.csv", "habit\nrun\n", "header-invalid"), ("events.csv", "habit,at\nrun,noon\n", "instant-invalid"),
        ("events.csv", "habit,day,longitude,latitude\nrun,2026-11-20,181,0\n", "position-invalid"),
        ("events.csv", "habit,day,longitude,latitude\nrun,2026-11-20,1,\n", "position-invalid"),
        ("events.csv", "habit,day,longitude,latitude\nrun,2026-11-20,nan,1\n", "position-invalid"),
        ("events.csv", "habit,day,outcome\nrun,2026-11-20,maybe\n", "field-invalid"),
        ("events.csv", "habit,day,user\nrun,2026-11-20,bob\n", "field-invalid"),
        ("events.csv", "id,habit,day\n\(String(repeating: "x", count: 65)),run,2026-11-20\n", "id-invalid"),
        ("events.json", "[\(row),]", "row-invalid"), ("events.json", "[\(row)] x", "row-invalid"),
        ("events.json", "[\(row)", "row-invalid"), ("events.ndjson", "{\"habit\":\"run\",}\n", "row-invalid"),
        ("events.ndjson", "{\"habit\":\"run\",\"habit\":\"x\",\"day\":\"2026-11-20\"}\n", "row-invalid"),
        ("events.geojson", "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\"", "row-invalid"),
        (
            "events.geojson",
            "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[0,0],[1,1]]},\"properties\":\(row)}]}",
            "field-invalid"
        ),
        ("habits.csv", "id,user,title,days\nx,ann,,mon\n", "title-empty"),
        ("habits.csv", "id,user,title,days\nx,ann,123456789012345678901,mon\n", "title-too-long"),
        ("habits.csv", "id,user,title,days\nx,ann,ok,\n", "schedule-empty"),
        ("habits.csv", "id,user,title,days\nx,ann,ok,someday\n", "schedule-invalid"),
        ("habits.csv", "id,user,title,days,start,end\nx,ann,ok,mon,2026-02-01,2026-01-01\n", "day-invalid"),
        ("habits.csv", "id,user,title,days,tint\nx,ann,ok,mon,7\n", "field-invalid"),
        ("habits.csv", "id,user,title,days,rank\nx,ann,ok,mon,-1\n", "field-invalid"),
        ("habits.csv", "id,user,title,days,symbol\nx,ann,ok,mon,ab\n", "field-invalid"),
        ("habits.csv", "id,user,title,days,symbol\nx,ann,ok,mon,\u{202e}\n", "text-invalid"),
        ("habits.csv", "id,user,title,days,remind_at\nx,ann,ok,mon,25:00\n", "field-invalid"),
        ("follows.csv", "follower,followee\nann,ann\n", "self-follow"),
        ("follows.csv", "follower,followee\nann,zoe\n", "unknown-reference"),
        ("users.csv", "id,time_zone\nzoe,Mars/Olympus\n", "time-zone-invalid"),
        ("unknown.csv", "habit,day\nrun,2026-11-20\n", "header-invalid"),
    ])
    func ingestRefusesBadInputAndKeepsStore(name: String, text: String, slug: String) async throws {
        let folder = try await Self.preparedStore()
        try folder.write(text, to: name)
        let before = try Self.state(folder)
        let result = try await Program.habitat("ingest", name, in: folder)
        #expect(result.status == 65, "\(result.errors)")
        #expect(result.errors.contains("(\(slug))") || result.errors.hasPrefix("error[\(slug)]: "), "\(result.errors)")
        #expect(result.errors.contains(name), "the error names the file: \(result.errors)")
        #expect(try Self.state(folder) == before)
    }

    private static func state(_ folder: TemporaryFolder) throws -> [String] {
        let statements = ["events", "habits", "users", "follows"].map { "SELECT * FROM \($0) ORDER BY 1, 2" }
        return try folder.query(statements, .csv)
    }

    @Test func parquetFileIsRefusedByName() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("PAR1".utf8) + Data([0x15, 0, 0x15]), to: "events.parquet")
        let result = try await Program.habitat("ingest", "events.parquet", "--kind", "events", in: folder)
        #expect(result.status == 65, "\(result)")
        #expect(result.errors.contains("Parquet files cannot be loaded"), "\(result)")
    }

    @Test func ingestRejectsRowsWhenBytesAreNotUTF8() async throws {
        let folder = try await Self.preparedStore()
        var bytes = Data("habit,day,comment\nrun,2026-11-20,".utf8)
        bytes += [0x63, 0xe9, 0x0a]
        bytes += Data("run,2026-11-19,fine\n".utf8)
        try folder.write(bytes, to: "events.csv")
        let result = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
        #expect(result.status == 65)
        #expect(result.errors.contains("events.csv:2"))
        #expect(result.errors.contains("(encoding-invalid)"))
        #expect(result.output.hasSuffix("events,1,0,0,1\n"))
        try folder.write("habit,day\nrun,2026-11-20\n".data(using: .utf16) ?? Data(), to: "events.csv")
        let wide = try await Program.habitat("ingest", "events.csv", in: folder)
        #expect(wide.status == 65)
        #expect(wide.errors.hasPrefix("error[encoding-invalid]: "))
    }

    @Test func ingestStoresNothingWhenGzipIsTruncated() async throws {
        let folder = try await Self.preparedStore()
        let rows = (0..<3000).map { "run,\(2000 + $0 / 300)-01-\($0 % 28 < 9 ? "0" : "")\($0 % 28 + 1)" }
        try folder.write("habit,day\n" + Set(rows).sorted().joined(separator: "\n"), to: "events.csv")
        #expect(try await Program.run("/usr/bin/gzip", ["events.csv"], in: folder.path).status == 0)
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("events.csv.gz")))
        try folder.write(whole.prefix(whole.count - 9), to: "events.csv.gz")
        let result = try await Program.habitat("ingest", "events.csv.gz", in: folder)
        #expect(result.status == 65)
        #expect(result.errors.hasPrefix("error[gzip-truncated]: "))
        #expect(try folder.rows("SELECT id FROM events").isEmpty)
    }

    @Test func ingestFailsWhenInputDoesNotExist() async throws {
        let folder = try await Self.preparedStore()
        let missing = try await Program.habitat("ingest", "none.csv", in: folder)
        #expect(missing.status == 66)
        #expect(missing.errors.hasPrefix("error[input-not-found]: "))
        try FileManager.default.createDirectory(atPath: folder.file("empty"), withIntermediateDirectories: false)
        #expect(try await Program.habitat("ingest", "empty", in: folder).status == 66)
    }

    /// No output ever overwrites the store or an input.
    @Test(
        .fileStoreOnly,
        arguments: [
            ["history", "--output", "habitat.db", "--format", "csv"],
            ["history", "--output", "./habitat.db", "--format", "csv"],
            ["history", "--explain", "--output", "habitat.db"],
            ["query", "SELECT 1 AS one", "--explain", "--output", "habitat.db"],
            ["ingest", "users.csv", "--output", "users.csv"],
            ["ingest", "users.csv", "--rejects", "users.csv", "--dry-run"],
            ["ingest", ".", "--rejects", "habits.csv"], ["ingest", "users.csv", "--rejects", "habitat.csv"],
        ])
    func outputIsRefusedWhenItWouldOverwriteInputOrStore(arguments: [String]) async throws {
        let folder = try await Self.preparedStore()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("habitat.csv"), withDestinationPath: "habitat.db")
        let names = ["habitat.db", "users.csv", "habits.csv"]
        let before = names.map { FileManager.default.contents(atPath: folder.file($0)) }
        let result = try await Program.habitat(arguments, in: folder)
        #expect(result.status == 73, "\(result.errors)")
        #expect(result.errors.contains("error[output-exists]: "))
        #expect(names.map { FileManager.default.contents(atPath: folder.file($0)) } == before)
    }

    /// Runs the program as an unprivileged user, because permissions do not apply to root.
    @Test(.fileStoreOnly) func commandsReportMissingPermissions() async throws {
        let folder = try await Self.preparedStore()
        try FileManager.default.copyItem(atPath: Program.habitat, toPath: folder.file("habitat"))
        try FileManager.default.createDirectory(
            atPath: folder.file("closed"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o000])
        try folder.write("id\nzoe\n", to: "secret.csv")
        let modes = [("secret.csv", 0o000), ("habitat.db", 0o644), (".", 0o777)]
        for (name, mode) in modes { chmod(folder.file(name), mode_t(mode)) }
        defer { chmod(folder.file("closed"), 0o755) }
        let program = folder.file("habitat")
        for (path, status, slug) in [("closed", 74, "input-unreadable"), ("secret.csv", 74, "input-unreadable")]
            as [(String, Int32, String)]
        {
            let result = try await Privileges.runAsNobody(
                program, ["ingest", path, "--kind", "users", "--dry-run", "--store", "none.db"], in: folder.path)
            #expect(result.status == status, "\(path): \(result.errors)")
            #expect(result.errors.hasPrefix("error[\(slug)]: "), "\(result.errors)")
        }
        let write = try await Privileges.runAsNobody(program, ["ingest", "users.csv"], in: folder.path)
        #expect(write.status == 73, "\(write.errors)")
        #expect(write.errors.hasPrefix("error[store-read-only]: "))
        let output = try await Privileges.runAsNobody(
            program, ["user", "list", "--output", "closed/x.csv"], in: folder.path)
        defer { chmod(folder.path, 0o777) }
        #expect(output.status == 73, "\(output.errors)")
        #expect(output.errors.hasPrefix("error[output-not-writable]: "))
        // A reader needs to write the WAL index next to the store. The program reports an error if it cannot.
        chmod(folder.path, 0o755)
        for name in ["habitat.db-wal", "habitat.db-shm"] { unlink(folder.file(name)) }
        let fixed = try await Privileges.runAsNobody(program, ["user", "list"], in: folder.path)
        #expect(fixed.status == 69, "\(fixed.errors)")
        #expect(fixed.errors.hasPrefix("error[store-unavailable]: "))
    }

    @Test(.fileStoreOnly, arguments: [false, true])
    func writerWaitsForAnotherWriterUntilTimeout(isNewStore: Bool) async throws {
        let folder = try await Self.preparedStore()
        if isNewStore { try folder.write("", to: "habitat.db") }
        let scratch = try TemporaryFolder()
        let script = """
            import os, sqlite3, time
            db = sqlite3.connect('habitat.db', isolation_level=None)
            db.execute('BEGIN IMMEDIATE')
            open('locked', 'w').close()
            while not os.path.exists('go'): time.sleep(0.05)
            db.execute('ROLLBACK')
            """
        let process = try Program.start("/usr/bin/python3", ["-c", script], in: folder.path, scratch: scratch)
        try await waitUntil("the store is locked") { folder.names.contains("locked") }
        let began = ContinuousClock.now
        let impatient = try await Program.habitat("ingest", "users.csv", "--wait", "700ms", in: folder)
        #expect(ContinuousClock.now - began >= .milliseconds(700), "the command waits until the timeout")
        #expect(impatient.status == 75)
        #expect(impatient.errors.hasPrefix("error[busy]: "))
        if !isNewStore {
            let reader = try await Program.habitat("user", "list", "--format", "ndjson", in: folder)
            #expect(reader.lines.count == 1, "readers never wait")
        }
        let patient = try Program.start(
            Program.habitat, ["ingest", "users.csv", "--wait", "600s"], in: folder.path, scratch: TemporaryFolder())
        try await waitUntil("the command has opened the store") { patient.hasOpen(folder.file("habitat.db")) }
        try folder.write("", to: "go")
        #expect(await patient.end() == .exit(0))
        await process.end()
    }
}
