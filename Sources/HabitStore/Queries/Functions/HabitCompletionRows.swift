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
        guard groups.indices.contains(index) else { return .null }
        let group = groups[index]
        return switch Self.columns[column] {
        case .name: .text(group.name)
        case .title: group.title.map { .text($0) } ?? .null
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
    private var byID: [String: (title: String?, days: Days)] = [:]

    init(by grouping: Grouping) { self.grouping = grouping }

    /// Adds the days of a habit.
    ///
    /// - Parameters:
    ///   - habit: The habit with its statistics.
    ///   - days: The days to count.
    ///   - includingToday: Whether the report day counts as due even if it is still open.
    /// - Throws: An error of the engine.
    mutating func add(_ habit: LazyHabitStatistics, in days: ClosedRange<Day>, includingToday: Bool) throws {
        let standing = try habit.standing(from: days.lowerBound)
        switch grouping {
        case .habit, .user:
            let (due, done) = standing.completion(in: days, includingToday: includingToday)
            let (id, title) =
                grouping == .habit ? (habit.habit.id, habit.habit.title) : (habit.habit.owner.id, nil)
            add(Days(due: Int64(due), done: Int64(done)), to: id, title)
        case .day, .week, .month:
            // Consecutive days are usually in the same group.
            var group = days.lowerBound...days.lowerBound
            var sum = Days()
            standing.forEachDueDay(in: days, includingToday: includingToday) { day, isDone in
                if !group.contains(day) || sum.due == 0 {
                    if sum.due > 0 { byDay[group.lowerBound, default: Days()] += sum }
                    (group, sum) = (calendarGroup(of: day), Days())
                }
                sum += Days(due: 1, done: isDone ? 1 : 0)
            }
            if sum.due > 0 { byDay[group.lowerBound, default: Days()] += sum }
        }
    }

    private mutating func add(_ days: Days, to id: String, _ title: String?) {
        guard days.due > 0 else { return }
        byID[id, default: (title, Days())].days += days
    }

    /// Adds the counts of other habits.
    mutating func add(_ other: CompletionCounts) {
        for (day, days) in other.byDay { byDay[day, default: Days()] += days }
        for (id, group) in other.byID { add(group.days, to: id, group.title) }
    }

    private func calendarGroup(of day: Day) -> ClosedRange<Day> {
        switch grouping {
        case .week: return day.monday...day.monday.advanced(by: 6)
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
        byDay.map { Group(name: grouping == .month ? $0.monthText : "\($0)", title: nil, days: $1) }
            + byID.map { Group(name: $0, title: $1.title, days: $1.days) }
    }
}
