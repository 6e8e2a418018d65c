import ArgumentParser

struct PostDownload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Put the photo of a post into a file: all of it, or none.",
        discussion: """
            In a folder the file is named after the post's id. A file that is there already stays, unless --force is given.

            Examples:
              habitat post download post-0131 --output .
              habitat post download post-0131 --output river.png --force --format json
            """)

    @Argument(help: ArgumentHelp("The post's id.", valueName: "post"))
    var post: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup var common: CommonOptions

    func run() throws { try download.run(.post, post, common) }
}
