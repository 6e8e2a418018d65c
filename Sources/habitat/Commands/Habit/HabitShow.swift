import ArgumentParser
import Base
import HabitModel
import HabitStore

struct HabitShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one habit and its weekly results.",
        discussion: """
            Weeks begin on Monday. For a habit of another user, the command shows only the title, the schedule and the \
            status.

            Examples:
              habitat habit show alice-gym --as alice
              habitat habit show "Morning run" --as alice --weeks all --format json
            """)

    @Argument(help: ArgumentHelp("ID or title of the habit.", valueName: "habit"), completion: .visibleHabit)
    var habit: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of weeks that end with the current week, or 'all'.", valueName: "number"),
        completion: .anyText)
    var weeks = "12"
    @Flag(help: "Count today as due even if the habit is not done yet.")
    var includeToday = false
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let clock = try common.clock()
        var weeksQuery = HabitWeeks(clock: clock)
        weeksQuery.includingToday = includeToday
        weeksQuery.count = try weekCount()
        try common.open(.read).read { session in
            let viewer = try common.viewer(in: session)
            let access = AccessChecker(viewer: viewer, in: session)
            let id = try common.names(for: viewer, in: session).habitID(habit)
            let key = try access.require(.view, on: .habit, id: id)
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.id = id
            query.includingToday = includeToday
            let selection = try query.selection(in: session)
            guard (try? access.require(.viewPrivate, on: .habit, id: id)) != nil else {
                return try output.show(selection, common, in: session, whenEmpty: "", single: true)
            }
            let weeks = try weeksQuery.rows(ofHabit: key, in: session)
            let related = RelatedRows(name: "weeks", shape: HabitWeeks.shape, rows: weeks)
            try output.show(selection, common, in: session, with: related)
            if try output.chosenFormat() == .csv, !output.explain, !weeks.isEmpty {
                common.notice(
                    "CSV omits the weeks of the habit: pass --format json, or run 'habitat report run completion --by week --habit \(id.shellWord)'."
                )
            }
        }
    }

    private func weekCount() throws -> Int? {
        if weeks == "all" { return nil }
        guard let count = Int(weeks), count > 0 else {
            throw HabitError(
                .parameterInvalid, "'\(weeks)' is not a number of weeks: use a number from 1, or all", field: "weeks")
        }
        return count
    }
}
