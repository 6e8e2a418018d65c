import Synchronization

/// The instants at which a zone's offset from UTC changes.
///
/// The table contains every transition of the zone's file, and the transitions that its footer implies for the
/// following 400 years. Later instants are mapped into these years, because the Gregorian calendar repeats after 400
/// years, including the weekdays.
final class TransitionTable: Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, in ascending order.
    private let starts: [Int64]
    /// Seconds east of UTC, with one element more than `starts`.
    ///
    /// `offsets[i]` is in force from `starts[i - 1]` until `starts[i]`.
    private let offsets: [Int32]
    /// The second after which the last 400 years repeat, or `nil` if the last offset remains in force.
    private let repeatsAfter: Int64?
    /// The dates without an instant, in ascending order.
    let missingDates: [Day]
    /// The index of the last offset found.
    ///
    /// Consecutive rows of a load or a report are mostly in the same half year.
    private let recent = Atomic<Int>(0)

    /// Seconds in 400 years of the Gregorian calendar: 146,097 days.
    static let cycle: Int64 = 146_097 * 86_400

    /// Creates the table of a zone whose offset never changes.
    init(offset: Int32) {
        starts = []
        offsets = [offset]
        repeatsAfter = nil
        missingDates = []
    }

    /// Creates a table from the transitions of a file and the rules in its footer.
    ///
    /// - Parameters:
    ///   - initial: The offset before the first transition.
    ///   - transitions: The transitions in ascending order.
    ///   - footer: The rules after the last transition, or at all times if `transitions` is empty. `nil` keeps the last
    ///     offset.
    init(initial: Int32, transitions: [Transition], footer: TimeZoneFooter?) {
        var starts = transitions.map(\.start)
        var offsets = [initial] + transitions.map(\.offset)
        var repeatsAfter: Int64?
        if let footer {
            // Instants of this program are in the years 1 to 9999.
            let firstYear = starts.last.map(Self.year(of:)) ?? 1
            let lastStart = starts.last ?? .min
            offsets[offsets.count - 1] = footer.standard
            let years = firstYear - 1...firstYear + 401
            for transition in footer.transitions(in: years) {
                if transition.start <= lastStart {
                    offsets[offsets.count - 1] = transition.offset
                } else if transition.offset != offsets[offsets.count - 1] {
                    starts.append(transition.start)
                    offsets.append(transition.offset)
                }
            }
            if footer.daylight != nil {
                let end = Day.number(ofNewYear: firstYear + 401)
                repeatsAfter = Int64(end) * 86_400
            }
        }
        self.starts = starts
        self.offsets = offsets
        self.repeatsAfter = repeatsAfter
        var missingDates: [Day] = []
        for (index, start) in starts.enumerated() {
            let before = offsets[index]
            let after = offsets[index + 1]
            missingDates += Self.datesBetween(offset: before, and: after, at: start)
        }
        self.missingDates = missingDates
    }

    /// Returns the instants in a range at which the offset changes, in ascending order.
    ///
    /// The range and the result are in microseconds since 1970. After the end of the table, the changes of its last
    /// 400 years repeat.
    func changes(in range: Range<Int64>) -> [Int64] {
        var shift: Int64 = 0
        if let repeatsAfter, range.upperBound >= repeatsAfter * 1_000_000 {
            let cycle = Self.cycle * 1_000_000
            let exceeding = range.upperBound - repeatsAfter * 1_000_000
            shift = (exceeding / cycle + 1) * cycle
        }
        let changes = starts.map { $0 * 1_000_000 + shift }
        return changes.filter(range.contains)
    }

    /// Returns the dates between the last local date at an offset and the first local date at the next offset.
    static func datesBetween(offset: Int32, and next: Int32, at start: Int64) -> [Day] {
        let lastSecond = start - 1 + Int64(offset)
        let firstSecond = start + Int64(next)
        let lastDay = lastSecond.flooredDivision(by: 86_400).quotient
        let firstDay = firstSecond.flooredDivision(by: 86_400).quotient
        guard firstDay > lastDay + 1 else {
            return []
        }
        return (lastDay + 1..<firstDay).map { day in
            Day(number: Int32(clamping: day))
        }
    }

    /// Returns the UTC year of an instant, clamped to 1...9999.
    private static func year(of seconds: Int64) -> Int {
        let day = seconds.flooredDivision(by: 86_400).quotient
        let first = Int64(Day.first.number)
        let last = Int64(Day.last.number)
        let clamped = min(max(day, first), last)
        return Day(number: Int32(clamped)).civil.year
    }

    /// Returns the seconds east of UTC at an instant, given in seconds since 1970.
    ///
    /// Takes constant time if the previous call was for a nearby instant, otherwise logarithmic time.
    func offset(at seconds: Int64) -> Int {
        var seconds = seconds
        if let repeatsAfter, seconds >= repeatsAfter {
            let intoCycle = (seconds - repeatsAfter) % Self.cycle
            seconds = repeatsAfter - Self.cycle + intoCycle
        }
        let index = recent.load(ordering: .relaxed)
        let hasBegun = index == 0 || starts[index - 1] <= seconds
        let hasEnded = index < starts.count && starts[index] <= seconds
        if hasBegun, !hasEnded {
            return Int(offsets[index])
        }
        // A binary search for the first transition after the instant.
        var low = 0
        var high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= seconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        recent.store(low, ordering: .relaxed)
        return Int(offsets[low])
    }
}

/// A change of a zone's offset from UTC.
struct Transition: Equatable {
    /// Seconds since 1970-01-01T00:00:00Z.
    var start: Int64
    /// Seconds east of UTC from that instant on.
    var offset: Int32
}
