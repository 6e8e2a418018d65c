import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the positions of a track at given instants.
@Suite(.engineIndependent) struct TrackPositionsTests {
    private func minute(_ number: Double) -> Instant { Instant(microseconds: Int64(number * 60_000_000)) }

    private func place(_ longitude: Double, _ latitude: Double) throws -> Position {
        try #require(Position(longitude: longitude, latitude: latitude))
    }

    private func position(at number: Double, _ items: [TrackItem]) throws -> Position? {
        var results: [Position?] = []
        for items in [items, items.reversed()] {
            var positions = TrackPositions([minute(-100), minute(number), minute(500)])
            for item in items { positions.add(item) }
            positions.complete()
            results.append(positions[minute(number)])
        }
        // The order of the items does not matter.
        #expect(results[0] == results[1])
        return results[0]
    }

    @Test func instantBetweenPointsIsInterpolated() throws {
        let track: [TrackItem] = [
            .point(minute(-60), try place(9, 9)), .point(minute(0), try place(10, 20)),
            .point(minute(10), try place(11, 22)), .point(minute(60), try place(9, 9)),
        ]
        #expect(try position(at: 5, track) == place(10.5, 21))
        #expect(try position(at: 0, track) == place(10, 20))
        #expect(try position(at: 10, track) == place(11, 22))
        #expect(try position(at: 11, track) == nil)
        #expect(try position(at: 61, track) == nil)
    }

    @Test func interpolationTakesShorterWay() throws {
        let track: [TrackItem] = [
            .point(minute(0), try place(179, 0)),
            .point(minute(10), try place(-179, 2)),
        ]
        #expect(try position(at: 5, track) == place(180, 1))
        #expect(try position(at: 9, track) == place(-179.2, 1.8))
    }

    @Test func visitWithLatestStartTakesPrecedence() throws {
        let track: [TrackItem] = [
            .point(minute(0), try place(0, 1)), .point(minute(10), try place(0, 2)),
            .visit(from: minute(-5), to: minute(30), try place(1, 1)),
            .visit(from: minute(2), to: minute(6), try place(2, 2)),
        ]
        #expect(try position(at: 5, track) == place(2, 2))
        #expect(try position(at: 7, track) == place(1, 1))
        #expect(try position(at: 31, track) == nil)
    }
}
