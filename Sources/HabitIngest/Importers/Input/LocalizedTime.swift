import HabitModel

/// A parser of dates and times as people in many countries write them.
///
/// The parser accepts only dates with one possible meaning: `Jun 1, 2026`, `1 juin 2026`, `01.06.2026`, `2026/06/01`
/// and `2026年6月1日`, but not `01/06/2026`.
enum LocalizedTime {
    /// Parses a date and an optional time on a 12-hour or 24-hour clock.
    ///
    /// - Parameters:
    ///   - text: The text to parse. A time without an offset is in UTC.
    ///   - pattern: The form of the date, or `nil` to accept every form with one possible meaning.
    /// - Returns: The instant, or the date if the text has no time, or `nil` if the text has another form.
    static func time(_ text: String, pattern: DatePattern?) -> ImportTime? {
        let text = text.trimmed
        if pattern == nil, let time = ImportTime(text, isUTC: true) { return time }
        let (date, clock) = parts(of: text)
        guard let day = pattern.map({ $0.prefix(of: date)?.day }) ?? Self.day(date) else { return nil }
        if clock.isEmpty { return .date(day) }
        let digits = clock.prefix { isDigit($0) || $0 == ":" || $0 == "." }
        guard let hour = Int(digits.prefix { isDigit($0) }), hour < 24 else { return nil }
        let half = half(of: clock.dropFirst(digits.count), date)
        guard half == nil || hour <= 12 else { return nil }
        let hour24 = half.map { hour % 12 + ($0 == .afternoon ? 12 : 0) } ?? hour
        var rest = digits.drop { isDigit($0) }
        while rest.last == "." { rest.removeLast() }
        return ImportTime("\(day)T\(hour24 < 10 ? "0" : "")\(hour24)\(rest)\(offset(clock))", isUTC: true)
    }

    // MARK: Times

    /// Splits a text into the date and the time, which is empty if the text has no time.
    private static func parts(of text: String) -> (date: Substring, clock: Substring) {
        guard let colon = text.firstIndex(of: ":") else { return partsWithPeriods(of: text) }
        var start = colon
        while start > text.startIndex, isDigit(text[text.index(before: start)]) { start = text.index(before: start) }
        return (text[..<start], text[start...])
    }

    /// Splits a text with a time such as `07.30.00` into the date and the time.
    private static func partsWithPeriods(of text: String) -> (date: Substring, clock: Substring) {
        guard let space = text.lastIndex(where: \.isWhitespace) else { return (text[...], "") }
        let last = text[text.index(after: space)...]
        let numbers = last.split(separator: ".", omittingEmptySubsequences: false)
        guard numbers.count == 3, numbers.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(isDigit) }) else {
            return (text[...], "")
        }
        return (text[..<space], Substring(numbers.joined(separator: ":")))
    }

    private enum Half { case morning, afternoon }

    /// Returns whether a time on a 12-hour clock is in the morning or in the afternoon.
    ///
    /// - Parameters:
    ///   - suffix: The text after the digits of the time.
    ///   - date: The text before the time.
    /// - Returns: The half of the day, or `nil` if neither text names one.
    private static func half(of suffix: Substring, _ date: Substring) -> Half? {
        let suffix = String(suffix.lowercased().filter(\.isLetter))
        if suffix.hasPrefix("am") || suffix.hasPrefix("πμ") { return .morning }
        if suffix.hasPrefix("pm") || suffix.hasPrefix("μμ") { return .afternoon }
        if ["上午", "午前", "오전"].contains(where: { date.contains($0) }) { return .morning }
        return ["下午", "午後", "오후"].contains { date.contains($0) } ? .afternoon : nil
    }

    /// Returns the UTC offset at the end of a time, or an empty text.
    private static func offset(_ clock: Substring) -> String {
        guard let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" || $0 == "−" }) else { return "" }
        let digits = clock[clock.index(after: sign)...].filter { $0 != ":" }
        guard digits.count == 4, digits.allSatisfy(isDigit) else { return "" }
        return (clock[sign] == "+" ? "+" : "-") + digits
    }

    // MARK: Dates

    /// Parses a date, or returns `nil` if the text is not a date or its meaning is ambiguous.
    private static func day(_ text: Substring) -> Day? {
        let numbers = text.split { !isDigit($0) }
        if let month = month(in: text) {
            guard numbers.count == 2, let first = Int(numbers[0]), let second = Int(numbers[1]) else { return nil }
            // The year has four digits.
            if numbers[0].count == 4 { return Day(year: first, month: month, day: second) }
            return numbers[1].count == 4 ? Day(year: second, month: month, day: first) : nil
        }
        guard numbers.count == 3, let first = Int(numbers[0]), let second = Int(numbers[1]), let third = Int(numbers[2])
        else { return nil }
        if numbers[0].count == 4 { return Day(year: first, month: second, day: third) }
        // A date with periods begins with the day in every country. A date with slashes or hyphens can also begin with
        // the month.
        guard numbers[2].count == 4, text[numbers[0].endIndex] == "." else { return nil }
        return Day(year: third, month: second, day: first)
    }

    /// The beginnings of the names of the months in several languages.
    private static let months: [[String]] = [
        ["jan", "ene", "gen", "sty", "led", "янв"], ["feb", "fev", "fév", "lut", "úno", "фев"],
        ["mar", "mär", "maa", "mrt", "bře", "мар"], ["apr", "avr", "abr", "kwi", "dub", "апр"],
        ["may", "mai", "maj", "mag", "mei", "máj", "kvě", "май", "мая"], ["jun", "juin", "giu", "cze", "июн"],
        ["jul", "juil", "lug", "lip", "июл"], ["aug", "aoû", "aou", "ago", "sie", "srp", "авг"],
        ["sep", "set", "wrz", "zář", "сен"], ["oct", "okt", "out", "ott", "paź", "říj", "окт"],
        ["nov", "lis", "ноя"], ["dec", "dez", "déc", "dic", "des", "gru", "pro", "дек"],
    ]

    /// Returns the number of the month that a text names, or `nil` if it names no month.
    private static func month(in text: Substring) -> Int? {
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
            if let index = months.firstIndex(where: { $0.contains { word.hasPrefix($0) } }) { return index + 1 }
        }
        return nil
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
