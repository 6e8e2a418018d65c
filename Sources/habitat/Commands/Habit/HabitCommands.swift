import ArgumentParser

struct HabitCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "habit", abstract: "Habits: what you do on which weekdays, and how it goes.",
        discussion: """
            Examples:
              habitat habit list --as alice
              habitat habit add --as alice --title "Evening walk" --days mon,wed,fri
            """,
        subcommands: [HabitList.self, HabitAdd.self, HabitShow.self, HabitEdit.self, HabitDelete.self])
}
