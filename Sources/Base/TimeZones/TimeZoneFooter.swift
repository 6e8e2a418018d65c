/// The rules after the last transition of a TZif file: a POSIX `TZ` string (RFC 9636, section 3.3.1).
///
/// An example is `WET0WEST,M3.5.0/1,M10.5.0`.
struct TimeZoneFooter: Equatable {
    /// Seconds east of UTC in standard time.
    var standard: Int32
    /// Daylight saving time, or `nil` if the zone is always in standard time.
    var daylight: Daylight?

    /// The offset and the dates of daylight saving time.
    struct Daylight: Equatable {
        /// Seconds east of UTC.
        var offset: Int32
        /// The local date and time at which daylight saving time begins.
        var start: RuleDate
        /// The local date and time at which daylight saving time ends.
        var end: RuleDate
    }

    /// A day of each year, and a time on it.
    struct RuleDate: Equatable {
        /// The three notations of a day.
        enum Form: Equatable {
            /// `Jn`: the day of the year, 1...365, without February 29.
            case julian(Int)
            /// `n`: the day of the year from 0, 0...365, with February 29.
            case dayOfYear(Int)
            /// `Mm.w.d`: the weekday `d` (0 is Sunday) in week `w` of the month. Week 5 is the last.
            case weekday(month: Int, week: Int, day: Int)
        }

        /// The day of the year.
        var form: Form
        /// Seconds after midnight.
        ///
        /// May be negative or longer than a day.
        var time: Int

        /// Returns the seconds from 1970-01-01T00:00:00Z to this date and time of `year` at an offset from UTC.
        func seconds(in year: Int, offset: Int32) -> Int64 {
            let midnight = dayNumber(in: year) * 86_400
            let local = midnight + time
            return Int64(local) - Int64(offset)
        }

        /// Returns the number of days from 1970-01-01 to this day of `year`.
        func dayNumber(in year: Int) -> Int {
            let january = Day.number(ofNewYear: year)
            switch form {
            case .julian(let day):
                let march = Day.number(year: year, month: 3, day: 1)
                // March 1 is day 60, also in a leap year.
                if day >= 60 {
                    return march + day - 60
                } else {
                    return january + day - 1
                }
            case .dayOfYear(let day):
                return january + day
            case .weekday(let month, let week, let day):
                return Self.dayNumber(ofWeekday: day, week: week, month: month, year: year)
            }
        }

        /// Returns the number of days from 1970-01-01 to a weekday in a week of a month.
        private static func dayNumber(
            ofWeekday weekday: Int,
            week: Int,
            month: Int,
            year: Int
        ) -> Int {
            let firstOfMonth = Day.number(year: year, month: month, day: 1)
            // 1970-01-01 was a Thursday, 4.
            let remainder = (firstOfMonth + 4) % 7
            let firstWeekday = (remainder + 7) % 7
            let daysToWeekday = (weekday - firstWeekday + 7) % 7
            let firstMatch = firstOfMonth + daysToWeekday
            let number = firstMatch + (week - 1) * 7
            let isDecember = month == 12
            let firstOfNextMonth = Day.number(
                year: isDecember ? year + 1 : year,
                month: isDecember ? 1 : month + 1,
                day: 1)
            // A month can have only four of these weekdays.
            return number < firstOfNextMonth ? number : number - 7
        }
    }

    /// Returns the transitions that the rules imply for these years, in ascending order.
    ///
    /// If two transitions are at the same instant, only the last one is returned. This occurs if daylight saving time
    /// is in force all year and begins when it ends.
    func transitions(in years: ClosedRange<Int>) -> [Transition] {
        guard let daylight else {
            return []
        }
        var all: [Transition] = []
        for year in years {
            let start = daylight.start.seconds(in: year, offset: standard)
            let end = daylight.end.seconds(in: year, offset: daylight.offset)
            all.append(Transition(start: start, offset: daylight.offset))
            all.append(Transition(start: end, offset: standard))
        }
        // The index keeps the order of transitions at the same instant.
        let sorted = all.enumerated().sorted { a, b in
            (a.element.start, a.offset) < (b.element.start, b.offset)
        }
        var transitions: [Transition] = []
        for transition in sorted.map(\.element) {
            if let last = transitions.last, last.start == transition.start {
                transitions.removeLast()
            }
            transitions.append(transition)
        }
        return transitions
    }

}

