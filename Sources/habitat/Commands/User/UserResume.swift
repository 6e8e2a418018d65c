import ArgumentParser

struct UserResume: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "End the pause of all of your habits.",
        discussion: """
            The pause ends yesterday, so that today counts again. A pause that begins today is deleted. Pauses of single \
            habits continue.

            Example:
              habitat user resume --as alice
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.resume(nil, output)
    }
}
