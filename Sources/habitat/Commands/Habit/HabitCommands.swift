import ArgumentParser

struct HabitCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "habit", abstract: "Create, list, edit, pause and delete habits.",
        discussion: """
            Examples:
              habitat habit list --as alice
              habitat habit add --as alice --title "Evening walk" --days mon,wed,fri
            """,
        subcommands: [
            HabitList.self, HabitAdd.self, HabitShow.self, HabitEdit.self, HabitDelete.self, HabitPause.self,
            HabitResume.self, HabitDerive.self,
        ])
}
