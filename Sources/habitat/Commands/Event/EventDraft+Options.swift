import Base
import HabitModel
import HabitStore

extension EventDraft {
    /// Creates a draft without the day, which needs the current date of the user.
    ///
    /// - Throws: `date-invalid` if `day` is not a date, or the error of another value.
    init(day: String?, at: String?, comment: String?, amount: String?, _ options: EventPhotoOptions) throws {
        try self.init(day: day, at: at, comment: comment, amount: amount)
        let values = try options.read()
        details.photo = values.photo
        details.position = values.position
    }

    /// Creates a draft without the day, the photo and the position.
    ///
    /// - Throws: `date-invalid` if `day` is not a date, or the error of another value.
    init(day: String?, at: String?, comment: String?, amount: String?) throws {
        self.init()
        if let day { _ = try DayExpression(day, field: "day") }
        timeOfDay = at.flatMap { TimeOfDay($0) }
        if let at, timeOfDay == nil {
            self.at = .value(try Self.instant(at))
        }
        details.comment = FieldInput(option: comment)
        details.amount = try FieldInput(amount: amount, named: "amount")
    }

    /// - Throws: `date-invalid`, which names both forms of the option `--at`.
    private static func instant(_ text: String) throws -> OffsetInstant {
        guard let instant = OffsetInstant(text) else {
            throw HabitError(
                .dateInvalid, "'\(text)' is not a time: write HH:MM, or RFC 3339 such as 2026-11-20T18:00:00Z",
                field: "at")
        }
        return instant
    }

    /// Returns the draft with the value of the option `--day`, relative to the current date of the user.
    func on(_ day: String?, today: Day) throws -> EventDraft {
        var draft = self
        draft.day = try day.map { text in
            try DayExpression(text, field: "day").day(today: today)
        }
        return draft
    }
}
