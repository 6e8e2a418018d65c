import ArgumentParser

struct ItemRelease: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "release",
        abstract: "Give up your claim, or take your item back from who claimed it: it is available again.",
        discussion: """
            Example:
              habitat item release item-0043 --as alice
            """)

    @OptionGroup var target: ItemTarget

    func run() throws { try target.move { try $0.release($1) } }
}
