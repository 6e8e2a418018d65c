import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The line that confirms the change of a record.
struct Confirmation {
    /// Composes the line of a changed record.
    typealias Line = (Confirmation) throws -> String

    /// The changed record.
    let record: RecordTexts
    /// The current date of the user.
    let today: Day
    private let style: TerminalStyle

    init(_ record: RecordTexts, today: Day, style: TerminalStyle) {
        self.record = record
        self.today = today
        self.style = style
    }

    /// Returns a line of a symbol and of the parts that have a value.
    func line(_ symbol: TerminalSymbol = .done, _ parts: String?...) -> String {
        style.line(symbol, parts)
    }

    /// Returns the date in a column as in a sentence.
    func day(_ column: String) -> String? {
        guard let text = record[column] else { return nil }
        return Day(text).map { day in day.inSentence(today: today) } ?? text
    }

    /// Returns the line of an event.
    ///
    /// - Parameter shortfall: The progress towards the target amount, if the day does not count as done.
    /// - Returns: The line.
    func line(ofEvent shortfall: AmountProgress?) -> String {
        let isSkipped = record["outcome"]?.hasSuffix(Outcome.skipped.rawValue) == true
        let symbol: TerminalSymbol = isSkipped ? .skipped : shortfall == nil ? .done : .partlyDone
        return line(
            symbol, record["title"], day("day"), isSkipped ? Outcome.skipped.rawValue : nil,
            shortfall.map { "\($0)" } ?? record["amount"], comment)
    }

    /// The comment of the record in quotes.
    var comment: String? { record["comment"].map { comment in "\"\(comment)\"" } }

    /// A word if the record has a photo.
    var photo: String? { record["has_photo"] == TerminalSymbol.skipped.rawValue ? nil : "photo" }
}

extension TerminalStyle {
    /// Returns a line of a symbol and of the parts that have a value.
    func line(_ symbol: TerminalSymbol, _ parts: [String?]) -> String {
        "\(text(of: symbol)) \(line(parts))"
    }

    /// Returns a line of the parts that have a value.
    func line(_ parts: [String?]) -> String {
        parts.compactMap(\.self).joined(separator: " \(text(of: .separator)) ")
    }
}

extension Day {
    /// The date as in a heading, such as `Friday 27 November`.
    var inHeading: String {
        let date = civil
        let month = DateNames.months[date.month - 1]
        return "\(DateNames.weekdays[weekday - 1]) \(date.day) \(month)"
    }

    /// Returns the date as in a sentence, such as `Fri 27 Nov`, with the year if it is not the current year.
    func inSentence(today: Day) -> String {
        let date = civil
        let month = DateNames.shortMonths[date.month - 1]
        let text = "\(DateNames.shortWeekdays[weekday - 1]) \(date.day) \(month)"
        return date.year == today.civil.year ? text : "\(text) \(date.year)"
    }
}

extension Selection {
    /// Returns the only record in the form for people, or `nil` without a record.
    func record(in session: any Session, _ options: RenderOptions = RenderOptions()) throws -> RecordTexts? {
        var record: RecordTexts?
        try session.query(sql) { row in
            record = RecordTexts(of: row, shape: shape, options: options)
            return false
        }
        return record
    }
}

extension OutputOptions {
    /// Whether the user has requested the record itself instead of a line that confirms the change.
    var showsRecord: Bool { format != nil || columns != nil || output != nil || plain }

    /// Shows a changed record: one line, or the record if an option requests it.
    ///
    /// - Parameters:
    ///   - chosen: The query for the record.
    ///   - common: The common options. `--quiet` omits the line.
    ///   - session: The session in which the record is read.
    ///   - today: The current date of the user.
    ///   - line: Composes the line.
    /// - Throws: The errors of the query and the output.
    func confirm(
        _ chosen: Selection,
        common: CommonOptions,
        in session: any Session,
        today: Day,
        _ line: Confirmation.Line
    ) throws {
        if showsRecord {
            try show(chosen, common, in: session, whenEmpty: "", single: true)
            return
        }
        let options = try renderOptions(single: true)
        guard let record = try chosen.record(in: session) else { return }
        let confirmation = Confirmation(record, today: today, style: options.style)
        try common.confirm(line(confirmation))
    }
}

extension CommonOptions {
    /// Writes a line that confirms a change, unless `--quiet` is given.
    func confirm(_ line: String) throws {
        guard !quiet else { return }
        let buffer = try OutputBuffer(to: .standardOutput)
        if let width = OutputOptions.terminalWidth {
            buffer.append(paragraph: line, width: max(20, width))
        } else {
            buffer.append(line + "\n")
        }
        try buffer.close()
    }
}
