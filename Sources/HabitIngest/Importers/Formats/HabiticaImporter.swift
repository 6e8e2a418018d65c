import Base
import HabitModel

/// The JSON export of Habitica (`userdata.json`): dailies and habits with their histories.
///
/// The importer ignores to-dos and rewards, which are not habits.
struct HabiticaImporter: Importer {
    static let format = "habitica"
    static let sameDay = SameDayRule.any

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .json, let outline = try file.content.outline,
            outline.isObject, let tasks = outline["tasks"]
        else { return false }
        // A long list of habits can precede the dailies, and a user may have no dailies.
        return tasks["dailys"] != nil || ["habits", "todos", "rewards"].contains { tasks[$0]?["_id"] != nil }
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        var rule = DayRule()
        // The preferences can follow the tasks.
        try JSONElements(try file.openText()).forEach(at: ["preferences"]) { node in
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
                key: id ?? "task \(count)", id: id, isDaily: index == 0, rule: rule,
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
            let minutes = preferences["timezoneOffset"]?.integer ?? preferences["timezoneOffsetAtLastCron"]?.integer
            // The file counts the minutes from local time to UTC.
            if let minutes, (-1439...1439).contains(minutes) { offset = UTCOffset(minutes: Int16(-minutes)) }
            if let hour = preferences["dayStart"]?.integer, (0...23).contains(hour) { startHour = hour }
        }

        /// Returns the preferences that are missing in the rule because they cannot be read.
        static func unreadable(_ preferences: JSONNode) -> [UnreadableValue] {
            var values: [UnreadableValue] = []
            if let node = preferences["timezoneOffset"] ?? preferences["timezoneOffsetAtLastCron"],
                node.integer.map({ minutes in !(-1439...1439).contains(minutes) }) ?? node.isUnreadableInteger
            {
                values.append(UnreadableValue(.offset, node))
            }
            if let node = preferences["dayStart"],
                node.integer.map({ hour in !(0...23).contains(hour) }) ?? node.isUnreadableInteger
            {
                values.append(UnreadableValue(.dayStart, node))
            }
            return values
        }

        /// Returns the time of an entry, without the instant if the entry counts for another day.
        func time(of instant: Instant) -> ImportTime {
            guard let offset else { return .instant(instant, offset: nil) }
            let credited = Instant(microseconds: instant.microseconds - startHour * 3_600_000_000).day(at: offset)
            return credited == instant.day(at: offset) ? .instant(instant, offset: offset) : .date(credited)
        }

        /// Returns the local date of a text or a number, or `nil` if it is not a time.
        func day(_ node: JSONNode?) -> Day? {
            let day: Day
            switch node.flatMap(HabiticaImporter.time) {
            case .date(let date)?, .local(let date, _)?: day = date
            case .instant(let instant, let own)?: day = instant.day(at: own ?? offset ?? .utc)
            case .utc, .dated, .writtenLater, nil: return nil
            }
            return (Day.first...Day.last).contains(day) ? day : nil
        }
    }

    /// Parses milliseconds since 1970 or an ISO 8601 text, or returns `nil` if the value is neither.
    private static func time(_ node: JSONNode) -> ImportTime? {
        if let number = node.number { return ImportTime(unix: number) }
        return node.text.flatMap { ImportTime($0, isUTC: true) }
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
            habit.start = rule.day(node["startDate"])
            if habit.start == nil, let start = node["startDate"], start.anyText?.trimmed.isEmpty != true {
                try receive(.unreadable(UnreadableValue(.start, start)))
            }
            if isDaily {
                try readSchedule(node, &habit, receive)
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
                try receive(self.entry(entry, &previous, source))
            }
        }

        private func readSchedule(
            _ node: JSONNode, _ habit: inout ImportedHabit, _ receive: (ImportEntry) throws -> Void
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
                let names = ["m", "t", "w", "th", "f", "s", "su"]
                let mask = names.indices.reduce(0) { days[names[$1]]?.truth == true ? $0 | 1 << $1 : $0 }
                for name in names {
                    guard let day = days[name], day.truth == nil else { continue }
                    try receive(.unreadable(UnreadableValue(.frequency, day)))
                }
                if mask == 0 { isNeverDue = true } else { habit.schedule = .weekdays(mask) }
            default: break
            }
            if isNeverDue { return try receive(.notice(.neverDue(habit.title))) }
            if frequency == "weekly" ? interval > 1 : frequency != "daily" {
                let days = frequency == "weekly" ? "on its weekdays in each week" : "every day"
                try receive(
                    .notice(
                        ImportNotice(
                            "The habit '\(habit.title.excerpt)' has a schedule that the store does not have, so it is due \(days): change its days."
                        )))
            }
        }

        /// Returns the event of an entry of the history.
        ///
        /// - Parameters:
        ///   - entry: The entry.
        ///   - history: The previous entries, to which this method adds the entry.
        ///   - source: The location of the entry.
        /// - Returns: The event.
        private func entry(
            _ entry: JSONNode, _ history: inout HabiticaHistory, _ source: SourceLocation
        ) -> ImportEntry {
            let isRise = history.add(entry["value"]?.number)
            guard let date = entry["date"], !(date.text?.trimmed.isEmpty ?? false) else {
                return .skipped(SkippedEntry(.events, .noDay, source: source))
            }
            let isWrittenLater = isDaily && entry["completed"] == nil
            guard let time = time(of: date, isWrittenLater: isWrittenLater, in: &history) else {
                let text = date.anyText ?? ""
                let error = HabitError(
                    .instantInvalid, "'\(text.excerpt)' is not a time of Habitica", field: Field.at.name)
                return .rejected(RejectedEntry(.events, error, original: text, source: source).of(habit: key))
            }
            guard !hasUnreadableValue(entry) else {
                return .skipped(SkippedEntry(.events, .valueInvalid, source: source))
            }
            var event = ImportedEvent(habit: .key(key), time)
            event.source = source
            var isDone = entry["completed"]?.truth ?? isRise
            if !isDaily {
                event.amount = .null
                // Older histories contain only the value.
                if entry["scoredUp"] != nil || entry["scoredDown"] != nil {
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
            of node: JSONNode, isWrittenLater: Bool, in history: inout HabiticaHistory
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
            if case .date(let day) = credited, !(Day.first...Day.last).contains(day) { return nil }
            guard isDaily else { return credited }
            return history.time(
                of: credited, at: written, isWrittenLater: isWrittenLater, until: Self.lastWrittenLater)
        }

        /// The end of the time in which an entry without the member `completed` is of an earlier day.
        ///
        /// Habitica has written the member since January 2018.
        private static let lastWrittenLater = Day(year: 2018, month: 2, day: 1)?.startInUTC
    }
}
