import Base
import StoreEngine

/// Writes rows as events of a calendar (RFC 5545).
///
/// The time of an event is the instant in the column `at`, or in the first column whose name ends in `_at`. An event
/// without an instant lasts the day in the column `day`, and has an alarm at the local time in the column `remind_at`.
/// A row with neither is skipped.
public final class ICalendarRenderer: Renderer {
    /// Number of events written.
    public var rowCount: Int { writer.count }
    /// Number of rows that were skipped because they have neither a day nor an instant.
    public private(set) var undatedCount = 0
    private let writer: CalendarWriter
    private let at: Column?
    private let day: Column?
    private let title: Column?
    private let text: Column?
    private let outcome: Column?
    private let done: Column?
    private let progress: Column?
    private let amount: Column?
    private let target: Column?
    private let unit: Column?
    private let reminder: Column?
    private let identity: [Column]
    private let columns: [Column]
    private let geometry: Geometry?
    private let name: String

    /// Creates a renderer, or returns `nil` if the rows have no column for the time of an event.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows.
    ///   - writer: The writer of the events.
    ///   - name: The name of the calendar.
    public init?(_ shape: ResultShape, _ writer: CalendarWriter, name: String = "Habitat") {
        guard Self.isDated(shape.columns.map(\.name)) else { return nil }
        func column(_ names: [String]) -> Column? {
            for name in names {
                let column = shape.columns.first { column in column.name == name }
                if let column { return column }
            }
            return nil
        }
        at = column(["at"]) ?? shape.columns.first { column in Self.isInstant(column.name) }
        day = column(["day"])
        title = column(["title", "name", "caption", "text"])
        text = column(["comment", "description", "reason"])
        outcome = column(["outcome"])
        done = column(["done"])
        progress = column(["progress"])
        amount = column(["amount"])
        target = column(["target_amount"])
        unit = column(["unit"])
        reminder = column([Self.reminder])
        identity = shape.identity
        columns = shape.columns
        geometry = shape.geometry
        self.writer = writer
        self.name = name
    }

    /// Whether rows with these columns have a column for the time of an event.
    public static func isDated(_ columns: [String]) -> Bool {
        columns.contains { name in name == "day" || isInstant(name) }
    }

    /// The column with the time of day of a reminder, which is not an instant.
    private static let reminder = "remind_at"

    /// Whether a column with this name contains the time of an event.
    private static func isInstant(_ name: String) -> Bool {
        name == "at" || name.hasSuffix("_at") && name != reminder
    }

    /// Appends the beginning of the calendar.
    public func begin() throws { writer.begin(name: name) }

    /// Appends the event of `row`, or skips the row if it has neither a day nor an instant.
    public func append(_ row: some Row) throws {
        guard let start = start(of: row) else {
            undatedCount += 1
            return
        }
        var entry = CalendarEntry(uid: uid(of: row), start: start, summary: summary(of: row))
        entry.description = row.text(in: text)
        if case .point(let index)? = geometry {
            entry.position = row.position(index)
        }
        entry.reminder = reminder.flatMap { column in row.text(in: column) }.flatMap { text in TimeOfDay(text) }
        try writer.append(entry)
    }

    /// Appends the end of the calendar.
    public func end() throws { writer.end() }

    /// The outcome of an event that was done.
    private static let done = "done"

    private func start(of row: some Row) -> CalendarEntry.Start? {
        if let instant = instant(of: row) { return .instant(instant) }
        guard let day, let date = row.day(day.index) else { return nil }
        return .day(date)
    }

    private func instant(of row: some Row) -> Instant? {
        guard let at, !row.isNull(at.index) else { return nil }
        if case .instant = at.value {
            return Instant(microseconds: row.integer(at.index))
        }
        // Instants are text in the report views.
        guard let text = row.text(at.index) else { return nil }
        return OffsetInstant(text)?.instant
    }

    /// Returns the title of the row with its outcome, such as `Run: done`.
    private func summary(of row: some Row) -> String {
        let title = row.text(in: title) ?? identityTexts(of: row).joined(separator: "/")
        guard let outcome = outcome(of: row) else { return title }
        return "\(title): \(outcome)"
    }

    /// Returns the outcome of the row, or the progress if the event does not suffice for the day to count as done.
    private func outcome(of row: some Row) -> String? {
        guard let text = row.text(in: outcome) else { return nil }
        guard text == Self.done else { return text }
        return shortfall(of: row) ?? text
    }

    /// Returns the progress of a row that does not count as done, such as `3 of 5 km`, or `nil`.
    private func shortfall(of row: some Row) -> String? {
        if let done, let progress, row.integer(done.index) == 0 {
            return row.text(progress.index)
        }
        guard let amount, let target, !row.isNull(target.index) else { return nil }
        let amounts = AmountProgress(
            amount: row.isNull(amount.index) ? nil : row.number(amount.index),
            target: row.number(target.index),
            unit: row.text(in: unit))
        return amounts.isReached ? nil : amounts.description
    }

    /// Returns the identifier of the event: the ID of the row, or a digest of all values if the rows have no ID.
    ///
    /// A row that is identified by its habit, such as a due habit, is a different event on each day.
    private func uid(of row: some Row) -> String {
        let id = identity.isEmpty ? digest(of: row) : CompositeID.text(idParts(of: row))
        return "\(id)@habitat"
    }

    private func idParts(of row: some Row) -> [String] {
        var parts = identityTexts(of: row)
        let isOfHabit = identity.map(\.name) == ["habit"]
        if isOfHabit, let day {
            parts.append(Self.text(day, of: row))
        }
        return parts
    }

    private func identityTexts(of row: some Row) -> [String] {
        identity.map { column in Self.text(column, of: row) }
    }

    private func digest(of row: some Row) -> String {
        let texts = columns.map { column in Self.text(column, of: row) }
        return texts.lengthPrefixedSHA256.prefix(16).hexadecimal
    }

    private static func text(_ column: Column, of row: some Row) -> String {
        let buffer = OutputBuffer()
        _ = buffer.append(column.value, at: column.index, of: row, precision: nil) { text in
            buffer.append(text)
        }
        return buffer.text
    }
}

extension Row {
    /// Returns the text of a column, or `nil` if it is null or there is no such column.
    fileprivate func text(in column: Column?) -> String? {
        guard let column else { return nil }
        return text(column.index)
    }
}
