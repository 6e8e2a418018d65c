import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

/// The days of a pause, for the commands that create one.
struct PauseOptions: ParsableArguments {
    @Option(
        parsing: .unconditional, help: ArgumentHelp("First day of the pause (default: today).", valueName: "date"),
        completion: .day)
    var from: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Last day of the pause (default: no end).", valueName: "date"),
        completion: .day)
    var to: String?

    /// Returns the pause of a habit of the user, or of all habits.
    ///
    /// - Parameters:
    ///   - habit: The ID or the title of the habit, or null for all habits.
    ///   - today: The current date of the user, to which relative dates refer.
    /// - Returns: The draft.
    /// - Throws: `date-invalid`.
    func draft(of habit: FieldInput<String>, today: Day) throws -> PauseDraft {
        var draft = PauseDraft()
        draft.habit = habit
        draft.from = try from.map { text in try DayExpression(text, field: "from").day(today: today) }
        draft.to = try FieldInput(option: to, named: "to", today: today)
        return draft
    }

    /// Checks the dates before the store is opened.
    func check() throws {
        if let from { _ = try DayExpression(from, field: "from") }
        try FieldInput<Day>.check(to, named: "to")
    }
}

extension CommonOptions {
    /// Creates a pause and shows it.
    ///
    /// - Parameters:
    ///   - habit: The name of the habit, or `nil` for all habits.
    ///   - days: The days of the pause.
    ///   - output: The options for the output.
    /// - Throws: The errors of the action and of the output.
    func pause(_ habit: String?, on days: PauseOptions, _ output: OutputOptions) throws {
        try days.check()
        try performAndShow(output) { change in
            let end = change.day("to").map { day in "to \(day)" }
            let begin = change.day("from").map { day in "paused from \(day)" }
            return change.line(.skipped, change.record["title"], begin, end ?? "without end", change.record["id"])
        } action: { user in
            let name: FieldInput<String> = habit.map { name in .value(name) } ?? .null
            let draft = try days.draft(of: name, today: user.today)
            let id = try PauseActions(user).add(draft)
            return try PauseQuery.one(id, viewer: user.viewer, in: user.session)
        }
    }

    /// Ends the pauses of today and shows their number.
    ///
    /// - Parameters:
    ///   - habit: The name of the habit, or `nil` for the pauses of all habits.
    ///   - output: The options for the output.
    /// - Throws: The errors of the action and of the output.
    func resume(_ habit: String?, _ output: OutputOptions) throws {
        try change(output) { session, viewer, clock in
            let user = try actingUser(viewer, clock, in: session)
            let resumption = try PauseActions(user).resume(habit: habit)
            guard output.showsRecord else {
                return try confirm(Self.text(of: resumption, habit))
            }
            try output.show(self, whenEmpty: "", single: true) { begin in
                let shape = ResultShape(columns: [Column("ended", .integer, at: 0)])
                try begin(shape).append([ValueRow([.integer(Int64(resumption.ended))])])
            }
        }
    }

    /// Returns the confirmation of ended pauses, which names the habits that stay paused.
    private static func text(of resumption: Resumption, _ habit: String?) -> String {
        switch (habit, resumption.leavesPauses) {
        case (let habit?, true):
            """
            The pause of the habit '\(habit)' has ended, but all habits are paused: end that pause with 'habitat user \
            resume'.
            """
        case (let habit?, false): "The habit '\(habit)' counts again from today on."
        case (nil, true): "The habits without a pause of their own count again from today on."
        case (nil, false): "All habits count again from today on."
        }
    }
}
