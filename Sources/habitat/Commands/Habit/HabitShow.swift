import ArgumentParser
import HabitModel
import HabitStore

struct HabitShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One habit, and how its weeks went.",
        discussion: """
            HABIT is an id or a title. Weeks run from Monday to Sunday. Somebody else's habit shows title, schedule and status.

            Examples:
              habitat habit show alice-gym --as alice
              habitat habit show "Morning run" --as alice --weeks all --format json
            """)

    @Argument(help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many weeks, ending with this one, or all.", valueName: "number"))
    var weeks = "12"
    @Flag(help: "Count today as due though it is not done yet.")
    var includeToday = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let clock = try common.clock()
        var weeksQuery = HabitWeeks(clock: clock)
        weeksQuery.includingToday = includeToday
        weeksQuery.count = try weekCount()
        try common.open(.read).read { session in
            let viewer = try common.viewer(in: session)
            let things = Things(viewer: viewer, in: session)
            let id = try things.habitID(named: habit)
            let key = try things.require(.view, .habit, id)
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.id = id
            query.includingToday = includeToday
            let selection = try query.selection(in: session)
            guard (try? things.require(.viewPrivate, .habit, id)) != nil else {
                return try output.show(selection, common, in: session, whenEmpty: "", single: true)
            }
            let weeks = try weeksQuery.rows(ofHabit: key, in: session)
            try output.show(selection, common, in: session, with: "weeks", HabitWeeks.shape, weeks)
        }
    }

    private func weekCount() throws -> Int? {
        if weeks == "all" { return nil }
        guard let count = Int(weeks), count > 0 else {
            throw HabitError(.parameterInvalid, "--weeks takes a number from 1, or all, not '\(weeks)'", field: "weeks")
        }
        return count
    }
}
