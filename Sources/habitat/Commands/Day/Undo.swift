import ArgumentParser
import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Revert your newest change of events.",
        discussion: """
            The command reverts the newest of the last 20 changes that 'done', 'skip' and 'event add', 'skip', \
            'edit' and 'delete' made from this account of the computer. A repeated command reverts the change before.

            If an event has changed since, for example on a phone, the command changes nothing, discards this change, \
            and exits with status 76. A position is not restored if the account no longer allows positions.

            Example:
              habitat done gym --as alice && habitat undo --as alice
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        guard let log = UndoLog.process else { throw Self.nothing }
        var finished: Set<String> = []
        var isUndone = false
        var losesPosition = false
        var refusal: HabitError?
        try common.change(output) { session, viewer, clock in
            let user = try common.actingUser(viewer, clock, in: session)
            for line in log.lines(ofUser: user.id, in: try user.storeID).reversed() {
                let before = try line.changes.map { change in try UndoneEvent(change, of: user) }
                switch try EventActions(user).undo(line.changes) {
                case .unnecessary:
                    finished.insert(line.id)
                case .changedSince(let event):
                    finished.insert(line.id)
                    refusal = try Self.changedSince(event, for: user)
                    return
                case .undone:
                    isUndone = true
                case .undoneWithoutPosition:
                    isUndone = true
                    losesPosition = true
                }
                guard isUndone else { continue }
                finished.insert(line.id)
                return try show(losesPosition ? before.map(\.withoutPosition) : before, for: user)
            }
        }
        try log.remove(finished)
        if let refusal { throw refusal }
        guard isUndone else { throw Self.nothing }
        if losesPosition {
            common.notice("The position was not restored, because your account does not allow stored positions.")
        }
    }

    private static let nothing = HabitError(.notFound, "nothing to undo")

    private static func changedSince(_ event: EventSnapshot, for user: ActingUser) throws -> HabitError {
        let habit = try HabitDay.of(habit: event.habit, on: event.day, of: user)
        let title = habit?.title ?? event.habit
        let day = event.day.inSentence(today: user.today)
        return HabitError(
            .changedSince, "\(title) on \(day) has changed since: nothing was undone",
            subject: ErrorSubject(.event, event.id), field: nil, parameters: [.day(event.day)])
    }

    private func show(_ events: [UndoneEvent], for user: ActingUser) throws {
        let style = try output.renderOptions(single: false).style
        guard output.showsRecord else {
            for event in events { try common.confirm(event.line(style)) }
            return
        }
        let columns = UndoneEvent.columns.enumerated().map { index, name in Column(name, .any, at: index) }
        try output.show(common, whenEmpty: "", single: events.count == 1) { begin in
            let receiver = try begin(ResultShape(columns: columns))
            try receiver.append(events.map(\.row))
        }
    }
}

/// An event that `undo` restores.
private struct UndoneEvent {
    /// The columns of ``row``.
    static let columns = ["id", "habit", "title", "day", "outcome"]

    private let event: EventSnapshot
    private let title: String
    private let day: String
    private let state: String
    private let outcome: Outcome?
    /// The fields of an edited event that are restored; empty if the event itself is restored.
    private var fields: [Field]

    init(_ change: EventJournal.Change, of user: ActingUser) throws {
        guard let event = change.before ?? change.after else {
            throw HabitError(.internal, "the change has no event")
        }
        self.event = event
        let habit = try HabitDay.of(habit: event.habit, on: event.day, of: user)
        title = habit?.title ?? event.habit
        day = event.day.inSentence(today: user.today)
        outcome = change.before?.outcome
        state = Self.state(change, habit, isToday: event.day == user.today)
        fields = Self.restoredFields(change)
    }

    /// Returns what the event is again.
    private static func state(_ change: EventJournal.Change, _ habit: HabitDay?, isToday: Bool) -> String {
        guard let before = change.before else {
            if isToday { return "open again" }
            return change.after?.outcome == .skipped ? "no longer skipped" : "no longer done"
        }
        if before.outcome == .skipped { return "skipped again" }
        guard let amount = before.amount else { return "done again" }
        guard var progress = habit?.amountProgress else {
            let text = AmountProgress.text(of: amount, unit: habit?.unit)
            return "\(text) again"
        }
        progress.amount = amount
        return "\(progress) again"
    }

    /// Returns the fields whose earlier values an undone edit of a done day restores.
    private static func restoredFields(_ change: EventJournal.Change) -> [Field] {
        guard let before = change.before, before.outcome == .done else { return [] }
        guard let after = change.after, after.outcome == .done, before.amount == after.amount else { return [] }
        let fields: [(field: Field, isChanged: Bool)] = [
            (.day, before.day != after.day),
            (.at, before.at != after.at),
            (.comment, before.comment != after.comment),
            (.latitude, before.position != after.position),
            (.photo, before.photo != after.photo),
        ]
        return fields.filter(\.isChanged).map(\.field)
    }

    /// The restored fields in words, or `nil` if the event itself is restored.
    private var restoredText: String? {
        let names = fields.map { field -> String in
            switch field {
            case .at: "time"
            case .latitude: "position"
            default: field.name
            }
        }
        guard let last = names.last else { return nil }
        let others = names.dropLast().joined(separator: ", ")
        return others.isEmpty ? "\(last) restored" : "\(others) and \(last) restored"
    }

    /// The event if the account does not allow positions, so that its position is not restored.
    var withoutPosition: UndoneEvent {
        var event = self
        event.fields.removeAll { field in field == .latitude }
        return event
    }

    func line(_ style: TerminalStyle) -> String { "Undone: \(style.line([title, day, restoredText ?? state]))" }

    var row: ValueRow {
        ValueRow([
            .text(event.id),
            .text(event.habit),
            .text(title),
            .text(event.day.description),
            .text(outcome?.rawValue),
        ])
    }
}
