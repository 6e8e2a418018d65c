import ArgumentParser

struct ItemPhoto: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Save the photo of an item to a file.",
        discussion: """
            Without --output, the file is named after the ID of the item in the current folder.

            Example:
              habitat item photo item-0003 --as alice --output aloe.png
            """)

    @Argument(
        help: ArgumentHelp("ID or name of the item, or the beginning of its name.", valueName: "item"),
        completion: .item)
    var item: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws { try download.run(.item, common) { names, clock in try names.itemID(item, clock: clock) } }
}
