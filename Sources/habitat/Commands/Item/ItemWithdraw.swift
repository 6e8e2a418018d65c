import ArgumentParser

struct ItemWithdraw: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "withdraw", abstract: "Withdraw one of your items.",
        discussion: """
            The item is no longer available. A claim on it ends.

            Example:
              habitat item withdraw item-0051 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move(in: .own) { actions, item in try actions.withdraw(item) } }
}
