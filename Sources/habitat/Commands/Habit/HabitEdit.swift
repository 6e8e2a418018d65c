import ArgumentParser
import HabitModel
import HabitStore

struct HabitEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a habit of yours, and show it.",
        discussion: """
            New weekdays hold from today on: what was due before stays due. --rewrite-past makes them hold from the beginning.

            Examples:
              habitat habit edit alice-gym --as alice --days tue,thu,sat
              habitat habit edit alice-gym --as alice --reason "" --end 2026-12-31
            """)

    @Argument(help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @OptionGroup var fields: HabitFields
    @Flag(help: "Let the new weekdays hold for the past too.")
    var rewritePast = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        guard !rewritePast || fields.days != nil else {
            throw HabitError(
                .usage, "--rewrite-past is about new weekdays: give them with --days", field: "rewrite-past")
        }
        let draft = try fields.draft()
        try common.act(output) { user in
            let id = try Things(viewer: user.viewer, in: user.session).habitID(named: habit)
            try HabitActions(user).edit(id, draft, rewritesPast: rewritePast)
            return try HabitQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}
