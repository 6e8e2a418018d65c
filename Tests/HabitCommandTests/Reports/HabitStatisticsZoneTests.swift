import HabitTestSupport
import Testing

/// Tests of habit statistics in time zones with clock changes or large UTC offsets.
///
/// The expected values are computed by hand.
///
/// Events have only an instant in UTC, so their day depends on the owner's time zone. Each habit is due every day
/// unless stated, and each event is just before or just after midnight.
@Suite struct HabitStatisticsZoneTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try folder.write(
            """
            id,time_zone
            lisbon,Europe/Lisbon
            howe,Australia/Lord_Howe
            kiri,Pacific/Kiritimati
            west,Etc/GMT+12

            """, to: "users.csv")
        try folder.write(
            """
            id,user,title,days,start
            autumn,lisbon,Autumn,1111111,2026-10-23
            spring,lisbon,Spring,1111111,2026-03-27
            half,howe,Half,1111111,2026-10-02
            early,kiri,Early,1111111,2026-11-18
            late,west,Late,1111111,2026-11-18

            """, to: "habits.csv")
        // Lisbon is at UTC+1 until 01:00 UTC of 2026-10-25 and from 01:00 UTC of 2026-03-29. Lord Howe is at +10:30
        // until 02:00 of 2026-10-04, then at +11.
        try folder.write(
            """
            habit,at
            autumn,2026-10-23T22:59:00Z
            autumn,2026-10-24T22:59:00Z
            autumn,2026-10-25T23:59:00Z
            autumn,2026-10-26T23:59:00Z
            spring,2026-03-27T00:00:00Z
            spring,2026-03-28T00:00:00Z
            spring,2026-03-29T00:00:00Z
            spring,2026-03-29T23:00:00Z
            half,2026-10-02T13:29:00Z
            half,2026-10-03T13:29:00Z
            half,2026-10-04T12:59:00Z
            half,2026-10-05T12:59:00Z
            early,2026-11-17T10:00:00Z
            early,2026-11-18T10:00:00Z
            early,2026-11-19T10:00:00Z
            late,2026-11-19T11:59:59Z
            late,2026-11-20T11:59:59Z
            late,2026-11-21T11:59:59Z

            """, to: "events.csv")
        let loaded = try await Program.habitat(
            "ingest", "--now", "2026-11-22T00:00:00Z", "users.csv", "habits.csv", "events.csv", in: folder)
        try #require(loaded.status == 0, "\(loaded.errors)")
    }

    /// Compares the statistics just before and at local midnight.
    ///
    /// The new day is due but not missed yet.
    @Test(arguments: [
        ("autumn", "2026-10-26T23:59:30Z", "4", "4", "4"), ("autumn", "2026-10-27T00:00:00Z", "4", "4", "4"),
        ("autumn", "2026-10-27T23:59:59Z", "4", "4", "4"), ("autumn", "2026-10-28T00:00:00Z", "5", "4", "0"),
        ("spring", "2026-03-29T22:59:59Z", "3", "3", "3"), ("spring", "2026-03-29T23:00:00Z", "4", "4", "4"),
        ("spring", "2026-03-31T22:59:59Z", "4", "4", "4"), ("spring", "2026-03-31T23:00:00Z", "5", "4", "0"),
        ("half", "2026-10-05T13:00:00Z", "4", "4", "4"), ("half", "2026-10-06T12:59:59Z", "4", "4", "4"),
        ("half", "2026-10-06T13:00:00Z", "5", "4", "0"),
        ("early", "2026-11-20T10:00:00Z", "3", "3", "3"), ("early", "2026-11-21T09:59:59Z", "3", "3", "3"),
        ("early", "2026-11-21T10:00:00Z", "4", "3", "0"),
        ("late", "2026-11-21T11:59:59Z", "3", "3", "3"), ("late", "2026-11-22T11:59:59Z", "3", "3", "3"),
        ("late", "2026-11-22T12:00:00Z", "4", "3", "0"),
    ])
    func habitStatisticsChangeAtLocalMidnight(habit: String, now: String, due: String, done: String, streak: String)
        async throws
    {
        let owners = ["autumn": "lisbon", "spring": "lisbon", "half": "howe", "early": "kiri", "late": "west"]
        let habits = try await Reports.table("habits", as: owners[habit], in: folder, now: now)
        let row = try #require(habits.selecting(["habit", "due", "done", "streak_current"]).first { $0[0] == habit })
        #expect(Array(row.dropFirst()) == [due, done, streak], "\(now)")
        // The command and the report have the same value.
        let list = try await Program.habitat(
            ["--now", now, "habit", "list", "--format", "csv", "--columns", "id,streak_current"], in: folder)
        #expect(list.output.contains("\n\(habit),\(streak)\n"), "\(list)")
    }

    /// Weeks and months with clock changes have the usual number of days.
    @Test func completionCountsDaysAcrossClockChanges() async throws {
        let now = "2026-11-22T00:00:00Z"
        func rows(_ options: String) async throws -> [[String?]] {
            try await Reports.table("completion \(options)", in: folder, now: now).selecting([
                "name", "due", "done", "completion_rate",
            ])
        }
        #expect(
            try await rows("--habit autumn --by week --from 2026-10-19 --to 2026-11-01") == [
                ["2026-10-19", "3", "3", "1"], ["2026-10-26", "7", "1", "0.142857"],
            ])
        #expect(
            try await rows("--habit spring --by week --from 2026-03-23 --to 2026-04-05") == [
                ["2026-03-23", "3", "3", "1"], ["2026-03-30", "7", "1", "0.142857"],
            ])
        #expect(
            try await rows("--habit spring --by month --from 2026-02-01 --to 2026-04-30").last == [
                "2026-04", "30", "0", "0",
            ])
        // In Kiritimati, November 22 has begun and is not over. West of the date line it is still November 21, which is
        // done.
        #expect(
            try await rows("--habit early --by habit --from 2026-11-01 --to 2026-11-30").map { Array($0[1...2]) } == [
                ["4", "3"]
            ])
        #expect(
            try await rows("--habit late --by habit --from 2026-11-01 --to 2026-11-30").map { Array($0[1...2]) } == [
                ["3", "3"]
            ])
    }

    /// Due habits on both sides of the date line at the same instant.
    @Test func todoReportUsesDayOfOwner() async throws {
        let now = "2026-11-20T11:00:00Z"
        func rows(_ user: String) async throws -> [[String?]] {
            try await Reports.table("todo", as: user, in: folder, now: now).selecting(["habit", "day", "done"])
        }
        #expect(try await rows("kiri") == [["early", "2026-11-21", "false"]])
        #expect(try await rows("west") == [["late", "2026-11-19", "true"]])
    }

    /// A month in which all due days are skipped has no completion rate and does not end a streak.
    @Test func monthWithoutDueDaysHasNoRateAndKeepsStreak() async throws {
        try folder.write("id,user,title,days,start\nrare,lisbon,Rare,1000000,2026-08-03\n", to: "rare.csv")
        let done = ["08-03", "08-10", "08-17", "08-24", "08-31", "10-05", "10-12"].map { "rare,2026-\($0),done\n" }
        let skipped = ["09-07", "09-14", "09-21", "09-28"].map { "rare,2026-\($0),skipped\n" }
        try folder.write("habit,day,outcome\n" + (done + skipped).joined(), to: "rare-events.csv")
        for (kind, file) in [("habits", "rare.csv"), ("events", "rare-events.csv")] {
            let loaded = try await Program.habitat(
                ["ingest", "--now", "2026-11-22T00:00:00Z", "--kind", kind, file], in: folder)
            try #require(loaded.status == 0, "\(loaded.errors)")
        }
        let now = "2026-10-13T12:00:00Z"
        let months = try await Reports.table(
            "completion --habit rare --by month --from 2026-08-01 --to 2026-10-31", in: folder, now: now)
        let rows = months.selecting(["name", "due", "done", "completion_rate"])
        #expect(rows.contains(["2026-08", "5", "5", "1"]), "\(rows)")
        let september = rows.filter { $0[0] == "2026-09" }
        #expect(!september.contains { $0[1] != "0" || $0[3] != nil }, "\(rows)")
        #expect(rows.contains(["2026-10", "2", "2", "1"]), "\(rows)")
        let streaks = try await Reports.table("streaks --minimum 1", in: folder, now: now).selecting([
            "habit", "streak_current", "streak_longest",
        ])
        #expect(streaks.contains(["rare", "7", "7"]), "\(streaks)")
    }
}
