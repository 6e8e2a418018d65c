import ArgumentParser
import HabitModel
import HabitStore
import StoreEngine

struct TokenCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a bearer token and show it.",
        discussion: """
            The token belongs to one user or to the operator. It expires after 90 days unless you pass --days.

            Examples:
              habitat token create --user alice --label phone --days 30
              habitat token create --for-operator --label backup-script
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("ID of the user.", valueName: "user"))
    var user: String?
    @Flag(help: "Create a token of the operator, who can see all data.")
    var forOperator = false
    @Option(parsing: .unconditional, help: ArgumentHelp("Label of the token in lists.", valueName: "text"))
    var label: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Lifetime in days, 1 to 366.", valueName: "number"))
    var days = 90
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("token create")
        guard !output.access.shareOutput else {
            throw HabitError(
                .usage, "a token file must be readable only by its owner: omit --share-output", field: "share-output")
        }
        guard (user == nil) == forOperator else {
            throw HabitError(
                .usage, "the owner of the token is required: pass either --user USER or --for-operator", field: "user")
        }
        guard (1...366).contains(days) else {
            throw HabitError(.parameterInvalid, "--days must be 1 to 366, not \(days)", field: "days")
        }
        try common.change(output) { session, _, clock in
            if let user { try AccessChecker(viewer: .operator, in: session).require(.view, .user, user) }
            let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
            let token = try TokenActions(clock: clock, in: session).create(
                for: viewer, label: label, lifetime: .seconds(days * 86_400))
            let shape = ResultShape(columns: [
                Column("token", .text, at: 0), Column("id", .text, at: 1), Column("user", .text, at: 2),
                Column("expires_at", .instant(offset: nil), at: 3),
            ])
            try output.show(common, whenEmpty: "", single: true) { begin in
                try begin(shape).take(
                    ValueRow([
                        .text(token.secret), .text(token.id), .text(user), .integer(token.expires.microseconds),
                    ]))
            }
        }
        common.notice("The token is not shown again: store it securely.")
    }
}
