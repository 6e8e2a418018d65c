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

        /// Returns the number of days from 1970-01-01 to this day of `year`.
        func dayNumber(in year: Int) -> Int {
            let january = Day.number(year: year, month: 1, day: 1)
            switch form {
            case .julian(let day):
                let march = Day.number(year: year, month: 3, day: 1)
                return day > 59 ? march + day - 60 : january + day - 1
            case .dayOfYear(let day): return january + day
            case .weekday(let month, let week, let day):
                let first = Day.number(year: year, month: month, day: 1)
                // 1970-01-01 was a Thursday, 4.
                let weekday = ((first + 4) % 7 + 7) % 7
                let number = first + (day - weekday + 7) % 7 + (week - 1) * 7
                let next = month == 12 ? (year + 1, 1) : (year, month + 1)
                return number >= Day.number(year: next.0, month: next.1, day: 1) ? number - 7 : number
            }
        }
    }

    /// Returns the transitions that the rules imply for these years, in ascending order.
    ///
    /// If two transitions are at the same instant, only the last one is returned. This occurs if daylight saving time
    /// is in force all year and begins when it ends.
    func transitions(in years: ClosedRange<Int>) -> [Transition] {
        guard let daylight else { return [] }
        let all = years.flatMap { year in
            [
                transition(to: daylight.offset, at: daylight.start, from: standard, in: year),
                transition(to: standard, at: daylight.end, from: daylight.offset, in: year),
            ]
        }
        let sorted = all.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
        return sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0].start < sorted[$0 + 1].start }
            .map { sorted[$0] }
    }

    /// Returns the transition to `offset` at a date, which is in the local time with the offset `before`.
    private func transition(to offset: Int32, at date: RuleDate, from before: Int32, in year: Int) -> Transition {
        Transition(start: Int64(date.dayNumber(in: year) * 86_400 + date.time - Int(before)), offset: offset)
    }
}

extension TimeZoneFooter {
    /// Parses a POSIX `TZ` string.
    ///
    /// Returns `nil` if the text is malformed, or if it names daylight saving time without its dates.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = FooterReader(rest: bytes)
        guard reader.skipName(), let west = reader.time(maximumHours: 24) else { return nil }
        standard = Int32(-west)
        guard !reader.rest.isEmpty else { return }
        guard reader.skipName() else { return nil }
        // Daylight saving time without an offset is one hour ahead of standard time.
        var offset = Int32(3600 - west)
        if reader.rest.first != UInt8(ascii: ",") {
            guard let west = reader.time(maximumHours: 24) else { return nil }
            offset = Int32(-west)
        }
        guard reader.skip(","), let start = reader.ruleDate(), reader.skip(","), let end = reader.ruleDate(),
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
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Skips a designation: at least three letters, or at least three letters, digits or signs between `<` and `>`.
    mutating func skipName() -> Bool {
        let isQuoted = skip("<")
        let count = rest.prefix { byte in
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            return isLetter || isQuoted && (isSign || byte &- 48 < 10)
        }.count
        rest = rest.dropFirst(count)
        return count >= 3 && (!isQuoted || skip(">"))
    }

    /// Reads an unsigned number of at most three digits, or returns `nil` if it is out of range.
    mutating func number(in range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(4).prefix { $0 &- 48 < 10 }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 &- 48) }
        return range.contains(value) ? value : nil
    }

    /// Reads `[+-]hh[:mm[:ss]]` in seconds.
    mutating func time(maximumHours: Int) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard var seconds = number(in: 0...maximumHours).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] {
            guard skip(":") else { break }
            guard let value = number(in: 0...59) else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads a date with an optional `/time`.
    ///
    /// The default is 02:00:00, the range is ±167 hours (TZif version 3).
    mutating func ruleDate() -> TimeZoneFooter.RuleDate? {
        guard let form = dateForm() else { return nil }
        guard skip("/") else { return TimeZoneFooter.RuleDate(form: form, time: 7200) }
        return time(maximumHours: 167).map { TimeZoneFooter.RuleDate(form: form, time: $0) }
    }

    /// Reads a date in one of its three notations.
    private mutating func dateForm() -> TimeZoneFooter.RuleDate.Form? {
        if skip("J") { return number(in: 1...365).map { .julian($0) } }
        guard skip("M") else { return number(in: 0...365).map { .dayOfYear($0) } }
        guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5), skip("."),
            let day = number(in: 0...6)
        else { return nil }
        return .weekday(month: month, week: week, day: day)
    }
}
