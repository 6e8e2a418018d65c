import ArgumentParser
import HabitModel
import HabitStore

struct UserAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an account, as the operator.",
        discussion: """
            The user's days begin and end in --time-zone. Without it the account gets the time zone of this machine (TZ, else \
            /etc/localtime).

            Example:
              habitat user add zoe --name "Zoe Lima" --email zoe@example.com --time-zone Europe/Lisbon
            """)

    @Argument(help: ArgumentHelp("The user's id: 1 to 64 characters.", valueName: "id"))
    var id: String
    @OptionGroup var fields: UserFields
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("user add")
        var draft = try fields.draft(common)
        if common.timeZone == nil { draft.timeZone = .value(MachineTimeZone.id()) }
        try common.change(output) { session, viewer, _ in
            try AccountActions(viewer, in: session).add(id, draft)
            try output.show(
                UserQuery.one(id, viewer: viewer, in: session), common, in: session, whenEmpty: "", single: true)
        }
    }
}
