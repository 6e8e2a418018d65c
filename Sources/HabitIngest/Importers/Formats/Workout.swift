import Geo
import HabitModel

/// A workout of another application, which becomes an event of the habit for its sport.
struct Workout {
    /// The ID if it is globally unique in the source, otherwise `nil`.
    var id: String?
    /// The title of the habit, or `nil` if the source has no sport.
    var sport: String?
    var start: ImportTime?
    /// The start as the source has it, for messages.
    var startText = ""
    /// The duration, or `nil` if it is unknown.
    var minutes: Double?
    var position: Position?
    /// The comment.
    ///
    /// It is `.absent` if the format has no comments.
    var comment = FieldInput<String>.absent
    /// The values that cannot be read.
    var unreadable: [UnreadableValue] = []
    var source = SourceLocation()

    /// Sets the position from the beginning of a route.
    mutating func setPosition(_ route: RouteStart) {
        position = route.position
        if let value = route.unreadableValue { unreadable.append(value) }
    }

    /// Sends the workout, and the values that cannot be read if it becomes an event.
    func send(_ receive: (ImportEntry) throws -> Void) throws {
        let entry = entry
        try receive(entry)
        guard case .event = entry else { return }
        for value in unreadable { try receive(.unreadable(value)) }
    }

    /// The workout as an entry of an import.
    ///
    /// A workout without a sport is skipped with `no-habit`, and a workout without a start with `no-time`. A start that
    /// is not a time is rejected.
    var entry: ImportEntry {
        guard let sport = sport?.trimmed, !sport.isEmpty else { return skipped(.noHabit) }
        guard let start else {
            guard !startText.trimmed.isEmpty else { return skipped(.noTime) }
            let original = joined(startText, sport, comment.value)
            return .rejected(
                .events, XMLValues.instantInvalid(startText), original: original, source: source)
        }
        var habit = ImportedHabit(title: sport)
        habit.unit = .value("min")
        var event = ImportedEvent(habit: .implied(habit), start)
        event.id = id
        event.amount = FieldInput(minutes.flatMap(Self.amount))
        event.comment = comment
        event.position = position
        event.source = source
        return .event(event)
    }

    private func skipped(_ reason: SkipReason) -> ImportEntry {
        .skipped(.events, reason, note: comment.value, source: source)
    }

    /// Rounds minutes to one decimal, or returns `nil` if they are negative or not finite.
    private static func amount(_ minutes: Double) -> Double? {
        guard minutes.isFinite, minutes >= 0 else { return nil }
        return (minutes * 10).rounded() / 10
    }

    /// Returns the minutes from `start` to `end`, or `nil` if they are not instants or not in order.
    static func minutes(from start: ImportTime?, to end: ImportTime?) -> Double? {
        guard let start = start?.instant?.microseconds else { return nil }
        guard let end = end?.instant?.microseconds else { return nil }
        guard end >= start else { return nil }
        let microseconds = end - start
        return Double(microseconds) / 60e6
    }

    /// Returns the words of an identifier: `TraditionalStrengthTraining` becomes `Traditional Strength Training`.
    static func title(ofSport identifier: String) -> String {
        var title = ""
        var previous: Character?
        for character in identifier.trimmed {
            let followsWord = previous?.isLowercase == true || previous?.isNumber == true
            if character.isUppercase, followsWord { title.append(" ") }
            title.append(character)
            previous = character
        }
        return title
    }
}