extension TimeZoneFooter {
    /// Parses a POSIX `TZ` string.
    ///
    /// Returns `nil` if the text is malformed, or if it names daylight saving time without its dates.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = FooterReader(rest: bytes)
        guard reader.skipName(), let west = reader.time(maximumHours: 24) else {
            return nil
        }
        standard = Int32(-west)
        guard !reader.rest.isEmpty else {
            return
        }
        guard reader.skipName() else {
            return nil
        }
        // Daylight saving time without an offset is one hour ahead of standard time.
        var offset = Int32(3600 - west)
        if reader.rest.first != UInt8(ascii: ",") {
            guard let west = reader.time(maximumHours: 24) else {
                return nil
            }
            offset = Int32(-west)
        }
        guard reader.skip(","),
            let start = reader.ruleDate(),
            reader.skip(","),
            let end = reader.ruleDate(),
            reader.rest.isEmpty
        else { return nil }
        daylight = Daylight(offset: offset, start: start, end: end)
    }
}

/// Reads the parts of a POSIX `TZ` string.
///
/// Each method advances ``rest``.
private struct FooterReader {
    /// The bytes that are not read yet.
    var rest: ArraySlice<UInt8>

    /// Skips a character and returns `true`, or returns `false` if another character follows.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else {
            return false
        }
        rest = rest.dropFirst()
        return true
    }

    /// Skips a designation: at least three letters, or at least three letters, digits or signs between `<` and `>`.
    mutating func skipName() -> Bool {
        let isQuoted = skip("<")
        let name = rest.prefix { byte in
            switch Unicode.Scalar(byte) {
            case "A"..."Z", "a"..."z": true
            case "0"..."9", "+", "-": isQuoted
            default: false
            }
        }
        rest = rest.dropFirst(name.count)
        guard name.count >= 3 else {
            return false
        }
        return isQuoted ? skip(">") : true
    }

    /// Reads an unsigned number of at most three digits, or returns `nil` if it is out of range.
    mutating func number(in range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(4).prefix { $0 &- 48 < 10 }
        guard (1...3).contains(digits.count) else {
            return nil
        }
        rest = rest.dropFirst(digits.count)
        var value = 0
        for digit in digits {
            value = value * 10 + Int(digit &- 48)
        }
        return range.contains(value) ? value : nil
    }

    /// Reads `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time(maximumHours: Int) -> Int? {
        let isNegative = skip("-")
        if !isNegative {
            _ = skip("+")
        }
        guard let hours = number(in: 0...maximumHours) else {
            return nil
        }
        var seconds = hours * 3600
        for unit in [60, 1] {
            guard skip(":") else {
                break
            }
            guard let value = number(in: 0...59) else {
                return nil
            }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads a date with an optional `/time`.
    ///
    /// The default is 02:00:00, the range is ±167 hours (TZif version 3).
    mutating func ruleDate() -> TimeZoneFooter.RuleDate? {
        guard let form = dateForm() else {
            return nil
        }
        guard skip("/") else {
            return TimeZoneFooter.RuleDate(form: form, time: 7200)
        }
        guard let time = time(maximumHours: 167) else {
            return nil
        }
        return TimeZoneFooter.RuleDate(form: form, time: time)
    }

    /// Reads a date in one of its three notations.
    private mutating func dateForm() -> TimeZoneFooter.RuleDate.Form? {
        if skip("J") {
            return number(in: 1...365).map { .julian($0) }
        }
        guard skip("M") else {
            return number(in: 0...365).map { .dayOfYear($0) }
        }
        guard let month = number(in: 1...12),
            skip("."),
            let week = number(in: 1...5),
            skip("."),
            let day = number(in: 0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}
