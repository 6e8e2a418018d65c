import Base
import HabitModel

/// The JSON export of Beaver Habit Tracker.
struct BeaverHabitsImporter: Importer {
    static let format = "beaverhabits"

    static func canRead(_ input: ImportInput) throws -> Bool {
        guard let file = input.file, try file.content.kind == .json else { return false }
        guard let outline = try file.content.outline, outline.isObject else { return false }
        guard let habits = outline["habits"] else { return false }
        if habits["records"] != nil { return true }
        // A list without habits, or without records, is accepted only if the user names the format.
        return input.options.format == format && habits.isArray
    }

    func records(of input: ImportInput, _ receive: (ImportEntry) throws -> Void) throws {
        guard let file = input.file else { return }
        let json = try JSONElements(try file.openText())
        var count = 0
        try json.forEach(at: ["habits"]) { node in
            guard node.isObject else { return }
            // The IDs are short hashes of the names, so the position in the file identifies the habit.
            count += 1
            let source = SourceLocation(file: file.displayName, line: json.line)
            try readHabit(node, key: String(count), source: source, receive)
        }
    }

    private func readHabit(
        _ node: JSONNode,
        key: String,
        source: SourceLocation,
        _ receive: (ImportEntry) throws -> Void
    ) throws {
        let records = node["records"]?.items ?? []
        let status = node["status"]?.text?.trimmed.lowercased()
        guard status != "soft_delete" else {
            for record in records {
                let note = record["text"]?.text
                try receive(.skipped(.events, .deleted, note: note, source: source))
            }
            return
        }
        var habit = ImportedHabit(key: key, title: node["name"]?.anyText ?? "")
        habit.isArchived = status == "archive" || status == "archived"
        if let period = node["period"] {
            let isNeverDue = period["target_count"]?.integer == 0
            if isNeverDue { try receive(.notice(.neverDue(habit.title))) }
            habit.schedule = Self.schedule(period)
            for value in Self.unreadable(period) { try receive(.unreadable(value)) }
        }
        try receive(.habit(habit))
        for (index, record) in records.enumerated() {
            var source = source
            source.entry = index + 1
            try receive(Self.entry(record, key: key, source: source))
        }
    }

    private static func schedule(_ period: JSONNode) -> ImportedSchedule {
        let days: Int64? =
            switch period["period_type"]?.text?.trimmed.uppercased() {
            case "D": 1
            case "W": 7
            case "M": 30
            case "Y": 365
            default: nil
            }
        let count = period["period_count"]?.integer ?? 1
        let times = period["target_count"]?.integer ?? 1
        guard let days, periodCounts.contains(count) else { return .everyDay }
        return .times(Int(clamping: times), in: Int(days * count))
    }

    private static let periodCounts = 1...Int64(Target.maximumPeriod)

    /// Whether a value is a blank text or an integer in a range.
    private static func isUsable(_ node: JSONNode, in range: ClosedRange<Int64>) -> Bool {
        guard let integer = node.integer else { return !node.isUnreadableInteger }
        return range.contains(integer)
    }

    /// Returns the values of a period that have no effect on the schedule.
    private static func unreadable(_ period: JSONNode) -> [UnreadableValue] {
        var nodes: [JSONNode] = []
        if let count = period["period_count"], !isUsable(count, in: periodCounts) {
            nodes.append(count)
        }
        if let count = period["target_count"], !isUsable(count, in: 0...Int64.max) {
            nodes.append(count)
        }
        if let type = period["period_type"], let text = type.anyText?.trimmed.uppercased() {
            let isKnown = ["D", "W", "M", "Y", ""].contains(text)
            if !isKnown { nodes.append(type) }
        }
        return nodes.map { node in UnreadableValue(.frequency, node) }
    }

    private static func entry(_ record: JSONNode, key: String, source: SourceLocation) -> ImportEntry {
        let comment = record["text"]?.anyText
        guard let text = record["day"]?.text?.trimmed, !text.isEmpty else {
            return .skipped(.events, .noDay, note: comment, source: source)
        }
        func rejected(_ error: HabitError) -> ImportEntry {
            let original = joined(text, comment)
            let entry = RejectedEntry(.events, error, original: original, source: source)
            return .rejected(entry.of(habit: key))
        }
        guard case .date(let day)? = ImportTime(String(text.prefix(10))) else {
            let error = HabitError(
                .dayInvalid,
                "'\(text.excerpt)' is not a date: write YYYY-MM-DD",
                field: Field.day.name)
            return rejected(error)
        }
        let done = record["done"]
        let isDone = done?.truth
        if let done, isDone == nil {
            let word = done.anyText ?? ""
            let error = HabitError(
                .outcomeInvalid,
                "'\(word.excerpt)' is not true or false: correct it",
                field: Field.outcome.name)
            return rejected(error)
        }
        var event = ImportedEvent(habit: .key(key), .date(day))
        event.outcome = isDone == true ? .done : .none(.notDone)
        event.comment = FieldInput(text: comment)
        event.source = source
        return .event(event)
    }
}
