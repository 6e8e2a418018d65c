import Base
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
        let parts = Parts(text)
        guard let day = pattern.map({ $0.prefix(of: parts.date)?.day }) ?? Self.day(parts.date) else { return nil }
        if parts.clock.isEmpty { return .date(day) }
        guard let hour = Int(parts.clock.prefix { isDigit($0) }), hour < 24, let half = Half(parts) else { return nil }
        guard half == .unknown || hour <= 12 else { return nil }
        let hour24 = half == .unknown ? hour : hour % 12 + (half == .afternoon ? 12 : 0)
        let rest = parts.clock.drop { isDigit($0) }
        return ImportTime("\(day)T\(hour24 < 10 ? "0" : "")\(hour24)\(rest)\(offset(parts.suffix))", isUTC: true)
    }

    // MARK: Times

    /// The parts of a text with a date and a time of day.
    private struct Parts {
        /// The text before the time, or the text after it if the time is first.
        var date: Substring
        /// The digits of the time with colons, or an empty text if the text has no time.
        var clock = ""
        /// The text after the time if the date is first.
        var suffix: Substring = ""

        init(_ text: String) {
            guard let range = Self.clock(in: text[...]) else {
                date = text[...]
                return
            }
            var digits = text[range]
            while digits.last == "." { digits.removeLast() }
            clock = Self.withColons(digits)
            let before = text[..<range.lowerBound]
            let after = text[range.upperBound...]
            let isFirst = !before.contains(where: LocalizedTime.isDigit)
            // A word such as CH can follow a time that precedes the date.
            date = isFirst ? after.drop { character in !LocalizedTime.isDigit(character) } : before
            suffix = isFirst ? after.prefix { character in !LocalizedTime.isDigit(character) } : after
        }

        /// Returns the range of a time such as `07:30:00.5` or, at the end of a text, `07.30.00`.
        private static func clock(in text: Substring) -> Range<Substring.Index>? {
            if let colon = text.firstIndex(of: ":") {
                var start = colon
                while start > text.startIndex, LocalizedTime.isDigit(text[text.index(before: start)]) {
                    start = text.index(before: start)
                }
                let isPart = { (character: Character) in LocalizedTime.isDigit(character) || ":.".contains(character) }
                let end = text[colon...].firstIndex { !isPart($0) } ?? text.endIndex
                return start..<end
            }
            // The last group of numbers and periods can be followed by a word such as AM.
            let words = text.split { character in !LocalizedTime.isDigit(character) && character != "." }
            guard let word = words.last(where: { $0.contains(where: LocalizedTime.isDigit) }) else { return nil }
            let numbers = word.split(separator: ".", omittingEmptySubsequences: false)
            let isClock = numbers.count == 3 && numbers.allSatisfy { (1...2).contains($0.count) }
            return isClock && word.startIndex > text.startIndex ? word.startIndex..<word.endIndex : nil
        }

        private static func withColons(_ digits: Substring) -> String {
            digits.contains(":") ? String(digits) : String(digits.map { $0 == "." ? ":" : $0 })
        }
    }

    /// The half of the day of a time on a 12-hour clock.
    private enum Half {
        case morning, afternoon
        /// The time has no half, so the clock has 24 hours.
        case unknown

        private static let mornings: Set<String> = [
            "am", "чam", "πμ", "上午", "午前", "오전", "sa", "öö", "de", "ap", "pg",
        ]
        private static let afternoons: Set<String> = [
            "pm", "чpm", "μμ", "下午", "午後", "오후", "ch", "ös", "du", "ip", "ptg",
        ]
        /// Words after a time on a 24-hour clock.
        private static let others: Set<String> = ["", "uhr", "uur", "h", "hrs", "utc", "gmt", "z", "ч", "น"]
        /// The words that also occur in dates.
        private static let ambiguous: Set<String> = ["de", "ch", "sa", "ap"]

        /// Finds the half of the day in a text, or returns `nil` if a word of unknown meaning follows the time.
        init?(_ parts: Parts) {
            let suffix = parts.suffix.lowercased().filter(\.isLetter)
            if let half = Self.half(suffix) {
                self = half
                return
            }
            guard Self.others.contains(suffix) else { return nil }
            // In some languages, the word is between the date and the time.
            let words = parts.date.lowercased().split { character in
                character.isWhitespace || character == "," || LocalizedTime.isDigit(character)
            }
            let last = words.last.map { word in word.filter(\.isLetter) } ?? ""
            self = Self.ambiguous.contains(last) ? .unknown : Self.half(last) ?? .unknown
        }

        private static func half(_ word: String) -> Half? {
            if mornings.contains(word) { return .morning }
            return afternoons.contains(word) ? .afternoon : nil
        }
    }

    /// Returns the UTC offset at the end of a time, or an empty text.
    private static func offset(_ suffix: Substring) -> String {
        guard let sign = suffix.lastIndex(where: { $0 == "+" || $0 == "-" || $0 == "−" }) else { return "" }
        let digits = suffix[suffix.index(after: sign)...].filter { $0 != ":" }
        guard digits.count == 4, digits.allSatisfy(isDigit) else { return "" }
        return (suffix[sign] == "+" ? "+" : "-") + digits
    }

    // MARK: Dates

    /// Parses a date, or returns `nil` if the text is not a date or its meaning is ambiguous.
    private static func day(_ text: Substring) -> Day? {
        let texts = text.split { !isDigit($0) }
        let numbers = texts.compactMap { Int($0) }
        guard numbers.count == texts.count else { return nil }
        let months = months(in: text)
        if let month = months.first {
            guard numbers.count == 2, months.count == 1 else { return nil }
            // The year has four digits.
            let isYearFirst = texts[0].count == 4
            guard isYearFirst || texts[1].count == 4 else { return nil }
            let year = isYearFirst ? numbers[0] : numbers[1]
            return Day(year: gregorian(year, text), month: month, day: isYearFirst ? numbers[1] : numbers[0])
        }
        guard numbers.count == 3 else { return nil }
        if texts[0].count == 4 { return Day(year: numbers[0], month: numbers[1], day: numbers[2]) }
        // A date with periods begins with the day in every country, and so does a date in Vietnamese. A date with
        // slashes or hyphens can also begin with the month.
        let isDayFirst = text[texts[0].endIndex] == "." || words(in: text).contains { vietnameseMonths.contains($0) }
        guard texts[2].count == 4, isDayFirst else { return nil }
        return Day(year: numbers[2], month: numbers[1], day: numbers[0])
    }

    /// The Vietnamese words before the number of a month.
    private static let vietnameseMonths: Set<String> = ["thg", "tháng"]

    /// Returns the months that a text names.
    private static func months(in text: Substring) -> Set<Int> {
        Set(words(in: text).compactMap { word in MonthNames.month(word) })
    }

    /// Returns the words of a text in lowercase letters, without periods at their ends.
    private static func words(in text: Substring) -> [String] {
        text.lowercased().split { $0.isWhitespace || isDigit($0) || ",-/’'()".contains($0) }.map { word in
            var word = word
            while word.first == "." { word.removeFirst() }
            while word.last == "." { word.removeLast() }
            return String(word)
        }
    }

    /// Returns the year of the Gregorian calendar.
    ///
    /// Thai dates have the year of the Buddhist calendar.
    private static func gregorian(_ year: Int, _ text: Substring) -> Int {
        let isThai = text.unicodeScalars.contains { (0xE00...0xE7F).contains($0.value) }
        return isThai && year > 2400 ? year - 543 : year
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
