import ArgumentParser

extension Habitat {
    /// The groups of commands in the order of the help.
    static let groups = [
        CommandGroup(
            name: "Every day",
            subcommands: [
                Todo.self, Done.self, Skip.self, Undo.self, Log.self, History.self, NearCommand.self, Following.self,
                Inbox.self,
            ]),
        CommandGroup(
            name: "Records",
            subcommands: [
                HabitCommands.self, PauseCommands.self, EventCommands.self, UserCommands.self, FollowCommands.self,
                ItemCommands.self, MessageCommands.self, PostCommands.self, PlaceCommands.self,
                ViewCommands.self,
            ]),
        CommandGroup(name: "Reports", subcommands: [ReportCommands.self, Query.self, Nightly.self]),
        CommandGroup(
            name: "Data",
            subcommands: [Init.self, Import.self, Ingest.self, Export.self, Copy.self, Stats.self]),
        CommandGroup(
            name: "Operation",
            subcommands: [
                Backup.self, Restore.self, Doctor.self, SettingCommands.self, ConfigCommands.self, Serve.self,
                Invite.self, TokenCommands.self, ClusterCommands.self,
            ]),
    ]
}
