import ArgumentParser
import HabitStore

struct UserShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one user.",
        discussion: """
            Examples:
              habitat user show --as alice
              habitat user show bruno --as alice --format json
            """)

    @Argument(help: ArgumentHelp("ID or name of the user (default: you).", valueName: "user"), completion: .user)
    var user: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, _ in
            let id = try viewer.userID(or: user, in: session)
            try AccessChecker(viewer: viewer, in: session).require(.view, on: .user, id: id)
            return try UserQuery.one(id, viewer: viewer, in: session)
        }
    }
}
