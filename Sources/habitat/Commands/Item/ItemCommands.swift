import ArgumentParser
import HabitStore

struct ItemCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item", abstract: "Post, claim and hand over give-away items.",
        discussion: """
            An item is available, claimed, given, withdrawn or expired.

            Examples:
              habitat item list --near 38.7223,-9.1393 --sort distance
              habitat item claim item-0007 --as alice
            """,
        subcommands: [
            ItemList.self, ItemShow.self, ItemPost.self, ItemEdit.self, ItemDelete.self, ItemClaim.self,
            ItemRelease.self, ItemGive.self, ItemWithdraw.self, ItemPhoto.self,
        ])
}
