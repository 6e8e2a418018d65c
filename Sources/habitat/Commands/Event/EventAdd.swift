import ArgumentParser
import Base
import HabitModel
import HabitStore

struct EventAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Record that you completed a habit on a due day.",
        discussion: """
            The command creates an event and shows it. The day must be due and must not be in the future. A habit has \
            one event per day. If the day was skipped, the new event replaces the skipped one. If the habit has a \
            target amount and --amount is missing or smaller, a notice reports that the day does not count as done.

            Examples:
              habitat event add --habit alice-gym --as alice --day 2026-11-19 \\
                --comment "leg day"
              habitat event add gym --as alice --position 38.7223,-9.1393
              habitat event add --habit alice-gym --as alice --photo gym.jpg \\
                --shrink-photo --position photo
            """)

    @Argument(
        help: ArgumentHelp("ID or title of the habit, or the beginning of its title.", valueName: "habit"),
        completion: .ownHabit)
    var name: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("The habit, instead of the argument.", valueName: "habit"),
        completion: .ownHabit)
    var habit: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Day of the event (default: the date of --at, otherwise today).", valueName: "date"),
        completion: .day)
    var day: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Time of the event: HH:MM, or RFC 3339 (default for today: now).", valueName: "instant"),
        completion: .anyText)
    var at: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Comment, up to 20 characters by default.", valueName: "text"),
        completion: .anyText)
    var comment: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Amount in the unit of the habit.", valueName: "number"), completion: .anyText)
    var amount: String?
    @OptionGroup var photo: EventPhotoOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let habit = try CommonOptions.required(name, orOption: habit, named: "habit", example: "habitat event add walk")
        let draft = try EventDraft(day: day, at: at, comment: comment, amount: amount, photo)
        var shortfall: (id: String, amount: AmountProgress)?
        try common.performAndShow(output) { change in
            change.line(ofEvent: shortfall?.amount)
        } action: { user in
            var draft = try draft.on(day, today: user.today)
            draft.details.position = try photo.options.position(draft.details.position, of: user)
            let id = try common.keepingUndo(for: user) { actions in try actions.add(habit: habit, draft) }
            shortfall = try EventActions(user).shortfall(of: id).map { (id: id, amount: $0) }
            return try EventQuery.one(id, viewer: user.viewer, in: user.session)
        }
        if let shortfall { common.notice(shortfall.amount, ofEvent: shortfall.id) }
    }
}
