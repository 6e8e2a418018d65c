import ArgumentParser

struct ItemClaim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Claim an available item.",
        discussion: """
            If several users claim an item at the same time, the first claim to commit wins.

            Example:
              habitat item claim item-0007 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws {
        let item = try target.move(in: .claimable) { actions, item in try actions.claim(item) }
        target.common.notice(
            "You have claimed the item: arrange the handover with 'habitat message send --item \(item.shellWord) --text TEXT'."
        )
    }
}
