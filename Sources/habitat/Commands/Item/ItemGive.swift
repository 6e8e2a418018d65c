import ArgumentParser

struct ItemGive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "give", abstract: "Say that your item was handed over to who claimed it.",
        discussion: """
            Example:
              habitat item give item-0043 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move { try $0.give($1) } }
}
