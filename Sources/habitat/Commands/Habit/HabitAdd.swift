import ArgumentParser
import HabitStore

struct HabitAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a habit and show it.",
        discussion: """
            The habit starts today unless you pass --start. It is due on the weekdays of --days, or it has a target: \
            --times completions in any period of --per, by default 7 days. With --target-amount, a day is done only if the \
            amount of its event reaches it.

            Examples:
              habitat habit add --as alice --title "Evening walk" --days mon,wed,fri
              habitat habit add Piano --as alice --days weekdays \\
                --reason "For Clara" --start 2026-12-01
              habitat habit add Run --as alice --times 3 --per week \\
                --target-amount 5 --unit km
              habitat habit add Read --as alice --days daily \\
                --symbol 📖 --remind-at 21:30
            """)

    @Argument(help: ArgumentHelp("Title of the habit, instead of --title.", valueName: "title"), completion: .anyText)
    var newTitle: String?
    @OptionGroup var fields: HabitFields
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "ID of the new habit: a UUID, or your user ID, a colon and a name without a colon (default: generated).",
            valueName: "id"), completion: .anyText)
    var id: String?
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        var fields = fields
        fields.title = try CommonOptions.value(of: newTitle, orOption: fields.title, named: "title")
        try fields.check()
        let title = fields.title ?? ""
        var count = 0
        try common.performAndShow(output) { change in
            change.line(
                .done, change.record["title"], change.record["days"], change.day("start").map { day in "from \(day)" })
        } action: { [fields] user in
            let draft = try fields.draft(today: user.today)
            let id = try HabitActions(user).add(draft, id: id)
            count = try user.names.ownHabitCount(titled: title)
            return try HabitQuery.one(id, viewer: user.viewer, clock: user.clock, in: user.session)
        }
        if count > 1 { common.notice("You now have \(count) habits called \(title).") }
    }
}
