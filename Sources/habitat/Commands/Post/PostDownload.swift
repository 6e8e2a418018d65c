import ArgumentParser

struct PostDownload: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "download", abstract: "Save the photo of a post to a file.",
        discussion: """
            Without --output, and if --output is a folder, the file is named after the ID of the post. An existing \
            file is replaced only with --force. The file appears only after all bytes are written.

            Examples:
              habitat post download post-0131
              habitat post download post-0131 --output river.png --force --format json
            """)

    @Argument(
        help: ArgumentHelp("ID or caption of the post, or the beginning of its caption.", valueName: "post"),
        completion: .visiblePost)
    var post: String
    @OptionGroup var download: DownloadOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws { try download.run(.post, common) { names, _ in try names.postID(post) } }
}
