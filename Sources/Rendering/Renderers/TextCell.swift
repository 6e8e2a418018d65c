import Base
import StoreEngine

/// One cell of a text table or card.
struct TextCell {
    let text: TerminalText
    /// Whether the cell is aligned right in a column of numbers.
    var isNumber = false
    /// Whether the cell is a reason to show an optional column.
    var isUsed = true
    /// The status in the cell, which determines the color.
    var status: StatusWord?
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
        let value = CellValue(column: entry.column, row: row)
        scratch.truncate(to: 0)
        let status = value.status
        if let status {
            append(status.symbol, word: status.rawValue)
        } else {
            append(value, entry)
        }
        let text = scratch.withBytes { bytes in TerminalText(bytes) }
        return TextCell(
            text: text,
            isNumber: value.isNumber,
            isUsed: text.width > 0 && !value.isFalse,
            status: status)
    }

    /// Appends a value in the form of its measure.
    private func append(_ value: CellValue<some Row>, _ entry: TextTable.Entry) {
        switch value.column.measure {
        case .share?:
            appendPercent(value)
        case .distance?:
            appendDistance(value)
        case .bytes?:
            appendBytes(value)
        case .amount?:
            appendAmount(value, unit: entry.unit)
        case .unit?:
            appendUnit(value, amounts: entry.amounts)
        case .status?:
            appendText(value)
        case .color?:
            appendColorName(value)
        case .outcome?:
            appendOutcome(value)
        case .schedule?:
            appendSchedule(value)
        case .date?:
            appendInstant(value, length: 10)
        case .place?:
            appendPlace(value)
        case .degrees?:
            appendExactly(value)
        case nil:
            appendUnmeasured(value)
        }
    }

    // MARK: Values without a measure

    private func appendUnmeasured(_ value: CellValue<some Row>) {
        switch value.column.value {
        case .number:
            appendNumber(value)
        case .boolean:
            appendBoolean(value)
        case .instant, .instantText:
            appendInstant(value, length: 16)
        case .text, .integer, .day, .longitude, .latitude, .json, .any:
            appendExactly(value)
        }
    }

    private func appendExactly(_ value: CellValue<some Row>) {
        let column = value.column
        _ = scratch.append(column.value, at: column.index, of: value.row, precision: precision) { text in
            scratch.append(text)
        }
    }

    /// Appends a number with at most 2 decimals.
    ///
    /// A number that would be rounded to zero has all its digits.
    private func appendNumber(_ value: CellValue<some Row>) {
        guard let number = value.number else { return }
        let isTiny = number != 0 && number.magnitude < 0.005
        let decimals = isTiny ? nil : 2
        _ = scratch.append(number, decimals: decimals)
    }

    private func appendBoolean(_ value: CellValue<some Row>) {
        guard let number = value.number else { return }
        append(number == 0 ? .skipped : .done)
    }

    /// Appends the first characters of an instant in RFC 3339, with a space between the date and the time.
    private func appendInstant(_ value: CellValue<some Row>, length: Int) {
        if let zone, case .instant = value.column.value {
            appendInstant(value, in: zone)
        } else {
            appendExactly(value)
        }
        var text = scratch.contents
        guard text.count > length else { return }
        guard text[10] == UInt8(ascii: "T") else { return }
        text[10] = UInt8(ascii: " ")
        scratch.truncate(to: 0)
        let shown = text.span.extracting(0..<length)
        scratch.append(shown)
    }

    /// Appends an instant with the UTC offset of a time zone.
    private func appendInstant(_ value: CellValue<some Row>, in zone: TimeZoneRules) {
        if value.isNull { return }
        let microseconds = value.row.integer(value.column.index)
        let instant = Instant(microseconds: microseconds)
        let minutes = zone.offset(at: instant) / 60
        _ = scratch.append(instant: microseconds, offset: Int64(minutes))
    }

    // MARK: Quantities

    private func appendPercent(_ value: CellValue<some Row>) {
        guard let share = value.number else { return }
        ShareText.append(share, to: scratch)
    }

    private func appendDistance(_ value: CellValue<some Row>) {
        guard let meters = value.number else { return }
        if meters < 999.5 {
            append(meters, decimals: 0, unit: "m")
        } else if meters < 9950 {
            append(meters / 1000, decimals: 1, unit: "km")
        } else {
            append(meters / 1000, decimals: 0, unit: "km")
        }
    }

    private func appendBytes(_ value: CellValue<some Row>) {
        guard var count = value.number else { return }
        var unit = "B"
        for larger in ["kB", "MB", "GB", "TB"] where count >= 999.5 {
            count /= 1000
            unit = larger
        }
        let isWhole = unit == "B" || count >= 9.95
        append(count, decimals: isWhole ? 0 : 1, unit: unit)
    }

    /// Appends a number and its unit, or nothing if the number is not finite.
    private func append(_ number: Double, decimals: Int, unit: String) {
        guard scratch.append(number, decimals: decimals) else { return }
        appendSpace()
        scratch.append(unit)
    }

    private func appendAmount(_ value: CellValue<some Row>, unit: Column?) {
        if value.number == nil { return }
        appendNumber(value)
        guard let unit else { return }
        let unitValue = CellValue(column: unit, row: value.row)
        if unitValue.isNull { return }
        appendSpace()
        appendExactly(unitValue)
    }

    /// Appends a unit, unless it follows an amount of the row.
    private func appendUnit(_ value: CellValue<some Row>, amounts: [Column]) {
        let hasAmount = amounts.contains { amount in
            !value.row.isNull(amount.index)
        }
        if !hasAmount { appendUnmeasured(value) }
    }

    private func appendPlace(_ value: CellValue<some Row>) {
        guard let position = value.row.position(value.column.index) else { return }
        appendFourDecimals(position.latitude)
        scratch.append(UInt8(ascii: ","))
        appendFourDecimals(position.longitude)
    }

    /// Appends degrees with 4 decimals, which are about 11 m, so that places are aligned.
    private func appendFourDecimals(_ degrees: Double) {
        let units = (degrees * 10_000).rounded()
        guard units.magnitude < 1e8 else { return }
        if units < 0 { scratch.append(UInt8(ascii: "-")) }
        let magnitude = UInt64(units.magnitude)
        let parts = magnitude.quotientAndRemainder(dividingBy: 10_000)
        scratch.append(integer: Int64(parts.quotient))
        scratch.append(UInt8(ascii: "."))
        scratch.appendDigits(parts.remainder, count: 4)
    }

    // MARK: Words

    private func append(_ symbol: TerminalSymbol) {
        scratch.append(style.text(of: symbol))
    }

    private func append(_ symbol: TerminalSymbol, word: String) {
        append(symbol)
        appendSpace()
        scratch.append(word)
    }

    private func appendSpace() {
        scratch.append(UInt8(ascii: " "))
    }

    private func appendText(_ value: CellValue<some Row>) {
        guard let text = value.text else { return }
        scratch.append(text)
    }

    private func appendColorName(_ value: CellValue<some Row>) {
        guard let color = value.text else { return }
        scratch.append(StatusWord(color: color)?.colorName ?? color)
    }

    private func appendOutcome(_ value: CellValue<some Row>) {
        guard let outcome = value.text, outcome != "none" else { return }
        if let symbol = TerminalSymbol(outcome: outcome) {
            append(symbol, word: outcome)
        } else {
            scratch.append(outcome)
        }
    }

    private func appendSchedule(_ value: CellValue<some Row>) {
        guard let schedule = value.text else { return }
        scratch.append(ScheduleText.forPeople(schedule))
    }
}

