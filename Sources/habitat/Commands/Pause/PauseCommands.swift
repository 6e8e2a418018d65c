import ArgumentParser

struct PauseCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "List and delete pauses of habits.",
        discussion: """
            The days of a pause are neither due nor missed. 'habitat habit pause' pauses a habit, and 'habitat user \
            pause' all of your habits.

            Examples:
              habitat habit pause gym --from 2026-12-01 --to 2026-12-14 --as alice
              habitat pause list --as alice
            """,
        subcommands: [PauseList.self, PauseDelete.self])
}
