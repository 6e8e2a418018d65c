import Base
import StoreEngine

/// Writes rows as events of a calendar (RFC 5545).
///
/// The time of an event is the instant in the column `at`, or in the first column whose name ends in `_at`. An event
/// without an instant lasts the day in the column `day`. A row with neither is skipped.
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
            names.lazy.compactMap { name in shape.columns.first { $0.name == name } }.first
        }
        at = shape.columns.first { $0.name == "at" } ?? shape.columns.first { $0.name.hasSuffix("_at") }
        day = column(["day"])
        title = column(["title", "name", "caption", "text"])
        text = column(["comment", "description", "reason"])
        outcome = column(["outcome"])
        done = column(["done"])
        progress = column(["progress"])
        amount = column(["amount"])
        target = column(["target_amount"])
        unit = column(["unit"])
        (identity, columns, geometry) = (shape.identity, shape.columns, shape.geometry)
        self.writer = writer
        self.name = name
    }

    /// Whether rows with these columns have a column for the time of an event.
    public static func isDated(_ columns: [String]) -> Bool {
        columns.contains { $0 == "day" || $0 == "at" || $0.hasSuffix("_at") }
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
        entry.description = text.flatMap { row.text($0.index) }
        if case .point(let index)? = geometry { entry.position = row.position(index) }
        try writer.append(entry)
    }

    /// Appends the end of the calendar.
    public func end() throws { writer.end() }

    /// The outcome of an event that was done.
    private static let done = "done"

    private func start(of row: some Row) -> CalendarEntry.Start? {
        if let at, !row.isNull(at.index) {
            if case .instant = at.value { return .instant(Instant(microseconds: row.integer(at.index))) }
            // Instants are text in the report views.
            if let instant = row.text(at.index).flatMap({ OffsetInstant($0) }) { return .instant(instant.instant) }
        }
        return day.flatMap { row.day($0.index) }.map { .day($0) }
    }

    /// Returns the title of the row with its outcome, such as `Run: done`.
    private func summary(of row: some Row) -> String {
        let title =
            title.flatMap { row.text($0.index) } ?? identity.map { Self.text($0, of: row) }.joined(separator: "/")
        return title + (outcome(of: row).map { ": \($0)" } ?? "")
    }

    /// Returns the outcome of the row, or the progress if the event does not suffice for the day to count as done.
    private func outcome(of row: some Row) -> String? {
        guard let text = outcome.flatMap({ row.text($0.index) }) else { return nil }
        return (text == Self.done ? shortfall(of: row) : nil) ?? text
    }

    /// Returns the progress of a row that does not count as done, such as `3 of 5 km`, or `nil`.
    private func shortfall(of row: some Row) -> String? {
        if let done, let progress, row.integer(done.index) == 0 { return row.text(progress.index) }
        guard let amount, let target, !row.isNull(target.index) else { return nil }
        let amounts = AmountProgress(
            amount: row.isNull(amount.index) ? nil : row.number(amount.index), target: row.number(target.index),
            unit: unit.flatMap { row.text($0.index) })
        return amounts.isReached ? nil : amounts.description
    }

    /// Returns the identifier of the event: the ID of the row, or a digest of all values if the rows have no ID.
    ///
    /// A row that is identified by its habit, such as a due habit, is a different event on each day.
    private func uid(of row: some Row) -> String {
        var parts = identity.map { Self.text($0, of: row) }
        if identity.map(\.name) == ["habit"], let day { parts.append(Self.text(day, of: row)) }
        let id =
            parts.isEmpty
            ? columns.map { Self.text($0, of: row) }.lengthPrefixedSHA256.prefix(16).hexadecimal
            : CompositeID.text(parts)
        return id + "@habitat"
    }

    private static func text(_ column: Column, of row: some Row) -> String {
        let buffer = OutputBuffer()
        _ = buffer.append(column.value, at: column.index, of: row, precision: nil) { buffer.append($0) }
        return buffer.text
    }
}
