import ArgumentParser

struct ItemGive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "give", abstract: "Mark your claimed item as given.",
        discussion: """
            Example:
              habitat item give item-0043 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move(in: .own) { actions, item in try actions.give(item) } }
}
