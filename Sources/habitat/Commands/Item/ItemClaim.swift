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
        let item = try target.move(in: .claimable) { change in
            let id = change.record["id"] ?? target.item
            let remedy = "habitat message send \(id.shellWord) TEXT"
            return change.line(.done, "\(change.record["name"] ?? id) is yours to fetch: \(remedy)")
        } action: { actions, item in
            try actions.claim(item)
        }
        guard target.output.showsRecord else { return }
        target.common.notice(
            "You have claimed the item: arrange the handover with 'habitat message send --item \(item.shellWord) --text TEXT'."
        )
    }
}
