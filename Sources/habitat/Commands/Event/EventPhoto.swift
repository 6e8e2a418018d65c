import ArgumentParser

struct EventPhoto: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photo", abstract: "Save the photo of an event to a file.",
        discussion: """
            Without --output, the file is named after the ID of the event in the current folder.

            Example:
              habitat event photo e00045 --as alice
            """)

    @Argument(
        help: ArgumentHelp("ID, HABIT@DAY such as gym@mon, or HABIT for the event of today.", valueName: "event"),
        completion: .event)
    var event: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try download.run(.event, common) { names, clock in
            try EventReference(event).id(names, clock: clock)
        }
    }
}
