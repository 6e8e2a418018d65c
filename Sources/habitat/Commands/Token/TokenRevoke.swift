import ArgumentParser
import Base
import HabitModel
import HabitStore

struct TokenRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke a token, a calendar address or a link.",
        discussion: """
            A revoked token, address or link is invalid immediately. With --user, the command revokes all of the user.

            Example:
              habitat token revoke --user alice
            """)

    @Argument(help: ArgumentHelp("ID of the token in 'habitat token list'.", valueName: "id"), completion: .token)
    var id: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("ID of a user; all tokens and addresses of the user are revoked.", valueName: "user"),
        completion: .user)
    var user: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("token revoke")
        guard (id == nil) != (user == nil) else {
            throw HabitError(
                .usage, "a token is required: pass either its ID or --user USER for all tokens of a user", field: "user"
            )
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