/// The value of a row in a column.
private struct CellValue<SomeRow: Row> {
    let column: Column
    let row: SomeRow

    var isNull: Bool { row.isNull(column.index) }

    var number: Double? { column.number(of: row) }

    var text: String? { row.text(column.index) }

    /// The status, or `nil` if the column or the word is not a status.
    var status: StatusWord? {
        guard column.measure == .status, let text else { return nil }
        return StatusWord(rawValue: text)
    }

    /// Whether the value is aligned right.
    var isNumber: Bool {
        switch column.measure {
        case .place?, .amount?: return false
        default: break
        }
        switch column.value {
        case .integer, .number, .longitude, .latitude:
            return true
        case .any:
            let storage = row.storage(column.index)
            return storage == .integer || storage == .number
        case .text, .day, .instant, .instantText, .boolean, .json:
            return false
        }
    }

    /// Whether the value is `false`.
    var isFalse: Bool {
        guard column.measure == nil else { return false }
        return column.value == .boolean && number == 0
    }
}

extension TerminalSymbol {
    /// Returns the symbol of an outcome of a day, or `nil` for any other word.
    fileprivate init?(outcome: String) {
        switch outcome {
        case "done": self = .done
        case "skipped": self = .skipped
        case "missed": self = .missed
        case "unplanned": self = .unplanned
        case "open": self = .open
        default: return nil
        }
    }
}
