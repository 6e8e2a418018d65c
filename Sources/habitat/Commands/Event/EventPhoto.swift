import ArgumentParser

struct EventPhoto: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Save the photo of an event to a file.",
        discussion: """
            Example:
              habitat event photo e00045 --as alice --output .
            """)

    @Argument(help: ArgumentHelp("ID of the event.", valueName: "event"))
    var event: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup var common: CommonOptions

    func run() throws { try download.run(.event, event, common) }
}
