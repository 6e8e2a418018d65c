import ArgumentParser

struct ItemClaim: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim", abstract: "Claim an item that is available; the first who does has it.",
        discussion: """
            Example:
              habitat item claim item-0007 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws {
        try target.move { try $0.claim($1) }
        let item = target.item.allSatisfy { $0.isLetter || $0.isNumber || "-_.@".contains($0) } ? target.item : "ITEM"
        target.common.notice(
            "It is yours to fetch: write to its poster with 'habitat message send --item \(item) --text TEXT'.")
    }
}
