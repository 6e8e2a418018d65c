import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules C-08 to C-11, C-24 and C-25 over HTTP: events.
///
/// They have the names of the tests on the command line.
@Suite(.serialized) struct EventsOverHTTPTests {
    private static let long = String(repeating: "x", count: 21)
    private static let list = "events/items"
    private static let r18 = "events/items/r18"
    private static let r19 = "events/items/r19"

    /// Returns the body of a request with a photo.
    private static func photo(_ data: Data) -> String { #"{"habit":"run","photo":"\#(data.base64EncodedString())"}"# }

    private static let refused: [RefusedRequest] = [
        // C-08
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"read","day":"2026-11-19"}"#,
            is: 422, slug: "event-not-due"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","day":"2026-08-31"}"#,
            is: 422, slug: "event-not-due"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"gone","day":"2026-11-19"}"#,
            is: 422, slug: "event-not-due"),
        .init(.post, list, as: "owner", body: #"{"habit":"soon"}"#, is: 422, slug: "event-not-due"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","day":"2026-11-21"}"#,
            is: 422, slug: "day-in-future"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","at":"2026-11-21T09:00:00Z"}"#,
            is: 422, slug: "day-in-future"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","comment":"\#(long)"}"#,
            is: 422, slug: "comment-too-long"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","comment":"a\u0000b"}"#,
            is: 422, slug: "text-invalid"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","day":"2026-11-19"}"#,
            is: 409, slug: "event-exists"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","day":"2026-02-30"}"#,
            is: 422, slug: "day-invalid"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","at":"noon"}"#,
            is: 422, slug: "instant-invalid"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","longitude":0,"latitude":91}"#,
            is: 400, slug: "position-invalid"),
        .init(.post, list, as: "owner", body: photo(Data("no picture".utf8)), is: 422, slug: "photo-invalid"),
        .init(
            .post, list, as: "owner",
            body: photo(TestImage.png(byteCount: 65_536)),
            is: 422, slug: "photo-too-large"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"twin","day":"2026-11-17"}"#,
            is: 400, slug: "usage"),
        .init(.post, list, as: "owner", body: #"{"habit":"none"}"#, is: 404, slug: "not-found"),
        .init(
            .post, list, as: "hidden",
            body: #"{"habit":"hidden-walk","longitude":0,"latitude":0}"#,
            is: 403, slug: "location-not-permitted"),
        .init(.post, list, as: "all", body: #"{"habit":"run"}"#, is: 403, slug: "not-yours"),
        .init(.post, list, as: "latest", body: #"{"habit":"run"}"#, is: 403, slug: "not-yours"),
        .init(.post, list, as: "pending", body: #"{"habit":"run"}"#, is: 404, slug: "not-found"),
        .init(.post, list, as: "rejected", body: #"{"habit":"run"}"#, is: 404, slug: "not-found"),
        .init(.post, list, as: "stranger", body: #"{"habit":"read"}"#, is: 404, slug: "not-found"),
        .init(.post, list, as: nil, body: #"{"habit":"run"}"#, is: 401, slug: "not-signed-in"),
        .init(.post, list, as: "operator", body: #"{"habit":"run"}"#, is: 403, slug: "not-signed-in"),
        // C-09
        .init(.get, r18, as: "latest", is: 404, slug: "not-found"),
        .init(.get, r19, as: "pending", is: 404, slug: "not-found"),
        .init(.get, r19, as: "rejected", is: 404, slug: "not-found"),
        .init(.get, r19, as: "stranger", is: 404, slug: "not-found"),
        .init(.get, "events/items/x18", as: "owner", is: 404, slug: "not-found"),
        .init(.get, "events/items/none", as: "operator", is: 404, slug: "not-found"),
        // C-10
        .init(
            .patch, r19, as: "owner",
            body: #"{"habit":"run","day":"2026-11-18"}"#,
            is: 409, slug: "event-exists"),
        .init(
            .patch, r19, as: "owner",
            body: #"{"comment":"new","day":"2026-11-21"}"#,
            is: 422, slug: "day-in-future"),
        .init(
            .patch, r19, as: "owner",
            body: #"{"habit":"run","day":"2026-08-31"}"#,
            is: 422, slug: "event-not-due"),
        .init(
            .patch, "events/items/b18", as: "owner",
            body: #"{"habit":"read","comment":"new","day":"2026-11-17"}"#,
            is: 422, slug: "event-not-due"),
        .init(
            .patch, r19, as: "owner",
            body: #"{"geometry":null,"properties":{"comment":"\#(long)"}}"#,
            is: 422, slug: "comment-too-long"),
        .init(
            .patch, r19, as: "owner",
            body: #"{"comment":"new","longitude":181,"latitude":0}"#,
            is: 400, slug: "position-invalid"),
        .init(
            .patch, r19, as: "owner",
            body: #"{"at":"2026-11-16T07:00:00Z","day":"2026-11-19"}"#,
            is: 422, slug: "day-mismatch"),
        .init(.patch, "events/items/none", as: "owner", body: #"{"comment":"new"}"#, is: 404, slug: "not-found"),
        .init(.patch, r19, as: "all", body: #"{"comment":"new"}"#, is: 403, slug: "not-yours"),
        .init(.patch, r19, as: "latest", body: #"{"comment":"new"}"#, is: 403, slug: "not-yours"),
        .init(.patch, r18, as: "latest", body: #"{"comment":"new"}"#, is: 404, slug: "not-found"),
        .init(.patch, r19, as: "pending", body: #"{"comment":"new"}"#, is: 404, slug: "not-found"),
        .init(.patch, r19, as: "stranger", body: #"{"comment":"new"}"#, is: 404, slug: "not-found"),
        .init(.patch, r19, as: "operator", body: #"{"comment":"new"}"#, is: 403, slug: "not-signed-in"),
        // C-11
        .init(.delete, "events/items/none", as: "owner", is: 404, slug: "not-found"),
        .init(.delete, r18, as: "all", is: 403, slug: "not-yours"),
        .init(.delete, r19, as: "latest", is: 403, slug: "not-yours"),
        .init(.delete, r18, as: "latest", is: 404, slug: "not-found"),
        .init(.delete, r19, as: "rejected", is: 404, slug: "not-found"),
        .init(.delete, r19, as: nil, is: 401, slug: "not-signed-in"),
        .init(.delete, r19, as: "operator", is: 403, slug: "not-signed-in"),
        // C-24
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"read","day":"2026-11-19","outcome":"skipped"}"#,
            is: 422, slug: "event-not-due"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","day":"2026-11-19","outcome":"skipped"}"#,
            is: 409, slug: "event-exists"),
        .init(
            .post, list, as: "owner",
            body: #"{"habit":"run","outcome":"skipped","comment":"\#(long)"}"#,
            is: 422, slug: "comment-too-long"),
        .init(
            .post, list, as: "all",
            body: #"{"habit":"run","outcome":"skipped"}"#,
            is: 403, slug: "not-yours"),
        .init(
            .post, list, as: "stranger",
            body: #"{"habit":"read","outcome":"skipped"}"#,
            is: 404, slug: "not-found"),
    ]

    @Test func invalidEventRequestIsRefused() async throws {
        try await ServerFixture(.rules).expectRefusals(Self.refused)
    }

    @Test func addRecordsEventOfTodayAndReturnsIt() async throws {
        try await ServerFixture(.rules).run { client in
            let body = #"{"habit":"STRASSE","comment":"fine"}"#
            let made = try await client.call(.post, Self.list, as: "owner", body: body)
            #expect(made.status == 201, "\(made)")
            #expect(made.json["geometry"] is NSNull, "\(made)")
            let texts = [
                "user": "owner", "habit": "read", "title": "Straße", "day": "2026-11-20",
                "at": "2026-11-20T12:00:00+00:00", "comment": "fine", "outcome": "done",
            ]
            for (name, text) in texts { #expect(made.properties[name] as? String == text, "\(name): \(made)") }
            #expect(made.properties["has_photo"] as? Bool == false)
            #expect(made.properties["unplanned"] as? Bool == false)
            #expect(made.properties["amount"] is NSNull)
            let id = try #require(made.json["id"] as? String)
            let seen = try await client.call("events/items/\(id.urlEncoded)", as: "all")
            #expect(seen.sortedProperties == made.sortedProperties, "\(seen)")
            let todo = try await client.report("todo?user=owner", as: "owner")
            #expect(todo.first { $0["habit"] as? String == "read" }?["event"] as? String == id, "\(todo)")
            let again = try await client.call(.post, Self.list, as: "owner", body: #"{"habit":"read"}"#)
            #expect(again.status == 409, "\(again)")
            #expect(again.slug == "event-exists", "\(again)")
            let parameters = again.json["parameters"] as? [String: String]
            #expect(parameters == ["day": "2026-11-20", "event": id])
            #expect(try await client.call(Self.list, as: "operator").ids.count == 6)
        }
    }

    /// The first and the last day of a habit are valid, and the extreme coordinates are valid, too.
    @Test func addAcceptsValuesAtLimit() async throws {
        let accepted = [
            (#"{"habit":"run","day":"2026-09-01"}"#, #""day":"2026-09-01""#),
            (#"{"habit":"gone","day":"2026-11-18"}"#, #""day":"2026-11-18""#),
            (
                #"{"habit":"run","at":"2026-11-16T23:30:00-05:00"}"#,
                #""day":"2026-11-16""#
            ),
            (
                #"{"habit":"run","comment":"1234567890123456789👨‍👩‍👧‍👦"}"#,
                #""comment":"1234567890123456789👨‍👩‍👧‍👦""#
            ),
            (#"{"habit":"run","longitude":0,"latitude":0}"#, #""coordinates":[0,0]"#),
            (#"{"habit":"run","longitude":151.21,"latitude":-33.87}"#, #""coordinates":[151.21,-33.87]"#),
            (#"{"habit":"run","longitude":-180,"latitude":-90}"#, #""coordinates":[-180,-90]"#),
            (Self.photo(TestImage.png(byteCount: 65_535)), #""has_photo":true"#),
        ]
        try await ServerFixture(.rules).run { client in
            for (body, expected) in accepted {
                let made = try await client.call(.post, Self.list, as: "owner", body: body)
                #expect(made.status == 201, "\(body.prefix(99)): \(made)")
                #expect(made.text.contains(expected), "\(body.prefix(99)): \(made)")
                // Several of the events are of the same day.
                let id = try #require(made.json["id"] as? String)
                let deleted = try await client.call(.delete, "\(Self.list)/\(id.urlEncoded)", as: "owner")
                #expect(deleted.status == 204, "\(deleted)")
            }
        }
    }

    @Test func editKeepsDayAndOmittedFields() async throws {
        try await ServerFixture(.rules).run { client in
            let r17 = "events/items/r17"
            func edit(_ body: String) async throws -> ServerResponse {
                try await client.call(.patch, r17, as: "owner", body: body)
            }
            let before = try await client.call(r17, as: "owner")
            #expect(before.properties["photo_url"] is String)
            let expected = before.sortedProperties.map { $0.replacing("rain 100%", with: "dry") }
            let dry = try await edit(#"{"comment":"dry"}"#)
            #expect(dry.sortedProperties == expected, "\(dry)")
            let moved = try await edit(#"{"geometry":null}"#)
            #expect(moved.json["geometry"] is NSNull, "\(moved)")
            #expect(moved.properties["comment"] as? String == "dry", "\(moved)")
            #expect(Set(try await client.call("events/items?near=10,50", as: "owner").ids) == ["r18", "b18"])
            let bare = try await edit(#"{"photo":null,"comment":null}"#)
            #expect(bare.properties["has_photo"] as? Bool == false, "\(bare)")
            #expect(bare.properties["comment"] is NSNull, "\(bare)")
            #expect(bare.properties["day"] as? String == "2026-11-17")
            #expect(bare.properties["at"] is String)
            let day = try await edit(#"{"day":"2026-11-16"}"#)
            #expect(day.properties["day"] as? String == "2026-11-16", "\(day)")
            #expect(day.properties["at"] is NSNull, "the instant belongs to the old day")
            let event = #"{"habit":"run","day":"2026-11-17"}"#
            let free = try await client.call(.post, Self.list, as: "owner", body: event)
            #expect(free.status == 201, "the old day is free: \(free)")
        }
    }

    @Test func deleteRemovesOneEvent() async throws {
        try await ServerFixture(.rules).run { client in
            #expect(try await client.call(.delete, Self.r18, as: "owner").status == 204)
            #expect(try await client.call(Self.list, as: "owner").ids == ["r19", "b18", "r17"])
            #expect(try await client.call(Self.r18, as: "owner").status == 404)
            let event = #"{"habit":"run","day":"2026-11-18"}"#
            let free = try await client.call(.post, Self.list, as: "owner", body: event)
            #expect(free.status == 201, "the day is free: \(free)")
        }
    }

    /// Rule C-24: a skipped day is neither done nor missed.
    ///
    /// A later event replaces it completely.
    @Test func skippedDayIsReplacedByLaterEvent() async throws {
        try await ServerFixture(.rules).run { client in
            func rate() async throws -> Double? {
                try await client.call("habits/items/run", as: "owner").properties["completion_rate"] as? Double
            }
            let skip = #"{"habit":"run","day":"2026-11-16","outcome":"skipped","comment":"ill"}"#
            let skipped = try await client.call(.post, Self.list, as: "owner", body: skip)
            #expect(skipped.properties["outcome"] as? String == "skipped")
            #expect(skipped.properties["at"] is NSNull)
            let again = try await client.call(.post, Self.list, as: "owner", body: skip)
            #expect(again.status == 409, "\(again)")
            #expect(again.slug == "event-exists", "\(again)")
            #expect(try await rate() == 0.125, "3 of 24: the day is not due")
            let event = #"{"habit":"run","day":"2026-11-16"}"#
            let done = try await client.call(.post, Self.list, as: "owner", body: event)
            #expect(done.status == 201, "\(done)")
            #expect(done.properties["outcome"] as? String == "done", "\(done)")
            #expect(done.properties["comment"] is NSNull, "the comment of the skip is removed")
            #expect(try await rate() == 0.16, "4 of 25")
            #expect(try await client.call(Self.list + "?habit=run", as: "owner").ids.count == 4)
            #expect(try await client.call(.post, Self.list, as: "owner", body: event).status == 409)
        }
    }

    // MARK: C-25

    /// The day and instant of an event that is recorded without them.
    @Test(arguments: RuleCases.localDays)
    func newEventHasLocalDayAndInstantOfUser(user: String, now: String, local: String) async throws {
        let clock = TestClock(now)
        try await ServerFixture(.rules) { $0.clock = { clock.now } }.run { client in
            let todo = try await client.report("todo?user=\(user)", as: user)
            #expect(todo.map { $0["day"] as? String } == [String(local.prefix(10))])
            let body = #"{"habit":"\#(user)-run"}"#
            let made = try await client.call(.post, Self.list, as: user, body: body)
            #expect(made.properties["day"] as? String == String(local.prefix(10)), "\(made)")
            #expect(made.properties["at"] as? String == local, "\(made)")
            let again = try await client.call(.post, Self.list, as: user, body: body)
            #expect(again.status == 409, "one event for each local day of any length: \(again)")
        }
    }

    /// A traveller who is east of the account's time zone records the local day.
    @Test func dayOfInstantAtItsOffsetIsNotInFuture() async throws {
        try await ServerFixture(.rules).run { client in
            func add(_ fields: String) async throws -> ServerResponse {
                try await client.call(.post, Self.list, as: "owner", body: #"{"habit":"run",\#(fields)}"#)
            }
            // The clock shows noon in UTC on November 20, and 01:00 on November 21 at +13:00.
            let night = #""at":"2026-11-21T00:30:00+13:00""#
            let made = try await add(night)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["day"] as? String == "2026-11-21", "\(made)")
            #expect(made.properties["at"] as? String == "2026-11-21T00:30:00+13:00")
            for fields in [
                #""day":"2026-11-22","# + night,
                #""at":"2026-11-21T09:00:00Z""#,
                #""at":"2026-11-23T00:30:00+13:00""#,
            ] {
                let refused = try await add(fields)
                #expect(refused.status == 422, "\(fields): \(refused)")
                #expect(refused.slug == "day-in-future", "\(fields): \(refused)")
                #expect(refused.text.contains("time zone UTC"), "the message names the time zone: \(refused)")
            }
            let kept = try await add(#""day":"2026-11-20","# + night)
            #expect(kept.properties["day"] as? String == "2026-11-20", "an explicit day is kept: \(kept)")
            let apart = try await add(#""day":"2026-11-16","# + night)
            #expect(apart.status == 422, "\(apart)")
            #expect(apart.slug == "day-mismatch", "\(apart)")
            #expect(apart.text.contains("time zone +13:00"), "\(apart)")
        }
    }
}
