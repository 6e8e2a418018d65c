import Foundation
import HabitTestSupport
import Testing

/// Tests that the output of commands with many queries does not depend on the number of threads.
@Suite struct ThreadTests {
    /// 200 lines: users, texts that events contain or do not contain, and positions.
    private static func inputFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let users = ["alice", "bruno", "carla", "elena"]
        let terms = ["chuva", "a", "いい", "zzz", "é", "run"]
        try folder.write((0..<200).map { "\(users[$0 % 4])\n" }.joined(), to: "users.txt")
        try folder.write((0..<200).map { "\(terms[$0 % 6])\n" }.joined(), to: "terms.txt")
        let centers = (0..<200).map { "c\($0),\($0 % 3 == 0 ? "-9.1393,38.7223" : "\($0 - 100),-60")\n" }
        try folder.write("id,longitude,latitude\n" + centers.joined(), to: "centers.csv")
        return folder
    }

    private static let commands = [
        ["near", "--centers", "centers.csv", "--within", "3km"],
        ["history", "--users", "users.txt", "--scope", "all", "--limit", "9"],
        ["history", "--terms", "terms.txt", "--limit", "30"],
        // No query has a row.
        ["near", "--centers", "centers.csv", "--within", "1m"],
    ]

    @Test(arguments: commands) func rowsDoNotDependOnThreads(command: [String]) async throws {
        try await Self.expectSameOutput(command + ["--format", "csv"])
    }

    @Test(arguments: ["json", "ndjson", "geojson", "geojsonseq", "parquet", "text", "html"])
    func formatDoesNotDependOnThreads(format: String) async throws {
        try await Self.expectSameOutput(Self.commands[0] + ["--format", format])
        // This command has no rows.
        try await Self.expectSameOutput(Self.commands[3] + ["--format", format])
    }

    private static func expectSameOutput(_ options: [String]) async throws {
        let folder = try Self.inputFolder()
        let one = try await SampleData.habitat(options + ["--threads", "1"], in: folder)
        #expect(one.status == 0, "\(one.errors)")
        for threads in ["2", "7"] {
            let several = try await SampleData.habitat(options + ["--threads", threads], in: folder)
            #expect(several.status == 0, "\(several.errors)")
            #expect(several.output == one.output, "\(threads) threads")
            #expect(several.errors == one.errors, "\(threads) threads")
        }
    }

    @Test func plainOutputDoesNotDependOnThreads() async throws {
        let folder = try Self.inputFolder()
        let options = Self.commands[1] + ["--plain"]
        let one = try await SampleData.habitat(options + ["--threads", "1"], in: folder)
        #expect(one.output.split(separator: "\n").count > 200)
        #expect(try await SampleData.habitat(options + ["--threads", "4"], in: folder).output == one.output)
    }

    @Test(arguments: ["csv", "ndjson", "parquet"])
    func exportDoesNotDependOnThreads(format: String) async throws {
        let folder = try TemporaryFolder()
        for threads in ["1", "3"] {
            let result = try await SampleData.habitat(
                ["export", threads, "--format", format, "--threads", threads], in: folder)
            #expect(result.status == 0, "\(result.errors)")
            let difference = try await Program.run("/usr/bin/diff", ["-r", "1", threads], in: folder.path)
            #expect(difference.status == 0, "\(threads) threads: \(difference.output)")
        }
    }

    /// With the option, a report has more rows than the queue between two threads.
    @Test(arguments: [[], ["--reports", "mine"]])
    func nightlyRunDoesNotDependOnThreads(options: [String]) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            -- title: Pairs
            -- description: Many rows.
            -- parameter: date date default yesterday - The report day.
            -- column: id text - Two IDs.
            -- column: longitude number - A longitude.
            -- column: latitude number - A latitude.
            -- geometry: longitude latitude
            -- key: id
            -- formats: csv geojson html text
            -- nightly: csv geojson html text
            SELECT a.id || b.user AS id, b.longitude, b.latitude
            FROM events AS a
            JOIN users ON users.id = 'alice'
            JOIN events AS b ON b.day = :date AND b.day >= a.day
            ORDER BY 1, 2, 3
            LIMIT 30000
            """, to: "mine/pairs.sql")
        for threads in ["1", "3"] {
            let result = try await SampleData.habitat(
                [
                    "nightly", "--output", threads, "--date", "2026-11-19", "--per-user", "--alerts", "--threads",
                    threads,
                ]
                    + options, in: folder)
            #expect([0, 2].contains(result.status), "\(result.errors)")
            let difference = try await Program.run("/usr/bin/diff", ["-r", "1", threads], in: folder.path)
            #expect(difference.status == 0, "\(threads) threads: \(difference.output)")
        }
        let pairs = try? String(contentsOfFile: folder.file("3/2026-11-19/pairs.csv"), encoding: .utf8)
        #expect(pairs.map { $0.split(separator: "\n").count > 20_000 } == (options.isEmpty ? nil : true))
    }

    /// The reports call a function of SQLite.
    @Test(.fileStoreOnly) func firstFailingReportOfNightIsNamed() async throws {
        let folder = try TemporaryFolder()
        for name in ["a-first", "b-second", "c-third"] {
            try folder.write(
                """
                -- title: Invalid
                -- description: The second and the third of these reports fail.
                -- parameter: date date default yesterday - The report day.
                -- column: id text - An ID.
                -- key: id
                -- formats: csv
                -- nightly: csv
                SELECT id || json(CASE WHEN '\(name)' > 'b' THEN :date || '{' END) AS id
                FROM users
                ORDER BY id
                """, to: "mine/\(name).sql")
        }
        for threads in ["1", "3"] {
            let result = try await SampleData.habitat(
                ["nightly", "--output", "nights", "--date", "2026-11-19", "--reports", "mine", "--threads", threads],
                in: folder)
            #expect(result.status == 65, "\(result.errors)")
            #expect(result.errors.contains("'b-second'"), "\(result.errors)")
        }
    }

    /// Writes reports with these SELECTs to the folder `mine`.
    private static func writeNightlyReports(_ queries: [String: String], to folder: TemporaryFolder) throws {
        for (name, sql) in queries {
            try folder.write(
                """
                -- title: Test
                -- description: A report that does not end normally.
                -- parameter: date date default yesterday - The report day.
                -- column: id text - An ID.
                -- key: id
                -- formats: csv
                -- nightly: csv
                \(sql)
                """, to: "mine/\(name).sql")
        }
    }

    private static let endlessQuery = """
        WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)
        SELECT CAST(sum(n) AS TEXT) AS id FROM c WHERE :date IS NOT NULL ORDER BY id
        """
    private static let nightly = [
        "nightly", "--output", "nights", "--date", "2026-11-19", "--reports", "mine", "--threads", "3", "--timeout",
        "20m",
    ]

    /// The second report ends only after its time limit, which the program must not wait for.
    @Test(.fileStoreOnly, .timeLimit(.minutes(15))) func failingReportEndsQueriesOfOtherThreads() async throws {
        let folder = try TemporaryFolder()
        let failing = "SELECT id || json(:date || '{') AS id FROM users ORDER BY id"
        try Self.writeNightlyReports(["a-fails": failing, "b-endless": Self.endlessQuery], to: folder)
        let result = try await SampleData.habitat(Self.nightly, in: folder)
        #expect(result.status == 65, "\(result.errors)")
        #expect(result.errors.contains("'a-fails'"), "\(result.errors)")
    }

    /// All threads run a query that ends only after its time limit.
    @Test(.fileStoreOnly, .timeLimit(.minutes(15)), arguments: [SIGINT, SIGTERM])
    func signalEndsQueriesOfNightlyRun(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        try Self.writeNightlyReports(
            ["a": Self.endlessQuery, "b": Self.endlessQuery, "c": Self.endlessQuery], to: folder)
        let scratch = try TemporaryFolder()
        let process = try Program.startInterruptible(
            Self.nightly + ["--store", try await SampleData.folder().file("habitat.db"), "--now", SampleData.now],
            in: folder, scratch: scratch)
        let files = FileManager.default
        func names() -> [String] { (try? files.contentsOfDirectory(atPath: folder.file("nights"))) ?? [] }
        // The hidden folder of the nightly run exists while its queries run.
        try await waitUntil("the run has a folder") {
            names().contains { $0.hasPrefix(".") && $0 != ".lock" } || !process.isRunning
        }
        try await waitUntil("the queries run") {
            process.processorTime > .milliseconds(200) || !process.isRunning
        }
        process.send(signal)
        #expect(await process.end() == .signal(signal))
        #expect(names() == [".lock"])
    }

    @Test func firstInvalidLineIsReported() async throws {
        let folder = try Self.inputFolder()
        let users = (0..<200).map { [60, 61, 190].contains($0) ? "nobody\($0)\n" : "alice\n" }
        try folder.write(users.joined(), to: "users.txt")
        for threads in ["1", "2", "7"] {
            let result = try await SampleData.habitat(
                [
                    "history", "--users", "users.txt", "--scope", "all", "--format", "csv", "--threads", threads,
                    "--output", "out.csv",
                ], in: folder)
            #expect(result.status != 0)
            #expect(result.errors.contains("nobody60"), "\(result.errors)")
            #expect(result.errors.contains("61"), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("out.csv")))
        }
    }

    @Test(arguments: ["0", "-1", "257"])
    func invalidNumberOfThreadsIsRefused(threads: String) async throws {
        let folder = try Self.inputFolder()
        let result = try await SampleData.habitat(Self.commands[0] + ["--threads=\(threads)"], in: folder)
        #expect(result.status == 64 || result.status == 65)
        #expect(result.errors.contains("--threads must be from 1 to 256"), "\(result.errors)")
    }
}
