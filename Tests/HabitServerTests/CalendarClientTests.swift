import Foundation
import HabitTestSupport
import Testing

/// Tests that the library icalendar reads the calendars of the server, the lists and the reports.
@Suite(
    .engineIndependent,
    .serialized, .enabled(if: TestPython.isInstalled, "the Python packages of the tests are not installed"))
struct CalendarClientTests {
    /// A folder with a store that has a user with habits of each form.
    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("id,name,time_zone\nann,\"Ann, A.\",Europe/Lisbon\nbob,,UTC\n", to: "users.csv")
        try folder.write(
            """
            id,user,title,days,times,period_days,start,end,target_amount,reason,remind_at
            daily,ann,"Walk, run; \\ rest",1111111,,,2026-11-01,,,,07:30
            week,ann,Läuft bei mir 🏃,mon wed,,,2026-11-02,2026-12-31,,,
            three,ann,Swim,,3,7,2026-11-01,,,Fit,18:05
            met,ann,Read,,1,7,2026-11-01,,,,
            amount,ann,Push-ups,1111111,,,2026-11-18,,10,,
            past,ann,Old,1111111,,,2024-01-01,2024-12-31,,,
            later,ann,New,fri,,,2026-12-01,,,,
            unbegun,ann,Loose,sat,,,,,,,
            theirs,bob,Secret,1111111,,,2026-11-01,,,,06:00

            """, to: "habits.csv")
        try folder.write("habit,from,days\nweek,2026-11-16,tue thu\n", to: "schedules.csv")
        try folder.write(
            """
            id,habit,day,at,comment,outcome,amount,longitude,latitude
            e1,daily,2026-11-17,2026-11-17T23:30:00Z,"rain, ""wet""
            and; ice",done,,-9.1393,38.7223
            e2,daily,2026-11-18,,,skipped,,,
            e3,daily,2026-11-19,,,done,,,
            e4,three,2026-11-19,,,done,,,
            e5,met,2026-11-19,,,done,,,
            e6,amount,2026-11-18,,,done,5,,
            e7,amount,2026-11-19,,,done,10,,
            e8,past,2024-06-01,,,done,,,
            e9,week,2026-11-19,,,skipped,,,
            f1,theirs,2026-11-19,,,done,,,

            """, to: "events.csv")
        let load = try await Program.habitat(
            "ingest", "users.csv", "habits.csv", "schedules.csv", "events.csv", "--quiet", in: folder)
        try #require(load.status == 0, "\(load)")
        return folder
    }

    /// Prints one line for each event: its identifier, its time, its title, its text, and the dates of its repetitions.
    private static let script = """
        import datetime, sys
        from icalendar import Calendar
        data = open(sys.argv[1], "rb").read()
        assert data.endswith(b"\\r\\n") and b"\\n" not in data.replace(b"\\r\\n", b""), "line breaks"
        assert all(len(line) <= 75 for line in data.split(b"\\r\\n")), "long line"
        calendar = Calendar.from_ical(data)
        assert calendar["VERSION"] == "2.0" and calendar["PRODID"]
        assert not calendar.errors and calendar.to_ical()
        uids = set()
        for event in calendar.walk("VEVENT"):
            assert not event.errors, event.errors
            for name in ["UID", "DTSTAMP", "DTSTART", "SUMMARY"]: assert name in event, name
            assert event["TRANSP"] == "TRANSPARENT" and str(event["UID"]) not in uids
            uids.add(str(event["UID"]))
            start = event["DTSTART"].dt
            days = ""
            if "RRULE" in event:
                from dateutil.rrule import rrulestr
                rule = rrulestr(event["RRULE"].to_ical().decode(), dtstart=datetime.datetime.combine(start, datetime.time()))
                skipped = [d.dt for d in event["EXDATE"].dts] if "EXDATE" in event else []
                end = datetime.datetime(2026, 12, 6)
                found = [d.date() for d in rule.between(datetime.datetime(2026, 11, 14), end, inc=True)]
                assert set(skipped) <= set(found), skipped
                days = " ".join(str(d)[5:] for d in found if d not in skipped)
            place = "%.4f,%.4f" % (event["GEO"].latitude, event["GEO"].longitude) if "GEO" in event else ""
            alarms = []
            for alarm in event.walk("VALARM"):
                assert not alarm.errors and alarm["ACTION"] == "DISPLAY" and alarm["DESCRIPTION"] == event["SUMMARY"]
                assert alarm["TRIGGER"].params["RELATED"] == "START"
                alarms.append("alarm " + str(alarm["TRIGGER"].dt))
            days = " ".join([days] + alarms) if alarms else days
            cells = [str(event["UID"]), start.isoformat(), str(event["SUMMARY"]), str(event.get("DESCRIPTION", "")), place, days]
            print("|".join(cell.replace("\\n", "/") for cell in cells))
        """

    private static func parse(_ bytes: String, in folder: TemporaryFolder) async throws -> [String] {
        let path = try folder.write(Data(bytes.utf8), to: "calendar.ics")
        let result = try await TestPython.run(script, [path])
        #expect(result.status == 0, "\(result.errors)\n\(bytes)")
        return result.lines
    }

    @Test func libraryReadsCalendarOfServer() async throws {
        let folder = try await Self.folder()
        let created = try await Program.habitat(
            "token", "create", "--user", "ann", "--calendar", "--format", "csv", "--columns", "path", "--quiet",
            in: folder)
        let path = try #require(created.lines.last, "\(created)")
        let server = try await LiveTests.RunningServer(in: folder)
        let response = try await server.curl("--fail", server.base + path)
        #expect(response.status == 0, "\(response)")
        #expect(response.output.contains("NAME:Habits of Ann\\, A.\r\nX-WR-CALNAME:Habits of Ann\\, A.\r\n"))
        let events = try await Self.parse(response.output, in: folder)
        let november = { (days: ClosedRange<Int>) in days.map { "11-\($0)" }.joined(separator: " ") }
        let december = "12-01 12-02 12-03 12-04 12-05 12-06"
        let walk = #"Walk, run; \ rest"#
        let expected = [
            "habit/amount@habitat|2026-11-18|Push-ups|||\(november(18...30)) \(december)",
            "habit/daily@habitat|2026-11-01|\(walk)|||\(november(14...17)) \(november(19...30)) \(december) alarm 7:30:00",
            "habit/later@habitat|2026-12-04|New|||12-04",
            "three/2026-11-20@habitat|2026-11-20|Swim|1 of 3/Fit|| alarm 18:05:00",
            "habit/unbegun@habitat|2026-11-21|Loose|||11-21 11-28 12-05",
            // The schedule changes on November 16. The day skipped on November 19 is excluded.
            "habit/week@habitat|2026-11-02|Läuft bei mir 🏃|||",
            "habit-from-2026-11-16/week@habitat|2026-11-17|Läuft bei mir 🏃|||11-17 11-24 11-26 12-01 12-03",
            "e1@habitat|2026-11-17T23:30:00+00:00|\(walk): done|rain, \"wet\"/and; ice|38.7223,-9.1393|",
            "e3@habitat|2026-11-19|\(walk): done|||",
            "e4@habitat|2026-11-19|Swim: done|||", "e5@habitat|2026-11-19|Read: done|||",
            "e7@habitat|2026-11-19|Push-ups: done|||",
        ]
        #expect(events == expected)
    }

    /// Searches the access log, the error log and the audit log.
    @Test func addressIsNotInLogsOfServerProgram() async throws {
        let folder = try await Self.folder()
        let created = try await Program.habitat(
            "token", "create", "--user", "ann", "--calendar", "--format", "csv", "--columns", "path,id", "--quiet",
            in: folder)
        let cells = try #require(created.lines.last, "\(created)").split(separator: ",").map(String.init)
        let server = try await LiveTests.RunningServer(
            keeping: folder, environment: ["HABITAT_LOG": "trace"], ["--audit-log", "audit.log"])
        let address = server.base + cells[0]
        let tag = try await server.curl("--fail", "--head", address).output.firstMatch(of: /(?i)etag: (".*")/).map {
            $0.1
        }
        let unchanged = try await server.curl(
            "-o", "/dev/null", "-w", "%{http_code}", "-H", "If-None-Match: \(try #require(tag))", address)
        #expect(unchanged.output == "304", "\(unchanged)")
        // The command line revokes the address while the server runs.
        let list = try await Program.habitat(
            "token", "list", "--format", "csv", "--columns", "id,user,kind,expires_at", in: folder)
        #expect(list.lines == ["id,user,kind,expires_at", "\(cells[1]),ann,calendar,"], "\(list)")
        #expect(try await Program.habitat("token", "revoke", cells[1], in: folder).status == 0)
        let revoked = try await server.curl("-o", "/dev/null", "-w", "%{http_code}", address)
        #expect(revoked.output == "404", "\(revoked)")
        let secret = cells[0].dropFirst("/calendars/hbc_".count).prefix(20)
        let logs = try server.scratch.read("stderr") + folder.read("audit.log")
        #expect(logs.contains("/calendars/{calendarFile}"), "\(logs)")
        #expect(!logs.contains(secret), "\(logs)")
    }

    @Test(arguments: [
        (["history", "--as", "ann", "--sort", "stored"], 9), (["todo", "--as", "ann"], 3),
        (["report", "run", "history", "--from", "2024-01-01", "--to", "2026-11-20"], 10),
        (["event", "show", "e1"], 1), (["history", "--as", "ann", "--columns", "id,day,title"], 9),
        (["query", "SELECT id, day, comment FROM events WHERE day >= '2026-11-01' ORDER BY id"], 9),
        (["query", "SELECT '2026-11-20T08:00:00+01:00' AS at, 'x' AS title"], 1),
        (["history", "--as", "ann", "--comment", "nothing"], 0), (["token", "list"], 0),
    ])
    func libraryReadsListsAndReports(command: [String], count: Int) async throws {
        let folder = try await Self.folder()
        let result = try await Program.habitat(command + ["--format", "ics", "--today", "2026-11-20"], in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(try await Self.parse(result.output, in: folder).count == count, "\(result.output)")
        // The extension of the file selects the format.
        let file = try await Program.habitat(command + ["--output", "out.ics", "--today", "2026-11-20"], in: folder)
        #expect(file.status == 0, "\(file)")
        #expect(try folder.read("out.ics") == result.output, "\(file)")
    }

    @Test(arguments: [
        ["habit", "list"], ["user", "list"], ["stats"], ["report", "run", "completion"],
        ["history", "--columns", "id,title"],
        ["query", "SELECT id FROM events ORDER BY id"], ["setting", "list"],
    ])
    func outputWithoutDayIsRefused(command: [String]) async throws {
        let folder = try await Self.folder()
        let result = try await Program.habitat(command + ["--format", "ics", "--today", "2026-11-20"], in: folder)
        #expect(result.status == 64, "\(result)")
        #expect(result.output.isEmpty, "\(result)")
        #expect(result.errors.hasPrefix("error[format-not-available]: "), "\(result)")
    }

    @Test func rowsWithoutDayAreReported() async throws {
        let folder = try await Self.folder()
        let sql = "SELECT id, CASE WHEN id = 'e1' THEN NULL ELSE day END AS day FROM events ORDER BY id"
        let result = try await Program.habitat("query", sql, "--format", "ics", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("1 row without a day is omitted"), "\(result)")
    }
}
