import Foundation
import Testing

/// The sample data in arrays, with a direct implementation of completion, streaks and score.
///
/// Tests compare the habit reports with it.
struct ReferenceModel: Sendable {
    struct Habit: Sendable {
        var id: String
        var user: String
        var title: String
        var start: Int
        var end: Int?
        /// The weekdays of each schedule and its first day, in order of time.
        var schedules: [(from: Int, weekdays: Set<Int>)]
        var outcomes: [Int: String] = [:]
    }

    struct Event: Sendable {
        var id: String
        var user: String
        var habit: String
        var title: String
        var day: Int
        var at: String?
        var outcome: String
        var unplanned: Bool
        var longitude: Double?
        var latitude: Double?
    }

    var habits: [Habit]
    var events: [Event]

    static let sample = Task { () async throws -> ReferenceModel in try await ReferenceModel(historyAs: nil) }

    /// Loads the events that `user` can see.
    ///
    /// `nil` loads the events that the operator can see.
    init(historyAs user: String?) async throws {
        let history = try await Reports.rows("history" + (user == nil ? "" : " --scope all"), as: user)
        let columns = "id user habit title day at outcome unplanned longitude latitude".split(separator: " ").map(
            String.init)
        events = history.selecting(columns).map { row in
            Event(
                id: row[0] ?? "",
                user: row[1] ?? "",
                habit: row[2] ?? "",
                title: row[3] ?? "",
                day: TestCalendar.number(row[4] ?? ""),
                at: row[5],
                outcome: row[6] ?? "",
                unplanned: row[7] == "true",
                longitude: row[8].flatMap(Double.init),
                latitude: row[9].flatMap(Double.init))
        }
        habits = try Self.habits()
        for index in habits.indices {
            let own = events.filter { $0.habit == habits[index].id }
            habits[index].outcomes = Dictionary(uniqueKeysWithValues: own.map { ($0.day, $0.outcome) })
        }
    }

    private static func habits() throws -> [Habit] {
        let changes = try lines("schedules.csv").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        return try lines("habits.tsv").map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let start = TestCalendar.number(cells[5])
            var schedules = [(from: start, weekdays: weekdays(cells[3]))]
            for change in changes where change[0] == cells[0] {
                schedules.append((TestCalendar.number(String(change[1])), weekdays(String(change[2]))))
            }
            return Habit(
                id: cells[0],
                user: cells[1],
                title: cells[2],
                start: start,
                end: cells[6].isEmpty ? nil : TestCalendar.number(cells[6]),
                schedules: schedules.sorted { one, other in one.from < other.from })
        }
    }

    /// Returns the lines of a sample file, without the header of a table.
    static func lines(_ file: String) throws -> [String] {
        let text = try String(contentsOfFile: SampleData.path + "/" + file, encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        return file.hasSuffix(".ndjson") ? lines : Array(lines.dropFirst())
    }

    /// Parses weekdays in the forms `mon wed`, `1,3` and `1010000`.
    private static func weekdays(_ text: String) -> Set<Int> {
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        if text.count == 7, text.allSatisfy({ "01".contains($0) }) {
            return Set(text.enumerated().filter { $0.element == "1" }.map { $0.offset + 1 })
        }
        let words = text.split { " ,".contains($0) }.map(String.init)
        return Set(words.compactMap { word in Int(word) ?? names.firstIndex(of: word).map { $0 + 1 } })
    }
}

extension ReferenceModel.Habit {
    func weekdays(on day: Int) -> Set<Int> { (schedules.last { $0.from <= day } ?? schedules[0]).weekdays }

    func exists(on day: Int) -> Bool { day >= start && day <= end ?? .max }

    /// Whether the day is due or is a skipped day that would be due.
    func isPlanned(_ day: Int) -> Bool {
        exists(on: day) && weekdays(on: day).contains(TestCalendar.weekday(day))
    }

    func isDue(_ day: Int) -> Bool { isPlanned(day) && outcomes[day] != "skipped" }

    func isDone(_ day: Int) -> Bool { isDue(day) && outcomes[day] == "done" }

    /// Rule M-01: the due and done days in the 4 weeks that end with the week of `day`.
    ///
    /// Days after `day` do not count.
    func completion(on day: Int) -> (due: Int, done: Int) {
        let days = (TestCalendar.monday(day) - 21)...day
        return (days.filter(isDue).count, days.filter(isDone).count)
    }

    /// Rule M-02: the status and its color.
    func status(on day: Int) -> (word: String, color: String) {
        let counts = completion(on: day)
        if counts.due == 0 { return ("New", "#6b726d") }
        if counts.done * 100 > counts.due * 85 { return ("On track", "#1769aa") }
        return counts.done * 100 > counts.due * 40 ? ("Near goal", "#c27c0e") : ("Inactive", "#9b1c4b")
    }

    /// Rule M-03: the current and the longest streak.
    func streaks(on day: Int) -> (current: Int, longest: Int) {
        var current = 0
        var longest = 0
        for day in stride(from: min(start, day), through: day, by: 1) where isDue(day) {
            current = isDone(day) ? current + 1 : 0
            longest = max(longest, current)
        }
        return (current, longest)
    }

    /// Rule M-04: the score at the end of each day until `last`.
    func scores(until last: Int) -> [Int: Double] {
        var scores: [Int: Double] = [:]
        var score = 0.0
        guard let first = outcomes.keys.min(), first <= last else { return [:] }
        for day in first...last {
            if exists(on: day), outcomes[day] != "skipped" {
                let n = Double(weekdays(on: day).count)
                let done = Double(((day - 13)...day).filter(isDone).count)
                let mark = n == 7 ? (isDone(day) ? 1 : 0) : min(1, done / (2 * n))
                let kept = pow(0.5, (n / 7).squareRoot() / 13)
                score = score * kept + mark * (1 - kept)
            }
            scores[day] = score
        }
        return scores
    }

    func outcome(on day: Int) -> String {
        switch outcomes[day] {
        case "skipped": "skipped"
        case "done": isDue(day) ? "done" : "unplanned"
        default: isDue(day) ? "missed" : "none"
        }
    }
}
