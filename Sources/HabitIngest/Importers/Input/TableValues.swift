import Base
import Geo
import HabitModel

/// Parsers for the cells of tables of other programs.
struct TableValues {
    let options: TableOptions
    /// Whether a comma separates the decimals.
    private let hasDecimalComma: Bool

    /// Creates parsers.
    ///
    /// - Parameters:
    ///   - options: The form of the table.
    ///   - delimiter: The delimiter of the table, which determines the default of the decimal separator.
    init(_ options: TableOptions, delimiter: UInt8) {
        self.options = options
        hasDecimalComma = options.decimal.map { $0 == "," } ?? (delimiter == UInt8(ascii: ";"))
    }

    // MARK: Numbers

    /// Parses a number, which may have separators between groups of three digits.
    ///
    /// - Returns: The number, or `nil` if the text is not a number or if it is ambiguous.
    func number(_ text: String) -> Double? {
        guard !isAmbiguous(text) else { return nil }
        let parts = text.split(separator: hasDecimalComma ? "," : ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Self.joined(parts[0], groupSeparators) else {
            return plainNumber(text)
        }
        let fraction = parts.count == 2 ? "." + parts[1] : ""
        return Double(decimal: whole + fraction) ?? plainNumber(text)
    }

    /// Whether the only separator of a number may separate decimals or thousands, as in `1.500` with a decimal comma.
    ///
    /// No number is ambiguous if the options specify the decimal separator.
    func isAmbiguous(_ text: String) -> Bool {
        guard options.decimal == nil else { return false }
        let parts = text.drop { $0 == "-" || $0 == "+" }
            .split(separator: groupSeparator, omittingEmptySubsequences: false)
        guard parts.count == 2, (1...3).contains(parts[0].count), parts[1].count == 3 else { return false }
        return parts[0].first != "0" && parts.allSatisfy { $0.utf8.allSatisfy { ($0 &- 48) < 10 } }
    }

    /// The sign that separates groups of three digits, and that separates decimals in other tables.
    private var groupSeparator: Character { hasDecimalComma ? "." : "," }

    private var groupSeparators: Set<Character> { [groupSeparator, " ", "\u{A0}", "\u{202F}", "'", "’"] }

    /// Parses a number with a decimal point in a table for which a comma is only the default.
    private func plainNumber(_ text: String) -> Double? {
        hasDecimalComma && options.decimal == nil ? Double(decimal: text) : nil
    }

    /// Returns the digits without the separators of groups of three digits.
    ///
    /// Returns `nil` if a group has another length or the number has several separators.
    private static func joined(_ text: Substring, _ separators: Set<Character>) -> String? {
        let groups = text.split(omittingEmptySubsequences: false) { separators.contains($0) }
        guard groups.count > 1 else { return String(text) }
        let first = groups[0].drop { $0 == "-" || $0 == "+" }
        guard (1...3).contains(first.count), first.first != "0", groups.dropFirst().allSatisfy({ $0.count == 3 }),
            Set(text.filter { separators.contains($0) }).count == 1
        else { return nil }
        return groups.joined()
    }

    /// Parses an amount.
    ///
    /// - Returns: Null for an empty text.
    /// - Throws: `field-invalid` if the text is not a number from 0.
    func amount(_ text: String) throws(HabitError) -> FieldInput<Double> {
        if text.isEmpty { return .null }
        guard let amount = number(text), amount >= 0 else { throw invalidAmount(text) }
        return .value(amount)
    }

    private func invalidAmount(_ text: String) -> HabitError {
        let sign = hasDecimalComma ? "point" : "comma"
        if isAmbiguous(text) {
            return HabitError(
                .fieldInvalid, "the \(sign) in the amount '\(text.excerpt)' may separate decimals or thousands",
                field: Field.amount.name, .give(.decimal))
        }
        let problem = "the amount '\(text.excerpt)' is not a number from 0"
        // A remedy must not repeat an option that the user has passed.
        return text.contains(groupSeparator) && options.decimal == nil
            ? HabitError(.fieldInvalid, problem, field: Field.amount.name, .give(.decimal))
            : HabitError(.fieldInvalid, problem, field: Field.amount.name, .advice("correct it"))
    }

    // MARK: Positions

    /// Parses a latitude and a longitude in degrees, with or without a hemisphere letter, or in 10⁻⁷ degrees.
    ///
    /// - Returns: `nil` if both texts are empty.
    /// - Throws: `position-invalid`.
    func position(latitude: String, longitude: String) throws(HabitError) -> Position? {
        if latitude.isEmpty, longitude.isEmpty { return nil }
        guard let north = coordinate(latitude, "N", "S"), let east = coordinate(longitude, "E", "W") else {
            throw invalidPosition(latitude, longitude)
        }
        let isE7 = north.isInteger && east.isInteger
        let position = Position(
            longitude: isE7 ? east.value / 1e7 : east.value, latitude: isE7 ? north.value / 1e7 : north.value)
        guard let position else { throw invalidPosition(latitude, longitude) }
        return position
    }

    /// Parses a coordinate, and returns whether it is an integer of at least seven digits.
    private func coordinate(
        _ text: String, _ positive: Character, _ negative: Character
    ) -> (value: Double, isInteger: Bool)? {
        var text = text
        var sign = 1.0
        if let last = text.last.map({ Character($0.uppercased()) }), last == positive || last == negative {
            text = String(text.dropLast()).trimmed
            guard !text.hasPrefix("-") else { return nil }
            sign = last == negative ? -1 : 1
        }
        let number = text.replacing("°", with: "").trimmed
        // Degrees have no thousands, so a single point separates decimals.
        guard let value = self.number(number) ?? plainNumber(number) else { return nil }
        let digits = text.drop { $0 == "-" || $0 == "+" }
        let isInteger = digits.utf8.count >= 7 && digits.utf8.allSatisfy { ($0 &- 48) < 10 }
        return (sign * value, isInteger)
    }

    private func invalidPosition(_ latitude: String, _ longitude: String) -> HabitError {
        HabitError(
            .positionInvalid,
            "'\(latitude.excerpt)', '\(longitude.excerpt)' is not a position: write a latitude from -90 to 90 and a longitude from -180 to 180",
            field: Field.latitude.name)
    }

    // MARK: Times

    /// Parses a date of the given form, by default of ISO 8601, which a time may follow.
    ///
    /// Midnight in UTC is a date without a time, as JavaScript writes it.
    ///
    /// - Throws: `day-invalid`.
    func day(_ text: String) throws(HabitError) -> ImportTime {
        if let pattern = options.dateFormat {
            if let day = pattern.day(text) { return .date(day) }
            if let time = time(text, pattern) { return time }
        } else if let day = Day(dateOrMidnight: text) {
            return .date(day)
        } else if let time = ImportTime(text) {
            return time
        }
        throw invalidDay(text)
    }

    /// Returns the error for a text that is not a date.
    func invalidDay(_ text: String, _ field: Field = .day) -> HabitError {
        let field = field.name
        if let error = missingDate(text, field) { return error }
        guard let pattern = options.dateFormat else {
            return HabitError(
                .dayInvalid, "'\(text.excerpt)' is not a date of the form YYYY-MM-DD", field: field, .give(.dateFormat))
        }
        return HabitError(
            .dayInvalid, "'\(text.excerpt)' is not a date of the form \(pattern)", field: field,
            .advice("correct the date or its form"))
    }

    /// Returns the error for a date of the expected form that does not exist, otherwise `nil`.
    private func missingDate(_ text: String, _ field: String) -> HabitError? {
        guard (options.dateFormat ?? DatePattern.iso8601)?.isMissingDate(text) == true else { return nil }
        let form = options.dateFormat.map { " (\($0))" } ?? ""
        return HabitError(
            .dayInvalid, "the date '\(text.excerpt)'\(form) does not exist", field: field, .advice("correct it"))
    }

    /// Parses a time of day after a date.
    ///
    /// - Returns: The date if `text` is empty.
    /// - Throws: `instant-invalid`.
    func time(_ text: String, on day: Day) throws(HabitError) -> ImportTime {
        if text.isEmpty { return .date(day) }
        guard let time = ImportTime("\(day)T\(text)") else {
            throw HabitError(
                .instantInvalid, "'\(text.excerpt)' is not a time of day", field: Field.at.name,
                .advice("write it in the form HH:MM"))
        }
        return time
    }

    /// Parses an instant: a date and a time, or seconds or milliseconds since 1970.
    ///
    /// - Throws: `instant-invalid`.
    func instant(_ text: String) throws(HabitError) -> ImportTime {
        if [10, 13].contains(text.utf8.count), text.utf8.allSatisfy({ ($0 &- 48) < 10 }), let number = Double(text),
            let time = ImportTime(unix: number)
        {
            return time
        }
        if let pattern = options.dateFormat, let time = time(text, pattern) { return time }
        guard let time = ImportTime(text) else { throw invalidInstant(text) }
        return time
    }

    private func time(_ text: String, _ pattern: DatePattern) -> ImportTime? {
        guard let (day, rest) = pattern.prefix(of: text[...]) else { return nil }
        let time = rest.drop { $0 == " " || $0 == "," || $0 == "T" }
        return time.isEmpty ? nil : ImportTime("\(day)T\(time)")
    }

    /// Returns the error for a text that is not an instant.
    func invalidInstant(_ text: String) -> HabitError {
        if var error = missingDate(text, Field.at.name) {
            error.code = .instantInvalid
            return error
        }
        var error = HabitError(
            .instantInvalid, "'\(text.excerpt)' is not a time", field: Field.at.name,
            .advice("write RFC 3339, such as 2026-11-20T07:15:00+01:00"))
        if options.dateFormat == nil { error.remedies.append(.give(.dateFormat)) }
        return error
    }

    // MARK: Outcomes

    /// Returns the meaning of a word, or `nil` if it is unknown.
    ///
    /// An empty text means that the habit was not done.
    func outcome(_ text: String) -> OutcomeWord? {
        let word = text.folded
        if let meaning = options.words[word] { return meaning }
        return switch word {
        case "1", "true", "yes", "y", "x", "done", "completed", "✓", "✔", "✔\u{FE0F}", "✓\u{FE0F}": .done
        case "skip", "skipped", "s": .skipped
        case "", "0", "false", "no", "n", "-", "missed": OutcomeWord.none
        default: nil
        }
    }

    /// Returns the outcome of an entry.
    ///
    /// - Parameters:
    ///   - text: The text of a cell.
    ///   - field: The field of the cell in an error.
    /// - Returns: The outcome, which is `none` for an empty text.
    /// - Throws: `outcome-invalid`.
    func entryOutcome(_ text: String, _ field: Field = .outcome) throws(HabitError) -> ImportedOutcome {
        switch outcome(text) {
        case .done: return .done
        case .skipped: return .skipped
        case OutcomeWord.none?: return .none(.notDone)
        case nil:
            var error = HabitError.notOutcome(text, in: field)
            error.remedies.append(.give(.outcomeWord))
            throw error
        }
    }
}
