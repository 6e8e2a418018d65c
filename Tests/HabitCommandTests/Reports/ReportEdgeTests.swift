import HabitTestSupport
import Testing

/// Tests of cases that are not in the sample data: positions at the poles and the antimeridian, habits with the same
/// title, days without events.
@Suite struct ReportEdgeTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try folder.write("id,name,time_zone\nann,Ann,UTC\nbob,,UTC\n", to: "users.csv")
        try folder.write(
            """
            id,user,title,days,start,end
            gym-1,ann,Gym,1111111,2026-11-16,
            gym-2,ann,Gym,1111111,2026-11-16,2026-11-18
            run,ann,Run,0000100,2026-11-16,
            idle,bob,Idle,1111111,2026-12-01,

            """, to: "habits.csv")
        try folder.write(
            """
            id,habit,day,at,outcome,longitude,latitude
            e1,gym-1,2026-11-16,2026-11-16T23:30:00-05:00,done,180,90
            e2,gym-1,2026-11-17,2026-11-17T00:30:00+13:00,done,-180,-90
            e3,gym-1,2026-11-18,,skipped,179.999,89.999
            e4,gym-2,2026-11-16,2026-11-16T08:00:00Z,done,0,0
            e5,gym-2,2026-11-18,2026-11-18T08:00:00Z,done,-0.001,-0.001
            e6,run,2026-11-18,2026-11-18T09:00:00Z,done,0,0

            """, to: "events.csv")
        let loaded = try await Program.habitat(
            "ingest", "--now", Reports.now, "users.csv", "habits.csv", "events.csv", in: folder)
        try #require(loaded.status == 0, "\(loaded.errors)")
    }

    private func table(_ report: String) async throws -> OutputTable { try await Reports.table(report, in: folder) }

    /// No cell crosses the poles or the antimeridian, and both longitudes of the antimeridian belong to one cell.
    @Test func densityCellsStayInsideWorldBounds() async throws {
        expectRows(
            try await table("density --cell 10"), columns: "west south east north events users",
            equal: [
                ["0", "0", "10", "10", "2", "1"], ["-180", "-90", "-170", "-80", "1", "1"],
                ["-180", "80", "-170", "90", "1", "1"], ["-10", "-10", "0", "0", "1", "1"],
                ["170", "80", "180", "90", "1", "1"],
            ])
        for side in ["0.7", "77", "1000"] {
            let table = try await table("density --cell \(side)")
            for row in table.selecting(["west", "south", "east", "north"]).map({
                $0.compactMap { $0.flatMap(Double.init) }
            }) {
                try #require(row[0] >= -180, "\(row)")
                try #require(row[0] < row[2], "\(row)")
                #expect(row[2] <= 180, "\(row)")
                try #require(row[1] >= -90, "\(row)")
                try #require(row[1] < row[3], "\(row)")
                #expect(row[3] <= 90, "\(row)")
            }
        }
        for side in ["0", "-1"] { #expect(try await table("density --cell \(side)").rows.isEmpty) }
    }

    /// Cells with equal counts are sorted from west to east.
    ///
    /// Each habit has its own cells.
    @Test func placesAreOrderedByVisitsAndPosition() async throws {
        expectRows(
            try await table("places --cell 90"), columns: "habit place visits share longitude latitude",
            equal: [
                ["gym-1", "1", "1", "0.5", "-180", "-90"], ["gym-1", "2", "1", "0.5", "-180", "90"],
                ["gym-2", "1", "1", "0.5", "-0.001", "-0.001"], ["gym-2", "2", "1", "0.5", "0", "0"],
                ["run", "1", "1", "1", "0", "0"],
            ])
    }

    /// Two habits with the same title have two panels in a calendar and two curves in a score chart.
    @Test(arguments: ["calendar", "score --every day"]) func habitsWithSameTitleHaveDistinctLabels(report: String)
        async throws
    {
        let rows = try await table("\(report) --weeks 1").selecting(["habit", "label"])
        #expect(Set(rows) == [["gym-1", "ann: Gym (gym-1)"], ["gym-2", "ann: Gym (gym-2)"], ["run", "ann: Run"]])
    }

    /// Checks each day of a small calendar.
    ///
    /// Habit `gym-2` ends on Wednesday, and `run` is due on Fridays.
    @Test func calendarOutcomesMatchExample() async throws {
        let rows = try await table("calendar --weeks 1 --date 2026-11-20").selecting(["habit", "outcome"])
        let outcomes = Dictionary(grouping: rows, by: \.[0]).mapValues { $0.map { $0[1] ?? "" } }
        #expect(
            outcomes == [
                "gym-1": ["done", "done", "skipped", "missed", "missed"], "gym-2": ["done", "missed", "done"],
                "run": ["none", "none", "unplanned", "none", "missed"],
            ])
        let today = try await table("calendar --weeks 1 --habit gym-1")["outcome"]
        #expect(today.last == "open", "a habit is not missed before the day ends")
    }

    @Test func nightlyReportsMatchExample() async throws {
        expectRows(
            try await table("nightly-summary --date 2026-11-18"),
            columns: "user name due done completion_rate streak streak_title events skipped unplanned",
            equal: [
                ["ann", "Ann", "1", "1", "0.8", "2", "Gym", "3", "1", "1"],
                ["bob", nil, "0", "0", nil, "0", nil, "0", "0", "0"],
            ])
        expectRows(
            try await table("quiet-users --date 2026-11-20 --days 2"),
            columns: "user name last_day days_quiet events_before",
            equal: [["bob", nil, nil, nil, "0"], ["ann", "Ann", "2026-11-18", "2", "6"]])
    }

    /// The hour is local to the event's UTC offset, and the weekday depends on its day.
    @Test func rhythmUsesLocalHourOfEvent() async throws {
        expectRows(
            try await table("rhythm"), columns: "weekday hour label events",
            equal: [
                ["1", "8", "Mon 08:00", "1"],
                ["1", "23", "Mon 23:00", "1"],
                ["2", "0", "Tue 00:00", "1"],
                ["3", "8", "Wed 08:00", "1"],
                ["3", "9", "Wed 09:00", "1"],
            ])
    }

    /// Events are sorted by instant and not by their text.
    @Test func historyIsSortedByInstant() async throws {
        #expect(try await table("history")["id"] == ["e6", "e5", "e3", "e2", "e1", "e4"])
        #expect(try await table("day-events --date 2026-11-18")["id"] == ["e6", "e5", "e3"])
    }

    /// A report of an empty store has no rows and succeeds.
    ///
    /// The rule `alert-no-events` finds exactly this state.
    @Test(arguments: Reports.ids.filter { $0 != "alert-no-events" }) func reportOfEmptyStoreHasNoRows(id: String)
        async throws
    {
        let empty = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: empty).status == 0)
        let words = try Reports.example(id)
        let index = words.firstIndex { $0 == "--user" }
        let kept = index.map { Array(words[..<$0] + words[($0 + 2)...]) } ?? words
        let result = try await Reports.run(["report", "run", id] + kept, format: "ndjson", in: empty)
        #expect(result.output.isEmpty, "\(result.errors)")
        #expect(result.status == (id == "friends-latest" ? 77 : 0), "\(result.errors)")
    }
}
