import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the digests that decide whether a nightly run is repeated.
@Suite struct DayDigestTests {
    private static func records() -> [Record] {
        [
            .user("ann"), .habit("run", of: "ann"),
            .event("run", "2026-11-18", id: "e1", at: Position(longitude: -9.1393, latitude: 38.7223)),
            .event("run", "2026-11-19", id: "e2", at: nil),
        ]
    }

    /// Stores with equal records have equal digests on both engines, so a copied store repeats no nightly run.
    @Test func digestOfEventsIsTheSameOnEveryEngine() throws {
        let store = try TestStore()
        try store.write(Self.records())
        let day = try #require(Day("2026-11-18"))
        let digests = try store.engine.read { session in
            try DayDigests(day...day.advanced(by: 1), of: [.events], in: session)
        }
        #expect(
            digests.digests(of: day) == [.events: "e44dce4b1735599caca565c03be6a9669fd3d3fa0508c100d543908999d4f71d"])
        #expect(
            digests.digests(of: day.advanced(by: 1)) == [
                .events: "7bf1f4944406a835bfe354a6d13a0b914158644144d7ac7781a651cd2e56880b"
            ])
    }
}
