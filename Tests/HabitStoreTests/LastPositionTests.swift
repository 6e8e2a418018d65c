import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the position that `last` stands for: that of the newest event of the user with a position.
@Suite struct LastPositionTests {
    private static func position(_ longitude: Double) throws -> Position {
        try #require(Position(longitude: longitude, latitude: 1))
    }

    /// Writes the events and returns the longitude of the last position of `ann`.
    private static func last(_ events: [Record]) throws -> Double? {
        let store = try TestStore()
        let habits = ["a", "b"].map { id in Record.habit(id, of: "ann") }
        try store.write([.user("ann"), .user("bob")] + habits + [.habit("c", of: "bob")] + events)
        return try store.engine.read { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            return try LastPosition(viewer: viewer).find(in: session)?.longitude
        }
    }

    @Test func laterDayPrecedes() throws {
        let events: [Record] = [
            .event("a", "2026-11-19", id: "2", at: try Self.position(1)),
            .event("b", "2026-11-20", id: "1", at: try Self.position(2)),
            .event("a", "2026-11-21", id: "3"),
            .event("c", "2026-11-22", id: "4", at: try Self.position(3)),
        ]
        #expect(try Self.last(events) == 2)
    }

    /// Events of the same time have the order of the history, in which the ID is descending.
    @Test func laterIDPrecedesAtSameTime() throws {
        let events: [Record] = [
            .event("a", "2026-11-20", id: "1", at: try Self.position(1)),
            .event("b", "2026-11-20", id: "2", at: try Self.position(2)),
        ]
        #expect(try Self.last(events) == 2)
        #expect(try Self.last(events.reversed()) == 2)
    }
}
