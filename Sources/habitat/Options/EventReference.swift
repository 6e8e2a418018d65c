import Base
import HabitModel
import HabitReport
import HabitStore

/// An event as a person names it: by its ID, as `HABIT@DAY`, or by a habit, for the event of today.
struct EventReference {
    /// The text of the argument.
    private let text: String

    /// Creates a reference from the text of an argument.
    init(_ text: String) { self.text = text }

    /// Returns the ID of the event.
    ///
    /// The part after the last `@` is a day only if the complete text is not an ID.
    ///
    /// - Parameters:
    ///   - names: The lookup of the habit. The current date of its viewer is today.
    ///   - isOwn: Whether the beginning of a title can stand only for a habit of the viewer.
    ///   - clock: The clock of the command.
    /// - Returns: The ID of an event that the viewer can see, or the text if it is neither an event nor a habit.
    /// - Throws: `usage` if the name stands for several habits; `not-found` with a similar title, or if the habit has no
    ///   event on the day; `date-invalid` if the text after the title of a habit and `@` is not a day.
    func id(_ names: NameLookup, own isOwn: Bool = false, clock: Clock) throws -> String {
        if try names.hasEvent(text) {
            return text
        }
        let today = try clock.today(of: names.viewer, in: names.session)
        let parts = parts
        if let parts, let expression = parts.dayExpression {
            let habit = try habit(parts.title, names, own: isOwn)
            guard let habit else { return text }
            let day = try expression.day(today: today)
            return try names.eventID(ofHabit: habit, on: day)
        }
        // The complete text can be a title, such as 'Run @home'.
        if let habit = try habit(text, names, own: isOwn) {
            return try names.eventID(ofHabit: habit, on: today)
        }
        if let parts, try habit(parts.title, names, own: isOwn) != nil {
            _ = try DayExpression(parts.day, field: "day")
        }
        return text
    }

    /// A habit, and the day that a person names with it.
    struct NamedDay {
        /// The ID of the habit.
        var habit: String
        /// The day, or `nil` if the text names none.
        var day: Day?
    }

    /// Returns the user's own habit and the day that the text names, such as `gym@wed` or `gym`.
    ///
    /// The part after the last `@` is a day only if the complete text is not a habit.
    ///
    /// - Parameter user: The user.
    /// - Returns: The habit and the day.
    /// - Throws: `usage` if the name stands for several habits, `not-found`, and `date-invalid` if the text after the
    ///   title of a habit and `@` is not a day.
    func namedDay(of user: ActingUser) throws -> NamedDay {
        let names = user.names
        guard let parts, try user.wholeNames.isHabit(text) == false else {
            return NamedDay(habit: try names.habitID(text, own: true))
        }
        let habit: String
        if (try? DayExpression(parts.day, field: "day")) != nil {
            habit = try names.habitID(parts.title, own: true)
        } else if let found = try self.habit(parts.title, names, own: true) {
            habit = found
        } else {
            return NamedDay(habit: try names.habitID(text, own: true))
        }
        let day = try DayExpression(parts.day, field: "day").day(today: user.today)
        return NamedDay(habit: habit, day: day)
    }

    /// The texts before and after the last `@`, or `nil` if one of them does not exist.
    private var parts: Parts? {
        guard let sign = text.lastIndex(of: "@") else { return nil }
        let title = text[..<sign]
        let day = text[sign...].dropFirst()
        if title.isEmpty { return nil }
        return Parts(title: String(title), day: String(day))
    }

    /// Returns the ID of the habit with a name, or `nil` if no title is equal or similar to the name.
    private func habit(
        _ name: String,
        _ names: NameLookup,
        own isOwn: Bool
    ) throws -> String? {
        do {
            return try names.habitID(name, own: isOwn)
        } catch let error as HabitError where error.isWithoutSuggestion {
            return nil
        }
    }
}

/// A text of the form `HABIT@DAY`.
private struct Parts {
    let title: String
    let day: String

    /// The day, or `nil` if the text after the `@` is not a day.
    var dayExpression: DayExpression? {
        try? DayExpression(day, field: "day")
    }
}

extension HabitError {
    /// Whether no record has a name that is equal or similar to the name of the user.
    fileprivate var isWithoutSuggestion: Bool {
        code == .notFound && remedies.isEmpty
    }
}
