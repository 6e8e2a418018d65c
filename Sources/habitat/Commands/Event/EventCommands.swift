import ArgumentParser

struct EventCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event", abstract: "Events: what was done of a habit on a day.",
        discussion: """
            'habitat history' and 'habitat near' list them.

            Example:
              habitat event add --habit alice-gym --as alice
            """,
        subcommands: [
            EventAdd.self, EventSkip.self, EventShow.self, EventEdit.self, EventDelete.self, EventPhoto.self,
        ])
}
