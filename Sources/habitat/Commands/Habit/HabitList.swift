import ArgumentParser
import HabitModel
import HabitStore

struct HabitList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Habits: schedule, status, completion, streaks and score.",
        discussion: """
            An actor's own; with --user those of somebody the actor follows, of which only title, schedule and status are \
            shown. The operator sees everybody's.

            Completion is over the four ISO weeks that end with this one; today counts once it is done, or with --include-today.

            Examples:
              habitat habit list --as alice
              habitat habit list --user alice --format json
            """)

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only habits of this user; repeatable.", valueName: "id")
    )
    var user: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only this habit, or all with this title; repeatable.", valueName: "id|title"))
    var habit: [String] = []
    @Flag(help: "Count today as due though it is not done yet.")
    var includeToday = false
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common,
            whenEmpty:
                "No habits yet: add one with 'habitat habit add --title TITLE --days mon,wed,fri', or see 'habitat following'."
        ) {
            session, viewer, clock in
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.users = user
            query.habits = habit
            query.includingToday = includeToday
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
