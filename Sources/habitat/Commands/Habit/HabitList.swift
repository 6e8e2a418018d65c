import ArgumentParser
import Base
import HabitModel
import HabitStore

struct HabitList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List habits with status, completion rate and streaks.",
        discussion: """
            By default, the command lists your own habits, or all habits if you are the operator. With --user, it \
            lists the habits of a user you follow, but only their titles, schedules and status.

            The completion rate covers the four ISO weeks that end with the current week. Today counts after the habit \
            is done, or always with --include-today.

            Examples:
              habitat habit list --as alice
              habitat habit list --user alice --format json
            """)

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID of a user whose habits are listed; repeatable.", valueName: "id"), completion: .user)
    var user: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID or title of a habit to list; repeatable.", valueName: "id|title"),
        completion: .visibleHabit)
    var habit: [String] = []
    @Flag(help: "Count today as due even if the habit is not done yet.")
    var includeToday = false
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.show(
            common,
            whenEmpty:
                "No habits match: create one with 'habitat habit add --title TITLE --days mon,wed,fri', or see 'habitat following'."
        ) {
            session, viewer, clock in
            var query = HabitQuery(viewer: viewer, clock: clock)
            let names = common.names(for: viewer, in: session)
            query.users = try user.map(names.userID)
            query.habits = try names.habitFilter(habit)
            query.includingToday = includeToday
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
