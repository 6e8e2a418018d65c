import HabitModel

extension OutputBuffer {
    /// Appends an instant as RFC 3339 has it, with as many decimals of a second as are needed (0, 3 or 6).
    ///
    /// `offset` is in minutes; nil, or one that RFC 3339 cannot say (a day or more), gives `Z`.
    ///
    /// - Returns: false, with nothing appended, where the local date is outside the years 1 to 9999.
    func append(instant microseconds: Int64, offset: Int64?) -> Bool {
        let offset = offset.flatMap { $0.magnitude < 1440 ? $0 : nil }
        let (local, overflow) = microseconds.addingReportingOverflow((offset ?? 0) * 60_000_000)
        var (day, clock) = local.quotientAndRemainder(dividingBy: 86_400_000_000)
        if clock < 0 {
            day -= 1
            clock += 86_400_000_000
        }
        guard !overflow, day >= Day.first.number, day <= Day.last.number else { return false }
        let (year, month, dayOfMonth) = Day(number: Int32(truncatingIfNeeded: day)).civil
        let (seconds, fraction) = clock.quotientAndRemainder(dividingBy: 1_000_000)
        let target = reserve(19)
        write(twoDigits: year / 100, to: target)
        write(twoDigits: year % 100, to: target + 2)
        target[4] = UInt8(ascii: "-")
        write(twoDigits: month, to: target + 5)
        target[7] = UInt8(ascii: "-")
        write(twoDigits: dayOfMonth, to: target + 8)
        target[10] = UInt8(ascii: "T")
        write(twoDigits: Int(seconds) / 3600, to: target + 11)
        target[13] = UInt8(ascii: ":")
        write(twoDigits: Int(seconds) / 60 % 60, to: target + 14)
        target[16] = UInt8(ascii: ":")
        write(twoDigits: Int(seconds) % 60, to: target + 17)
        advance(19)
        if fraction != 0 {
            append(UInt8(ascii: "."))
            let milliseconds = fraction % 1000 == 0
            appendDigits(UInt64(milliseconds ? fraction / 1000 : fraction), count: milliseconds ? 3 : 6)
        }
        appendOffset(offset)
        return true
    }

    /// `+00:00` is a clock on UTC; `Z` says nothing of any clock.
    private func appendOffset(_ minutes: Int64?) {
        guard let minutes else { return append(UInt8(ascii: "Z")) }
        let target = reserve(6)
        target[0] = minutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
        write(twoDigits: Int(minutes.magnitude) / 60, to: target + 1)
        target[3] = UInt8(ascii: ":")
        write(twoDigits: Int(minutes.magnitude) % 60, to: target + 4)
        advance(6)
    }
}
