import ArgumentParser
import HabitStore

struct UserEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a user account and show it.",
        discussion: """
            You can change your own account. The operator can change any account. --time-zone ZONE changes the time \
            zone, which determines when the days of the user begin and end.

            Examples:
              habitat user edit --as alice --share-location no
              habitat user edit bruno --name "Bruno M." --time-zone Europe/Lisbon
            """)

    @Argument(help: ArgumentHelp("ID or name of the user (default: you).", valueName: "user"), completion: .user)
    var user: String?
    @OptionGroup var fields: UserFields
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let draft = try fields.draft(common)
        try common.change(output) { session, viewer, clock in
            let id = try viewer.userID(or: user, in: session)
            try AccountActions(viewer, in: session).edit(id, draft)
            if draft.email.value != nil { try common.warnAboutSharedAddress(of: id, viewer, in: session) }
            try output.confirm(
                UserQuery.one(id, viewer: viewer, in: session), common: common, in: session,
                today: clock.today(in: .utc)
            ) { change in
                let name = change.record["name"].map { name in " (\(name))" }
                return change.line(.done, "Account \(id)\(name ?? "")", change.record["time_zone"])
            }
        }
    }
}
