import Foundation
import HabitTestSupport
import Testing

/// Tests of alert rules: `nightly --alerts` raises each alert once, and `--notify` delivers it.
@Suite struct AlertTests {
    /// A store in which `ann` does a daily habit from 2026-10-01 to 2026-11-15 and then stops.
    private struct Fixture {
        let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            try folder.write("id\nann\nbob\n", to: "users.csv")
            try folder.write(
                "id,user,title,days,start\nread,ann,Read,1111111,2026-10-01\nrun,bob,Run,1111111,2026-10-01\n",
                to: "habits.csv")
            let days =
                (1...31).map { "2026-10-\($0 < 10 ? "0" : "")\($0)" }
                + (1...15).map { "2026-11-\($0 < 10 ? "0" : "")\($0)" }
            let rows = days.map { "read,\($0)" } + ["run,2026-11-20"]
            try folder.write("habit,day\n" + rows.joined(separator: "\n") + "\n", to: "events.csv")
            #expect(try await habitat("ingest", "users.csv", "habits.csv", "events.csv").status == 0)
        }

        func habitat(_ arguments: String...) async throws -> ProgramResult {
            try await Program.habitat(arguments + ["--now", "2026-12-31T12:00:00Z"], in: folder)
        }

        /// Makes the run of a day and passes its alerts to a shell command.
        func notify(_ command: String, day: String = "2026-11-16") async throws -> ProgramResult {
            try await habitat("nightly", "--output", "nights", "--date", day, "--notify", command)
        }

        /// Runs the alert rules for a day and returns the keys of the alerts that the run raises, and its exit status.
        func raised(_ day: String, _ arguments: String...) async throws -> (keys: [String], status: Int32) {
            let result = try await Program.habitat(
                ["nightly", "--output", "nights", "--alerts", "--date", day, "--log-format", "json"] + arguments
                    + ["--now", "2026-12-31T12:00:00Z"], in: folder)
            let keys = try result.errors.split(separator: "\n").compactMap { line -> String? in
                let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                guard entry?["event"] as? String == "alert-raised" else { return nil }
                return "\(entry?["report"] ?? "") \(entry?["key"] ?? "")"
            }
            return (keys, result.status)
        }

