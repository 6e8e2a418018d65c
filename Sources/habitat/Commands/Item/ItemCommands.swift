import ArgumentParser
import HabitStore

struct ItemCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item", abstract: "Things that are given away: post, claim, hand over.",
        discussion: """
            An item is available, then claimed, then given; or it expires, or is withdrawn.

            Examples:
              habitat item list --near 38.7223,-9.1393 --sort distance
              habitat item claim item-0007 --as alice
            """,
        subcommands: [
            ItemList.self, ItemShow.self, ItemPost.self, ItemEdit.self, ItemDelete.self, ItemClaim.self,
            ItemRelease.self, ItemGive.self, ItemWithdraw.self, ItemPhoto.self,
        ])
}
