import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the order of the habits that are due on a day.
@Suite struct DayPlanTests {
    private static func habit(_ id: String, title: String, rank: Int?) -> Record {
        var habit = HabitRecord(id: id, user: "ann", title: title, schedule: .everyDay)
        habit.rank = rank.map { rank in .value(rank) } ?? .absent
        return .habit(habit)
    }

    @Test func openHabitsPrecedeOthersByRankAndTitle() throws {
        let store = try TestStore()
        try store.write([
            .user("ann"),
            Self.habit("1", title: "swim", rank: nil),
            Self.habit("2", title: "Run", rank: nil),
            Self.habit("3", title: "walk", rank: 7),
            Self.habit("4", title: "read", rank: 0),
            Self.habit("5", title: "cook", rank: 1),
            .event("5", "2026-11-20"),
        ])
        let now = try #require(OffsetInstant("2026-11-20T12:00:00Z"))
        let titles = try store.engine.read { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            let user = try ActingUser(viewer, clock: Clock(now: now.instant), in: session)
            return try DayPlan(of: user).habits.map(\.title)
        }
        #expect(titles == ["read", "walk", "Run", "swim", "cook"])
    }
}
