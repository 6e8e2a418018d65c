import Base
import HabitModel

/// A habit of Loop Habit Tracker, in its database or its CSV export.
struct LoopHabit {
    /// The meaning of a value in the table of repetitions.
    private enum Repetition {
        static let unknown = -1, no = 0, automatic = 1, yes = 2, skip = 3
    }

    var key = ""
    var uuid: String?
    var name = ""
    var reason = ""
    var times = 1
    var periodDays = 1
    var isArchived = false
    var isNumeric = false
    /// Whether the target is the largest amount of a day.
    var isAtMost = false
    var target = 0.0
    var unit = ""
    /// The values of the habit that cannot be read.
    var unreadable: [UnreadableValue] = []

    /// Sends the habit, its notice and its values that cannot be read.
    func send(_ receive: (ImportEntry) throws -> Void) throws {
        if let notice { try receive(.notice(notice)) }
        try receive(.habit(entry))
        for value in unreadable { try receive(.unreadable(value)) }
    }

    /// The habit as an entry of the import.
    var entry: ImportedHabit {
        var habit = ImportedHabit(key: key, title: name)
        habit.id = uuid
        habit.reason = FieldInput(text: reason)
        habit.schedule = .times(times, in: periodDays)
        habit.isArchived = isArchived
        habit.unit = isNumeric ? FieldInput(text: unit) : .null
        habit.targetAmount = isNumeric && !isAtMost && target > 0 ? .value(target) : .null
        return habit
    }

    /// The notice for a habit whose kind of target the store does not have.
    var notice: ImportNotice? {
        guard isNumeric, isAtMost else { return nil }
        return ImportNotice(
            "The habit '\(name.excerpt)' has a largest amount, which the store does not have: days above it are skipped."
        )
    }

    /// Returns the event of a repetition.
    ///
    /// - Parameters:
    ///   - value: The value, which is a thousandth of the amount of a numeric habit.
    ///   - day: The day.
    ///   - comment: The note.
    /// - Returns: The event, whose outcome may be `none`.
    func event(_ value: Double, on day: Day, comment: FieldInput<String>) -> ImportedEvent {
        var event = ImportedEvent(habit: .key(key), .date(day))
        event.comment = comment
        event.amount = .null
        switch value {
        case Double(Repetition.skip): event.outcome = .skipped
        case Double(Repetition.unknown): event.outcome = .none(.unknown)
        case _ where isNumeric: addAmount(value, to: &event)
        case Double(Repetition.yes): event.outcome = .done
        case Double(Repetition.automatic): event.outcome = .none(.automatic)
        case Double(Repetition.no): event.outcome = .none(.notDone)
        default: event.outcome = .none(.valueInvalid)
        }
        return event
    }

    private func addAmount(_ value: Double, to event: inout ImportedEvent) {
        guard value >= 0 else {
            event.outcome = .none(.unknown)
            return
        }
        let amount = value / 1000
        event.amount = .value(amount)
        if isAtMost ? amount > target : amount == 0 { event.outcome = .none(.notDone) }
    }
}
