import ArgumentParser
import HabitStore

struct UserShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One user, yourself unless you name another.",
        discussion: """
            Examples:
              habitat user show --as alice
              habitat user show bruno --as alice --format json
            """)

    @Argument(help: ArgumentHelp("The user's id.", valueName: "user"))
    var user: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.showOne(common) { session, viewer, _ in
            let id = try viewer.userID(or: user)
            try Things(viewer: viewer, in: session).require(.view, .user, id)
            return try UserQuery.one(id, viewer: viewer, in: session)
        }
    }
}
