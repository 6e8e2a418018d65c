import ArgumentParser

struct UserPause: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause all of your habits.",
        discussion: """
            The pause also concerns habits that you create later. The days of a pause are neither due nor missed. A \
            pause without --to ends with 'habitat user resume'.

            Examples:
              habitat user pause --as alice
              habitat user pause --from 2026-12-20 --to 2027-01-06 --as alice
            """)

    @OptionGroup var days: PauseOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try common.pause(nil, on: days, output)
    }
}
