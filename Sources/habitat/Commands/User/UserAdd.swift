import ArgumentParser
import Base
import HabitModel
import HabitStore

struct UserAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a user account.",
        discussion: """
            Only the operator can run this command. --time-zone determines when the days of the user begin and end \
            (default: the time zone of this machine from TZ, otherwise from /etc/localtime).

            Example:
              habitat user add zoe --name "Zoe Lima" --email zoe@example.com \\
                --time-zone Europe/Lisbon
            """)

    @Argument(help: ArgumentHelp("ID of the new user, 1 to 64 characters.", valueName: "id"), completion: .anyText)
    var id: String
    @OptionGroup var fields: UserFields
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("user add")
        guard id.lowercased() != "me" else {
            throw HabitError(
                .idInvalid, "'\(id)' means yourself in other commands: choose another id", field: Field.id.name)
        }
        var draft = try fields.draft(common)
        if common.timeZone == nil {
            let zone = MachineTimeZone.id()
            draft.timeZone = .value(zone)
            if let skipped = MachineTimeZone.skippedSetting() {
                common.notice(
                    "TZ is '\(skipped)', which is not the name of a time zone, so the account is in \(zone): pass --time-zone to choose a time zone"
                )
            }
        }
        try common.change(output) { session, viewer, clock in
            try AccountActions(viewer, in: session).add(id, draft)
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
