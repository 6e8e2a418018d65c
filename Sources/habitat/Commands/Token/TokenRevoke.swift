import ArgumentParser
import HabitModel
import HabitStore

struct TokenRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a token at once, or all tokens of a user.",
        discussion: """
            Example:
              habitat token revoke --user alice
            """)

    @Argument(help: ArgumentHelp("The token's id, as 'habitat token list' has it.", valueName: "id"))
    var id: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("All tokens of this user.", valueName: "user"))
    var user: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("token revoke")
        guard (id == nil) != (user == nil) else {
            throw HabitError(.usage, "say which: a token's id, or --user USER for all of theirs", field: "user")
        }
        try common.change(output) { session, viewer, clock in
            let tokens = TokenActions(clock: clock, in: session)
            var count = 1
            if let id { try tokens.revoke(id: id, by: viewer) }
            if let user { count = try tokens.revokeAll(of: try .user(named: user, in: session)) }
            try output.show([("revoked", .integer(Int64(count)))], common)
        }
    }
}
