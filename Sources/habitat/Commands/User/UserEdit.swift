import ArgumentParser
import HabitStore

struct UserEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a user account and show it.",
        discussion: """
            You can change your own account. The operator can change any account.

            Examples:
              habitat user edit --as alice --share-location no
              habitat user edit bruno --name "Bruno M." --time-zone Europe/Lisbon
            """)

    @Argument(help: ArgumentHelp("ID or name of the user (default: you).", valueName: "user"))
    var user: String?
    @OptionGroup var fields: UserFields
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try fields.draft(common)
        try common.change(output) { session, viewer, _ in
            let id = try viewer.userID(or: user, in: session)
            try AccountActions(viewer, in: session).edit(id, draft)
            if draft.email.value != nil { try common.warnAboutSharedAddress(of: id, viewer, in: session) }
            try output.show(
                UserQuery.one(id, viewer: viewer, in: session), common, in: session, whenEmpty: "", single: true)
        }
    }
}
