import ArgumentParser
import Base
import HabitModel
import HabitStore
import Rendering

struct HabitEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change one of your habits and show it.",
        discussion: """
            New weekdays or a new target apply from today. Earlier due days are unchanged unless you pass --rewrite-past.

            A new --target-amount applies to all days of the habit, including the past: earlier days whose amount is \
            below it no longer count as done, and the completion rate, the streaks and the score change.

            Examples:
              habitat habit edit alice-gym --as alice --days tue,thu,sat
              habitat habit edit alice-gym --as alice --times 3 --period-days 7
              habitat habit edit alice-gym --as alice --reason "" --end 2026-12-31
            """)

    @Argument(help: ArgumentHelp("ID or title of the habit.", valueName: "habit"), completion: .ownHabit)
    var habit: String
    @OptionGroup var fields: HabitFields
    @Flag(help: "Apply the new weekdays or target from the start of the habit.")
    var rewritePast = false
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        guard !rewritePast || fields.hasSchedule else {
            throw HabitError(
                .usage,
                "--rewrite-past requires new weekdays or a new target: pass --days, or --times and --period-days",
                field: "rewrite-past")
        }
        try fields.check()
        var before: RecordTexts?
        try common.performAndShow(output) { change in
            let days = change.record["days"]
            let old = before?["days"]
            return change.line(.done, change.record["title"], days, old == days ? nil : old.map { "was \($0)" })
        } action: { user in
            let draft = try fields.draft(today: user.today)
            let id = try user.names.habitID(habit, own: true)
            if fields.hasSchedule, !output.showsRecord {
                let habit = try HabitQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
                before = try habit.record(in: user.session)
            }
            try HabitActions(user).edit(id, draft, rewritesPast: rewritePast)
            return try HabitQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}
