import ArgumentParser

struct ItemPhoto: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Save the photo of an item to a file.",
        discussion: """
            Example:
              habitat item photo item-0003 --as alice --output aloe.png
            """)

    @Argument(help: ArgumentHelp("ID of the item.", valueName: "item"))
    var item: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup var common: CommonOptions

    func run() throws { try download.run(.item, item, common) }
}
