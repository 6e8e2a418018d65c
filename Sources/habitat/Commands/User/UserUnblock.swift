import ArgumentParser
import HabitStore

struct UserUnblock: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unblock", abstract: "End your block of a user.",
        discussion: """
            You and the user see each other and your messages again. Ended follows and released \
            claims stay ended.

            Example:
              habitat user unblock bruno --as alice
            """)

    @Argument(help: ArgumentHelp("ID or name of the user.", valueName: "user"), completion: .followTarget)
    var user: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.performAndShow(output, as: line) { actingUser in
            let blocks = BlockActions(actingUser)
            let id = try blocks.blockedID(user)
            try blocks.unblock(id)
            return FollowQuery.one(actingUser.id, id)
        }
    }

    private func line(_ change: Confirmation) -> String {
        let user = change.record["followee"] ?? user
        return change.line(.done, "You no longer block \(user).")
    }
}
