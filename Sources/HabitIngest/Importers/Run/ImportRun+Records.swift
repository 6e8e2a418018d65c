import Base
import Geo
import HabitModel
import Photos
import StoreEngine

/// The conversion of entries to records of the store.
extension ImportRun {
    /// Checks a text and counts it if it exceeds its limit.
    ///
    /// In a text with one line, spaces replace control characters and line breaks.
    func check(_ text: String, _ rule: TextRule) throws(HabitError) -> String {
        let text = rule.isSingleLine ? text.singleLine : text
        do throws(HabitError) {
            return try rule.check(text, settings)
        } catch {
            if error.code == rule.whenTooLong {
                let limit = rule.setting.map { settings[$0] } ?? rule.limit
                summary.exceed(rule, limit, length: text.composed.count)
            }
            throw error
        }
    }

    /// Counts a text of a rejected entry if it exceeds its limit.
    func count(_ text: String?, _ rule: TextRule) {
        if let text { _ = try? check(text.trimmed, rule) }
    }

    /// Rounds a position to 7 decimals and applies the rule for 0, 0.
    func position(_ position: Position?) throws(HabitError) -> Position? {
        guard let position else { return nil }
        func rounded(_ degrees: Double) -> Double {
            let value = (degrees * 1e7).rounded() / 1e7
            return value == 0 ? 0 : value
        }
        let roundedPosition = Position(
            longitude: rounded(position.longitude),
            latitude: rounded(position.latitude))
        return try options.nullIsland.apply(to: roundedPosition ?? position)
    }

    /// Returns the instant of an event in the form in which it is stored.
    ///
    /// An instant without an offset receives the offset of the import's time zone if its date in the user's time zone
    /// differs from the day by more than a day. The store would reject the day otherwise.
    func stored(_ time: ImportTime.Resolved) -> OffsetInstant? {
        guard var at = time.at else { return nil }
        guard at.offset == nil else { return at }
        let userDay = at.day(in: account.zone)
        if abs(userDay.distance(to: time.day)) > 1 { at.offset = at.instant.offset(in: zone) }
        return at
    }

    /// Returns a photo in the form in which records of a kind are stored, without EXIF data.
    func stored(_ bytes: [UInt8], of kind: RecordKind) throws(HabitError) -> Photo {
        let limit = settings.photoLimit(of: kind)
        return try HabitError.ofPhoto { () throws(PhotoError) in
            try PhotoFile(bytes).photo(limit: limit, shrinking: options.shrinksPhotos)
        }
    }

    /// Returns the record of a habit, whose first and last events are known.
    func record(of habit: ImportedHabits.Habit, _ draft: ImportedHabit) throws(HabitError) -> HabitRecord {
        var record = HabitRecord(
            id: habit.id,
            user: account.id,
            title: try check(draft.title.trimmed, .title),
            schedule: try draft.schedule.schedule())
        record.reason = try draft.reason.map { (text: String) throws(HabitError) in
            try check(text.trimmed, .reason)
        }
        record.targetAmount = try draft.targetAmount.map { (amount: Double) throws(HabitError) in
            guard amount > 0, amount.isFinite else {
                throw HabitError(
                    .fieldInvalid, "the target amount is not more than 0: correct it", field: Field.targetAmount.name)
            }
            return amount
        }
        record.unit = unit(of: draft)
        record.start = FieldInput(draft.start ?? derivedStart(of: habit))
        let lastDay = draft.isArchived ? habit.days?.upperBound : nil
        record.end = FieldInput(draft.end ?? lastDay)
        return record
    }

    /// Returns the stored start of a habit or the day of its first event, whichever is earlier.
    ///
    /// A newer export may contain only later events.
    private func derivedStart(of habit: ImportedHabits.Habit) -> Day? {
        let stored = habits.storedStart(of: habit.id)
        guard let first = habit.days?.lowerBound else { return stored }
        guard let stored else { return first }
        return min(stored, first)
    }

    /// Returns the unit of the amounts of a habit.
    ///
    /// A unit that the store rejects is omitted, and a notice reports it. The amounts of the events are kept.
    func unit(of draft: ImportedHabit) -> FieldInput<String> {
        let unit = draft.unit.map { text in text.trimmed.singleLine }
        guard let text = unit.value, (try? TextRule.unit.check(text)) == nil else {
            return unit.map { text in text.composed }
        }
        let title = draft.title.trimmed.excerpt
        summary.addOnce(
            ImportNotice(
                "The unit '\(text.excerpt)' of the habit '\(title)' is not stored, because a unit has at most \(TextRule.unit.limit) characters."
            ))
        return .absent
    }

    /// Returns the record of an event.
    func record(of event: ImportedEvents.Event) throws -> EventRecord {
        var record = EventRecord(habit: habits[event.habit].id)
        record.id = event.draft.id
        record.user = account.id
        record.day = event.time.day
        record.at = FieldInput(stored(event.time))
        record.outcome = .value(event.draft.outcome == .skipped ? .skipped : .done)
        record.details.comment = event.draft.comment
        record.details.amount = event.draft.amount
        if let position = event.draft.position { record.details.position = .value(position) }
        if let photo = event.draft.photo {
            let bytes = try photo.bytes()
            record.details.photo = .value(try stored(bytes, of: .events))
        }
        return record
    }
}

extension ImportedSchedule {
    /// Returns the schedule of the store.
    fileprivate func schedule() throws(HabitError) -> Schedule {
        switch self {
        case .weekdays(let mask):
            guard let weekdays = Weekdays(mask: mask) else { throw Schedule.missing }
            return .weekdays(weekdays)
        case .target(let times, let periodDays): return .target(try Target(times: times, periodDays: periodDays))
        }
    }
}
