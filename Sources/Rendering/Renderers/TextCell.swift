import Base
import StoreEngine

/// One cell of a text table or card.
struct TextCell {
    let text: TerminalText
    /// Whether the cell is aligned right in a column of numbers.
    let isNumber: Bool
    /// Whether the cell is a reason to show an optional column.
    let isUsed: Bool
    /// The status in the cell, which determines the color.
    let status: StatusWord?
}

/// Writes values in the form for people.
struct TextCellWriter {
    private let style: TerminalStyle
    private let precision: Int?
    private let zone: TimeZoneRules?
    private let scratch = OutputBuffer()

    init(_ options: RenderOptions) {
        style = options.style
        precision = options.precision
        zone = options.zone
    }

    /// Returns the cell of a column in a row.
    ///
    /// The cell is blank for null.
    ///
    /// - Parameters:
    ///   - entry: The column.
    ///   - row: The row.
    /// - Returns: The cell.
    func cell(_ entry: TextTable.Entry, of row: some Row) -> TextCell {
        let column = entry.column
        scratch.truncate(to: 0)
        var status: StatusWord?
        var isUsed = true
        switch column.measure {
        case .share?: if let share = column.number(of: row) { appendPercent(share) }
        case .distance?: if let meters = column.number(of: row) { appendDistance(meters) }
        case .bytes?: if let count = column.number(of: row) { appendBytes(count) }
        case .amount?: appendAmount(column, entry.unit, of: row)
        case .unit?: if !entry.amounts.contains(where: { !row.isNull($0.index) }) { appendValue(column, of: row) }
        case .status?: status = appendStatus(column, of: row)
        case .color?: appendColorName(column, of: row)
        case .outcome?: appendOutcome(column, of: row)
        case .schedule?: appendSchedule(column, of: row)
        case .date?: appendInstant(column, of: row, length: 10)
        case .place?: appendPlace(column, of: row)
        case .degrees?: appendExactValue(column, of: row)
        case nil where column.value == .boolean:
            if let number = column.number(of: row) {
                isUsed = number != 0
                append(isUsed ? .done : .skipped)
            }
        case nil: appendValue(column, of: row)
        }
        let text = scratch.withBytes { bytes in TerminalText(bytes) }
        return TextCell(
            text: text, isNumber: isNumber(column, of: row), isUsed: isUsed && text.width > 0, status: status)
    }

    private func isNumber(_ column: Column, of row: some Row) -> Bool {
        if column.measure == .place || column.measure == .amount { return false }
        return switch column.value {
        case .integer, .number, .longitude, .latitude: true
        case .any: [.integer, .number].contains(row.storage(column.index))
        case .text, .day, .instant, .instantText, .boolean, .json: false
        }
    }

    private func append(_ symbol: TerminalSymbol) { scratch.append(style.text(of: symbol)) }

    private func append(_ symbol: TerminalSymbol, _ word: String) {
        append(symbol)
        scratch.append(UInt8(ascii: " "))
        scratch.append(word)
    }

    // MARK: Values without a measure

    private func appendValue(_ column: Column, of row: some Row) {
        switch column.value {
        case .number: if let number = column.number(of: row) { append(number) }
        case .instant, .instantText: appendInstant(column, of: row, length: 16)
        case .text, .integer, .boolean, .day, .longitude, .latitude, .json, .any: appendExactValue(column, of: row)
        }
    }

    private func appendExactValue(_ column: Column, of row: some Row) {
        _ = scratch.append(column.value, at: column.index, of: row, precision: precision) { text in
            scratch.append(text)
        }
    }

    /// Appends a number with at most 2 decimals.
    ///
    /// A number that would be rounded to zero has all its digits.
    private func append(_ number: Double) {
        let isTiny = number != 0 && number.magnitude < 0.005
        _ = scratch.append(number, decimals: isTiny ? nil : 2)
    }

    /// Appends the first characters of an instant in RFC 3339, with a space between the date and the time.
    private func appendInstant(_ column: Column, of row: some Row, length: Int) {
        if let zone, case .instant = column.value, !row.isNull(column.index) {
            let instant = Instant(microseconds: row.integer(column.index))
            let minutes = zone.offset(at: instant) / 60
            _ = scratch.append(instant: instant.microseconds, offset: Int64(minutes))
        } else {
            appendExactValue(column, of: row)
        }
        var text = scratch.contents
        guard text.count > length, text[10] == UInt8(ascii: "T") else { return }
        text[10] = UInt8(ascii: " ")
        scratch.truncate(to: 0)
        scratch.append(text.span.extracting(0..<length))
    }

