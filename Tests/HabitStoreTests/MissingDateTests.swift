import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that loaded events on dates that never existed in a time zone are unplanned in all marks and statistics.
@Suite struct MissingDateTests {
    private static let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))  // 2026-11-25T12:00:00Z
    private static let missing = "2011-12-30"

    private static func rows(_ sql: String, on store: TestStore) throws -> [String] {
        var rows: [String] = []
        try store.analyze(clock: clock) { session, viewer in
            _ = try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { shape in
                { row in rows.append(shape.columns.indices.map { row.text($0) ?? "∅" }.joined(separator: " ")) }
            }
        }
        return rows
    }

    private static func isConsistent(_ store: TestStore) throws -> Bool {
        let results = try StoreDoctor(store.engine).examine()
        return results.first { $0.check == "unplanned" }?.status == .ok
    }

    private static func unplanned(_ store: TestStore) throws -> [String] {
        var days: [String] = []
        try store.engine.read { session in
            try session.query("SELECT day FROM event WHERE unplanned = 1 ORDER BY day") { row in
                days.append(row.text(0) ?? "∅")
                return true
            }
        }
        return days
    }

    private static let records: [Record] = [
        .habit("h", of: "u"),
        .event("h", "2011-12-28"),
        .event("h", "2011-12-29"),
        .event("h", missing),
        .event("h", "2011-12-31"),
    ]

    @Test(.userSQL) func loadedEventIsUnplannedEverywhere() throws {
        let store = try TestStore()
        try store.engine.load { writer in
            for record in [.user("u", zone: "Pacific/Apia")] + Self.records { _ = try writer.write(record) }
        }
        #expect(try Self.unplanned(store) == [Self.missing])
        #expect(try Self.isConsistent(store))
        #expect(
            try Self.rows("SELECT day, unplanned FROM events ORDER BY day", on: store) == [
                "2011-12-28 0", "2011-12-29 0", "2011-12-30 1", "2011-12-31 0",
            ])
        #expect(
            try Self.rows(
                "SELECT scheduled, due, done, outcome, streak FROM habit_days('\(Self.missing)', '\(Self.missing)') AS d",
                on: store) == ["0 0 0 unplanned 2"])
        let completions = "SELECT due, done FROM habit_completions('day', '2011-12-28', '2011-12-31', NULL, NULL) AS c"
        #expect(try Self.rows(completions + " ORDER BY name", on: store) == ["1 1", "1 1", "1 1"])
        #expect(
            try Self.rows("SELECT due, done FROM habit_standings('2011-12-31') AS s", on: store) == ["3 3"])
        #expect(
            try Self.rows("SELECT day_due, day_done FROM user_standings('\(Self.missing)') AS s", on: store) == ["0 0"])
    }

    /// After any changes of the time zone, the marks equal the marks of a new store with the same records.
    @Test(arguments: [true, false]) func changeOfTimeZoneMarksEvents(isLoad: Bool) throws {
        let store = try TestStore()
        try store.write([.user("u")] + Self.records)
        func move(to zone: String) throws {
            if isLoad {
                try store.engine.load { writer in _ = try writer.write(.user("u", zone: zone)) }
            } else {
                try store.write([.user("u", zone: zone)])
            }
        }
        #expect(try Self.unplanned(store) == [])
        for zone in ["Pacific/Apia", "Pacific/Fakaofo", "Pacific/Kwajalein", "UTC", "Pacific/Apia", "Europe/Lisbon"] {
            try move(to: zone)
            let isMissing = ["Pacific/Apia", "Pacific/Fakaofo"].contains(zone)
            #expect(try Self.unplanned(store) == (isMissing ? [Self.missing] : []), "\(zone)")
            #expect(try Self.isConsistent(store), "\(zone)")
        }
    }

    @Test func changeOfTimeZoneAndEventsInOneLoadAgree() throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u"), .event("h", "2011-12-28")])
        try store.write([.event("h", "2011-12-29"), .user("u", zone: "Pacific/Apia"), .event("h", Self.missing)])
        #expect(try Self.unplanned(store) == [Self.missing])
        #expect(try Self.isConsistent(store))
    }

    @Test func earlierMarksAreLoggedAndCorrected() throws {
        let store = try TestStore()
        try store.write([.user("u", zone: "Pacific/Apia")] + Self.records)
        try store.engine.write { _ = try $0.run("UPDATE event SET unplanned = 0") }
        #expect(try !Self.isConsistent(store))
        _ = try StoreDoctor(store.engine).repair()
        #expect(try Self.unplanned(store) == [Self.missing])
    }

    /// Every statistic agrees with the same habit in a zone in which the date exists, if the date is skipped there.
    @Test(arguments: 1...20) func statisticsAreThoseOfSkippedDate(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let first = try #require(Day("2011-12-15"))
        let last = try #require(Day("2012-01-15"))
        let missing = try #require(Day(Self.missing))
        let schedules: [Schedule] = [
            .everyDay, try Schedule("mon wed fri"), .target(try Target(times: 2, periodDays: 5)),
        ]
        for schedule in schedules {
            var history = ScheduleHistory(start: first, end: nil, schedule: schedule)
            var outcomes = Outcomes()
            var skipped = Outcomes()
            var day = first
            while day <= last {
                if Int.random(in: 0..<4, using: &random) > 0 {
                    outcomes.set(day, .done)
                    skipped.set(day, day == missing ? .skipped : .done)
                } else if day == missing {
                    skipped.set(day, .skipped)
                }
                day = day.advanced(by: 1)
            }
            let expected = HabitStatistics(history: history, outcomes: skipped, on: last)
            history.missingDates = [missing]
            let found = HabitStatistics(history: history, outcomes: outcomes, on: last)
            #expect(!history.includes(missing))
            #expect(found.completion(in: first...last) == expected.completion(in: first...last), "seed \(seed)")
            #expect(found.streaks == expected.streaks, "seed \(seed)")
            #expect(found.score == expected.score, "seed \(seed)")
            day = first
            while day <= last {
                #expect(found.isDue(day) == expected.isDue(day), "\(day), seed \(seed)")
                #expect(found.isDone(day) == expected.isDone(day), "\(day), seed \(seed)")
                day = day.advanced(by: 1)
            }
        }
    }
}
