import ArgumentParser
import HabitModel
import HabitReport
import HabitStore

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

struct HabitList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Habits: schedule, status, completion, streaks and score.",
        discussion: """
            An actor's own; with --user those of somebody the actor follows, of which only title, schedule and status are \
            shown. The operator sees everybody's.

            Completion is over the four ISO weeks that end with this one; today counts once it is done, or with --include-today.

            Examples:
              habitat habit list --as alice
              habitat habit list --user alice --format json
            """)

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("Only habits of this user; repeatable.", valueName: "id")
    )
    var user: [String] = []
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only this habit, or all with this title; repeatable.", valueName: "id|title"))
    var habit: [String] = []
    @Flag(help: "Count today as due though it is not done yet.")
    var includeToday = false
    @Option(parsing: .unconditional, help: ArgumentHelp("At most this many rows.", valueName: "number"))
    var limit: Int?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try output.show(
            common,
            whenEmpty:
                "No habits yet: add one with 'habitat habit add --title TITLE --days mon,wed,fri', or see 'habitat following'."
        ) {
            session, viewer, clock in
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.users = user
            query.habits = habit
            query.includingToday = includeToday
            query.limit = try Parse.count(limit, option: "limit")
            return try query.selection(in: session)
        }
    }
}

/// What a habit is made of, for those commands that make or change one.
struct HabitFields: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("1 to 20 characters.", valueName: "text"))
    var title: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Names (mon,wed), numbers from Monday (1,3) or a mask (1010000).", valueName: "weekdays"))
    var days: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Up to 30 characters; empty for none.", valueName: "text"))
    var reason: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The first day.", valueName: "date"))
    var start: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("The last day, or none.", valueName: "date"))
    var end: String?

    func draft() throws -> HabitDraft {
        var draft = HabitDraft()
        draft.title = Given(option: title)
        draft.schedule = try days.map { .value(try Schedule($0)) } ?? .absent
        draft.reason = Given(option: reason)
        draft.start = try start.map { .value(try Parse.day($0, option: "start")) } ?? .absent
        draft.end = try Given(option: end, named: "end")
        return draft
    }
}

struct HabitAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a habit of yours, and show it.",
        discussion: """
            It starts today unless --start says otherwise.

            Examples:
              habitat habit add --as alice --title "Evening walk" --days mon,wed,fri
              habitat habit add --as alice --title "Piano" --days 1111100 --reason "For Clara" --start 2026-12-01
            """)

    @OptionGroup var fields: HabitFields
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ID of the new habit: a UUID, or your user ID, a colon and a name without a colon (default: generated).",
            valueName: "id"))
    var id: String?
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let draft = try fields.draft()
        try common.act(output) { user in
            let id = try HabitActions(user).add(draft, id: id)
            return try HabitQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
    }
}

struct HabitShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "One habit, and how its weeks went.",
        discussion: """
            HABIT is an id or a title. Weeks run from Monday to Sunday. Somebody else's habit shows title, schedule and status.

            Examples:
              habitat habit show alice-gym --as alice
              habitat habit show "Morning run" --as alice --weeks all --format json
            """)

    @Argument(help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many weeks, ending with this one, or all.", valueName: "number"))
    var weeks = "12"
    @Flag(help: "Count today as due though it is not done yet.")
    var includeToday = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let clock = try common.clock()
        var weeksQuery = HabitWeeks(clock: clock)
        weeksQuery.includingToday = includeToday
        weeksQuery.count = try weekCount()
        try common.open(.read).read { session in
            let viewer = try common.viewer(in: session)
            let things = Things(viewer: viewer, in: session)
            let id = try things.habitID(named: habit)
            let key = try things.require(.view, .habit, id)
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.id = id
            query.includingToday = includeToday
            let selection = try query.selection(in: session)
            guard (try? things.require(.viewPrivate, .habit, id)) != nil else {
                return try output.show(selection, common, in: session, whenEmpty: "", single: true)
            }
            let weeks = try weeksQuery.rows(ofHabit: key, in: session)
            try output.show(selection, common, in: session, with: "weeks", HabitWeeks.shape, weeks)
        }
    }

    private func weekCount() throws -> Int? {
        if weeks == "all" { return nil }
        guard let count = Int(weeks), count > 0 else {
            throw HabitError(.parameterInvalid, "--weeks takes a number from 1, or all, not '\(weeks)'", field: "weeks")
        }
        return count
    }
}

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

struct HabitDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a habit of yours with all its events, for good.",
        discussion: """
            Example:
              habitat habit delete alice-swim --as alice --yes
            """)

    @Argument(help: ArgumentHelp("The habit's id, or its title.", valueName: "habit"))
    var habit: String
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try confirmation.confirm("Delete the habit '\(habit)' with all its events?")
        try common.tell(output) { user in
            let id = try Things(viewer: user.viewer, in: user.session).habitID(named: habit)
            let events = try HabitActions(user).delete(id)
            return [("deleted", .text(id)), ("events", .integer(Int64(events)))]
        }
    }
}
