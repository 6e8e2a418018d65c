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
        if let decimal = options.decimal {
            hasDecimalComma = decimal == ","
        } else {
            hasDecimalComma = delimiter == UInt8(ascii: ";")
        }
    }

    // MARK: Numbers

    /// Parses a number, which may have separators between groups of three digits.
    ///
    /// - Returns: The number, or `nil` if the text is not a number or if it is ambiguous.
    func number(_ text: String) -> Double? {
        guard !isAmbiguous(text) else { return nil }
        let decimalSeparator: Character = hasDecimalComma ? "," : "."
        let parts = text.split(separator: decimalSeparator, omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = joinedGroups(parts[0]) else {
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
        let parts = Self.withoutSign(text[...]).split(
            separator: groupSeparator, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let first = parts[0]
        let isGroup = parts[1].count == 3
        let isBeforeGroup = (1...3).contains(first.count) && first.first != "0"
        return isGroup && isBeforeGroup && parts.allSatisfy(Self.hasOnlyDigits)
    }

    /// The sign that separates groups of three digits, and that separates decimals in other tables.
    private var groupSeparator: Character { hasDecimalComma ? "." : "," }

    private var groupSeparators: Set<Character> {
        [groupSeparator, " ", "\u{A0}", "\u{202F}", "'", "’"]
    }

    /// Parses a number with a decimal point in a table for which a comma is only the default.
    private func plainNumber(_ text: String) -> Double? {
        let isDefaultComma = hasDecimalComma && options.decimal == nil
        return isDefaultComma ? Double(decimal: text) : nil
    }

    /// Returns the digits without the separators of groups of three digits.
    ///
    /// Returns `nil` if a group has another length or the number has several separators.
    private func joinedGroups(_ text: Substring) -> String? {
        let separators = groupSeparators
        let groups = text.split(omittingEmptySubsequences: false) { character in
            separators.contains(character)
        }
        guard groups.count > 1 else { return String(text) }
        let first = Self.withoutSign(groups[0])
        guard (1...3).contains(first.count), first.first != "0" else { return nil }
        let haveThreeDigits = groups.dropFirst().allSatisfy { group in group.count == 3 }
        guard haveThreeDigits else { return nil }
        let usedSeparators = Set(text.filter { character in separators.contains(character) })
        guard usedSeparators.count == 1 else { return nil }
        return groups.joined()
    }

    private static func withoutSign(_ text: Substring) -> Substring {
        text.drop { character in character == "-" || character == "+" }
    }

    private static func hasOnlyDigits(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in byte &- UInt8(ascii: "0") < 10 }
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
        let canGiveDecimal = text.contains(groupSeparator) && options.decimal == nil
        let remedy: Remedy = canGiveDecimal ? .give(.decimal) : .advice("correct it")
        return HabitError(.fieldInvalid, problem, field: Field.amount.name, remedy)
    }

    // MARK: Positions

    /// Parses a latitude and a longitude in degrees, with or without a hemisphere letter, or in 10⁻⁷ degrees.
    ///
    /// - Returns: `nil` if both texts are empty.
    /// - Throws: `position-invalid`.
    func position(latitude: String, longitude: String) throws(HabitError) -> Position? {
        if latitude.isEmpty, longitude.isEmpty { return nil }
        let northward = coordinate(latitude, positive: "N", negative: "S")
        let eastward = coordinate(longitude, positive: "E", negative: "W")
        guard let north = northward, let east = eastward else {
            throw invalidPosition(latitude, longitude)
        }
        let isE7 = north.isInteger && east.isInteger
        let unit = isE7 ? 1e7 : 1
        let position = Position(longitude: east.value / unit, latitude: north.value / unit)
        guard let position else { throw invalidPosition(latitude, longitude) }
        return position
    }

    /// Parses a coordinate, and returns whether it is an integer of at least seven digits.
    private func coordinate(
        _ text: String,
        positive: Character,
        negative: Character
    ) -> (value: Double, isInteger: Bool)? {
        var text = text
        var sign = 1.0
        let hemisphere = text.last?.uppercased()
        if hemisphere == String(positive) || hemisphere == String(negative) {
            text = String(text.dropLast()).trimmed
            guard !text.hasPrefix("-") else { return nil }
            sign = hemisphere == String(negative) ? -1 : 1
        }
        let number = text.replacing("°", with: "").trimmed
        // Degrees have no thousands, so a single point separates decimals.
        guard let value = self.number(number) ?? plainNumber(number) else { return nil }
        let digits = Self.withoutSign(text[...])
        let isInteger = digits.utf8.count >= 7 && Self.hasOnlyDigits(digits)
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
                .dayInvalid,
                "'\(text.excerpt)' is not a date of the form YYYY-MM-DD",
                field: field,
                .give(.dateFormat))
        }
        return HabitError(
            .dayInvalid,
            "'\(text.excerpt)' is not a date of the form \(pattern)",
            field: field,
            .advice("correct the date or its form"))
    }

    /// Returns the error for a date of the expected form that does not exist, otherwise `nil`.
    private func missingDate(_ text: String, _ field: String) -> HabitError? {
        let pattern = options.dateFormat ?? DatePattern.iso8601
        guard pattern?.isMissingDate(text) == true else { return nil }
        let form = options.dateFormat.map { pattern in " (\(pattern))" } ?? ""
        return HabitError(
            .dayInvalid,
            "the date '\(text.excerpt)'\(form) does not exist",
            field: field,
            .advice("correct it"))
    }

    /// Parses a time of day after a date.
    ///
    /// - Returns: The date if `text` is empty.
    /// - Throws: `instant-invalid`.
    func time(_ text: String, on day: Day) throws(HabitError) -> ImportTime {
        if text.isEmpty { return .date(day) }
        guard let time = ImportTime("\(day)T\(text)") else {
            throw HabitError(
                .instantInvalid,
                "'\(text.excerpt)' is not a time of day",
                field: Field.at.name,
                .advice("write it in the form HH:MM"))
        }
        return time
    }

    /// Parses an instant: a date and a time, or seconds or milliseconds since 1970.
    ///
    /// - Throws: `instant-invalid`.
    func instant(_ text: String) throws(HabitError) -> ImportTime {
        if let time = Self.unixTime(text) { return time }
        if let pattern = options.dateFormat, let time = time(text, pattern) { return time }
        guard let time = ImportTime(text) else { throw invalidInstant(text) }
        return time
    }

    /// Parses seconds or milliseconds since 1970, or returns `nil` for any other text.
    private static func unixTime(_ text: String) -> ImportTime? {
        let digitCount = text.utf8.count
        let isSecondsOrMilliseconds = digitCount == 10 || digitCount == 13
        guard isSecondsOrMilliseconds, hasOnlyDigits(text[...]) else { return nil }
        guard let number = Double(text) else { return nil }
        return ImportTime(unix: number)
    }

    private func time(_ text: String, _ pattern: DatePattern) -> ImportTime? {
        guard let (day, rest) = pattern.prefix(of: text[...]) else { return nil }
        let time = rest.drop { character in " ,T".contains(character) }
        guard !time.isEmpty else { return nil }
        return ImportTime("\(day)T\(time)")
    }

    /// Returns the error for a text that is not an instant.
    func invalidInstant(_ text: String) -> HabitError {
        if var error = missingDate(text, Field.at.name) {
            error.code = .instantInvalid
            return error
        }
        var error = HabitError(
            .instantInvalid,
            "'\(text.excerpt)' is not a time",
            field: Field.at.name,
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
        case "1", "true", "yes", "y", "x", "done", "completed": .done
        case "✓", "✔", "✔\u{FE0F}", "✓\u{FE0F}": .done
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
