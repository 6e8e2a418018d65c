import Base
import HabitModel

/// The JSON export of Habitica (`userdata.json`): dailies and habits with their histories.
///
/// The importer ignores to-dos and rewards, which are not habits.
struct HabiticaImporter: Importer {
    static let format = "habitica"
    static let sameDay = SameDayRule.any

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .json else { return false }
        guard let outline = try file.content.outline, outline.isObject else { return false }
        guard let tasks = outline["tasks"] else { return false }
        if tasks["dailys"] != nil { return true }
        // A long list of habits can precede the dailies, and a user may have no dailies.
        let otherLists = ["habits", "todos", "rewards"]
        return otherLists.contains { name in tasks[name]?["_id"] != nil }
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        var rule = DayRule()
        // The preferences can follow the tasks.
        let preferences = try JSONElements(try file.openText())
        try preferences.forEach(at: ["preferences"]) { node in
            rule = DayRule(node)
            for value in DayRule.unreadable(node) { try receive(.unreadable(value)) }
        }
        let json = try JSONElements(try file.openText())
        var count = 0
        try json.forEach(atAnyOf: [["tasks", "dailys"], ["tasks", "habits"]]) { index, node in
            guard node.isObject else { return }
            count += 1
            let id = node["_id"]?.identifier ?? node["id"]?.identifier
            let task = Task(
                key: id ?? "task \(count)",
                id: id,
                isDaily: index == 0,
                rule: rule,
                source: SourceLocation(file: file.displayName, line: json.line))
            try task.read(node, receive)
        }
    }

    // MARK: Days

    /// The rule that credits an instant to a day.
    private struct DayRule {
        /// The UTC offset of the user, or `nil` if the file does not contain it.
        var offset: UTCOffset?
        /// The hour at which a day begins, 0...23.
        var startHour: Int64 = 0

        init() {}

        /// Creates the rule of a user's preferences.
        init(_ preferences: JSONNode) {
            let current = preferences["timezoneOffset"]?.integer
            let minutes = current ?? preferences["timezoneOffsetAtLastCron"]?.integer
            // The file counts the minutes from local time to UTC.
            if let minutes, Self.offsets.contains(minutes) {
                offset = UTCOffset(minutes: Int16(-minutes))
            }
            if let hour = preferences["dayStart"]?.integer, Self.hours.contains(hour) {
                startHour = hour
            }
        }

        /// The minutes of UTC offsets, which are less than a day.
        private static let offsets: ClosedRange<Int64> = -1439...1439
        private static let hours: ClosedRange<Int64> = 0...23

        /// Returns the preferences that are missing in the rule because they cannot be read.
        static func unreadable(_ preferences: JSONNode) -> [UnreadableValue] {
            var values: [UnreadableValue] = []
            let offset = preferences["timezoneOffset"] ?? preferences["timezoneOffsetAtLastCron"]
            if let offset, !isUsable(offset, in: offsets) {
                values.append(UnreadableValue(.offset, offset))
            }
            if let hour = preferences["dayStart"], !isUsable(hour, in: hours) {
                values.append(UnreadableValue(.dayStart, hour))
            }
            return values
        }

        /// Whether a value is a blank text or an integer in a range.
        private static func isUsable(_ node: JSONNode, in range: ClosedRange<Int64>) -> Bool {
            guard let integer = node.integer else { return !node.isUnreadableInteger }
            return range.contains(integer)
        }

        /// Returns the time of an entry, without the instant if the entry counts for another day.
        func time(of instant: Instant) -> ImportTime {
            guard let offset else { return .instant(instant, offset: nil) }
            let shifted = Instant(microseconds: instant.microseconds - startHour * 3_600_000_000)
            let day = shifted.day(at: offset)
            let isSameDay = day == instant.day(at: offset)
            return isSameDay ? .instant(instant, offset: offset) : .date(day)
        }

        /// Returns the local date of a text or a number, or `nil` if it is not a time.
        func day(_ node: JSONNode?) -> Day? {
            let day: Day
            switch node.flatMap(HabiticaImporter.time) {
            case .date(let date)?, .local(let date, _)?: day = date
            case .instant(let instant, let ownOffset)?:
                let usersOffset = offset ?? .utc
                day = instant.day(at: ownOffset ?? usersOffset)
            case .utc, .dated, .writtenLater, nil: return nil
            }
            return (Day.first...Day.last).contains(day) ? day : nil
        }
    }

    /// Parses milliseconds since 1970 or an ISO 8601 text, or returns `nil` if the value is neither.
    private static func time(_ node: JSONNode) -> ImportTime? {
        if let number = node.number { return ImportTime(unix: number) }
        guard let text = node.text else { return nil }
        return ImportTime(text, isUTC: true)
    }

    // MARK: Tasks

    /// A daily or a habit.
    private struct Task {
        var key: String
        var id: String?
        /// Whether the task is a daily.
        ///
        /// Otherwise it is a habit, which can be scored many times on a day.
        var isDaily: Bool
        var rule: DayRule
        var source: SourceLocation

        /// Reads the habit and its history.
        func read(_ node: JSONNode, _ receive: (ImportEntry) throws -> Void) throws {
            var habit = ImportedHabit(key: key, title: node["text"]?.anyText ?? "")
            habit.id = id
            habit.reason = FieldInput(text: node["notes"]?.text)
            let start = node["startDate"]
            habit.start = rule.day(start)
            let isBlank = start?.anyText?.trimmed.isEmpty == true
            if habit.start == nil, let start, !isBlank {
                try receive(.unreadable(UnreadableValue(.start, start)))
            }
            if isDaily {
                try readSchedule(node, of: &habit, receive)
            } else {
                habit.unit = .value("times")
                try receive(.notice(.neverDue(habit.title)))
            }
            try receive(.habit(habit))
            guard let history = node["history"] else { return }
            let entries = history.isArray ? history.items : history.members.map(\.value)
            var previous = HabiticaHistory()
            for (index, entry) in entries.enumerated() {
                var source = source
                source.entry = index + 1
                try receive(self.entry(entry, after: &previous, source: source))
            }
        }

        private func readSchedule(
            _ node: JSONNode,
            of habit: inout ImportedHabit,
            _ receive: (ImportEntry) throws -> Void
        ) throws {
            let interval = node["everyX"]?.integer ?? 1
            if let value = node["everyX"], value.isUnreadableInteger {
                try receive(.unreadable(UnreadableValue(.frequency, value)))
            }
            let frequency = node["frequency"]?.text?.trimmed.lowercased() ?? "weekly"
            var isNeverDue = interval == 0
            switch frequency {
            case "daily": habit.schedule = .times(1, in: Int(clamping: interval))
            case "weekly":
                guard let days = node["repeat"], days.isObject else { break }
                let mask = try readWeekdays(days, receive)
                if mask == 0 {
                    isNeverDue = true
                } else {
                    habit.schedule = .weekdays(mask)
                }
            default: break
            }
            if isNeverDue {
                try receive(.notice(.neverDue(habit.title)))
                return
            }
            switch frequency {
            case "daily": break
            case "weekly":
                guard interval > 1 else { break }
                let notice = Self.otherSchedule(of: habit, days: "on its weekdays in each week")
                try receive(.notice(notice))
            default:
                let notice = Self.otherSchedule(of: habit, days: "every day")
                try receive(.notice(notice))
            }
        }

        /// Reads the weekdays of a task as a bit mask, in which bit 0 is Monday.
        private func readWeekdays(
            _ days: JSONNode,
            _ receive: (ImportEntry) throws -> Void
        ) throws -> Int {
            let names = ["m", "t", "w", "th", "f", "s", "su"]
            var mask = 0
            for (weekday, name) in names.enumerated() {
                guard let day = days[name] else { continue }
                switch day.truth {
                case true?: mask |= 1 << weekday
                case false?: break
                case nil: try receive(.unreadable(UnreadableValue(.frequency, day)))
                }
            }
            return mask
        }

        /// Returns the notice for a habit whose schedule the store does not have.
        private static func otherSchedule(of habit: ImportedHabit, days: String) -> ImportNotice {
            ImportNotice(
                "The habit '\(habit.title.excerpt)' has a schedule that the store does not have, so it is due \(days): change its days."
            )
        }

        /// Returns the event of an entry of the history.
        ///
        /// - Parameters:
        ///   - entry: The entry.
        ///   - history: The previous entries, to which this method adds the entry.
        ///   - source: The location of the entry.
        /// - Returns: The event.
        private func entry(
            _ entry: JSONNode,
            after history: inout HabiticaHistory,
            source: SourceLocation
        ) -> ImportEntry {
            let isRise = history.add(entry["value"]?.number)
            let isBlank = entry["date"]?.text?.trimmed.isEmpty == true
            guard let date = entry["date"], !isBlank else {
                return .skipped(.events, .noDay, source: source)
            }
            let isWrittenLater = isDaily && entry["completed"] == nil
            guard let time = time(of: date, isWrittenLater: isWrittenLater, in: &history) else {
                let text = date.anyText ?? ""
                let error = HabitError(
                    .instantInvalid,
                    "'\(text.excerpt)' is not a time of Habitica",
                    field: Field.at.name)
                let rejected = RejectedEntry(.events, error, original: text, source: source)
                return .rejected(rejected.of(habit: key))
            }
            guard !hasUnreadableValue(entry) else {
                return .skipped(.events, .valueInvalid, source: source)
            }
            var event = ImportedEvent(habit: .key(key), time)
            event.source = source
            var isDone = entry["completed"]?.truth ?? isRise
            if !isDaily {
                event.amount = .null
                // Older histories contain only the value.
                let hasCounts = entry["scoredUp"] != nil || entry["scoredDown"] != nil
                if hasCounts {
                    let count = entry["scoredUp"]?.number ?? 0
                    isDone = count > 0
                    event.amount = isDone ? .value(count) : .null
                }
            }
            event.outcome = isDone ? .done : .none(.notDone)
            return .event(event)
        }

        /// Whether the value that decides the outcome of an entry cannot be read.
        private func hasUnreadableValue(_ entry: JSONNode) -> Bool {
            if let scored = entry["scoredUp"], !isDaily { return scored.isUnreadableNumber }
            if let completed = entry["completed"] { return completed.truth == nil }
            return entry["value"]?.isUnreadableNumber == true
        }

        private func time(
            of node: JSONNode,
            isWrittenLater: Bool,
            in history: inout HabiticaHistory
        ) -> ImportTime? {
            let credited: ImportTime
            let written: Instant
            if let instant = HabiticaImporter.time(node)?.instant {
                credited = rule.time(of: instant)
                written = instant
            } else if let day = rule.day(node) {
                credited = .date(day)
                written = day.startInUTC
            } else {
                return nil
            }
            let days = Day.first...Day.last
            if case .date(let day) = credited, !days.contains(day) { return nil }
            guard isDaily else { return credited }
            return history.time(
                of: credited,
                at: written,
                isWrittenLater: isWrittenLater,
                until: Self.lastWrittenLater)
        }

        /// The end of the time in which an entry without the member `completed` is of an earlier day.
        ///
        /// Habitica has written the member since January 2018.
        private static let lastWrittenLater = Day(year: 2018, month: 2, day: 1)?.startInUTC
    }
}
