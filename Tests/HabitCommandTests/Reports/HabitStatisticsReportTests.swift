import HabitTestSupport
import Testing

/// Tests of the habit reports against the rules of completion, computed from the sample files.
@Suite struct HabitStatisticsReportTests {
    private let model: ReferenceModel
    private let last = TestCalendar.number("2026-11-20")

    init() async throws { model = try await ReferenceModel.sample.value }

    private func habits(of user: String? = nil) -> [ReferenceModel.Habit] {
        model.habits.filter { user == nil || $0.user == user }.sorted { one, other in
            (one.user, one.title, one.id) < (other.user, other.title, other.id)
        }
    }

    @Test(arguments: ["2026-11-20", "2026-11-18", "2026-08-30"]) func todoReportMatchesSampleFiles(day: String)
        async throws
    {
        let number = TestCalendar.number(day)
        let expected = habits().filter { $0.isPlanned(number) }.map { habit in
            let event = model.events.first { $0.habit == habit.id && $0.day == number }
            let status = habit.status(on: number)
            return [
                habit.user, "\(habit.isDone(number))", habit.id, habit.title, day, status.word, status.color, event?.id,
                event?.outcome,
            ]
        }
        let table = try await Reports.table("todo --date \(day)")
        let rows = table.selecting(["user", "done", "habit", "title", "day", "status", "color", "event", "outcome"])
        #expect(Set(rows) == Set(expected))
        #expect(rows.count == expected.count)
        let order = rows.map { "\($0[0] ?? "") \($0[1] ?? "")" }
        #expect(order == order.sorted(), "open habits are first")
    }

    @Test(arguments: ["2026-11-20", "2026-11-01"]) func habitsReportMatchesSampleFiles(day: String) async throws {
        let number = TestCalendar.number(day)
        let expected = habits().map { habit -> [String?] in
            let completion = habit.completion(on: number)
            let rate: Double? =
                completion.due == 0 ? nil : Double(completion.done) / Double(completion.due)
            let status = habit.status(on: number)
            let place = model.events.filter {
                $0.habit == habit.id && $0.day <= number && $0.day > number - 91 && $0.longitude != nil
            }.max { one, other in one.day < other.day }
            return [
                habit.id,
                habit.user,
                habit.title,
                "\(habit.user): \(habit.title)",
                status.word,
                status.color,
                cell(completion.due),
                cell(completion.done),
                cell(rate),
                cell(habit.streaks(on: number).current),
                cell(habit.scores(until: number)[number] ?? 0),
                cell(place?.longitude),
                cell(place?.latitude),
            ]
        }
        expectRows(
            try await Reports.table("habits --date \(day)"),
            columns:
                "habit user title label status color due done completion_rate streak_current score longitude latitude",
            equal: expected)
    }

    /// The report has the same numbers as `habitat habit list`.
    @Test func habitsReportMatchesHabitList() async throws {
        let columns = "user title days status color completion_rate streak_current score"
        let list = try await Reports.rows("habit list")
        let table = try await Reports.table("habits")
        let names = columns.split(separator: " ").map(String.init)
        #expect(Set(table.selecting(["habit"] + names)) == Set(list.selecting(["id"] + names)))
    }

    @Test(arguments: ["day", "week", "month", "habit", "user"]) func completionReportMatchesSampleFiles(by: String)
        async throws
    {
        var counts: [String: (due: Int, done: Int)] = [:]
        for habit in model.habits {
            for day in TestCalendar.number("2026-07-15")...TestCalendar.number("2026-09-16") where habit.isDue(day) {
                let name =
                    switch by {
                    case "day": TestCalendar.day(day)
                    case "week": TestCalendar.day(TestCalendar.monday(day))
                    case "month": String(TestCalendar.day(day).prefix(7))
                    case "habit": habit.id
                    default: habit.user
                    }
                counts[name, default: (0, 0)].due += 1
                counts[name, default: (0, 0)].done += habit.isDone(day) ? 1 : 0
            }
        }
        let titles = Dictionary(uniqueKeysWithValues: model.habits.map { ($0.id, $0.title) })
        let sorted = counts.sorted { one, other in one.key < other.key }
        let expected = sorted.map { name, count -> [String?] in
            [
                name,
                by == "habit" ? titles[name] : nil,
                cell(count.due),
                cell(count.done),
                cell(Double(count.done) / Double(count.due)),
            ]
        }
        let table = try await Reports.table("completion --from 2026-07-15 --to 2026-09-16 --by \(by)")
        expectRows(table, columns: "name title due done completion_rate", equal: expected)
    }

    @Test func completionReportAppliesUserAndHabitFilters() async throws {
        let all = try await Reports.table("completion --by habit")
        let user = try await Reports.table("completion --by habit --user alice")
        #expect(user.rows == all.rows.filter { $0[0]?.hasPrefix("alice-") == true })
        #expect(!user.rows.isEmpty)
        let habit = try await Reports.table("completion --by habit --habit alice-gym")
        #expect(habit.rows == all.rows.filter { $0[0] == "alice-gym" })
    }

