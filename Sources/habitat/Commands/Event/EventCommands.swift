import ArgumentParser

struct EventCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "event", abstract: "Record, edit and delete habit events.",
        discussion: """
            An event records that a habit was done or skipped on a day. 'habitat history' and 'habitat near' list \
            events.

            Example:
              habitat event add --habit alice-gym --as alice
            """,
        subcommands: [
            EventAdd.self, EventSkip.self, EventShow.self, EventEdit.self, EventDelete.self, EventPhoto.self,
        ])
}
