import Foundation
import HabitTestSupport
import Testing

/// Tests of rules R-12 and R-13: `nightly --since` repeats exactly the nightly runs with a changed input.
@Suite(.engineIndependent) struct NightlyInputTests {
    /// A store with a daily habit of each of two users: `east` in Tokyo and `west` in Pago Pago.
    private struct Fixture {
        let folder: TemporaryFolder

        init() async throws {
            folder = try TemporaryFolder()
            try folder.write("id,time_zone\neast,Asia/Tokyo\nwest,Pacific/Pago_Pago\n", to: "users.csv")
            try folder.write(
                "id,user,title,days,start\ne,east,Read,1111111,2026-11-01\nw,west,Run,1111111,2026-11-01\n",
                to: "habits.csv")
            #expect(try await habitat("ingest", "users.csv", "habits.csv", now: "2026-11-01T12:00:00Z").status == 0)
        }

        @discardableResult
        func habitat(_ arguments: String..., now: String) async throws -> ProgramResult {
            try await Program.habitat(arguments + ["--now", now], in: folder)
        }

        /// Runs `nightly --since` and returns the days that it renders, with the changes in the log.
        func nightly(_ arguments: String..., to nights: String = "nights", now: String) async throws -> [String:
            [String]]
        {
            let result = try await Program.habitat(
                ["nightly", "--output", nights, "--log-format", "json", "--now", now] + arguments, in: folder)
            #expect(result.status == 0, "\(result)")
            var made: [String: [String]] = [:]
            for line in result.errors.split(separator: "\n") {
                let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                guard let night = entry?["night"] as? String else { continue }
                made[night] = entry?["changed"] as? [String]
            }
            return made
        }

        func load(_ events: String, now: String) async throws {
            try folder.write("id,habit,day,at,comment\n" + events, to: "events.csv")
            let result = try await habitat("ingest", "events.csv", now: now)
            #expect(result.status == 0, "\(result)")
        }

        /// Returns the files of all nights, by path.
        func files(_ nights: String = "nights") throws -> [String: Data] {
            var files: [String: Data] = [:]
            let folder = folder.file(nights)
            for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
                files[name] = FileManager.default.contents(atPath: folder + "/" + name)
            }
            return files
        }

