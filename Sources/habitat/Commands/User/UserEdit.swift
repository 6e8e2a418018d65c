import ArgumentParser
import HabitStore

struct UserEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change your account, or as the operator anybody's.",
        discussion: """
            Examples:
              habitat user edit --as alice --share-location no
              habitat user edit bruno --name "Bruno M." --time-zone Europe/Lisbon
            """)

    @Argument(help: ArgumentHelp("The user's id.", valueName: "user"))
    var user: String?
    @OptionGroup var fields: UserFields
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try fields.draft(common)
        try common.change(output) { session, viewer, _ in
            let id = try viewer.userID(or: user)
            try AccountActions(viewer, in: session).edit(id, draft)
            try output.show(
                UserQuery.one(id, viewer: viewer, in: session), common, in: session, whenEmpty: "", single: true)
        }
    }
}
