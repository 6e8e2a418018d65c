import Base
import HabitModel
import StoreEngine

/// The rows of `habit_completions(…)`: the due and the done days of several habits by day, week, month, habit or user.
///
/// A group without due days has no row.
final class HabitCompletionRows: TableFunctionRows {
    enum Column: String, CaseIterable {
        case name, title, due, done

        var kind: TableFunction.Column.Kind {
            switch self {
            case .name, .title: .text
            case .due, .done: .integer
            }
        }
    }

    static let columns = Column.allCases

    private let groups: [CompletionCounts.Group]
    private var index = -1

    init(_ counts: CompletionCounts) { groups = counts.groups }

    func next() -> Bool {
        index += 1
        return index < groups.count
    }

    func value(_ column: Int) -> Value {
        guard groups.indices.contains(index) else {
            return .null
        }
        let group = groups[index]
        return switch Self.columns[column] {
        case .name: .text(group.name)
        case .title: .text(group.title)
        case .due: .integer(group.days.due)
        case .done: .integer(group.days.done)
        }
    }
}

/// The numbers of due and of done days in groups of days, habits or users.
struct CompletionCounts {
    /// The value by which days are grouped.
    enum Grouping: String {
        case day, week, month, habit, user
    }

    /// Due days, and how many of them are done.
    struct Days {
        var due: Int64 = 0
        var done: Int64 = 0

        static func += (sum: inout Days, days: Days) {
            sum.due += days.due
            sum.done += days.done
        }
    }

    /// A group with due days.
    struct Group {
        /// The first day of the group, or the ID of the habit or user.
        var name: String
        /// The title of the habit if days are grouped by habit, otherwise `nil`.
        var title: String?
        var days: Days
    }

    private let grouping: Grouping
    /// The days of a calendar group, by its first day.
    private var byDay: [Day: Days] = [:]
    /// The days of a habit or user, by ID.
    private var byID: [String: TitledDays] = [:]

    /// The days of a habit or user.
    private struct TitledDays {
        /// The title of the habit, or `nil` for a user.
        var title: String?
        var days = Days()
    }

    init(by grouping: Grouping) { self.grouping = grouping }

    /// Adds the days of a habit.
    ///
    /// - Parameters:
    ///   - statistics: The statistics of the habit.
    ///   - days: The days to count.
    ///   - includingToday: Whether the report day counts as due even if it is still open.
    /// - Throws: An error of the engine.
    mutating func add(
        _ statistics: LazyHabitStatistics,
        in days: ClosedRange<Day>,
        includingToday: Bool
    ) throws {
        let standing = try statistics.standing(from: days.lowerBound)
        let habit = statistics.habit
        switch grouping {
        case .habit:
            let sum = Self.sum(of: standing, in: days, includingToday: includingToday)
            add(sum, to: habit.id, title: habit.title)
        case .user:
            let sum = Self.sum(of: standing, in: days, includingToday: includingToday)
            add(sum, to: habit.owner.id, title: nil)
        case .day, .week, .month:
            // Consecutive days are usually in the same group.
            var group = days.lowerBound...days.lowerBound
            var sum = Days()
            standing.forEachDueDay(in: days, includingToday: includingToday) { day, isDone in
                if !group.contains(day) || sum.due == 0 {
                    add(sum, to: group)
                    group = calendarGroup(of: day)
                    sum = Days()
                }
                sum.due += 1
                if isDone { sum.done += 1 }
            }
            add(sum, to: group)
        }
    }

    private static func sum(
        of standing: HabitStatistics,
        in days: ClosedRange<Day>,
        includingToday: Bool
    ) -> Days {
        let completion = standing.completion(in: days, includingToday: includingToday)
        return Days(
            due: Int64(completion.due),
            done: Int64(completion.done))
    }

    private mutating func add(_ days: Days, to group: ClosedRange<Day>) {
        guard days.due > 0 else { return }
        byDay[group.lowerBound, default: Days()] += days
    }

    private mutating func add(_ days: Days, to id: String, title: String?) {
        guard days.due > 0 else { return }
        byID[id, default: TitledDays(title: title)].days += days
    }

    /// Adds the counts of other habits.
    mutating func add(_ other: CompletionCounts) {
        for (day, days) in other.byDay {
            byDay[day, default: Days()] += days
        }
        for (id, group) in other.byID {
            add(group.days, to: id, title: group.title)
        }
    }

    private func calendarGroup(of day: Day) -> ClosedRange<Day> {
        switch grouping {
        case .week:
            let monday = day.monday
            return monday...monday.advanced(by: 6)
        case .month:
            let first = day.advanced(by: 1 - day.civil.day)
            // The last day of the month is at most the 31st. A later day has another month.
            let next = first.advanced(by: 31)
            return first...next.advanced(by: -next.civil.day)
        default: return day...day
        }
    }

    /// The groups, in no order.
    var groups: [Group] {
        let calendarGroups = byDay.map { day, days in
            let name = grouping == .month ? day.monthText : "\(day)"
            return Group(name: name, title: nil, days: days)
        }
        let titledGroups = byID.map { id, group in
            Group(name: id, title: group.title, days: group.days)
        }
        return calendarGroups + titledGroups
    }
}
