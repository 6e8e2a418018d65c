import ArgumentParser
import Base
import HabitModel
import HabitStore

struct EventEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change one of your events and show it.",
        discussion: """
            Fields without an option are unchanged. A new --day must be due and must not have another event.

            Examples:
              habitat event edit e00513 --as alice --comment "with Anna"
              habitat event edit e00513 --as alice --photo none --position none
            """)

    @Argument(
        help: ArgumentHelp("ID, HABIT@DAY such as gym@mon, or HABIT for the event of today.", valueName: "event"),
        completion: .event)
    var event: String
    @Option(parsing: .unconditional, help: ArgumentHelp("New day of the event.", valueName: "date"), completion: .day)
    var day: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("New time of the event: HH:MM, or RFC 3339.", valueName: "instant"),
        completion: .anyText)
    var at: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("New comment, up to 20 characters by default; empty clears it.", valueName: "text"),
        completion: .anyText)
    var comment: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Amount in the unit of the habit, or 'none'.", valueName: "number"), completion: .anyText)
    var amount: String?
    @OptionGroup var photo: EventPhotoOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let draft = try EventDraft(day: day, at: at, comment: comment, amount: amount, photo)
        var shortfall: (id: String, amount: AmountProgress)?
        try common.performAndShow(output) { change in
            change.line(ofEvent: shortfall?.amount)
        } action: { user in
            var draft = try draft.on(day, today: user.today)
            draft.details.position = try photo.options.position(draft.details.position, of: user)
            let event = try EventReference(event).id(user.names, own: true, clock: user.clock)
            try common.keepingUndo(for: user) { actions in try actions.edit(event, draft) }
            shortfall = try EventActions(user).shortfall(of: event).map { (id: event, amount: $0) }
            return try EventQuery.one(event, viewer: user.viewer, in: user.session)
        }
        if let shortfall { common.notice(shortfall.amount, ofEvent: shortfall.id) }
    }
}