    @Test(arguments: [("2026-11-20", 1), ("2026-11-20", 40), ("2026-09-30", 0)])
    func streaksReportMatchesSampleFiles(day: String, minimum: Int) async throws {
        let number = TestCalendar.number(day)
        let rows = model.habits.map { habit in
            (habit: habit, streaks: habit.streaks(on: number), status: habit.status(on: number))
        }
        let sorted = rows.filter { $0.streaks.current >= minimum }.sorted { one, other in
            if one.streaks != other.streaks { return one.streaks > other.streaks }
            return one.habit.id < other.habit.id
        }
        let expected = sorted.map { row -> [String?] in
            [
                row.habit.id,
                row.habit.title,
                cell(row.streaks.current),
                cell(row.streaks.longest),
                row.status.word,
                row.status.color,
            ]
        }
        expectRows(
            try await Reports.table("streaks --date \(day) --minimum \(minimum)"),
            columns: "habit title streak_current streak_longest status color", equal: expected)
    }

    /// The report has a value for the last day of each period, beginning with the first event.
    @Test(arguments: ["day", "week", "month"]) func scoreReportHasValueForLastDayOfPeriod(every: String) async throws {
        let first = TestCalendar.monday(last) - 7 * 12
        let expected = habits().flatMap { habit -> [[String?]] in
            let scores = habit.scores(until: last)
            let days = (first...last).filter { habit.exists(on: $0) || habit.outcomes[$0] != nil }
            return days.filter { day in
                guard let next = days.first(where: { $0 > day }) else { return true }
                switch every {
                case "day": return true
                case "week": return TestCalendar.monday(next) > TestCalendar.monday(day)
                default: return TestCalendar.day(next).prefix(7) > TestCalendar.day(day).prefix(7)
                }
            }.map { [habit.user, habit.id, TestCalendar.day($0), cell(scores[$0] ?? 0)] }
        }
        let table = try await Reports.table("score --date 2026-11-20 --every \(every)")
        expectRows(table, columns: "user habit day score", equal: expected)
    }

    @Test(arguments: [1, 13]) func calendarReportMatchesSampleFiles(weeks: Int) async throws {
        let first = TestCalendar.monday(last) - 7 * (weeks - 1)
        let expected = habits().flatMap { habit in
            (first...last).filter { habit.exists(on: $0) || habit.outcomes[$0] != nil }.map {
                [
                    habit.user, habit.id, habit.title, "\(habit.user): \(habit.title)", TestCalendar.day($0),
                    habit.outcome(on: $0),
                ]
            }
        }
        let table = try await Reports.table("calendar --date 2026-11-20 --weeks \(weeks)")
        expectRows(table, columns: "user habit title label day outcome", equal: expected)
        #expect(weeks == 1 || Set(table["outcome"]) == ["done", "missed", "skipped", "unplanned", "none"])
    }

    @Test(arguments: ["2026-11-19", "2026-11-20", "2026-10-04"]) func nightlySummaryReportMatchesSampleFiles(
        day: String
    ) async throws {
        let number = TestCalendar.number(day)
        let names = try await Reports.rows("query", "SELECT id, name FROM users")
        let users = Dictionary(uniqueKeysWithValues: zip(names["id"].map { $0 ?? "" }, names["name"]))
        let sorted = Dictionary(grouping: habits(), by: \.user).sorted { one, other in one.key < other.key }
        let expected = sorted.map { user, habits in
            [user, users[user].flatMap { $0 }] + night(habits, of: user, on: number)
        }
        #expect(expected.count == 39, "all users except rita, who has no habits")
        expectRows(
            try await Reports.table("nightly-summary --date \(day)"),
            columns: "user name due done completion_rate streak streak_title events skipped unplanned", equal: expected)
    }

    private func night(_ habits: [ReferenceModel.Habit], of user: String, on day: Int) -> [String?] {
        let weeks = habits.map { $0.completion(on: day) }
        let due = weeks.map(\.due).reduce(0, +)
        let done = weeks.map(\.done).reduce(0, +)
        let streaks = habits.map { $0.streaks(on: day).current }
        let streak = streaks.max() ?? 0
        let title = zip(habits, streaks).first { $0.1 == streak && streak > 0 }?.0.title
        let events = model.events.filter { $0.user == user && $0.day == day }
        return [
            cell(habits.filter { $0.isDue(day) }.count), cell(habits.filter { $0.isDone(day) }.count),
            due == 0 ? nil : cell(Double(done) / Double(due)), cell(streak), title, cell(events.count),
            cell(events.filter { $0.outcome == "skipped" }.count), cell(events.filter(\.unplanned).count),
        ]
    }

    @Test(arguments: [28, 200]) func unplannedReportMatchesSampleFiles(days: Int) async throws {
        let habits = Dictionary(uniqueKeysWithValues: model.habits.map { ($0.id, $0) })
        let expected = model.events.filter { event in
            guard let habit = habits[event.habit] else { return false }
            let isScheduled =
                habit.exists(on: event.day) && habit.weekdays(on: event.day).contains(TestCalendar.weekday(event.day))
            return !isScheduled && event.day > last - days
        }.map { [$0.id, TestCalendar.day($0.day), cell(TestCalendar.weekday($0.day))] }
        #expect(days == 28 || expected.count == 67)
        expectRows(
            try await Reports.table("unplanned --date 2026-11-20 --days \(days)"), columns: "id day weekday",
            equal: expected)
    }
}
