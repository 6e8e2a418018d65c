import Base
import HabitModel
import HabitTestSupport
import Testing

@Suite(.engineIndependent) struct NightlyPeriodTests {
    @Test(arguments: [
        ("2026-11-25", "2026-11-23", "2026-11-29", "2026-11-01", "2026-11-30"),
        ("2026-11-29", "2026-11-23", "2026-11-29", "2026-11-01", "2026-11-30"),
        ("2026-12-31", "2026-12-28", "2027-01-03", "2026-12-01", "2026-12-31"),
        ("2028-02-01", "2028-01-31", "2028-02-06", "2028-02-01", "2028-02-29"),
        ("2027-02-28", "2027-02-22", "2027-02-28", "2027-02-01", "2027-02-28"),
    ])
    func periodContainsWholeWeekOrMonth(
        day: String, monday: String, sunday: String, first: String, last: String
    ) throws {
        let day = try #require(Day(day))
        #expect(NightlyPeriod.day.days(around: day) == day...day)
        let week = NightlyPeriod.week.days(around: day)
        let month = NightlyPeriod.month.days(around: day)
        #expect("\(week.lowerBound) \(week.upperBound)" == "\(monday) \(sunday)")
        #expect("\(month.lowerBound) \(month.upperBound)" == "\(first) \(last)")
    }

    @Test func lastEndIsOnOrBeforeDay() throws {
        let sunday = try #require(Day("2026-11-29"))
        let monday = try #require(Day("2026-11-30"))
        #expect(NightlyPeriod.week.lastEnd(upTo: sunday) == sunday)
        #expect(NightlyPeriod.week.lastEnd(upTo: monday) == sunday)
        #expect(NightlyPeriod.month.lastEnd(upTo: monday) == monday)
        #expect(NightlyPeriod.month.lastEnd(upTo: sunday).description == "2026-10-31")
        #expect(NightlyPeriod.day.lastEnd(upTo: sunday) == sunday)
    }
}
