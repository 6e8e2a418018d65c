import ArgumentParser

struct ItemRelease: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Release the claim on an item.",
        discussion: """
            Both the claimant and the poster can release a claim. The item is then available again.

            Example:
              habitat item release item-0043 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move(in: .claimed) { actions, item in try actions.release(item) } }
}
