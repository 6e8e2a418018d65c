import ArgumentParser
import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

struct Todo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "todo", abstract: "List your habits that are due today.",
        discussion: """
            Each row shows whether the habit is already done. A skipped habit has the
            outcome 'skipped'. Text output also shows the last two weeks, the streak, the
            rate of the last four weeks, and the number of entries in your inbox. 'habitat'
            without a command is 'habitat todo', also with options such as --plain. Habits
            with a --rank come first among open habits. With --format ics, a habit with a
            --remind-at has an alarm.

            Examples:
              habitat todo --as alice
              habitat todo --as alice --today 2026-11-20 --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        guard try !output.isForPeople else { return try showPlan() }
        try output.show(common, whenEmpty: "No habits are due today: 'habitat habit list' shows your schedules.") {
            session, viewer, clock in
            var query = TodoQuery(viewer: viewer, clock: clock)
            let isProgressSelected = output.columnNames?.contains("progress") == true
            query.showsProgress = try isProgressSelected || output.showsTarget
            query.showsReminders = try output.showsTarget
            return try query.selection(in: session)
        }
    }

    /// Shows the text for people.
    private func showPlan() throws {
        let clock = try common.clock()
        try common.open(.read).read { session in
            let viewer = try common.viewer(in: session)
            let user = try common.actingUser(viewer, clock, in: session)
            let plan = try DayPlan(of: user)
            let inbox = try InboxQuery(viewer: viewer).counts(in: session)
            try output.showLines(common) { buffer, options in
                if !plan.habits.isEmpty {
                    buffer.append(paragraph: plan.heading(options.style), width: options.width)
                    buffer.append("\n")
                    DueLines(plan.habits.map(DueRow.init), options, to: buffer).write()
                }
                if let line = Self.line(of: inbox) {
                    if !plan.habits.isEmpty { buffer.append("\n") }
                    buffer.append(paragraph: line, width: options.width)
                }
            }
            guard plan.habits.isEmpty else { return }
            common.notice(
                plan.hasHabits
                    ? "Nothing is due today." : "No habits yet: habitat habit add Walk --days weekdays")
        }
    }

    /// Returns the numbers of the entries of an inbox in words, or `nil` for an empty inbox.
    private static func line(of inbox: [(kind: String, count: Int)]) -> String? {
        guard !inbox.isEmpty else { return nil }
        let parts = inbox.map { kind, count in "\(count) \(kind)\(count == 1 ? "" : "s")" }
        return "Inbox: \(parts.joined(separator: ", ")) (habitat inbox)"
    }
}

extension DueRow {
    fileprivate init(_ habit: HabitDay) {
        self.init(
            mark: habit.symbol, title: habit.title, outcomes: habit.dayWords,
            status: habit.status.rawValue, streak: habit.streak)
        rate = habit.rate
        progress = habit.progressText
    }
}
