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
        let parsedDay: Day?
        if let pattern {
            parsedDay = pattern.prefix(of: parts.date)?.day
        } else {
            parsedDay = Self.day(parts.date)
        }
        guard let day = parsedDay else { return nil }
        if parts.clock.isEmpty { return .date(day) }
        guard let hour = Int(parts.clock.prefix(while: isDigit)), hour < 24 else { return nil }
        guard let half = Half(parts), let hour24 = half.hour(ofTwelve: hour) else { return nil }
        let hourText = hour24 < 10 ? "0\(hour24)" : "\(hour24)"
        let minutes = parts.clock.drop(while: isDigit)
        return ImportTime("\(day)T\(hourText)\(minutes)\(offset(parts.suffix))", isUTC: true)
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
            let isBeforeDate = !before.contains(where: LocalizedTime.isDigit)
            guard isBeforeDate else {
                date = before
                suffix = after
                return
            }
            // A word such as CH can follow a time that precedes the date.
            suffix = after.prefix { character in !LocalizedTime.isDigit(character) }
            date = after[suffix.endIndex...]
        }

        /// Returns the range of a time such as `07:30:00.5` or, at the end of a text, `07.30.00`.
        private static func clock(in text: Substring) -> Range<Substring.Index>? {
            if let colon = text.firstIndex(of: ":") { return clock(around: colon, in: text) }
            // The last group of numbers and periods can be followed by a word such as AM.
            let words = text.split { character in
                !LocalizedTime.isDigit(character) && character != "."
            }
            let last = words.last { word in word.contains(where: LocalizedTime.isDigit) }
            guard let word = last, word.startIndex > text.startIndex else { return nil }
            let numbers = word.split(separator: ".", omittingEmptySubsequences: false)
            let areShort = numbers.allSatisfy { number in (1...2).contains(number.count) }
            guard numbers.count == 3, areShort else { return nil }
            return word.startIndex..<word.endIndex
        }

        /// Returns the range of the digits, colons and periods around a colon.
        private static func clock(
            around colon: Substring.Index, in text: Substring
        ) -> Range<Substring.Index> {
            var start = colon
            while start > text.startIndex {
                let previous = text.index(before: start)
                guard LocalizedTime.isDigit(text[previous]) else { break }
                start = previous
            }
            let end = text[colon...].firstIndex { character in
                !LocalizedTime.isDigit(character) && !":.".contains(character)
            }
            return start..<(end ?? text.endIndex)
        }

        private static func withColons(_ digits: Substring) -> String {
            if digits.contains(":") { return String(digits) }
            return String(digits.map { character in character == "." ? ":" : character })
        }
    }

    /// The half of the day of a time on a 12-hour clock.
    private enum Half {
        case morning, afternoon
        /// The time has no half, so the clock has 24 hours.
        case unknown

        private static let mornings: Set<String> = [
            "am", "чam", "πμ", "上午", "午前", "오전",
            "sa", "öö", "de", "ap", "pg",
        ]
        private static let afternoons: Set<String> = [
            "pm", "чpm", "μμ", "下午", "午後", "오후",
            "ch", "ös", "du", "ip", "ptg",
        ]
        /// Words after a time on a 24-hour clock.
        private static let others: Set<String> = [
            "", "uhr", "uur", "h", "hrs",
            "utc", "gmt", "z", "ч", "น",
        ]
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
            let half = Self.ambiguous.contains(last) ? nil : Self.half(last)
            self = half ?? .unknown
        }

        /// Returns the hour of a 24-hour clock, or `nil` if a clock with 12 hours does not have the hour.
        func hour(ofTwelve hour: Int) -> Int? {
            if self == .unknown { return hour }
            guard hour <= 12 else { return nil }
            let morningHour = hour % 12
            return self == .afternoon ? morningHour + 12 : morningHour
        }

        private static func half(_ word: String) -> Half? {
            if mornings.contains(word) { return .morning }
            return afternoons.contains(word) ? .afternoon : nil
        }
    }

    /// Returns the UTC offset at the end of a time, or an empty text.
    private static func offset(_ suffix: Substring) -> String {
        let last = suffix.lastIndex { character in "+-−".contains(character) }
        guard let sign = last else { return "" }
        let afterSign = suffix[sign...].dropFirst()
        let digits = afterSign.filter { character in character != ":" }
        guard digits.count == 4, digits.allSatisfy(isDigit) else { return "" }
        let isAhead = suffix[sign] == "+"
        return isAhead ? "+" + digits : "-" + digits
    }

    // MARK: Dates

    /// Parses a date, or returns `nil` if the text is not a date or its meaning is ambiguous.
    private static func day(_ text: Substring) -> Day? {
        let texts = text.split { character in !isDigit(character) }
        let numbers = texts.compactMap { digits in Int(digits) }
        guard numbers.count == texts.count else { return nil }
        let months = months(in: text)
        if let month = months.first {
            guard numbers.count == 2, months.count == 1 else { return nil }
            // The year has four digits.
            let isYearFirst = texts[0].count == 4
            let isYearLast = texts[1].count == 4
            guard isYearFirst || isYearLast else { return nil }
            let year = isYearFirst ? numbers[0] : numbers[1]
            let day = isYearFirst ? numbers[1] : numbers[0]
            return Day(year: gregorian(year, in: text), month: month, day: day)
        }
        guard numbers.count == 3 else { return nil }
        let isYearFirst = texts[0].count == 4
        if isYearFirst { return Day(year: numbers[0], month: numbers[1], day: numbers[2]) }
        guard texts[2].count == 4 else { return nil }
        // A date with periods begins with the day in every country, and so does a date in Vietnamese. A date with
        // slashes or hyphens can also begin with the month.
        let hasPeriod = text[texts[0].endIndex] == "."
        guard hasPeriod || isVietnamese(text) else { return nil }
        return Day(year: numbers[2], month: numbers[1], day: numbers[0])
    }

    private static func isVietnamese(_ text: Substring) -> Bool {
        words(in: text).contains { word in vietnameseMonths.contains(word) }
    }

    /// The Vietnamese words before the number of a month.
    private static let vietnameseMonths: Set<String> = ["thg", "tháng"]

    /// Returns the months that a text names.
    private static func months(in text: Substring) -> Set<Int> {
        Set(words(in: text).compactMap { word in MonthNames.month(word) })
    }

    /// Returns the words of a text in lowercase letters, without periods at their ends.
    private static func words(in text: Substring) -> [String] {
        let words = text.lowercased().split { character in
            character.isWhitespace || isDigit(character) || ",-/’'()".contains(character)
        }
        return words.map { word in
            var word = word
            while word.first == "." { word.removeFirst() }
            while word.last == "." { word.removeLast() }
            return String(word)
        }
    }

    /// Returns the year of the Gregorian calendar.
    ///
    /// Thai dates have the year of the Buddhist calendar.
    private static func gregorian(_ year: Int, in text: Substring) -> Int {
        let isThai = text.unicodeScalars.contains { scalar in (0xE00...0xE7F).contains(scalar.value) }
        return isThai && year > 2400 ? year - 543 : year
    }

    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character)
    }
}
