import ArgumentParser

struct ItemWithdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Take your item out of the offer; a claim on it ends.",
        discussion: """
            Example:
              habitat item withdraw item-0051 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move { try $0.withdraw($1) } }
}