        func alerts(_ day: String) throws -> [[String?]] {
            Array(parseCSV(try folder.read("nights/\(day)/alerts.csv")).dropFirst())
        }
    }

    @Test func alertIsRaisedOnceWhileItLasts() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.raised("2026-11-16")
        #expect(first.status == 2, "\(first)")
        #expect(first.keys.contains("alert-streak read"), "\(first)")
        #expect(first.keys.contains("alert-no-events events"), "\(first)")
        #expect(first.keys.contains("quiet-users bob"), "\(first)")
        let second = try await fixture.raised("2026-11-17")
        #expect(second.keys == [], "\(second)")
        #expect(second.status == 0, "\(second)")
        let alerts = try fixture.alerts("2026-11-17")
        #expect(
            alerts.contains(["quiet-users", "bob", "bob is quiet; last event: none", "2026-11-16"]), "\(alerts)")
        #expect(
            try fixture.folder.read("nights/2026-11-17/summary.txt").contains(
                "\nAlerts\n  none new\n  Still open: "))
        // The event of bob ends the alert. It is raised again when it begins again.
        #expect(try await fixture.raised("2026-11-20").keys == [])
        #expect(try !fixture.alerts("2026-11-20").contains { $0[1] == "bob" })
        let again = try await fixture.raised("2026-12-04")
        #expect(again.keys.contains("quiet-users bob"), "\(again)")
        #expect(again.status == 2, "\(again)")
    }

    @Test func newAlertsAreListedBeforeNumberOfOthers() async throws {
        let fixture = try await Fixture()
        func open(_ day: String) throws -> (summary: String, page: String) {
            (try fixture.folder.read("nights/\(day)/summary.txt"), try fixture.folder.read("nights/\(day)/index.html"))
        }
        _ = try await fixture.raised("2026-11-16")
        let first = try open("2026-11-16")
        #expect(first.summary.contains("\n  - bob is quiet; last event: none\n"), "\(first.summary)")
        #expect(!first.summary.contains("Still open"))
        #expect(first.page.contains("<li><a href=\"#alerts\">Alerts</a></li>"))
        #expect(
            first.page.contains("<li><strong class=\"mark\">New</strong> bob is quiet; last event: none</li>"),
            "\(first.page)")
        // On November 23, the rate of ann's habit becomes low. All other alerts are still open.
        _ = try await fixture.raised("2026-11-22")
        _ = try await fixture.raised("2026-11-23")
        let second = try open("2026-11-23")
        let count = try fixture.alerts("2026-11-23").count { $0[3] != "2026-11-23" }
        #expect(count > 0)
        #expect(
            second.summary.contains(
                "\n  - ann: 'Read' was done on 6 of 14 due days\n  Still open: \(count), see alerts.csv\n"),
            "\(second.summary)")
        #expect(second.page.contains("<details><summary>Still open: \(count)</summary>"))
        #expect(second.page.contains("(since 2026-11-16)</li>"))
    }

    @Test func repeatedNightRaisesOnlyNewAlerts() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.raised("2026-11-16").status == 2)
        let repeated = try await fixture.raised("2026-11-16")
        #expect(repeated.keys == [], "\(repeated)")
        #expect(repeated.status == 0, "\(repeated)")
        #expect(try fixture.alerts("2026-11-16").count >= 3)
        try fixture.folder.write("id\ncy\n", to: "more.csv")
        try fixture.folder.write("id,user,title,days,start\nsew,cy,Sew,1111111,2026-10-01\n", to: "habits.csv")
        #expect(try await fixture.habitat("ingest", "--kind", "users", "more.csv").status == 0)
        #expect(try await fixture.habitat("ingest", "habits.csv").status == 0)
        let changed = try await fixture.raised("2026-11-16")
        #expect(Set(changed.keys) == ["quiet-users cy", "alert-rate sew"], "\(changed)")
        #expect(changed.status == 2, "\(changed)")
    }

    /// The alerts of two earlier days began earlier, but the run of the last day has already raised them.
    @Test func earlierNightThatIsMadeLaterRaisesNoAlertAgain() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.raised("2026-11-18").status == 2)
        let earlier = try await fixture.raised("2026-11-18", "--since", "2026-11-16")
        #expect(earlier.keys == ["alert-streak read"], "\(earlier)")
        #expect(earlier.status == 2, "\(earlier)")
        // The file of the last day now contains the days on which its alerts began.
        #expect(try fixture.alerts("2026-11-18").first { $0[1] == "bob" }?[3] == "2026-11-16")
        let repeated = try await fixture.raised("2026-11-18", "--since", "2026-11-16")
        #expect(repeated.keys == [], "\(repeated)")
        #expect(repeated.status == 0, "\(repeated)")
    }

    @Test func alertThatComesBackInTheSameNightIsNotRaisedAgain() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.raised("2026-11-17")
        #expect(first.keys.contains("alert-no-events events"), "\(first)")
        #expect(
            try await fixture.habitat("event", "add", "--habit", "read", "--day", "2026-11-17", "--as", "ann").status
                == 0)
        #expect(try await fixture.raised("2026-11-17").keys == [])
        #expect(try fixture.alerts("2026-11-17").contains { $0[0] == "alert-no-events" } == false)
        let event = try await fixture.habitat(
            "history", "--from", "2026-11-17", "--to", "2026-11-17", "--format", "csv", "--columns", "id")
        let id = try #require(event.lines.last)
        #expect(try await fixture.habitat("event", "delete", id, "--as", "ann", "--yes").status == 0)
        let again = try await fixture.raised("2026-11-17")
        #expect(again.keys == [], "\(again)")
        #expect(again.status == 0, "\(again)")
        #expect(try fixture.alerts("2026-11-17").contains { $0[0] == "alert-no-events" })
    }

    @Test func nightsThatWouldBeRemovedAreNotMade() async throws {
        let fixture = try await Fixture()
        let first = try await fixture.raised("2026-11-20", "--since", "2026-11-14", "--keep", "2")
        #expect(first.status == 2, "\(first)")
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("nights"))
        #expect(names.filter { $0.hasPrefix("2026-") }.sorted() == ["2026-11-19", "2026-11-20"])
        let repeated = try await fixture.raised("2026-11-20", "--since", "2026-11-14", "--keep", "2")
        #expect(repeated.keys == [], "\(repeated)")
        #expect(repeated.status == 0, "\(repeated)")
    }

    @Test func failedDayDoesNotKeepOtherDaysAndAlertsBack() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.raised("2026-11-16").status == 2)
        try fixture.folder.write("mine", to: "nights/2026-11-16/notes.txt")
        try fixture.folder.write("id,user,title,days,start\nsew,cy,Sew,1111111,2026-10-01\n", to: "habits.csv")
        #expect(try await fixture.habitat("user", "add", "cy").status == 0)
        #expect(try await fixture.habitat("ingest", "habits.csv").status == 0)
        let file = fixture.folder.file("alerts")
        let result = try await fixture.habitat(
            "nightly", "--output", "nights", "--since", "2026-11-16", "--date", "2026-11-18", "--notify",
            "cat >'\(file)'")
        #expect(result.status == 73, "\(result)")
        #expect(result.errors.contains("notes.txt"), "\(result)")
        #expect(result.errors.contains("The nightly reports of 2026-11-16 were not made: "), "\(result)")
        #expect(try fixture.alerts("2026-11-18").count > 0)
        #expect(try fixture.folder.read("alerts").contains("\"night\" : \"2026-11-17\""))
    }

    @Test func weekHasOnlyRulesOfWeeks() async throws {
        let fixture = try await Fixture()
        let result = try await fixture.habitat(
            "nightly", "--output", "weeks", "--every", "week", "--date", "2026-11-22", "--alerts")
        #expect(result.status == 2, "\(result)")
        let rows = Array(parseCSV(try fixture.folder.read("weeks/2026-11-22/alerts.csv")).dropFirst())
        #expect(Set(rows.map { $0[0] }) == ["alert-rate"], "\(rows)")
    }

    @Test func alertsAreFilesOfNightAndPartOfManifest() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.raised("2026-11-16").status == 2)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(fixture.folder.read("nights/2026-11-16/alerts.json").utf8))
                as? [[String: String]])
        #expect(
            json.contains([
                "report": "alert-streak", "key": "read", "message": "ann: the streak of 46 days of 'Read' ended",
                "raised": "2026-11-16",
            ]), "\(json)")
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(fixture.folder.read("nights/2026-11-16/manifest.json").utf8))
                as? [String: Any])
        #expect((manifest["alerts"] as? [[String: String]])?.count == json.count)
        // Without the option, a run has no alerts.
        let plain = try await fixture.habitat("nightly", "--output", "plain", "--date", "2026-11-16")
        #expect(plain.status == 0, "\(plain)")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("plain/2026-11-16/alerts.csv")))
    }

    @Test func commandGetsRaisedAlertsUntilItSucceeds() async throws {
        let fixture = try await Fixture()
        let failed = try await fixture.notify("cat >/dev/null; exit 3", day: "2026-11-16")
        #expect(failed.status == 74, "\(failed)")
        #expect(failed.errors.contains("ended with status 3"), "\(failed)")
        // The nightly run is complete, and the next run delivers its alerts.
        #expect(try fixture.alerts("2026-11-16").count >= 3)
        let delivered = try await fixture.notify("cat >'\(fixture.folder.file("alerts"))'", day: "2026-11-17")
        #expect(delivered.status == 0, "\(delivered)")
        let count = try fixture.alerts("2026-11-16").count
        #expect(delivered.errors.hasSuffix("Passed \(count) alerts of 2026-11-16 to the command.\n"), "\(delivered)")
        let input = try #require(
            try JSONSerialization.jsonObject(with: Data(fixture.folder.read("alerts").utf8)) as? [String: Any])
        let alerts = try #require(input["alerts"] as? [[String: String]])
        #expect(alerts.allSatisfy { $0["night"] == "2026-11-16" }, "\(alerts)")
        #expect(alerts.contains { $0["report"] == "alert-streak" && $0["key"] == "read" }, "\(alerts)")
        // A delivered alert is not delivered again, and a command without alerts does not run.
        let silent = try await fixture.notify("touch '\(fixture.folder.file("called"))'", day: "2026-11-18")
        #expect(silent.status == 0, "\(silent)")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("called")))
        // A command need not read its input.
        let unread = try await fixture.notify("true", day: "2026-12-04")
        #expect(unread.status == 2, "\(unread)")
    }

    @Test func deliveryIsEventOfLog() async throws {
        let fixture = try await Fixture()
        let result = try await fixture.habitat(
            "nightly", "--output", "nights", "--since", "2026-11-15", "--date", "2026-11-16", "--log-format", "json",
            "--notify", "cat >/dev/null")
        let line = try #require(result.errors.split(separator: "\n").last)
        let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(entry["event"] as? String == "alerts-delivered", "\(result)")
        #expect(entry["nights"] as? [String] == ["2026-11-15", "2026-11-16"])
        let raised = result.errors.components(separatedBy: "\"alert-raised\"").count - 1
        #expect(entry["count"] as? Int == raised)
        #expect(raised > 0)
    }

    @Test func withdrawnAlertIsNotDelivered() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.notify("false").status == 74)
        #expect(try fixture.folder.read("nights/.alerts.json").contains("bob"))
        try fixture.folder.write("habit,day\nrun,2026-11-15\n", to: "late.csv")
        #expect(try await fixture.habitat("ingest", "--kind", "events", "late.csv").status == 0)
        let corrected = try await fixture.notify("cat >'\(fixture.folder.file("alerts"))'")
        #expect(corrected.status == 0, "\(corrected)")
        let delivered = try fixture.folder.read("alerts")
        #expect(delivered.contains("alert-streak"), "\(delivered)")
        #expect(!delivered.contains("bob is quiet"), "\(delivered)")
    }

    /// The service of systemd may open no sockets, which Foundation's `Process` needs.
    @Test(
        .fileStoreOnly,
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "Python is not installed"))
    func commandRunsWithoutSockets() async throws {
        let fixture = try await Fixture()
        // A seccomp filter by which socket(2) and socketpair(2) fail with EAFNOSUPPORT, as with RestrictAddressFamilies=none.
        let script = """
            import ctypes, os, platform, struct, sys
            numbers = {"x86_64": (41, 53), "aarch64": (198, 199)}[platform.machine()]
            rules = [(0x20, 0, 0, 0)] + [(0x15, 2 - i, 0, n) for i, n in enumerate(numbers)]
            rules += [(0x06, 0, 0, 0x7fff0000), (0x06, 0, 0, 0x00050000 | 97)]
            code = b"".join(struct.pack("HBBI", *rule) for rule in rules)
            buffer = ctypes.create_string_buffer(code)
            class Program(ctypes.Structure):
                _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
            libc = ctypes.CDLL(None)
            assert libc.prctl(38, 1, 0, 0, 0) == 0
            program = Program(len(rules), ctypes.cast(buffer, ctypes.c_void_p))
            assert libc.prctl(22, 2, ctypes.byref(program)) == 0
            os.execv(sys.argv[1], sys.argv[1:])
            """
        let result = try await Program.run(
            "/usr/bin/python3",
            [
                "-c", script, Program.habitat, "nightly", "--store", fixture.folder.file("habitat.db"), "--output",
                "nights", "--date", "2026-11-16", "--now", "2026-12-31T12:00:00Z", "--notify", "cat >alerts", "--quiet",
            ], in: fixture.folder.path)
        #expect(result.status == 2, "\(result)")
        #expect(result.errors == "", "\(result)")
        #expect(try fixture.folder.read("alerts").contains("alert-streak"))
    }

    @Test func ruleWithoutDateIsRefusedWithFileAndRemedy() async throws {
        let fixture = try await Fixture()
        let rule = """
            -- title: Rule
            -- description: Users.
            -- column: id text - ID of the user.
            -- key: id
            -- formats: csv
            -- alert: {id} exists
            SELECT id
            FROM users
            ORDER BY id
            """
        try fixture.folder.write(rule, to: "rules/rule.sql")
        let result = try await fixture.habitat(
            "nightly", "--output", "nights", "--date", "2026-11-16", "--alerts", "--reports", "rules")
        #expect(
            result.status == 65,
            "\(result)")
        #expect(
            result.errors.contains(
                "rules/rule.sql:6: the nightly run sets the parameter 'date': add '-- parameter: date date"),
            "\(result)")
    }

    @Test func ruleOfManualIsValid() async throws {
        let manual = try String(contentsOfFile: Program.repository + "/docs/nightly.md", encoding: .utf8)
        let rule = try #require(manual.firstMatch(of: /```sql\n([\s\S]*?)```/)).1
        #expect(rule.contains("-- alert: "))
        let fixture = try await Fixture()
        try fixture.folder.write(String(rule), to: "rules/many-events.sql")
        let check = try await fixture.habitat("report", "check", "rules/many-events.sql")
        #expect(check.status == 0, "\(check)")
        let events = (0..<11).map { "h\($0),2026-11-16" }
        let habits = (0..<11).map { "h\($0),bob,Habit \($0),1111111" }
        try fixture.folder.write("id,user,title,days\n" + habits.joined(separator: "\n") + "\n", to: "more-habits.csv")
        try fixture.folder.write("habit,day\n" + events.joined(separator: "\n") + "\n", to: "more-events.csv")
        #expect(try await fixture.habitat("ingest", "--kind", "habits", "more-habits.csv").status == 0)
        #expect(try await fixture.habitat("ingest", "--kind", "events", "more-events.csv").status == 0)
        let raised = try await fixture.raised("2026-11-16", "--reports", "rules")
        #expect(raised.keys.contains("many-events bob"), "\(raised)")
    }

    /// The text of a rule that finds all users.
    private static func rule(_ message: String, key: String = "id", sql: String) -> String {
        """
        -- title: Rule
        -- description: Users.
        -- parameter: date date default yesterday - The day.
        -- column: id text - ID of the user.
        -- column: part text - A part.
        -- key: \(key)
        -- formats: csv
        -- alert: \(message)
        \(sql)
        """
    }

    @Test func keysOfSeveralColumnsAreDistinct() async throws {
        let fixture = try await Fixture()
        let rows = "VALUES ('a/b', 'c'), ('a', 'b/c'), ('a%2Fb', 'c')"
        try fixture.folder.write(
            Self.rule(
                "{id}", key: "id part",
                sql: """
                    SELECT column1 AS id, column2 AS part
                    FROM (\(rows)) AS pair
                    WHERE :date IS NOT NULL
                    ORDER BY id, part
                    """), to: "rules/pairs.sql")
        let result = try await fixture.raised("2026-11-16", "--reports", fixture.folder.file("rules"))
        #expect(
            Set(result.keys.filter { $0.hasPrefix("pairs ") }) == [
                "pairs a%2Fb/c", "pairs a/b%2Fc", "pairs a%252Fb/c",
            ],
            "\(result)")
    }

    /// Returns the SQL of a rule that finds a number of rows, at most 13,254.
    private static func manyRows(_ count: Int) -> String {
        """
        SELECT a.id AS id, CAST((b.n * 200 + c.n) * 4 + d.n AS TEXT) AS part
        FROM users AS a
        CROSS JOIN (SELECT day_diff(day, '2026-10-01') AS n FROM events) AS b
        CROSS JOIN (SELECT day_diff(day, '2026-10-01') AS n FROM events) AS c
        CROSS JOIN (SELECT 1 AS n UNION ALL SELECT 2 UNION ALL SELECT 3) AS d
        WHERE :date IS NOT NULL
        ORDER BY id, part
        LIMIT \(count)
        """
    }

    @Test func ruleThatFindsAsManyRowsAsAllowedIsAccepted() async throws {
        let fixture = try await Fixture()
        try fixture.folder.write(
            Self.rule("{id}", key: "id part", sql: Self.manyRows(10_000)), to: "rules/many.sql")
        let result = try await fixture.habitat(
            "nightly", "--output", "nights", "--alerts", "--date", "2026-11-16", "--reports",
            fixture.folder.file("rules"))
        #expect(!result.errors.contains("can be alerts"), "\(result)")
        #expect(FileManager.default.fileExists(atPath: fixture.folder.file("nights/2026-11-16")))
    }

    @Test func ruleThatFindsTooManyRowsIsRefused() async throws {
        let fixture = try await Fixture()
        try fixture.folder.write(
            Self.rule("{id}", key: "id part", sql: Self.manyRows(10_001)), to: "rules/many.sql")
        let result = try await fixture.habitat(
            "nightly", "--output", "nights", "--alerts", "--date", "2026-11-16", "--reports",
            fixture.folder.file("rules"))
        #expect(result.status == 65, "\(result)")
        #expect(result.errors.contains("at most 10000 can be alerts"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: fixture.folder.file("nights/2026-11-16")))
    }

    /// The reports must end, and the command must write the ID of its child, before the time is over.
    @Test func commandThatDoesNotEndIsEndedWithItsChildren() async throws {
        let fixture = try await Fixture()
        let file = fixture.folder.file("child")
        let result = try await fixture.habitat(
            "nightly", "--output", "nights", "--date", "2026-11-16", "--timeout", "20s", "--notify",
            "sleep 300 & echo $! >'\(file)'; wait")
        #expect(result.status == 74, "\(result)")
        #expect(result.errors.contains("did not end within"), "\(result)")
        let text = try fixture.folder.read("child").trimmingCharacters(in: .whitespacesAndNewlines)
        let child = try #require(Int32(text))
        try await waitUntil("the child ends") { kill(child, 0) != 0 }
        #expect(kill(child, 0) != 0)
        // The alerts stay pending.
        let next = try await fixture.habitat(
            "nightly", "--output", "nights", "--date", "2026-11-17", "--notify", "cat >'\(file)'")
        #expect(next.status == 0, "\(next)")
        #expect(try fixture.folder.read("child").contains("alert-streak"))
    }

    @Test(arguments: [
        ("{name} is quiet", "the message names the unknown column 'name': use a column of the report"),
        ("{idd} is quiet", "did you mean '{id}'?"), ("{id is quiet", "a brace has no partner"),
        ("id} is quiet", "a brace has no partner"),
    ])
    func invalidMessageIsRefused(message: String, problem: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            -- title: Rule
            -- description: Users.
            -- parameter: date date default yesterday - The day.
            -- column: id text - ID of the user.
            -- key: id
            -- formats: csv
            -- alert: \(message)
            SELECT id
            FROM users
            WHERE :date IS NOT NULL
            ORDER BY id
            """, to: "rule.sql")
        let result = try await Program.habitat("report", "check", "rule.sql", in: folder)
        #expect(result.status == 65, "\(result)")
        #expect((result.output + result.errors).contains(problem), "\(result)")
    }

    @Test func ruleOfLowRateCountsDueDaysOfTwoWeeks() async throws {
        let fixture = try await Fixture()
        func rates(_ day: String) async throws -> [[String?]] {
            let result = try await fixture.habitat("report", "run", "alert-rate", "--date", day, "--format", "csv")
            return Array(parseCSV(result.output).dropFirst())
        }
        // On November 22, 7 of 14 days were done, which is not under one half.
        #expect(try await rates("2026-11-22").map(\.first) == ["run"])
        #expect(
            try await rates("2026-11-23") == [
                ["run", "bob", "Run", "14", "1", "0.071429"], ["read", "ann", "Read", "14", "6", "0.428571"],
            ])
    }
}