        func read(_ night: String, _ file: String) throws -> String { try folder.read("nights/\(night)/\(file)") }
    }

    private static let week = (14...20).map { "2026-11-\($0)" }
    private static let now = "2026-11-21T18:00:00Z"

    @Test func onlyNightsWithChangedInputAreMadeAgain() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--since", "today-7", now: Self.now).keys.sorted() == Self.week)
        let first = try fixture.files()
        #expect(try await fixture.nightly("--since", "today-7", now: Self.now) == [:])
        #expect(try fixture.files() == first)

        try await fixture.load("e17,e,2026-11-17,,late\n", now: Self.now)
        let late = try await fixture.nightly("--since", "today-7", now: Self.now)
        #expect(late.keys.sorted() == Array(Self.week[3...]), "\(late)")
        #expect(late.values.allSatisfy { $0 == ["events"] }, "\(late)")
        let second = try fixture.files()
        for (name, bytes) in first where name.hasPrefix("2026-11-14/") || name.hasPrefix("2026-11-16/") {
            #expect(second[name] == bytes, "\(name)")
        }
        #expect(try fixture.read("2026-11-17", "day-events.csv").contains("late"))

        // A load of equal records changes nothing.
        try await fixture.load("e17,e,2026-11-17,,late\n", now: Self.now)
        #expect(try await fixture.nightly("--since", "today-7", now: Self.now) == [:])
        // An event of a later day concerns none of the nightly runs.
        try await fixture.load("e21,e,2026-11-21,,today\n", now: Self.now)
        #expect(try await fixture.nightly("--since", "today-7", now: Self.now) == [:])
        // A moved event concerns its former day too.
        try await fixture.habitat("event", "delete", "e17", "--as", "east", "--yes", now: Self.now)
        try await fixture.load("e19,e,2026-11-19,,moved\n", now: Self.now)
        let nights = try await fixture.nightly("--since", "today-7", now: Self.now)
        #expect(nights.keys.sorted() == Array(Self.week[3...]))
        #expect(try !fixture.read("2026-11-17", "day-events.csv").contains("late"))
    }

    @Test(arguments: [
        (["setting", "set", "comment-limit", "30"], ["settings"]),
        (["user", "edit", "west", "--time-zone", "UTC"], ["users"]),
        (["habit", "edit", "e", "--as", "east", "--days", "mon"], ["habits", "schedules"]),
        (["habit", "edit", "e", "--as", "east", "--title", "Write"], ["habits"]),
        (["habit", "pause", "e", "--as", "east", "--from", "2026-11-10"], ["pauses", "events"]),
        (["user", "pause", "--as", "west", "--from", "2026-11-10", "--to", "2026-11-12"], ["pauses", "events"]),
        (["follow", "request", "west", "--as", "east"], ["follows"]),
    ])
    func everyInputOfReportsIsCompared(change: [String], names: [String]) async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--since", "2026-11-18", now: Self.now).count == 3)
        let result = try await Program.habitat(change + ["--now", Self.now], in: fixture.folder)
        #expect(result.status == 0, "\(result)")
        let made = try await fixture.nightly("--since", "2026-11-18", now: Self.now)
        #expect(made.count == 3, "\(made)")
        #expect(!made.values.contains { $0.isEmpty }, "\(made)")
        #expect(made.values.allSatisfy { Set($0).isSubset(of: names) }, "\(made)")
    }

    /// A nightly run does not depend on a pause that begins later or on the look of a habit.
    @Test(arguments: [
        [
            "habit", "edit", "e", "--as", "east", "--rank", "3",
            "--remind-at", "07:00", "--tint", "2", "--symbol", "★",
        ],
        ["user", "pause", "--as", "west", "--from", "2026-12-01"],
        ["habit", "pause", "e", "--as", "east", "--from", "2026-11-21"],
    ])
    func changeWithoutEffectRepeatsNoNight(change: [String]) async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--since", "2026-11-18", now: Self.now).count == 3)
        let result = try await Program.habitat(change + ["--now", Self.now], in: fixture.folder)
        #expect(result.status == 0, "\(result)")
        #expect(try await fixture.nightly("--since", "2026-11-18", now: Self.now) == [:])
    }

    @Test func pauseRepeatsNightsFromItsFirstDay() async throws {
        let fixture = try await Fixture()
        #expect(try await fixture.nightly("--since", "2026-11-18", now: Self.now).count == 3)
        let paused = try await fixture.habitat(
            "user", "pause", "--as", "west", "--from", "2026-11-19", "--to", "2026-11-19", now: Self.now)
        #expect(paused.status == 0, "\(paused)")
        let made = try await fixture.nightly("--since", "2026-11-18", now: Self.now)
        #expect(made.keys.sorted() == ["2026-11-19", "2026-11-20"], "\(made)")
    }

    @Test func changedReportFileRepeatsNights() async throws {
        let fixture = try await Fixture()
        func write(_ title: String) throws {
            try fixture.folder.write(
                """
                -- title: \(title)
                -- description: The users.
                -- parameter: date date default yesterday - The report day.
                -- column: id text - An ID.
                -- key: id
                -- formats: csv
                -- nightly: csv
                SELECT id
                FROM users
                WHERE :date IS NOT NULL
                ORDER BY id
                """, to: "mine/people.sql")
        }
        try write("People")
        let made = try await fixture.nightly("--since", "2026-11-19", "--reports", "mine", now: Self.now)
        #expect(made.count == 2)
        let unchanged = try await fixture.nightly("--since", "2026-11-19", "--reports", "mine", now: Self.now)
        #expect(unchanged == [:])
        try write("Users")
        let changed = try await fixture.nightly("--since", "2026-11-19", "--reports", "mine", now: Self.now)
        #expect(changed == ["2026-11-19": ["reports"], "2026-11-20": ["reports"]])
        // Without the file, the reports are others again.
        #expect(try await fixture.nightly("--since", "2026-11-19", now: Self.now).count == 2)
    }

    @Test func dayEndsForEachUserInOwnTimeZone() async throws {
        let fixture = try await Fixture()
        // In Pago Pago, 2026-11-20 ends on 2026-11-21 at 11:00 UTC.
        let early = "2026-11-21T05:00:00Z"
        #expect(try await fixture.nightly(now: early).keys.sorted() == ["2026-11-20"])
        #expect(try fixture.read("2026-11-20", "summary.txt").contains("Preliminary: the day is not over for west."))
        #expect(try fixture.read("2026-11-20", "index.html").contains("Preliminary: the day is not over for west."))
        #expect(try fixture.read("2026-11-20", "manifest.json").contains(#""preliminary" : ["#))
        let open = try fixture.read("2026-11-20", "nightly-summary.csv")
        // The user does the habit in the evening, and it is recorded after the run.
        try await fixture.load("w20,w,2026-11-20,2026-11-20T22:00:00-11:00,evening\n", now: "2026-11-21T10:00:00Z")
        #expect(
            try await fixture.nightly("--since", "today-1", now: "2026-11-21T11:30:00Z") == [
                "2026-11-20": ["events", "preliminary"]
            ])
        let over = try fixture.read("2026-11-20", "nightly-summary.csv")
        #expect(over != open)
        #expect(try fixture.read("2026-11-20", "day-events.csv").contains("evening"))
        #expect(try !fixture.read("2026-11-20", "summary.txt").contains("Preliminary"))
    }

    /// The result depends only on the store and the time of the last run.
    @Test func resultDoesNotDependOnEarlierRuns() async throws {
        let fixture = try await Fixture()
        var random = SeededGenerator(seed: 12)
        for day in 14...20 {
            let hour = Int.random(in: 0...23, using: &random)
            let now = "2026-11-\(day + 1)T\(hour < 10 ? "0" : "")\(hour):00:00Z"
            if Bool.random(using: &random) { _ = try await fixture.nightly("--since", "2026-11-14", now: now) }
            let habit = ["e", "w"].randomElement(using: &random) ?? "e"
            let late = Int.random(in: 10...day, using: &random)
            try await fixture.load("\(habit)\(late),\(habit),2026-11-\(late),,c\(day)\n", now: now)
            if Bool.random(using: &random) { _ = try await fixture.nightly(now: now) }
        }
        _ = try await fixture.nightly("--since", "2026-11-14", now: Self.now)
        #expect(
            try await fixture.nightly("--since", "2026-11-14", to: "once", now: Self.now).keys.sorted() == Self.week)
        let many = try fixture.files()
        let once = try fixture.files("once")
        #expect(many.keys.sorted() == once.keys.sorted())
        for (name, bytes) in once { #expect(many[name] == bytes, "\(name)") }
    }
}
