import Base

extension OutputBuffer {
    /// Appends an instant in the format of RFC 3339, with 0, 3 or 6 decimals of a second, as few as possible.
    ///
    /// - Parameters:
    ///   - microseconds: Microseconds since 1970 UTC.
    ///   - offset: Minutes ahead of UTC. `nil`, or a day or more, which RFC 3339 cannot represent, appends `Z`.
    /// - Returns: `false`, with nothing appended, if the local date is outside the years 1 to 9999.
    package func append(instant microseconds: Int64, offset: Int64?) -> Bool {
        var offset = offset
        if let minutes = offset, minutes.magnitude >= 1440 { offset = nil }
        let ahead = (offset ?? 0) * 60_000_000
        let local = microseconds.addingReportingOverflow(ahead)
        let parts = local.partialValue.quotientAndRemainder(dividingBy: Instant.microsecondsPerDay)
        var day = parts.quotient
        var clock = parts.remainder
        if clock < 0 {
            day -= 1
            clock += Instant.microsecondsPerDay
        }
        guard !local.overflow, day >= Day.first.number, day <= Day.last.number else { return false }
        let seconds = clock / 1_000_000
        let fraction = clock % 1_000_000
        writeDateAndTime(
            of: Day(number: Int32(truncatingIfNeeded: day)),
            seconds: UInt32(truncatingIfNeeded: seconds))
        if fraction != 0 {
            append(UInt8(ascii: "."))
            if fraction % 1000 == 0 {
                appendDigits(UInt64(fraction / 1000), count: 3)
            } else {
                appendDigits(UInt64(fraction), count: 6)
            }
        }
        appendOffset(offset)
        return true
    }

    /// Appends a date and a time in whole seconds, such as `2026-11-29T15:04:05`.
    @inline(__always)
    private func writeDateAndTime(of day: Day, seconds: UInt32) {
        let civil = day.civil
        let dateNumber = civil.year * 10_000 + civil.month * 100 + civil.day
        let date = PackedDigits(UInt32(truncatingIfNeeded: dateNumber)).ascii
        let timeNumber = seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60
        let time = PackedDigits(timeNumber).ascii
        let target = UnsafeMutableRawPointer(reserve(19))
        func write(_ digits: UInt64, at offset: Int) {
            let two = UInt16(truncatingIfNeeded: digits)
            target.storeBytes(of: two.littleEndian, toByteOffset: offset, as: UInt16.self)
        }
        func write(_ mark: Unicode.Scalar, at offset: Int) {
            target.storeBytes(of: UInt8(ascii: mark), toByteOffset: offset, as: UInt8.self)
        }
        write(date, at: 0)
        write(date &>> 16, at: 2)
        write("-", at: 4)
        write(date &>> 32, at: 5)
        write("-", at: 7)
        write(date &>> 48, at: 8)
        write("T", at: 10)
        // The two highest digits of the time are zeros.
        write(time &>> 16, at: 11)
        write(":", at: 13)
        write(time &>> 32, at: 14)
        write(":", at: 16)
        write(time &>> 48, at: 17)
        advance(19)
    }

    /// Appends the offset from UTC.
    ///
    /// `+00:00` is a clock set to UTC, `Z` means that the offset of the clock is unknown.
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
