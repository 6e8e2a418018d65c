import ArgumentParser
import Base
import HabitStore

struct EventDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete your events permanently.",
        discussion: """
            With --yes, the command accepts only IDs, so that a repeated command never deletes another event.

            Example:
              habitat event delete e00513 --as alice --yes
            """)

    @Argument(
        help: ArgumentHelp(
            "ID, HABIT@DAY such as gym@mon, or HABIT for the event of today; repeatable.", valueName: "event"),
        completion: .event)
    var events: [String]
    @OptionGroup var confirmation: ConfirmOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        let noun = events.count == 1 ? "the event" : "the events"
        let journal = EventJournal()
        try common.delete(
            events, confirmation: confirmation, output: output, prompt: { records in "Delete \(noun) \(records)?" },
            remedy: remedy,
            willCommit: { user in try common.keepUndo(of: journal, for: user) }
        ) { user, names, name in
            let reference = EventReference(name)
            let id = confirmation.asks ? try reference.id(names, own: true, clock: user.clock) : name
            let query = try EventQuery.one(id, viewer: user.viewer, in: user.session)
            let record = try query.record(in: user.session)
            try EventActions(user, journal: journal).delete(id)
            let day = record?["day"].flatMap { day in Day(day)?.inSentence(today: user.today) }
            let subject = [record?["title"], day].compactMap(\.self).joined(separator: " on ")
            return Deletion(id: id, subject: subject, values: [("deleted", .text(id))])
        }
    }

    /// The instruction to confirm the deletion without a terminal: `--yes`, with the IDs of events that other names
    /// stand for.
    private var remedy: String {
        let ids = try? common.open(.read).read { session in
            let names = try common.names(for: common.viewer(in: session), in: session)
            let clock = try common.clock()
            return try events.map { name in try EventReference(name).id(names, own: true, clock: clock) }
        }
        guard let ids, ids != events else { return ConfirmOptions.remedy }
        let words = ids.map(\.shellWord).joined(separator: " ")
        return "run 'habitat event delete \(words) --yes', which accepts only IDs"
    }
}
