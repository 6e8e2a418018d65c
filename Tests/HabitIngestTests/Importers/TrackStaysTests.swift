import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the days on which a track stays near a position.
@Suite(.engineIndependent) struct TrackStaysTests {
    private static let lisbon = UTCOffset(minutes: 60)

    private func time(_ text: String) throws -> Instant { try #require(OffsetInstant(text)).instant }

    private func position(_ metersNorth: Double = 0) throws -> Position {
        try #require(Position(longitude: -9.14, latitude: 38.72 + metersNorth / 111_000))
    }

    private func stays(_ items: [TrackItem]) throws -> TrackStays {
        var stays = TrackStays(
            near: try position(), within: .meters(100), atLeast: .seconds(1200),
            in: try #require(TimeZoneRules("Europe/Lisbon")))
        for item in items { stays.add(item) }
        stays.complete()
        return stays
    }

    private func days(_ items: [TrackItem]) throws -> [String] {
        try stays(items).arrivals.map { "\($0.day) \($0.at)" }
    }

    /// Returns points with a distance of 5 minutes.
    private func points(_ start: String, _ count: Int, metersNorth: Double = 0, offset: UTCOffset? = nil) throws
        -> [TrackItem]
    {
        let start = try time(start)
        let position = try position(metersNorth)
        return (0..<count).map {
            .point(Instant(microseconds: start.microseconds + Int64($0) * 300_000_000), position, offset: offset)
        }
    }

    @Test func stayOfGivenLengthIsFound() throws {
        #expect(try days(points("2026-06-01T08:00:00Z", 5)) == ["2026-06-01 2026-06-01T08:00:00Z"])
        #expect(try days(points("2026-06-01T08:00:00Z", 4)) == [])
        #expect(try days(points("2026-06-01T08:00:00Z", 5, metersNorth: 150)) == [])
    }

    @Test func pointOutsideInterruptsStay() throws {
        let inside = try points("2026-06-01T08:00:00Z", 8)
        let outside = try points("2026-06-01T08:12:00Z", 1, metersNorth: 200)
        #expect(try days(inside + outside) == ["2026-06-01 2026-06-01T08:15:00Z"])
    }

    /// The stay ends at the point outside, and does not begin again at the same instant.
    @Test func simultaneousPointOutsideInterruptsStay() throws {
        let inside = try points("2026-06-01T08:00:00Z", 7)
        let outside = try points("2026-06-01T08:10:00Z", 1, metersNorth: 200)
        #expect(try days(inside + outside) == [])
        #expect(try days(outside + inside) == [])
    }

    @Test func gapInterruptsStay() throws {
        let parts = try points("2026-06-01T08:00:00Z", 3) + points("2026-06-01T08:21:00Z", 3)
        #expect(try days(parts) == [])
        let joined = try points("2026-06-01T08:00:00Z", 3) + points("2026-06-01T08:20:00Z", 3)
        #expect(try days(joined) == ["2026-06-01 2026-06-01T08:00:00Z"])
    }

    @Test func dayIsDateAtOffsetOfTrack() throws {
        #expect(
            try days(points("2026-06-01T22:30:00Z", 6, offset: UTCOffset(minutes: 120)))
                == ["2026-06-02 2026-06-02T00:30:00+02:00"])
        // Without an offset, the date in the time zone applies.
        #expect(try days(points("2026-06-01T23:30:00Z", 6)) == ["2026-06-02 2026-06-01T23:30:00Z"])
    }

    @Test func stayPastMidnightCountsForDayOfArrival() throws {
        #expect(try days(points("2026-06-01T20:00:00Z", 100)) == ["2026-06-01 2026-06-01T20:00:00Z"])
    }

    @Test func dayHasFirstArrival() throws {
        let evening = try points("2026-06-01T18:00:00Z", 6)
        let morning = try points("2026-06-01T07:00:00Z", 6)
        #expect(try days(evening + morning) == ["2026-06-01 2026-06-01T07:00:00Z"])
        #expect(try days(points("2026-06-02T07:00:00Z", 6) + evening).count == 2)
    }

    @Test func visitIsStay() throws {
        func visit(_ end: String, _ metersNorth: Double = 0) throws -> TrackItem {
            .visit(
                from: try time("2026-06-01T08:00:00Z"), to: try time(end), try position(metersNorth),
                offset: UTCOffset(minutes: 60))
        }
        #expect(try days([visit("2026-06-01T08:20:00Z")]) == ["2026-06-01 2026-06-01T09:00:00+01:00"])
        #expect(try days([visit("2026-06-01T08:19:59Z")]) == [])
        #expect(try days([visit("2026-06-01T07:00:00Z")]) == [])
        #expect(try days([visit("2026-06-01T09:00:00Z", 101)]) == [])
    }

    /// The order of the points within the capacity, and the order of the parts of a track, have no effect.
    @Test func orderHasNoEffect() throws {
        var generator = SeededGenerator(seed: 7)
        var months: [[TrackItem]] = []
        for month in ["01", "02", "03"] {
            months.append(
                try points("2026-\(month)-01T08:00:00Z", 6) + points("2026-\(month)-01T09:00:00Z", 6, metersNorth: 500)
                    + points("2026-\(month)-02T09:00:00Z", 3) + points("2026-\(month)-04T09:00:00Z", 7))
        }
        let expected = try days(months.flatMap(\.self))
        #expect(expected.count == 6)
        #expect(try days(months.reversed().flatMap(\.self)) == expected)
        #expect(try days(months.flatMap(\.self).shuffled(using: &generator)) == expected)
    }

    @Test func memoryIsBounded() throws {
        let minute: Int64 = 60_000_000
        let home = try position(5000)
        let gym = try position()
        var stays = try stays([])
        // Each day has an hour at the position, in 2 months with reverse order.
        for month in [40, 0] {
            for day in month..<month + 30 {
                for point in 0..<17_280 {
                    let isThere = (7200..<7920).contains(point)
                    let at = Instant(microseconds: Int64(day) * 1440 * minute + Int64(point) * minute / 12)
                    stays.add(.point(at, isThere ? gym : home))
                }
            }
        }
        stays.complete()
        #expect(stays.arrivals.count == 60)
        #expect(stays.arrivals.first?.at.instant == Instant(microseconds: 600 * minute))
    }
}
