import Foundation
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules M-06 and M-07 over HTTP: targets and amounts.
///
/// They have the names of the tests on the command line.
@Suite(.serialized) struct TargetsOverHTTPTests {
    private static let gym = "habits/items/owner%3Agym"

    /// Creates a habit and its events on days of November, each with an amount or `null`.
    private static func create(
        _ id: String, fields: String, events: [(day: Int, amount: String)], _ client: ServerClient
    ) async throws {
        let habit = #"{"id":"owner:\#(id)","title":"\#(id)",\#(fields)}"#
        let made = try await client.call(.post, "habits/items", as: "owner", body: habit)
        try #require(made.status == 201, "\(made)")
        for event in events { try await add(id, day: event.day, amount: event.amount, client) }
    }

    private static func add(_ id: String, day: Int, amount: String = "null", _ client: ServerClient) async throws {
        let date = "2026-11-\(day < 10 ? "0" : "")\(day)"
        let habit = "owner:\(id)"
        let body = #"{"id":"\#(habit)-\#(day)","habit":"\#(habit)","day":"\#(date)","amount":\#(amount)}"#
        let made = try await client.call(.post, "events/items", as: "owner", body: body)
        try #require(made.status == 201, "\(made)")
        #expect(made.properties["unplanned"] as? Bool == false, "\(made)")
    }

    /// Creates a habit with the target of 2 completions in 4 days, and events on 3 days.
    private static func createGym(_ client: ServerClient) async throws {
        try await create(
            "gym", fields: #""times":2,"period_days":4,"start":"2026-11-09""#,
            events: [10, 12, 18].map { ($0, "null") }, client)
    }

    private static func statistics(of habit: String, _ client: ServerClient) async throws -> [String] {
        let habit = try await client.call(habit, as: "owner").properties
        return ["status", "completion_rate", "streak_current", "streak_longest"].map { "\(habit[$0] ?? "")" }
    }

    private static func isToDo(_ habit: String, _ client: ServerClient) async throws -> Bool? {
        let todo = try await client.report("todo?user=owner", as: "owner")
        return todo.first { $0["habit"] as? String == habit }?["done"] as? Bool
    }

    // MARK: M-06

    @Test func satisfiedDaysGiveRateAndStreaks() async throws {
        try await ServerFixture(.rules).run { client in
            try await Self.createGym(client)
            #expect(try await Self.statistics(of: Self.gym, client) == ["Near goal", "0.454545", "0", "5"])
            try await Self.add("gym", day: 20, client)
            #expect(try await Self.statistics(of: Self.gym, client) == ["Near goal", "0.75", "4", "5"])
        }
    }

    @Test func skippedDayCountsInNoPeriod() async throws {
        try await ServerFixture(.rules).run { client in
            try await Self.createGym(client)
            let skip = #"{"habit":"owner:gym","day":"2026-11-16","outcome":"skipped"}"#
            #expect(try await client.call(.post, "events/items", as: "owner", body: skip).status == 201)
            #expect(try await Self.statistics(of: Self.gym, client) == ["Near goal", "0.5", "0", "5"])
        }
    }

    @Test func habitWithTargetIsToDoUnlessEarlierDaysSatisfyIt() async throws {
        try await ServerFixture(.rules).run { client in
            try await Self.createGym(client)
            #expect(try await Self.isToDo("owner:gym", client) == false)
            try await Self.add("gym", day: 19, client)
            #expect(try await Self.isToDo("owner:gym", client) == nil)
        }
    }

