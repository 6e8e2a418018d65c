import Rendering
import StoreEngine

/// The figures of a day: the statistics of all users, and the status and the streak of each habit.
///
/// They are read from the rows of the reports `nightly-summary` (`period-summary` for weeks and months), `habits` and
/// `quiet-users` while these run. A figure is missing if its report is not part of the run.
final class NightlyFigures {
    /// The statistics of a user on the day.
    struct User {
        var id: String
        var name: String?
        var due: Int
        var done: Int
        /// The completion rate of four weeks, or of the week or month, from 0 to 1, or `nil` if no habit was due.
        var rate: Double?
        /// The completion rate of the days before the week or month, or `nil` if no habit was due.
        var previousRate: Double?
        /// The number of events of the day, or `nil` for a week or month.
        var events: Int?
        /// The longest current streak of the habits, in due days.
        var streak: Int
        var streakTitle: String?
    }

    /// The status and the current streak of a habit on the day.
    struct Habit {
        var user: String
        var title: String
        var status: String
        var streak: Int

        var label: String { "\(user): \(title)" }
    }

    /// The users with a habit, or `nil` without the report `nightly-summary` or `period-summary`.
    private(set) var users: [User]?
    /// The habits by ID, or `nil` without the report `habits`.
    private(set) var habits: [String: Habit]?
    /// The IDs of the habits in the order of the report.
    private(set) var habitOrder: [String] = []
    /// The IDs of the quiet users, longest silence first, or `nil` without the report `quiet-users`.
    private(set) var quietUsers: [String]?
    /// The number of events of the day.
    var events: Int { sum { $0.events ?? 0 } }
    /// The number of users with an event of the day, or `nil` for a week or month.
    var activeUsers: Int? {
        guard let users, users.allSatisfy({ $0.events != nil }) else { return nil }
        return users.count { $0.events != 0 }
    }

    /// The number of due habits of all users.
    var due: Int { sum(\.due) }
    /// The number of due habits that were done.
    var done: Int { sum(\.done) }

    private func sum(_ figure: (User) -> Int) -> Int {
        (users ?? []).reduce(0) { sum, user in
            sum + figure(user)
        }
    }

    /// Returns the users with the longest current streaks, longest first.
    ///
    /// Users with equal streaks keep their order.
    func longestStreaks(_ count: Int) -> [User] {
        let all = (users ?? []).enumerated().filter { $0.element.streak > 0 }
        let longestFirst = all.sorted { one, other in
            let streak = one.element.streak
            let otherStreak = other.element.streak
            return streak == otherStreak ? one.offset < other.offset : streak > otherStreak
        }
        return longestFirst.prefix(count).map(\.element)
    }

    /// Whether a report contains the figures of each user.
    ///
    /// A custom report with the ID of such a report and other columns does not.
    static func isSummary(_ report: Report) -> Bool {
        guard let names = summaryColumns[report.id] else { return false }
        return names.allSatisfy { name in report.columns.contains { $0.name == name } }
    }

    /// The columns that ``addUser(_:columns:complete:)`` reads.
    private static let summaryColumns = [
        "nightly-summary": [
            "user", "name", "due", "done", "completion_rate", "streak", "streak_title", "events",
        ],
        "period-summary": [
            "user", "name", "due", "done", "completion_rate", "streak", "streak_title", "previous_rate",
        ],
    ]

    /// Reads the rows of a report.
    ///
    /// - Parameter report: The ID of the report.
    /// - Returns: A target for the rows, or `nil` if the figures do not depend on the report.
    func reader(of report: String) -> (any RowTarget)? {
        switch report {
        case "nightly-summary":
            Reader(
                Self.summaryColumns[report] ?? [],
                start: { [self] in users = users ?? [] },
                append: { [self] row, columns in
                    addUser(row, columns: columns) { user in
                        user.events = Int(row.integer(columns[7]))
                    }
                })
        case "period-summary":
            Reader(
                Self.summaryColumns[report] ?? [],
                start: { [self] in users = users ?? [] },
                append: { [self] row, columns in
                    addUser(row, columns: columns) { user in
                        user.previousRate = row.isNull(columns[7]) ? nil : row.number(columns[7])
                    }
                })
        case "habits":
            Reader(
                ["habit", "user", "title", "status", "streak_current"],
                start: { [self] in habits = habits ?? [:] },
                append: { [self] row, columns in addHabit(row, columns: columns) })
        case "quiet-users":
            Reader(
                ["user"],
                start: { [self] in quietUsers = quietUsers ?? [] },
                append: { [self] row, columns in
                    guard let id = row.text(columns[0]) else { return }
                    quietUsers?.append(id)
                })
        default: nil
        }
    }

    /// Adds the figures of another report.
    func append(_ other: NightlyFigures) {
        if let added = other.users {
            users = (users ?? []) + added
        }
        if let added = other.habits {
            habits = (habits ?? [:]).merging(added) { _, new in new }
        }
        habitOrder += other.habitOrder
        if let added = other.quietUsers {
            quietUsers = (quietUsers ?? []) + added
        }
    }

    private func addUser(_ row: any Row, columns: [Int], complete: (inout User) -> Void) {
        var user = User(
            id: row.text(columns[0]) ?? "",
            name: row.text(columns[1]),
            due: Int(row.integer(columns[2])),
            done: Int(row.integer(columns[3])),
            rate: row.isNull(columns[4]) ? nil : row.number(columns[4]),
            streak: Int(row.integer(columns[5])),
            streakTitle: row.text(columns[6]))
        complete(&user)
        users?.append(user)
    }

    private func addHabit(_ row: any Row, columns: [Int]) {
        guard let id = row.text(columns[0]) else { return }
        habitOrder.append(id)
        habits?[id] = Habit(
            user: row.text(columns[1]) ?? "",
            title: row.text(columns[2]) ?? "",
            status: row.text(columns[3]) ?? "",
            streak: Int(row.integer(columns[4])))
    }

    /// A target that passes the rows of a result with certain columns to a closure.
    ///
    /// If a column is missing, for example because a custom report has the ID of a built-in report, it ignores the rows.
    private final class Reader: RowTarget {
        private let names: [String]
        private let start: () -> Void
        private let row: (any Row, [Int]) -> Void
        private var columns: [Int]?

        init(_ names: [String], start: @escaping () -> Void, append row: @escaping (any Row, [Int]) -> Void) {
            self.names = names
            self.start = start
            self.row = row
        }

        func begin(_ shape: ResultShape) {
            let indexes = names.compactMap { name in
                shape.columns.first { $0.name == name }?.index
            }
            guard indexes.count == names.count else { return }
            columns = indexes
            start()
        }

        func append(_ row: any Row) {
            if let columns { self.row(row, columns) }
        }

        func end() {}
    }
}
