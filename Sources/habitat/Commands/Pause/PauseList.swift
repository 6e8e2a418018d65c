import ArgumentParser
import Base
import HabitModel
import HabitStore

struct PauseList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List pauses of habits, latest first.",
        discussion: """
            By default, the command lists your own pauses, or all pauses if you are the operator. With --user, it lists \
            the pauses of a user you follow.

            Examples:
              habitat pause list --as alice
              habitat pause list --user bruno --as alice --format json
            """)

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("ID of a user whose pauses are listed; repeatable.", valueName: "id"), completion: .user)
    var user: [String] = []
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Maximum number of rows.", valueName: "number"),
        completion: .anyText)
    var limit: Int?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let notice = "No pauses match: pause a habit with 'habitat habit pause HABIT'."
        try output.show(common, whenEmpty: notice) { session, viewer, _ in
            var query = PauseQuery(viewer: viewer)
            let names = common.names(for: viewer, in: session)
            query.users = try user.map(names.userID)
            if query.users.isEmpty, case .user(_, let id) = viewer {
                query.users = [id]
            }
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}