    // MARK: Quantities

    private func appendPercent(_ share: Double) {
        if share > 0, share <= 0.005 {
            scratch.append(literal: "<1 %")
        } else if scratch.append(share * 100, decimals: 0) {
            scratch.append(literal: " %")
        }
    }

    private func appendDistance(_ meters: Double) {
        if meters < 999.5 {
            if scratch.append(meters, decimals: 0) { scratch.append(literal: " m") }
        } else if scratch.append(meters / 1000, decimals: meters < 9950 ? 1 : 0) {
            scratch.append(literal: " km")
        }
    }

    private func appendBytes(_ count: Double) {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var value = count
        var unit = 0
        while value >= 999.5, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard scratch.append(value, decimals: unit > 0 && value < 9.95 ? 1 : 0) else { return }
        scratch.append(UInt8(ascii: " "))
        scratch.append(units[unit])
    }

    private func appendAmount(_ column: Column, _ unit: Column?, of row: some Row) {
        guard let amount = column.number(of: row) else { return }
        append(amount)
        guard let unit, !row.isNull(unit.index) else { return }
        scratch.append(UInt8(ascii: " "))
        appendExactValue(unit, of: row)
    }

    private func appendPlace(_ column: Column, of row: some Row) {
        guard let position = row.position(column.index) else { return }
        appendFourDecimals(position.latitude)
        scratch.append(UInt8(ascii: ","))
        appendFourDecimals(position.longitude)
    }

    /// Appends degrees with 4 decimals, which are about 11 m, so that places are aligned.
    private func appendFourDecimals(_ degrees: Double) {
        let units = (degrees * 10_000).rounded()
        guard units.magnitude < 1e8 else { return }
        let (whole, fraction) = Int64(units.magnitude).quotientAndRemainder(dividingBy: 10_000)
        if units < 0 { scratch.append(UInt8(ascii: "-")) }
        scratch.append(integer: whole)
        scratch.append(UInt8(ascii: "."))
        scratch.appendDigits(UInt64(fraction), count: 4)
    }

    // MARK: Words

    private func appendStatus(_ column: Column, of row: some Row) -> StatusWord? {
        guard let text = row.text(column.index) else { return nil }
        guard let status = StatusWord(rawValue: text) else {
            scratch.append(text)
            return nil
        }
        append(status.symbol, status.rawValue)
        return status
    }

    private func appendColorName(_ column: Column, of row: some Row) {
        guard let text = row.text(column.index) else { return }
        let status = StatusWord.allCases.first { status in status.color == text }
        scratch.append(status?.colorName ?? text)
    }

    private func appendOutcome(_ column: Column, of row: some Row) {
        guard let text = row.text(column.index) else { return }
        switch text {
        case "done": append(.done, text)
        case "skipped": append(.skipped, text)
        case "missed": append(.missed, text)
        case "unplanned": append(.unplanned, text)
        case "open": append(.open, text)
        case "none": break
        default: scratch.append(text)
        }
    }

    private func appendSchedule(_ column: Column, of row: some Row) {
        guard let text = row.text(column.index) else { return }
        scratch.append(ScheduleText.forPeople(text))
    }
}

/// The short form of a schedule.
package enum ScheduleText {
    /// Returns the short form of the names of weekdays, or of a target such as `3 times in 7 days`.
    ///
    /// Any other text is returned unchanged.
    package static func forPeople(_ text: String) -> String {
        switch text {
        case "mon tue wed thu fri sat sun": return "daily"
        case "mon tue wed thu fri": return "weekdays"
        case "sat sun": return "weekends"
        default: break
        }
        let words = text.split(separator: " ")
        guard words.count == 5, words[1].hasPrefix("time"), words[2] == "in", words[4].hasPrefix("day") else {
            return text
        }
        return switch words[3] {
        case "1": "\(words[0]) a day"
        case "7": "\(words[0]) a week"
        case "30": "\(words[0]) a month"
        default: "\(words[0]) in \(words[3]) days"
        }
    }
}
