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
        appendDate(day)
        let (seconds, fraction) = clock.quotientAndRemainder(dividingBy: 1_000_000)
        append(UInt8(ascii: "T"))
        appendTwoDigits(seconds / 3600)
        append(UInt8(ascii: ":"))
        appendTwoDigits(seconds / 60 % 60)
        append(UInt8(ascii: ":"))
        appendTwoDigits(seconds % 60)
        if fraction != 0 {
            append(UInt8(ascii: "."))
            let milliseconds = fraction % 1000 == 0
            appendDigits(UInt64(milliseconds ? fraction / 1000 : fraction), width: milliseconds ? 3 : 6)
        }
        appendOffset(offset)
        return true
    }

    /// `+00:00` is a clock on UTC; `Z` says nothing of any clock.
    private func appendOffset(_ minutes: Int64?) {
        guard let minutes else { return append(UInt8(ascii: "Z")) }
        append(minutes < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        appendTwoDigits(abs(minutes) / 60)
        append(UInt8(ascii: ":"))
        appendTwoDigits(abs(minutes) % 60)
    }

    /// Appends `YYYY-MM-DD` of a day, counted from 1970-01-01.
    private func appendDate(_ day: Int64) {
        if day == lastDay { return append(UnsafeBufferPointer(start: lastDate, count: 10)) }
        let begin = count
        let (year, month, dayOfMonth) = Day(number: Int32(clamping: day)).civil
        appendDigits(UInt64(year), width: 4)
        append(UInt8(ascii: "-"))
        appendTwoDigits(Int64(month))
        append(UInt8(ascii: "-"))
        appendTwoDigits(Int64(dayOfMonth))
        lastDate.update(from: start + begin, count: 10)
        lastDay = day
    }

    @inline(__always)
    private func appendTwoDigits(_ value: Int64) {
        let value = UInt8(truncatingIfNeeded: value)
        let target = reserve(2)
        target[0] = value / 10 &+ UInt8(ascii: "0")
        target[1] = value % 10 &+ UInt8(ascii: "0")
        advance(2)
    }
}
