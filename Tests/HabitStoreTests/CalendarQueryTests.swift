import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the limits of a user's calendar: its first day and the target amounts of its events.
@Suite struct CalendarQueryTests {
    /// Returns the IDs of the events in the calendar of `ann` on 2026-11-20.
    private static func events(_ events: [Record], target: Double? = nil) throws -> [String] {
        let store = try TestStore()
        var habit = HabitRecord(id: "run", user: "ann", title: "Run", schedule: .everyDay)
        habit.targetAmount = target.map { amount in .value(amount) } ?? .absent
        try store.write([.user("ann"), .habit(habit)] + events)
        let now = try #require(OffsetInstant("2026-11-20T12:00:00Z"))
        let rows = try store.rows(as: "ann", columns: ["id"]) { session, viewer in
            try CalendarQuery(viewer, clock: Clock(now: now.instant), in: session).events
        }
        return rows.flatMap(\.self)
    }

    private static func event(_ id: String, on day: String, amount: Double) -> Record {
        var event = EventRecord(habit: "run")
        event.id = id
        event.day = Day(day)
        event.details.amount = .value(amount)
        return .event(event)
    }

    @Test func calendarBeginsAYearBeforeToday() throws {
        let events: [Record] = [
            .event("run", "2025-11-19", id: "before"), .event("run", "2025-11-20", id: "first"),
            .event("run", "2026-11-20", id: "last"),
        ]
        #expect(try Self.events(events) == ["first", "last"])
    }

    @Test func eventIsDoneFromTargetAmountOn() throws {
        let events = [
            Self.event("below", on: "2026-11-17", amount: 1.9), Self.event("exact", on: "2026-11-18", amount: 2),
            Self.event("above", on: "2026-11-19", amount: 2.1),
        ]
        #expect(try Self.events(events, target: 2) == ["exact", "above"])
    }
}
