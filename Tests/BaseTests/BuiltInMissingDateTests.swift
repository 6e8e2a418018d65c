import HabitTestSupport
import Testing

@testable import Base

/// Tests of the dates that never existed in zones whose rules are compiled into the program.
@Suite(.engineIndependent) struct BuiltInMissingDateTests {
    private static let database = TimeZoneDatabase(folders: [])

    @Test(arguments: [
        ("Pacific/Apia", ["2011-12-30"]), ("Pacific/Fakaofo", ["2011-12-30"]), ("Pacific/Kwajalein", ["1993-08-21"]),
        ("Pacific/Kiritimati", ["1994-12-31"]), ("Europe/Lisbon", []), ("Asia/Tokyo", []), ("America/Juneau", []),
    ])
    func datesAreKnownWithoutFiles(zone: String, dates: [String]) throws {
        let rules = try #require(Self.database.rules(for: zone))
        let recent = rules.missingDates.filter { $0 > Day(number: -36_500) }
        #expect(recent.map(\.description) == dates)
        for date in rules.missingDates {
            let hours = (-72...96).map { Instant(microseconds: date.startInUTC.microseconds + $0 * 3_600_000_000) }
            #expect(!hours.contains { $0.day(in: rules) == date })
        }
    }
}
