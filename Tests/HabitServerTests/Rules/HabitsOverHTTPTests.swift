import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules C-01 to C-06 over HTTP: habits.
///
/// They have the names of the tests on the command line.
@Suite(.serialized, .server(.rules)) struct HabitsOverHTTPTests {
    private static let long = String(repeating: "x", count: 21)
    private static let longReason = String(repeating: "x", count: 31)
    private static let list = "habits/items"
    private static let run = "habits/items/run"

    private static let refused: [RefusedRequest] = [
        // C-01
        .init(.post, list, as: "owner", body: #"{"days":"mon"}"#, is: 422, slug: "title-empty"),
        .init(
            .post, list, as: "owner",
            body: #"{"days":"mon","title":""}"#,
            is: 422, slug: "title-empty"),
        .init(
            .post, list, as: "owner",
            body: #"{"days":"mon","title":"\u3000\t"}"#,
            is: 422, slug: "title-empty"),
        .init(
            .post, list, as: "owner",
            body: #"{"days":"mon","title":"\#(long)"}"#,
            is: 422, slug: "title-too-long"),
        .init(
            .post, list, as: "owner",
            body: #"{"days":"mon","title":"a\u0000b"}"#,
            is: 422, slug: "text-invalid"),
        .init(
            .post, list, as: "owner",
            body: #"{"days":"mon","title":"x","reason":"\#(longReason)"}"#,
            is: 422, slug: "reason-too-long"),
        .init(.post, list, as: "owner", body: #"{"title":"x"}"#, is: 422, slug: "schedule-empty"),
        .init(
            .post, list, as: "owner",
            body: #"{"title":"x","days":""}"#,
            is: 422, slug: "schedule-empty"),
        .init(
            .post, list, as: "owner",
            body: #"{"title":"x","days":"0000000"}"#,
            is: 422, slug: "schedule-empty"),
        .init(
            .post, list, as: "owner",
            body: #"{"title":"x","days":"mon,someday"}"#,
            is: 422, slug: "schedule-invalid"),
        .init(
            .post, list, as: "owner",
            body: #"{"title":"x","days":"8"}"#,
            is: 422, slug: "schedule-invalid"),
        .init(
            .post, list, as: "owner",
            body: #"{"title":"x","days":"mon","start":"2026-02-30"}"#,
            is: 422, slug: "day-invalid"),
        .init(
            .post, list, as: "owner",
            body: #"{"title":"x","days":"mon","start":"2026-12-02","end":"2026-12-01"}"#,
            is: 422, slug: "day-invalid"),
        .init(
            .post, list, as: nil,
            body: #"{"title":"x","days":"mon"}"#,
            is: 401, slug: "not-signed-in"),
        .init(
            .post, list, as: "operator",
            body: #"{"title":"x","days":"mon"}"#,
            is: 403, slug: "not-signed-in"),
        .init(
            .post, list, as: "nobody",
            body: #"{"title":"x","days":"mon"}"#,
            is: 401, slug: "not-signed-in"),
        // C-02
        .init(.get, run, as: "pending", is: 404, slug: "not-found"),
        .init(.get, run, as: "rejected", is: 404, slug: "not-found"),
        .init(.get, "habits/items/read", as: "stranger", is: 404, slug: "not-found"),
        .init(.get, "habits/items/none", as: "owner", is: 404, slug: "not-found"),
        .init(.get, "habits/items/other", as: "owner", is: 404, slug: "not-found"),
        .init(.get, run, as: nil, is: 401, slug: "not-signed-in"),
        // C-03
        .init(.patch, run, as: "owner", body: #"{"title":""}"#, is: 422, slug: "title-empty"),
        .init(
            .patch, run, as: "owner",
            body: #"{"reason":"new","title":"\#(long)"}"#,
            is: 422, slug: "title-too-long"),
        .init(
            .patch, run, as: "owner",
            body: #"{"title":"New","reason":"\#(longReason)"}"#,
            is: 422, slug: "reason-too-long"),
        .init(
            .patch, run, as: "owner",
            body: #"{"title":"New","days":""}"#,
            is: 422, slug: "schedule-empty"),
        .init(
            .patch, run, as: "owner",
            body: #"{"title":"New","days":"someday"}"#,
            is: 422, slug: "schedule-invalid"),
        .init(
            .patch, run, as: "owner",
            body: #"{"days":"mon","end":"2026-08-31"}"#,
            is: 422, slug: "day-invalid"),
        .init(.patch, run, as: "owner", body: #"{"end":"soon"}"#, is: 422, slug: "day-invalid"),
        .init(.patch, "habits/items/none", as: "owner", body: #"{"title":"New"}"#, is: 404, slug: "not-found"),
        .init(.patch, run, as: "all", body: #"{"title":"New"}"#, is: 403, slug: "not-yours"),
        .init(.patch, run, as: "latest", body: #"{"title":"New"}"#, is: 403, slug: "not-yours"),
        .init(.patch, run, as: "pending", body: #"{"title":"New"}"#, is: 404, slug: "not-found"),
        .init(.patch, run, as: "rejected", body: #"{"title":"New"}"#, is: 404, slug: "not-found"),
        .init(.patch, "habits/items/read", as: "stranger", body: #"{"title":"New"}"#, is: 404, slug: "not-found"),
        .init(.patch, run, as: nil, body: #"{"title":"New"}"#, is: 401, slug: "not-signed-in"),
        .init(.patch, run, as: "operator", body: #"{"title":"New"}"#, is: 403, slug: "not-signed-in"),
        // C-04
        .init(.delete, "habits/items/none", as: "owner", is: 404, slug: "not-found"),
        .init(.delete, run, as: "all", is: 403, slug: "not-yours"),
        .init(.delete, run, as: "latest", is: 403, slug: "not-yours"),
        .init(.delete, run, as: "pending", is: 404, slug: "not-found"),
        .init(.delete, run, as: "rejected", is: 404, slug: "not-found"),
        .init(.delete, "habits/items/read", as: "stranger", is: 404, slug: "not-found"),
        .init(.delete, run, as: "operator", is: 403, slug: "not-signed-in"),
    ]

    @Test func invalidHabitRequestIsRefused() async throws {
        try await ServerFixture.shared.expectRefusals(Self.refused)
    }

    @Test func addReturnsHabitThatStartsToday() async throws {
        try await ServerFixture(.rules).run { client in
            let made = try await client.call(
                .post, Self.list, as: "owner", body: #"{"title":"Evening walk","days":"mon wed","reason":"Air"}"#)
            #expect(made.status == 201, "\(made)")
            let texts = [
                "user": "owner", "title": "Evening walk", "reason": "Air", "days": "mon wed", "start": "2026-11-20",
                "status": "New", "color": "#6b726d",
            ]
            for (name, text) in texts { #expect(made.properties[name] as? String == text, "\(name): \(made)") }
            for name in ["streak_current", "streak_longest", "score"] {
                #expect(made.properties[name] as? Double == 0, "\(name): \(made)")
            }
            let empty = [
                "end", "completion_rate", "times", "period_days", "target_amount", "unit", "tint", "symbol", "rank",
                "remind_at",
            ]
            for name in empty {
                #expect(made.properties[name] is NSNull, "\(name): \(made)")
            }
            let id = try #require(made.json["id"] as? String)
            #expect(try await client.call(Self.list, as: "owner").ids.contains(id))
        }
    }

    /// Limits count grapheme clusters, and texts are stored in NFC.
    @Test(arguments: [
        (String(repeating: "x", count: 20), String(repeating: "y", count: 30), "1010000", "mon wed"),
        (String(repeating: "👨‍👩‍👧‍👦", count: 20), String(repeating: "e\u{301}", count: 30), "1,3", "mon wed"),
        ("x", "", "mon,tue,wed,thu,fri,sat,sun", "mon tue wed thu fri sat sun"), ("-x", "-y", "sun,sun", "sun"),
    ])
    func addAcceptsValuesAtLimit(title: String, reason: String, days: String, stored: String) async throws {
        try await ServerFixture(.rules).run { client in
            let span = #""start":"2026-12-01","end":"2026-12-01""#
            let body = #"{"title":"\#(title)","reason":"\#(reason)","days":"\#(days)",\#(span)}"#
            let made = try await client.call(.post, Self.list, as: "owner", body: body)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["days"] as? String == stored, "\(made)")
            #expect(made.properties["title"] as? String == title)
            #expect(made.properties["reason"] as? String ?? "" == reason)
            #expect(made.text.contains("é") == reason.contains("e\u{301}"), "the text is in NFC: \(made)")
            #expect(made.properties["end"] as? String == "2026-12-01")
        }
    }

    @Test func showReturnsWeeksOnlyToOwner() async throws {
        try await ServerFixture.shared.run { client in
            let own = try await client.call(Self.run, as: "owner").properties
            #expect(own["reason"] as? String == "secret reason", "\(own)")
            #expect(own["completion_rate"] as? Double == 0.12, "\(own)")
            #expect(own["streak_current"] as? Int == 3)
            #expect(own["streak_longest"] as? Int == 3)
            let path = "completion?from=2026-11-09&to=2026-11-20&by=week&habit=run"
            let weeks = try await client.report(path, as: "owner")
            #expect(weeks.map { $0["name"] as? String } == ["2026-11-09", "2026-11-16"], "\(weeks)")
            #expect(weeks.map { $0["due"] as? Int } == [7, 4])
            #expect(weeks.map { $0["done"] as? Int } == [0, 3])
            for follower in ["all", "latest"] {
                let seen = try await client.call(Self.run, as: follower).properties
                for hidden in ["reason", "completion_rate", "streak_current", "streak_longest", "score"] {
                    #expect(seen[hidden] is NSNull, "\(hidden): \(seen)")
                }
                #expect(seen["title"] as? String == "Run")
                #expect(seen["status"] as? String == "Inactive")
                #expect(seen["color"] as? String == "#9b1c4b")
                #expect(seen["days"] as? String == own["days"] as? String)
                #expect(try await client.report(path, as: follower).isEmpty)
            }
        }
    }

    /// The errors of hidden and missing records are equal.
    @Test func hiddenRecordCausesSameErrorAsMissingRecord() async throws {
        try await ServerFixture.shared.run { client in
            for (method, resource, body, name) in [
                (.get, "habits/items/NAME", nil, "run"), (.patch, "habits/items/NAME", #"{"title":"x"}"#, "run"),
                (.delete, "habits/items/NAME", nil, "run"), (.get, "events/items?habit=NAME", nil, "run"),
                (.post, "events/items", #"{"habit":"NAME"}"#, "run"), (.get, "events/items/NAME", nil, "r19"),
                (.patch, "events/items/NAME", #"{"comment":"x"}"#, "r19"), (.delete, "events/items/NAME", nil, "r19"),
                (.get, "events/items/NAME/photo", nil, "r19"),
            ] as [(HTTPRequest.Method, String, String?, String)] {
                func answer(_ id: String) async throws -> ServerResponse {
                    try await client.call(
                        method, resource.replacing("NAME", with: id), as: "pending",
                        body: body?.replacing("NAME", with: id))
                }
                let hidden = try await answer(name)
                let missing = try await answer("zzz")
                #expect(hidden.status == 404, "\(method) \(resource): \(hidden)")
                #expect(missing.status == 404, "\(method) \(resource): \(hidden)")
                #expect(hidden.text.replacing(name, with: "zzz") == missing.text, "\(method) \(resource)")
            }
        }
    }

    @Test func editKeepsOmittedFields() async throws {
        try await ServerFixture(.rules).run { client in
            let expected = try await client.call(Self.run, as: "owner").sortedProperties.map { property in
                property.replacing("title: Run", with: "title: Jog").replacing("secret reason", with: "<null>")
                    .replacing("end: <null>", with: "end: 2026-12-31")
            }
            let edited = try await client.call(
                .patch, Self.run, as: "owner", body: #"{"title":"Jog","reason":null,"end":"2026-12-31"}"#)
            #expect(edited.sortedProperties == expected, "\(edited)")
            let read = try await client.call(Self.run, as: "owner")
            #expect(read.sortedProperties == expected, "\(read)")
            let open = try await client.call(.patch, Self.run, as: "owner", body: #"{"end":null}"#)
            #expect(open.properties["end"] is NSNull, "\(open)")
        }
    }

    @Test func deleteRemovesEventsOfHabit() async throws {
        try await ServerFixture(.rules).run { client in
            let deleted = try await client.call(.delete, Self.run, as: "owner")
            #expect(deleted.status == 204, "\(deleted)")
            for resource in [Self.run, "events/items/r19", "events/items/r17/photo"] {
                #expect(try await client.call(resource, as: "owner").status == 404, "\(resource)")
            }
            #expect(try await client.call("events/items", as: "owner").ids == ["b18"])
            #expect(try await client.call("events/items", as: "operator").ids == ["b18", "x18"])
            #expect(try await client.call("events/items?near=10,50&scope=all", as: "all").ids == ["b18"])
        }
    }

    /// Rules C-05 and C-22.
    @Test func listContainsOnlyHabitsOfActor() async throws {
        try await ServerFixture.shared.run { client in
            let own = try await client.call(Self.list + "?user=owner", as: "owner")
            #expect(Set(own.ids) == ["gone", "run", "soon", "read", "twin-1", "twin-2"], "\(own)")
            let states = own.values("status")
            let colors = own.values("color")
            let rates = own.values("completion_rate", as: Double.self)
            for (index, id) in own.ids.enumerated() {
                let status = states[index]
                let color = colors[index]
                let rate = rates[index]
                let isNew = id == "soon"
                #expect(status == (isNew ? "New" : "Inactive"), "\(id)")
                #expect(color == (isNew ? "#6b726d" : "#9b1c4b"), "\(id)")
                #expect(rate == ["run": 0.12, "read": 0.125, "soon": nil][id, default: 0], "\(id)")
            }
            #expect(try await client.call(Self.list + "?user=all", as: "all").ids.isEmpty)
            #expect(try await client.call(Self.list, as: "stranger").ids == ["other"])
            #expect(try await client.call(Self.list, as: "operator").ids.count == 12, "the operator sees all habits")
        }
    }

    /// Rule C-06: the list depends on schedule, start, end and recorded events.
    @Test func todoListsHabitsDueToday() async throws {
        let clock = TestClock()
        try await ServerFixture(.rules) { $0.clock = { clock.now } }.run { client in
            func rows() async throws -> [String] {
                try await client.report("todo?user=owner", as: "owner").map { row in
                    let event = row["event"] as? String ?? "-"
                    let outcome = row["outcome"] as? String ?? "-"
                    return "\(row["habit"] ?? "") \(row["done"] as? Bool == true) \(event) \(outcome)"
                }
            }
            #expect(try await rows() == ["run false - -", "read false - -"])
            let skip = #"{"habit":"read","outcome":"skipped"}"#
            let skipped = try await client.call(.post, "events/items", as: "owner", body: skip)
            let skipID = skipped.json["id"] as? String ?? ""
            #expect(try await rows() == ["run false - -", "read false \(skipID) skipped"])
            let done = try await client.call(.post, "events/items", as: "owner", body: #"{"habit":"run"}"#)
            let doneID = done.json["id"] as? String ?? ""
            #expect(try await rows() == ["read false \(skipID) skipped", "run true \(doneID) done"])
            for (day, due) in [
                ("2026-08-31", []), ("2026-11-17", ["gone", "run", "twin-1", "twin-2"]), ("2026-11-19", ["run"]),
                ("2026-11-23", ["read", "run", "soon"]),
            ] {
                clock.set("\(day)T12:00:00Z")
                let found = try await client.report("todo?user=owner", as: "owner").compactMap {
                    $0["habit"] as? String
                }
                #expect(found.sorted() == due, "\(day)")
            }
        }
    }
}
