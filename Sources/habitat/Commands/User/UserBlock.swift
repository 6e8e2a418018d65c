import ArgumentParser
import HabitStore

struct UserBlock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "block", abstract: "Block a user, so that you do not see each other.",
        discussion: """
            The block ends follows and requests in both directions and releases open claims between you. Items, claims \
            and messages of the other are hidden from both of you. The user cannot distinguish the block from a deleted \
            account. Only you can end the block, with 'habitat user unblock'.

            Example:
              habitat user block bruno --as alice
            """)

    @Argument(help: ArgumentHelp("ID or name of the user.", valueName: "user"), completion: .followTarget)
    var user: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.performAndShow(output, as: line) { actingUser in
            let id = try actingUser.names.userID(user)
            try BlockActions(actingUser).block(id)
            return try BlockQuery.one(id, viewer: actingUser.viewer, in: actingUser.session)
        }
    }

    private func line(_ change: Confirmation) -> String {
        let blocked = change.record["blocked"] ?? user
        return change.line(.done, "You block \(blocked).")
    }
}
