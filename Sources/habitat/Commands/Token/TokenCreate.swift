import ArgumentParser
import HabitModel
import HabitStore
import StoreEngine

struct TokenCreate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a token for a user, or for the operator, and show it.",
        discussion: """
            It lasts 90 days unless --days says otherwise.

            Examples:
              habitat token create --user alice --label phone --days 30
              habitat token create --for-operator --label backup-script
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("For whom.", valueName: "user"))
    var user: String?
    @Flag(help: "For the store's operator, who sees everything.")
    var forOperator = false
    @Option(parsing: .unconditional, help: ArgumentHelp("What it is for, in lists.", valueName: "text"))
    var label: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("How many days it lasts, 366 at most.", valueName: "number"))
    var days = 90
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("token create")
        guard !output.access.shareOutput else {
            throw HabitError(
                .usage, "a token file is readable only by its owner: leave out --share-output", field: "share-output")
        }
        guard (user == nil) == forOperator else {
            throw HabitError(.usage, "say for whom: --user USER, or --for-operator", field: "user")
        }
        guard (1...366).contains(days) else {
            throw HabitError(.parameterInvalid, "--days takes a number from 1 to 366, not \(days)", field: "days")
        }
        try common.change(output) { session, _, clock in
            if let user { try Things(viewer: .operator, in: session).require(.view, .user, user) }
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
        common.notice("This is the only time that the token is shown: keep it where nobody else reads it.")
    }
}