    @Test func everyDayAcceptsPlannedEvent() async throws {
        try await ServerFixture(.rules).run { client in
            try await Self.createGym(client)
            for day in [9, 11, 20] { try await Self.add("gym", day: day, client) }
            let early = try await client.call(
                .post, "events/items", as: "owner", body: #"{"habit":"owner:gym","day":"2026-11-08"}"#)
            #expect(early.status == 422, "\(early)")
            #expect(early.slug == "event-not-due", "\(early)")
        }
    }

    /// A follower sees the schedule.
    @Test func listShowsTarget() async throws {
        try await ServerFixture(.rules).run { client in
            try await Self.createGym(client)
            for user in ["owner", "all"] {
                let list = try await client.call("habits/items?user=owner&filter=times%3D2", as: user)
                try #require(list.ids == ["owner:gym"], "\(list)")
                #expect(list.values("period_days", as: Int.self) == [4], "\(list)")
                #expect(list.values("days") == [nil], "\(list)")
            }
        }
    }

    @Test func reportsCountSatisfiedDays() async throws {
        try await ServerFixture(.rules).run { client in
            try await Self.createGym(client)
            let path = "completion?by=habit&from=2026-11-09&to=2026-11-19&habit=owner:gym"
            let rows = try await client.report(path, as: "owner")
            #expect(rows.map { $0["completion_rate"] as? Double } == [0.454545], "\(rows)")
        }
    }

    @Test func newTargetAppliesFromToday() async throws {
        try await ServerFixture(.rules).run { client in
            func days() async throws -> [String] {
                let path = "completion?by=day&from=2026-09-01&to=2026-11-19&habit=run"
                return try await client.report(path, as: "owner").map { "\($0["name"] ?? "") \($0["due"] ?? "")" }
            }
            let before = try await days()
            let edited = try await client.call(
                .patch, "habits/items/run", as: "owner", body: #"{"times":1,"period_days":7}"#)
            #expect(edited.properties["days"] is NSNull, "\(edited)")
            #expect(edited.properties["times"] as? Int == 1, "\(edited)")
            #expect(try await days() == before)
            #expect(before.count == 80)
        }
    }

    // MARK: M-07

    @Test func amountBelowTargetIsStoredAndNotDone() async throws {
        let fields = #""days":"1111111","start":"2026-11-17","target_amount":8,"unit":"glasses""#
        try await ServerFixture(.rules).run { client in
            let water = "habits/items/owner%3Awater"
            try await Self.create("water", fields: fields, events: [(17, "null"), (18, "7.5"), (19, "8")], client)
            #expect(try await Self.statistics(of: water, client) == ["Inactive", "0.333333", "1", "1"])
            let events = try await client.call("events/items?habit=owner:water", as: "owner")
            #expect(events.values("amount", as: Double.self) == [8, 7.5, nil], "\(events)")
            #expect(events.values("outcome") == ["done", "done", "done"], "\(events)")
            let own = try await client.call(water, as: "owner").properties
            #expect(own["target_amount"] as? Double == 8, "\(own)")
            #expect(own["unit"] as? String == "glasses", "\(own)")
            let seen = try await client.call(water, as: "all").properties
            #expect(seen["target_amount"] is NSNull, "only the owner sees them: \(seen)")
            #expect(seen["unit"] is NSNull, "only the owner sees them: \(seen)")
            let more = try await client.call(
                .patch, "events/items/owner%3Awater-18", as: "owner", body: #"{"amount":9}"#)
            #expect(more.status == 200, "\(more)")
            #expect(try await Self.statistics(of: water, client) == ["Near goal", "0.666667", "2", "2"])
            let none = try await client.call(.patch, water, as: "owner", body: #"{"target_amount":null}"#)
            #expect(none.status == 200, "\(none)")
            #expect(try await Self.statistics(of: water, client) == ["On track", "1", "3", "3"])
        }
    }

    @Test(arguments: [("null", false), ("1", false), ("2.5", true)])
    func todoIsDoneOnlyIfAmountReachesTarget(amount: String, isDone: Bool) async throws {
        let fields = #""days":"1111111","start":"2026-11-17","target_amount":2.5,"unit":"km""#
        try await ServerFixture(.rules).run { client in
            try await Self.create("swim", fields: fields, events: [(20, amount)], client)
            #expect(try await Self.isToDo("owner:swim", client) == isDone)
        }
    }

    private static let refused: [RefusedRequest] =
        [
            (#""times":3"#, "schedule-invalid"), (#""period_days":7"#, "schedule-invalid"),
            (#""times":8,"period_days":7"#, "schedule-invalid"), (#""times":0,"period_days":7"#, "schedule-invalid"),
            (#""times":1,"period_days":10000"#, "schedule-invalid"),
            (#""days":"mon","times":1,"period_days":7"#, "schedule-invalid"),
            (#""days":"mon","target_amount":0"#, "field-invalid"),
            (#""days":"mon","target_amount":"many""#, "field-invalid"),
            (#""days":"mon","unit":"\#(String(repeating: "x", count: 21))""#, "field-invalid"),
        ].map { members, slug in
            .init(.post, "habits/items", as: "owner", body: #"{"title":"x",\#(members)}"#, is: 422, slug: slug)
        } + [
            .init(
                .post, "events/items", as: "owner",
                body: #"{"habit":"run","amount":-1}"#,
                is: 422, slug: "field-invalid"),
            .init(
                .post, "events/items", as: "owner",
                body: #"{"habit":"run","amount":"inf"}"#,
                is: 422, slug: "field-invalid"),
        ]

    @Test func invalidTargetOrAmountIsRefused() async throws {
        try await ServerFixture(.rules).expectRefusals(Self.refused)
    }
}
