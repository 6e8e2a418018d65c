import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that a list of events has the statuses of all habits, also if it has more habits than lookups are kept.
@Suite(.engineIndependent) struct HabitLookupTests {
    private static let today = Day("2026-11-20") ?? .first
    private static let clock = Clock(now: OffsetInstant("2026-11-20T12:00:00Z").map(\.instant) ?? .now)

    /// Returns habits with different statuses, each with events on two or more days.
    private static func store(habits: Int) throws -> TestStore {
        let store = try TestStore()
        var records: [Record] = [.user("ann"), .user("bob"), .follow("bob", "ann")]
        for number in 0..<habits {
            var habit = HabitRecord(id: "h\(number)", user: "ann", title: "h\(number)", schedule: .everyDay)
            habit.start = .value(today.advanced(by: -20))
            records.append(.habit(habit))
            // The numbers of done days are from 2 to 21 of 21.
            for back in 0..<(2 + number * 7 % 20) {
                var event = EventRecord(habit: habit.id)
                event.day = today.advanced(by: -back)
                records.append(.event(event))
            }
        }
        try store.write(records)
        return store
    }

    @Test(arguments: [-1, 0, 1]) func eventsHaveStatusesOfTheirHabits(difference: Int) throws {
        let count = HabitFunctions.foundLimit + difference
        let store = try Self.store(habits: count)
        try store.engine.read { session in
            try Self.expectStatuses(of: count, for: .operator, in: session)
            for user in ["ann", "bob"] {
                try Self.expectStatuses(of: count, for: try .user(named: user, in: session), in: session)
            }
        }
    }

    /// Compares the statuses in the list of events with those in the list of habits.
    private static func expectStatuses(of count: Int, for viewer: Viewer, in session: any Session) throws {
        var habits = HabitQuery(viewer: viewer, clock: Self.clock)
        habits.isOfAll = true
        let statuses = try HabitStatuses(habits, in: session)
        var query = EventQuery(viewer: viewer)
        query.standing = Self.clock
        query.page = Page(limit: 100_000)
        let selection = try query.selection(in: session)
        let habit = try #require(selection.shape.columns.first { column in column.name == "habit" })
        let status = try #require(selection.shape.columns.first { column in column.name == "status" })
        var known: Set<String> = []
        var words: Set<String> = []
        try session.query(selection.sql) { row in
            let id = row.text(habit.index) ?? ""
            let word = row.text(status.index)
            #expect(word == statuses[id], "\(id)")
            known.insert(id)
            words.insert(word ?? "none")
            return true
        }
        #expect(known.count == count)
        #expect(words.count == 3, "\(words)")
    }
}
