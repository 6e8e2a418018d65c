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
    private static let (list, r18, r19) = ("events/items", "events/items/r18", "events/items/r19")

    /// Returns the body of a request with a photo.
    private static func photo(_ data: Data) -> String { #"{"habit":"run","photo":"\#(data.base64EncodedString())"}"# }

    private static let refused: [RefusedRequest] = [
        // C-08
        .init("owner", .post, list, #"{"habit":"read","day":"2026-11-19"}"#, is: 422, "event-not-due"),
        .init("owner", .post, list, #"{"habit":"run","day":"2026-08-31"}"#, is: 422, "event-not-due"),
        .init("owner", .post, list, #"{"habit":"gone","day":"2026-11-19"}"#, is: 422, "event-not-due"),
        .init("owner", .post, list, #"{"habit":"soon"}"#, is: 422, "event-not-due"),
        .init("owner", .post, list, #"{"habit":"run","day":"2026-11-21"}"#, is: 422, "day-in-future"),
        .init("owner", .post, list, #"{"habit":"run","at":"2026-11-21T09:00:00Z"}"#, is: 422, "day-in-future"),
        .init("owner", .post, list, #"{"habit":"run","comment":"\#(long)"}"#, is: 422, "comment-too-long"),
        .init("owner", .post, list, #"{"habit":"run","comment":"a\u0000b"}"#, is: 422, "text-invalid"),
        .init("owner", .post, list, #"{"habit":"run","day":"2026-11-19"}"#, is: 409, "event-exists"),
        .init("owner", .post, list, #"{"habit":"run","day":"2026-02-30"}"#, is: 422, "day-invalid"),
        .init("owner", .post, list, #"{"habit":"run","at":"noon"}"#, is: 422, "instant-invalid"),
        .init("owner", .post, list, #"{"habit":"run","longitude":0,"latitude":91}"#, is: 400, "position-invalid"),
        .init("owner", .post, list, photo(Data("no picture".utf8)), is: 422, "photo-invalid"),
        .init("owner", .post, list, photo(TestImage.png(byteCount: 65_536)), is: 422, "photo-too-large"),
        .init("owner", .post, list, #"{"habit":"twin","day":"2026-11-17"}"#, is: 400, "usage"),
        .init("owner", .post, list, #"{"habit":"none"}"#, is: 404, "not-found"),
        .init(
            "hidden", .post, list, #"{"habit":"hidden-walk","longitude":0,"latitude":0}"#, is: 403,
            "location-not-permitted"),
        .init("all", .post, list, #"{"habit":"run"}"#, is: 403, "not-yours"),
        .init("latest", .post, list, #"{"habit":"run"}"#, is: 403, "not-yours"),
        .init("pending", .post, list, #"{"habit":"run"}"#, is: 404, "not-found"),
        .init("rejected", .post, list, #"{"habit":"run"}"#, is: 404, "not-found"),
        .init("stranger", .post, list, #"{"habit":"read"}"#, is: 404, "not-found"),
        .init(nil, .post, list, #"{"habit":"run"}"#, is: 401, "not-signed-in"),
        .init("operator", .post, list, #"{"habit":"run"}"#, is: 403, "not-signed-in"),
        // C-09
        .init("latest", .get, r18, is: 404, "not-found"), .init("pending", .get, r19, is: 404, "not-found"),
        .init("rejected", .get, r19, is: 404, "not-found"), .init("stranger", .get, r19, is: 404, "not-found"),
        .init("owner", .get, "events/items/x18", is: 404, "not-found"),
        .init("operator", .get, "events/items/none", is: 404, "not-found"),
        // C-10
        .init("owner", .patch, r19, #"{"habit":"run","day":"2026-11-18"}"#, is: 409, "event-exists"),
        .init("owner", .patch, r19, #"{"comment":"new","day":"2026-11-21"}"#, is: 422, "day-in-future"),
        .init("owner", .patch, r19, #"{"habit":"run","day":"2026-08-31"}"#, is: 422, "event-not-due"),
        .init(
            "owner", .patch, "events/items/b18", #"{"habit":"read","comment":"new","day":"2026-11-17"}"#, is: 422,
            "event-not-due"),
        .init(
            "owner", .patch, r19, #"{"geometry":null,"properties":{"comment":"\#(long)"}}"#, is: 422, "comment-too-long"
        ),
        .init("owner", .patch, r19, #"{"comment":"new","longitude":181,"latitude":0}"#, is: 400, "position-invalid"),
        .init("owner", .patch, r19, #"{"at":"2026-11-16T07:00:00Z","day":"2026-11-19"}"#, is: 422, "day-mismatch"),
        .init("owner", .patch, "events/items/none", #"{"comment":"new"}"#, is: 404, "not-found"),
        .init("all", .patch, r19, #"{"comment":"new"}"#, is: 403, "not-yours"),
        .init("latest", .patch, r19, #"{"comment":"new"}"#, is: 403, "not-yours"),
        .init("latest", .patch, r18, #"{"comment":"new"}"#, is: 404, "not-found"),
        .init("pending", .patch, r19, #"{"comment":"new"}"#, is: 404, "not-found"),
        .init("stranger", .patch, r19, #"{"comment":"new"}"#, is: 404, "not-found"),
        .init("operator", .patch, r19, #"{"comment":"new"}"#, is: 403, "not-signed-in"),
        // C-11
        .init("owner", .delete, "events/items/none", is: 404, "not-found"),
        .init("all", .delete, r18, is: 403, "not-yours"), .init("latest", .delete, r19, is: 403, "not-yours"),
        .init("latest", .delete, r18, is: 404, "not-found"), .init("rejected", .delete, r19, is: 404, "not-found"),
        .init(nil, .delete, r19, is: 401, "not-signed-in"), .init("operator", .delete, r19, is: 403, "not-signed-in"),
        // C-24
        .init(
            "owner", .post, list, #"{"habit":"read","day":"2026-11-19","outcome":"skipped"}"#, is: 422, "event-not-due"),
        .init(
            "owner", .post, list, #"{"habit":"run","day":"2026-11-19","outcome":"skipped"}"#, is: 409, "event-exists"),
        .init(
            "owner", .post, list, #"{"habit":"run","outcome":"skipped","comment":"\#(long)"}"#, is: 422,
            "comment-too-long"),
        .init("all", .post, list, #"{"habit":"run","outcome":"skipped"}"#, is: 403, "not-yours"),
        .init("stranger", .post, list, #"{"habit":"read","outcome":"skipped"}"#, is: 404, "not-found"),
    ]

    @Test func invalidEventRequestIsRefused() async throws {
        try await ServerFixture(.rules).expectRefusals(Self.refused)
    }

    @Test func addRecordsEventOfTodayAndReturnsIt() async throws {
        try await ServerFixture(.rules).run { client in
            let body = #"{"habit":"STRASSE","comment":"fine"}"#
            let made = try await client.call(.post, Self.list, as: "owner", body)
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
            let again = try await client.call(.post, Self.list, as: "owner", #"{"habit":"read"}"#)
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
            (#"{"habit":"run","at":"2026-11-16T23:30:00-05:00"}"#, #""day":"2026-11-16""#),
            (#"{"habit":"run","comment":"1234567890123456789👨‍👩‍👧‍👦"}"#, #""comment":"1234567890123456789👨‍👩‍👧‍👦""#),
            (#"{"habit":"run","longitude":0,"latitude":0}"#, #""coordinates":[0,0]"#),
            (#"{"habit":"run","longitude":151.21,"latitude":-33.87}"#, #""coordinates":[151.21,-33.87]"#),
            (#"{"habit":"run","longitude":-180,"latitude":-90}"#, #""coordinates":[-180,-90]"#),
            (Self.photo(TestImage.png(byteCount: 65_535)), #""has_photo":true"#),
        ]
        try await ServerFixture(.rules).run { client in
            for (body, expected) in accepted {
                let made = try await client.call(.post, Self.list, as: "owner", body)
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
                try await client.call(.patch, r17, as: "owner", body)
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
            let free = try await client.call(.post, Self.list, as: "owner", #"{"habit":"run","day":"2026-11-17"}"#)
            #expect(free.status == 201, "the old day is free: \(free)")
        }
    }

    @Test func deleteRemovesOneEvent() async throws {
        try await ServerFixture(.rules).run { client in
            #expect(try await client.call(.delete, Self.r18, as: "owner").status == 204)
            #expect(try await client.call(Self.list, as: "owner").ids == ["r19", "b18", "r17"])
            #expect(try await client.call(Self.r18, as: "owner").status == 404)
            let free = try await client.call(.post, Self.list, as: "owner", #"{"habit":"run","day":"2026-11-18"}"#)
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
            let skipped = try await client.call(.post, Self.list, as: "owner", skip)
            #expect(skipped.properties["outcome"] as? String == "skipped")
            #expect(skipped.properties["at"] is NSNull)
            let again = try await client.call(.post, Self.list, as: "owner", skip)
            #expect(again.status == 409, "\(again)")
            #expect(again.slug == "event-exists", "\(again)")
            #expect(try await rate() == 0.125, "3 of 24: the day is not due")
            let event = #"{"habit":"run","day":"2026-11-16"}"#
            let done = try await client.call(.post, Self.list, as: "owner", event)
            #expect(done.status == 201, "\(done)")
            #expect(done.properties["outcome"] as? String == "done", "\(done)")
            #expect(done.properties["comment"] is NSNull, "the comment of the skip is removed")
            #expect(try await rate() == 0.16, "4 of 25")
            #expect(try await client.call(Self.list + "?habit=run", as: "owner").ids.count == 4)
            #expect(try await client.call(.post, Self.list, as: "owner", event).status == 409)
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
            let made = try await client.call(.post, Self.list, as: user, body)
            #expect(made.properties["day"] as? String == String(local.prefix(10)), "\(made)")
            #expect(made.properties["at"] as? String == local, "\(made)")
            let again = try await client.call(.post, Self.list, as: user, body)
            #expect(again.status == 409, "one event for each local day of any length: \(again)")
        }
    }

    /// A traveller who is east of the account's time zone records the local day.
    @Test func dayOfInstantAtItsOffsetIsNotInFuture() async throws {
        try await ServerFixture(.rules).run { client in
            func add(_ fields: String) async throws -> ServerResponse {
                try await client.call(.post, Self.list, as: "owner", #"{"habit":"run",\#(fields)}"#)
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
