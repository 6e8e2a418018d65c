import Foundation
import HabitTestSupport
import Testing

/// Tests that nightly runs are reproducible, complete or absent, and never concurrent.
@Suite struct NightlyTests {
    /// A folder for nightly runs of the sample store.
    private struct Fixture {
        let folder: TemporaryFolder
        let store: String

        init() async throws {
            folder = try TemporaryFolder()
            store = try await SampleData.folder().file("habitat.db")
        }

        func nightly(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProgramResult {
            try await Program.habitat(
                ["nightly", "--store", store, "--output", "nights"] + arguments, in: folder, environment: environment)
        }

        /// Runs a command on a store in the folder.
        func habitat(_ arguments: String...) async throws -> ProgramResult { try await habitat(arguments) }

        func habitat(_ arguments: [String]) async throws -> ProgramResult {
            let own = ["--store", folder.file("own.db"), "--now", SampleData.now]
            return try await Program.habitat(arguments + own, in: folder)
        }

        /// Returns the contents of the files of a nightly run, by name.
        func files(_ night: String, in nights: String = "nights") throws -> [String: Data] {
            let path = folder.file("\(nights)/\(night)")
            var files: [String: Data] = [:]
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
            }
            return files
        }

        func names(_ path: String = "nights") throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.file(path)).sorted()
        }

        var latest: String? {
            try? FileManager.default.destinationOfSymbolicLink(atPath: folder.file("nights/latest"))
        }
    }

    @Test func errorNamesReportThatFailed() async throws {
        let fixture = try await Fixture()
        try fixture.folder.write(
            """
            -- title: Typed
            -- description: A report whose column has another type than its values.
            -- parameter: date date default yesterday - The report day.
            -- column: id integer - An id.
            -- key: id
            -- formats: csv
            -- nightly: csv
            SELECT id
            FROM users
            WHERE :date IS NOT NULL
            ORDER BY id
            """, to: "mine/typed.sql")
        let arguments = ["nightly", "--store", fixture.store, "--output", "nights", "--reports", "mine"]
        let text = try await Program.habitat(arguments, in: fixture.folder)
        #expect(text.status == 65, "\(text)")
        #expect(text.errors.contains(": report 'typed': a value of the column 'id'"), "\(text)")
        let json = try await Program.habitat(arguments + ["--errors", "json"], in: fixture.folder)
        #expect(json.errors.contains(#""parameters":{"report":"typed"}"#), "\(json)")
    }

    @Test func nightlyRunIsReproducibleAtAnyTimeAndPlace() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.nightly("--date", "2026-11-20", "--now", "2026-11-21T00:05:00Z", "--quiet")
        #expect(first.status == 0, "\(first)")
        #expect(first.output == "", "\(first)")
        #expect(first.errors == "", "\(first)")
        let expected = try fixture.files("2026-11-20")
        #expect(
            Set(["summary.txt", "index.html", "manifest.json", "nightly-summary.csv", "day-events.geojson"])
                .isSubset(of: expected.keys))
        let others: [(now: String, environment: [String: String])] = [
            (
                "2026-12-24T23:59:59+14:00",
                ["TZ": "Pacific/Kiritimati", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"]
            ),
            (
                "2027-06-01T12:00:00-12:00",
                ["TZ": "Etc/GMT+12", "LC_ALL": "ar_EG.UTF-8", "HABITAT_USER": "", "COLUMNS": "40"]
            ),
        ]
        for (number, other) in others.enumerated() {
            let result = try await Program.habitat(
                [
                    "nightly", "--store", fixture.store, "--output", "other\(number)", "--date", "2026-11-20", "--now",
                    other.now, "--operator",
                ], in: fixture.folder, environment: other.environment)
            #expect(result.status == 0, "\(result)")
            #expect(try fixture.files("2026-11-20", in: "other\(number)") == expected)
        }
        // A run that replaces an earlier one has the same files.
        #expect(try await fixture.nightly("--date", "2026-11-20").status == 0)
        #expect(try fixture.files("2026-11-20") == expected)
        #expect(fixture.latest == "2026-11-20")
    }

    @Test func summaryHasStreakTitlesAndPercentages() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--date", "2026-11-20", "--time-zone", "Asia/Tokyo").status == 0)
        let summary = try fixture.folder.read("nights/2026-11-20/summary.txt")
        let section = try #require(summary.range(of: "Nightly summary\n"))
        let table = summary[section.upperBound...].split(separator: "\n").prefix(6)
        let alice = try #require(table.first { $0.hasPrefix("alice") })
        #expect(alice.contains(" 72 %"), "\(alice)")
        #expect(alice.contains("Read 20 pages"), "\(alice)")
        #expect(!summary.contains("0.722222"))
        // Files for programs contain the number (requirement R-05).
        #expect(try fixture.folder.read("nights/2026-11-20/nightly-summary.csv").contains("0.722222"))
        let page = try fixture.folder.read("nights/2026-11-20/index.html")
        #expect(page.contains("calendar date in the time zone of the user"))
        #expect(!page.contains("dates in Asia/Tokyo"))
    }

    @Test func yesterdayDependsOnTimeZone() async throws {
        let fixture = try await Fixture()
        let now = "2026-11-20T11:30:00Z"
        for (zone, night) in [
            ("Pacific/Kiritimati", "2026-11-20"), ("Etc/GMT+12", "2026-11-18"), ("UTC", "2026-11-19"),
        ] {
            #expect(try await fixture.nightly("--now", now, "--time-zone", zone).status == 0)
            #expect(try fixture.names().contains(night), "\(zone)")
        }
        #expect(fixture.latest == "2026-11-20", "the newest run, not the last one created")
        let manifest = String(decoding: try #require(try fixture.files("2026-11-20")["manifest.json"]), as: UTF8.self)
        #expect(manifest.contains(#""time_zone" : "Pacific/Kiritimati""#))
    }

    @Test func manifestListsFilesWithChecksums() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--date", "2026-11-20").status == 0)
        let files = try fixture.files("2026-11-20")
        let content = try #require(files["manifest.json"])
        let manifest = try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
        let entries = try #require(manifest["files"] as? [[String: Any]])
        #expect(Set(entries.compactMap { $0["name"] as? String }) == Set(files.keys).subtracting(["manifest.json"]))
        for entry in entries {
            let name = try #require(entry["name"] as? String)
            let path = fixture.folder.file("nights/2026-11-20/\(name)")
            let sum = try await Program.run("/usr/bin/sha256sum", [path], in: fixture.folder.path)
            #expect(sum.output.hasPrefix(try #require(entry["sha256"] as? String)), "\(name)")
            guard name.hasSuffix(".csv") else { continue }
            let rows = parseCSV(String(decoding: try #require(files[name]), as: UTF8.self))
            #expect(entry["rows"] as? Int == rows.count - 1, "\(name)")
            #expect((entry["parameters"] as? [String: String])?["date"] == "2026-11-20")
        }
    }

    /// A nightly run reports about a day that has ended.
    ///
    /// Due habits without an event are missed and end their streaks.
    @Test func dayOfNightlyRunCountsAsEnded() async throws {
        let fixture = try await Fixture()
        for command in [
            ["init"], ["user", "add", "u", "--time-zone", "Etc/GMT+12"],
            [
                "habit", "add", "--as", "u", "--id", "u:daily", "--title", "Daily", "--days", "1,2,3,4,5,6,7",
                "--start",
                "2026-11-17",
            ],
            ["event", "add", "--as", "u", "--habit", "u:daily", "--day", "2026-11-18"],
            ["event", "add", "--as", "u", "--habit", "u:daily", "--day", "2026-11-19"],
        ] {
            let result = try await fixture.habitat(command)
            #expect(result.status == 0, "\(result)")
        }
        for day in ["2026-11-19", "2026-11-20"] {
            #expect(
                try await fixture.habitat("nightly", "--output", "own", "--date", day, "--today", "2026-11-22").status
                    == 0)
        }
        func summary(_ day: String) throws -> [String: String?] {
            let rows = parseCSV(
                String(decoding: try #require(try fixture.files(day, in: "own")["nightly-summary.csv"]), as: UTF8.self))
            return Dictionary(uniqueKeysWithValues: zip(rows[0].compactMap(\.self), rows[1]))
        }
        let done = try summary("2026-11-19")
        #expect(done["due"] == "1")
        #expect(done["done"] == "1")
        #expect(done["streak"] == "2")
        // The event of November 17 is missed, 18 and 19 are done, and 20 is missed.
        #expect(done["completion_rate"] == "0.666667")
        let missed = try summary("2026-11-20")
        #expect(missed["due"] == "1")
        #expect(missed["done"] == "0")
        #expect(missed["streak"] == "0")
        #expect(missed["completion_rate"] == "0.5")
    }

    // MARK: Complete or absent

    @Test func nightlyRunKeepsPreviousRunWhenReportFails() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--date", "2026-11-20").status == 0)
        let before = try fixture.files("2026-11-20")
        try FileManager.default.createDirectory(
            atPath: fixture.folder.file("mine"), withIntermediateDirectories: false)
        let header = """
            -- title: Bad
            -- description: Fails on the first row.
            -- parameter: date date default yesterday - Which day.
            -- column: id text - An id.
            -- key: id
            -- formats: csv
            -- nightly: csv
            -- example:

            """
        try (header + "SELECT id || json(:date || '{') AS id FROM users ORDER BY id")
            .write(toFile: fixture.folder.file("mine/bad.sql"), atomically: false, encoding: .utf8)
        let result = try await fixture.nightly("--date", "2026-11-20", "--reports", "mine", "--errors", "json")
        #expect(result.status == 65)
        #expect(result.output == "")
        #expect(result.errors.contains("'bad'"), "\(result.errors)")
        #expect(result.errors.contains("report-invalid"), "\(result.errors)")
        #expect(try fixture.files("2026-11-20") == before)
        #expect(try await fixture.nightly("--date", "2026-11-19", "--reports", "mine").status == 65)
        #expect(
            try fixture.names() == [".lock", "2026-11-20", "index.html", "latest"], "the failed run leaves no files")
        // A valid report becomes part of the run.
        try (header + "SELECT id FROM users ORDER BY id")
            .write(toFile: fixture.folder.file("mine/bad.sql"), atomically: false, encoding: .utf8)
        #expect(try await fixture.nightly("--date", "2026-11-20", "--reports", "mine").status == 0)
        #expect(try fixture.files("2026-11-20")["bad.csv"] != nil)
    }

    @Test func nightlyRunKeepsPreviousRunWhenKilled() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--date", "2026-11-20").status == 0)
        let expected = try fixture.files("2026-11-20")
        let whole = ContinuousClock.now
        #expect(try await fixture.nightly("--date", "2026-11-20").status == 0)
        let milliseconds = Int((ContinuousClock.now - whole) / .milliseconds(1))
        var random = SeededGenerator(seed: 4)
        for round in 0..<25 {
            let scratch = try TemporaryFolder()
            let process = try Program.start(
                Program.habitat,
                [
                    "nightly", "--store", fixture.store, "--output", "nights", "--date",
                    "2026-11-\(round % 2 == 0 ? 20 : 21)",
                    "--now", "2026-11-30T00:00:00Z",
                ],
                in: fixture.folder.path, scratch: scratch)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...milliseconds, using: &random)))
            process.send(round % 3 == 0 ? SIGTERM : SIGKILL)
            await process.end()
            #expect(try fixture.files("2026-11-20") == expected)
            let latest = try #require(fixture.latest)
            #expect(try fixture.files(latest)["manifest.json"] != nil)
        }
        #expect(try await fixture.nightly("--date", "2026-11-20").status == 0)
        #expect(try fixture.names().filter { $0.hasPrefix(".") } == [".lock"], "leftovers of killed runs are removed")
    }

    @Test func nightlyRunIsRefusedWhileAnotherRuns() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--date", "2026-11-20").status == 0)
        let scratch = try TemporaryFolder()
        let script = """
            import fcntl, signal
            file = open("nights/.lock")
            fcntl.flock(file, fcntl.LOCK_EX)
            print("locked", flush=True)
            signal.pause()
            """
        let holder = try Program.start(
            "/usr/bin/python3", ["-c", script], in: fixture.folder.path, scratch: scratch)
        defer { holder.terminate() }
        try await waitUntil("the folder is locked") { try scratch.read("stdout").contains("locked") }
        let result = try await fixture.nightly("--date", "2026-11-20")
        #expect(result.status == 75, "\(result)")
        #expect(result.errors.hasPrefix("error[busy]"), "\(result)")
    }

    // MARK: Several runs

    @Test(arguments: ["today", "2026-11-21", "2026-11-22"]) func nightlyRunIsRefusedUntilDayEnds(date: String)
        async throws
    {
        let fixture = try await Fixture()
        let result = try await fixture.nightly("--date", date, "--now", "2026-11-21T23:59:59Z")
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains("up to 2026-11-20"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("nights")))
    }

    @Test func diffCreatesNoFolder() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--diff", "2026-11-19", "latest").status == 66)
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("nights")))
    }

    /// An engine that ignores interrupts ends the program.
    ///
    /// The error still names the report. On one thread, few reports run before it and no other report runs at the
    /// same time, so that none of them exceeds the limit on a busy machine.
    @Test(.fileStoreOnly) func unresponsiveReportIsNamedInError() async throws {
        let fixture = try await Fixture()
        try FileManager.default.createDirectory(atPath: fixture.folder.file("own"), withIntermediateDirectories: false)
        try """
        -- title: Stuck
        -- description: Never done.
        -- parameter: date date default yesterday - Which day.
        -- column: n integer - Never.
        -- key: n
        -- formats: text csv
        -- nightly: text csv
        SELECT instr(printf('%.*c', 30000000, 'a'), printf('%.*c', 9000000, 'a') || :date) AS n ORDER BY n
        """.write(toFile: fixture.folder.file("own/a-stuck.sql"), atomically: true, encoding: .utf8)
        let result = try await fixture.nightly(
            "--date", "2026-11-20", "--reports", "own", "--threads", "1", "--timeout", "5s")
        #expect(result.status == 69, "\(result)")
        #expect(result.errors.contains("'a-stuck'"), "\(result)")
        #expect(try fixture.names().filter { !$0.hasPrefix(".") }.isEmpty)
    }

    @Test func missedRunsAreMadeAndOldRunsRemoved() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--date", "2026-11-17").status == 0)
        let log = try await fixture.nightly("--date", "2026-11-20", "--since", "2026-11-16", "--log-format", "json")
        #expect(log.status == 0)
        let events = try log.errors.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(
            events.compactMap { $0["night"] as? String } == ["2026-11-16", "2026-11-18", "2026-11-19", "2026-11-20"])
        #expect(events.allSatisfy { $0["event"] as? String == "night-made" })
        #expect(events.allSatisfy { $0["reports"] is [String: Int] })
        try "mine".write(toFile: fixture.folder.file("nights/notes.txt"), atomically: false, encoding: .utf8)
        #expect(try await fixture.nightly("--date", "2026-11-20", "--keep", "2").status == 0)
        #expect(
            try fixture.names() == [".lock", "2026-11-19", "2026-11-20", "index.html", "latest", "notes.txt"])
        // The requested run is never removed.
        #expect(try await fixture.nightly("--date", "2026-10-01", "--keep", "1").status == 0)
        #expect(try fixture.names() == [".lock", "2026-10-01", "2026-11-20", "index.html", "latest", "notes.txt"])
    }

    @Test func diffListsChangesBetweenTwoRuns() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.habitat("init").status == 0)
        #expect(try await fixture.habitat("user", "add", "u").status == 0)
        #expect(
            try await fixture.habitat(
                "habit", "add", "--as", "u", "--id", "u:h", "--title", "H", "--days", "fri", "--start", "2026-11-01"
            ).status == 0)
        #expect(
            try await fixture.habitat("nightly", "--output", "own", "--date", "2026-11-20", "--today", "2026-11-21")
                .status == 0
        )
        #expect(FileManager.default.fileExists(atPath: fixture.folder.file("own/2026-11-20")))
        try FileManager.default.copyItem(
            atPath: fixture.folder.file("own/2026-11-20"), toPath: fixture.folder.file("before"))
        #expect(try await fixture.habitat("event", "add", "--as", "u", "--habit", "u:h").status == 0)
        #expect(
            try await fixture.habitat("nightly", "--output", "own", "--date", "2026-11-20", "--today", "2026-11-21")
                .status == 0
        )
        let diff = try await fixture.habitat(
            "nightly", "--output", "own", "--diff", fixture.folder.file("before"), "2026-11-20", "--format", "csv")
        #expect(diff.status == 0, "\(diff)")
        let rows = parseCSV(diff.output)
        #expect(rows.contains(["nightly-summary", "changed", "u", "done", "0", "1"]), "\(diff.output)")
        #expect(rows.contains { $0[0] == "day-events" && $0[1] == "added" })
        let none = try await fixture.habitat(
            "nightly", "--output", "own", "--diff", "2026-11-20", "2026-11-20", "--format", "csv")
        #expect(none.status == 0)
        #expect(parseCSV(none.output).count == 1)
        #expect(none.errors.contains("equal"))
    }

    // MARK: Invalid calls

    @Test(arguments: [
        (["--date", "2026-11-31"], 64, "date-invalid"), (["--date", "2026-11-30"], 64, "date-invalid"),
        (["--since", "2026-11-21", "--date", "2026-11-20"], 64, "date-invalid"),
        (["--keep", "0"], 64, "parameter-invalid"), (["--format", "csv"], 64, "usage"),
        (["--diff", "2026-11-20"], 64, "usage"), (["--diff", "2026-11-19", "2026-11-20"], 66, "input-not-found"),
        (["--as", "alice"], 77, "operator-only"), (["--reports", "nowhere"], 66, "input-not-found"),
        (["--timeout", "0s"], 64, "parameter-invalid"), (["--log-format", "xml"], 64, "usage"),
        (["--time-zone", "Mars/Base"], 65, "time-zone-invalid"),
    ])
    func invalidNightlyArgumentsAreRefused(arguments: [String], status: Int32, slug: String) async throws {
        let fixture = try await Fixture()
        let result = try await Program.habitat(
            ["nightly", "--store", fixture.store, "--output", "nights", "--now", "2026-11-21T00:00:00Z"] + arguments,
            in: fixture.folder)
        #expect(result.status == status, "\(result)")
        #expect(result.errors.hasPrefix("error[\(slug)]"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("nights/2026-11-20")))
    }
}
