import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of creating, changing and deleting features, with each status.
@Suite(.serialized) struct ChangeTests {
    private func object(_ properties: String, geometry: String? = nil) -> String {
        let place = geometry.map { ",\"geometry\":\($0)" } ?? ",\"geometry\":null"
        return "{\"type\":\"Feature\"\(place),\"properties\":{\(properties)}}"
    }

    private static func path(_ location: String?) -> String {
        location.flatMap { URLComponents(string: $0)?.percentEncodedPath } ?? "/nothing"
    }

    @Test func habitIsCreatedChangedReplacedAndDeleted() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let made = try await client.send(
                .post, path: "/collections/habits/items", as: "owner",
                object(#""title":"Swim","days":"mon fri","reason":"why""#))
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["days"] as? String == "mon fri", "\(made)")
            let path = Self.path(made.headers[.location])
            let read = try await client.send(path: path, as: "owner")
            #expect(read.status == 200)
            #expect(read.tag == made.tag)
            #expect(read.body == made.body)
            let changed = try await client.send(
                .patch, path: path, as: "owner", object(#""title":"Dive""#), headers: [.ifMatch: read.tag])
            #expect(changed.status == 200, "\(changed)")
            #expect(changed.properties["title"] as? String == "Dive", "\(changed)")
            #expect(changed.properties["reason"] as? String == "why", "PATCH keeps omitted members")
            let replacement = object(#""title":"Dive","days":"tue""#)
            let replaced = try await client.send(.put, path: path, as: "owner", replacement)
            #expect(replaced.status == 200, "PUT clears omitted members")
            #expect(replaced.properties["reason"] is NSNull, "PUT clears omitted members")
            let late = try await client.send(
                .patch, path: path, as: "owner", object(#""title":"Late""#), headers: [.ifMatch: read.tag])
            #expect(late.status == 412, "\(late)")
            #expect(late.slug == "changed-meanwhile", "\(late)")
            #expect(
                try await client.send(.delete, path: path, as: "owner", headers: [.ifMatch: read.tag]).status == 412)
            #expect(try await client.send(.delete, path: path, as: "owner").status == 204)
            #expect(try await client.send(path: path, as: "owner").status == 404)
            #expect(try await client.send(.delete, path: path, as: "owner").status == 404)
        }
    }

    @Test func targetAndAmountAreCreatedChangedAndCleared() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = #""title":"Swim","times":3,"period_days":7,"target_amount":2.5,"unit":"km""#
            let made = try await client.send(.post, path: "/collections/habits/items", as: "owner", object(body))
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["times"] as? Int == 3, "\(made)")
            #expect(made.properties["days"] is NSNull)
            #expect(made.properties["target_amount"] as? Double == 2.5)
            let path = Self.path(made.headers[.location])
            let same = try await client.send(.put, path: path, as: "owner", made.text)
            #expect(same.status == 200, "\(same)")
            #expect(same.properties["unit"] as? String == "km", "\(same)")
            let habit = try #require(made.json["id"] as? String)
            let event = try await client.send(
                .post, path: "/collections/events/items", as: "owner", object("\"habit\":\"\(habit)\",\"amount\":1.5"))
            #expect(event.status == 201, "\(event)")
            #expect(event.properties["amount"] as? Double == 1.5, "\(event)")
            let eventPath = Self.path(event.headers[.location])
            let cleared = try await client.send(.patch, path: eventPath, as: "owner", object(#""amount":null"#))
            #expect(cleared.status == 200, "\(cleared)")
            #expect(cleared.properties["amount"] is NSNull, "\(cleared)")
            let weekdays = try await client.send(.patch, path: path, as: "owner", object(#""days":"mon""#))
            #expect(weekdays.status == 200, "\(weekdays)")
            #expect(weekdays.properties["times"] is NSNull, "\(weekdays)")
            for body in [
                #""times":3"#,
                #""times":8,"period_days":7"#,
                #""days":"mon","times":1,"period_days":7"#,
            ] {
                let refused = try await client.send(.patch, path: path, as: "owner", object(body))
                #expect(refused.status == 422, "\(refused)")
                #expect(refused.slug == "schedule-invalid", "\(refused)")
            }
            for body in [#""times":"3","period_days":7"#, #""target_amount":"2""#, #""target_amount":-1"#] {
                let refused = try await client.send(.patch, path: path, as: "owner", object(body))
                #expect(refused.status == 422, "\(refused)")
                #expect(refused.slug == "field-invalid", "\(refused)")
            }
        }
    }

    /// A feature can be sent back as the client has read it, alone or in a list with distances.
    @Test(arguments: FeatureCollection.all.filter { $0.writes?.canUpdate == true }.map(\.id))
    func featureCanBeSentBackUnchanged(collection: String) async throws {
        let isSpatial = FeatureCollection.named(collection)?.isSpatial == true
        try await ServerFixture(Scene.friends).run { client in
            try await client.send(.post, path: "/collections/claims/items", as: "all", #"{"item":"sofa"}"#)
            let pause = #"{"habit":"run","from":"2030-01-01"}"#
            try await client.send(.post, path: "/collections/pauses/items", as: "owner", pause)
            let items = "/collections/\(collection)/items"
            var changes = 0
            for user in ["owner", "all"] {
                let list = try await client.send(
                    path: items + (isSpatial ? "?near=10,50&within=30000km" : ""), as: user)
                for listed in list.features {
                    let id = try #require(listed["id"] as? String)
                    let path = "\(items)/\(id.urlEncoded)"
                    let single = try await client.send(path: path, as: user)
                    let listedText = String(decoding: try JSONSerialization.data(withJSONObject: listed), as: UTF8.self)
                    for body in [single.text, listedText] {
                        for method in [HTTPRequest.Method.put, .patch] {
                            let same = try await client.send(method, path: path, as: user, body)
                            // Only the owner of a record may change it.
                            let isRefused = same.status == 403 && same.slug == "not-yours"
                            #expect(same.status == 200 || isRefused, "\(user) \(method) \(body): \(same)")
                            if same.status == 200 { changes += 1 }
                        }
                    }
                }
            }
            #expect(changes > 0)
        }
    }

    /// A field that PUT clears if the request omits it.
    struct ClearedField: CustomStringConvertible, Sendable {
        var collection: FeatureCollection
        var field: Field
        var description: String { "\(field.name) of \(collection.id)" }

        /// All fields of the collection that PUT clears.
        ///
        /// A habit has weekdays or a target, so the sample has weekdays only.
        static func all(of collection: FeatureCollection) -> [Field] {
            collection.receivableFields.filter {
                $0.isClearedByReplacement && ![.times, .periodDays].contains($0)
            }
        }
    }

    private static let cleared = FeatureCollection.all.filter { $0.writes?.canUpdate == true }.flatMap { collection in
        ClearedField.all(of: collection).map { ClearedField(collection: collection, field: $0) }
    }

    /// Returns a valid value of a field in JSON.
    private static func sample(_ field: Field, in kind: RecordKind) -> String {
        switch field {
        case .start: return #""2026-11-02""#
        case .end, .expires, .to: return #""2026-12-24""#
        default: break
        }
        return switch field.form(in: kind) {
        case .text, .photo: #""x""#
        case .longitude: "10.5"
        case .latitude: "50.5"
        case .day: #""2026-11-16""#
        case .instant: #""2026-11-16T08:00:00Z""#
        case .schedule: #""mon""#
        case .count: "3"
        case .amount: "2.5"
        case .integer(let range): "\(range.lowerBound)"
        case .timeOfDay: #""07:30""#
        case .offset: #""+01:00""#
        case .flag: "true"
        case .choice(let choices): "\"\(choices.first ?? "")\""
        }
    }

    private static let pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

    /// Returns the value of a field in a response.
    private static func value(_ field: Field, in response: ServerResponse) -> Any? {
        [.longitude, .latitude].contains(field) ? response.json["geometry"] : response.properties[field.name]
    }

    /// Returns whether a record of a kind cannot be without a field.
    private static func isRequired(_ field: Field, _ kind: RecordKind) -> Bool {
        kind.requiredFields.contains { $0.contains(field) } && field != .at
    }

    @Test func putClearsOmittedField() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for omission in Self.cleared { try await Self.checkReplacement(omitting: omission, client) }
        }
    }

    /// Creates a record with all fields, replaces it without one of them and deletes it.
    private static func checkReplacement(omitting omission: ClearedField, _ client: ServerClient) async throws {
        let collection = omission.collection
        let kind = collection.kind
        let fields = ClearedField.all(of: collection)
        let position: [Field] = [.longitude, .latitude]
        let omitted = position.contains(omission.field) ? position : [omission.field]
        func body(_ fields: [Field], _ others: String) -> String {
            "{\(others)" + fields.map { ",\"\($0.name)\":\(Self.sample($0, in: kind))" }.joined() + "}"
        }
        let habit = #""habit":"run""#
        let photo = #""photo":"\#(Self.pixel)""#
        let noID = #""id":null"#
        let withoutHabit = collection.hasPhotos ? photo : noID
        let complete = body(fields, kind == .events ? habit : withoutHabit)
        let remaining = fields.filter { field in !omitted.contains(field) }
        let partial = body(remaining, kind == .events ? habit : noID)
        let made = try await client.send(.post, path: "/collections/\(collection.id)/items", as: "owner", complete)
        #expect(made.status == 201, "\(omission): \(made)")
        let path = Self.path(made.headers[.location])
        let put = try await client.send(.put, path: path, as: "owner", partial)
        let deleted = try await client.send(.delete, path: path, as: "owner")
        #expect(deleted.status == 204, "\(omission): \(deleted)")
        guard !Self.isRequired(omission.field, kind) else {
            #expect(put.status == 422, "a required member cannot be cleared: \(omission): \(put)")
            return
        }
        #expect(put.status == 200, "\(omission): \(put)")
        for other in fields {
            #expect(!(Self.value(other, in: made) is NSNull), "\(omission), \(other): \(made)")
            #expect(
                (Self.value(other, in: put) is NSNull) == omitted.contains(other), "\(omission), \(other): \(put)")
        }
        for name in ["id", "user", "habit", "day", "outcome", "state", "posted_at", "has_photo"] {
            let before = made.properties[name] as? String
            let after = put.properties[name] as? String
            #expect(before == after, "\(omission), \(name): \(put)")
        }
    }

    /// Without a start, the habit begins with its first event; PATCH keeps the start.
    @Test func putClearsStartOfHabitAndInstantOfEvent() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let habit = "/collections/habits/items/run"
            let started = try await client.send(.patch, path: habit, as: "owner", #"{"start":"2026-11-02"}"#)
            #expect(started.properties["start"] as? String == "2026-11-02", "\(started)")
            let kept = try await client.send(.patch, path: habit, as: "owner", #"{"title":"Jog"}"#)
            #expect(kept.properties["start"] as? String == "2026-11-02", "\(kept)")
            let cleared = try await client.send(.put, path: habit, as: "owner", #"{"title":"Jog","days":"mon"}"#)
            #expect(cleared.status == 200, "\(cleared)")
            #expect(cleared.properties["start"] is NSNull, "\(cleared)")
            let event = "/collections/events/items/r17"
            let same = try await client.send(.patch, path: event, as: "owner", #"{"comment":"x"}"#)
            #expect(same.properties["at"] is String, "\(same)")
            let patched = try await client.send(.patch, path: event, as: "owner", #"{"at":null}"#)
            #expect(patched.status == 200, "\(patched)")
            #expect(patched.properties["at"] is NSNull, "\(patched)")
            let other = try await client.send(
                .put, path: "/collections/events/items/r18", as: "owner", #"{"habit":"run","day":"2026-11-18"}"#)
            #expect(other.status == 200, "\(other)")
            #expect(other.properties["at"] is NSNull, "\(other)")
        }
    }

    @Test func eventIsCreatedReplacedMovedAndDeleted() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let list = "/collections/events/items"
            let body = object(
                #""habit":"run","comment":"new <i>""#, geometry: #"{"type":"Point","coordinates":[10.5,50.5]}"#)
            let made = try await client.send(.post, path: list, as: "owner", body)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["day"] as? String == "2026-11-20", "\(made)")
            let path = Self.path(made.headers[.location])
            let again = try await client.send(.post, path: list, as: "owner", object(#""habit":"run""#))
            #expect(again.status == 409, "\(again)")
            #expect(again.slug == "event-exists", "\(again)")
            // The response can be sent back unchanged, including members that are not stored.
            let same = try await client.send(.put, path: path, as: "owner", made.text)
            #expect(same.status == 200, "\(same)")
            #expect(same.tag.prefix(20) == made.tag.prefix(20), "\(same)")
            let bare = try await client.send(.patch, path: path, as: "owner", object(#""day":"2026-11-16""#))
            #expect(bare.status == 200, "\(bare)")
            #expect(bare.properties["day"] as? String == "2026-11-16", "\(bare)")
            #expect(bare.json["geometry"] is NSNull)
            let placed = try await client.send(
                .patch, path: path, as: "owner", #"{"geometry":{"type":"Point","coordinates":[11,51]}}"#)
            #expect(placed.status == 200, "\(placed)")
            #expect(placed.text.contains("[11,51]"), "\(placed)")
            #expect(placed.properties["comment"] as? String == "new <i>", "a geometry changes no other member")
            let skipped = try await client.send(
                .post, path: list, as: "owner", #"{"habit":"run","day":"2026-11-15","outcome":"skipped"}"#)
            #expect(skipped.status == 201, "\(skipped)")
            #expect(skipped.properties["outcome"] as? String == "skipped", "\(skipped)")
            #expect(try await client.send(.delete, path: path, as: "owner").status == 204)
        }
    }

    /// A skipped event has the same members as one that is done.
    @Test func skippedEventKeepsInstantPhotoAndPosition() async throws {
        let photo = FileManager.default.contents(atPath: "\(Program.repository)/sample-data/photos/hills.png")
        let data = try #require(photo?.base64EncodedString())
        try await ServerFixture(Scene.friends).run { client in
            let made = try await client.send(
                .post, path: "/collections/events/items", as: "owner",
                object(
                    #""habit":"run","outcome":"skipped","at":"2026-11-15T07:00:00+01:00","#
                        + #""comment":"ill","photo":"\#(data)""#,
                    geometry: #"{"type":"Point","coordinates":[10.5,50.5]}"#))
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["outcome"] as? String == "skipped", "\(made)")
            #expect(made.properties["day"] as? String == "2026-11-15", "\(made)")
            #expect(made.properties["at"] as? String == "2026-11-15T07:00:00+01:00", "\(made)")
            #expect(made.properties["photo_url"] is String, "\(made)")
            #expect(made.properties["comment"] as? String == "ill", "\(made)")
            #expect(made.text.contains("[10.5,50.5]"), "\(made)")
        }
    }

    /// A value that means "not done" never becomes an event (rule C-29).
    private static let refused: [RefusedRequest] =
        [
            ("{}", "field-missing"), ("{", "row-invalid"), ("[]", "row-invalid"),
            ("habit,day\nrun,2026-11-20\n", "row-invalid"),
            (#"{"habit":"run","colour":1}"#, "field-invalid"),
            (#"{"habit":"run","done":false}"#, "field-invalid"),
            (#"{"habit":"run","completed":true}"#, "field-invalid"),
            (#"{"habit":"run","value":0}"#, "field-invalid"),
            (#"{"habit":"run","checked":null}"#, "field-invalid"),
            (#"{"habit":"run","outcome":"missed"}"#, "field-invalid"),
            (#"{"habit":"run","outcome":false}"#, "field-invalid"),
        ].map { body, slug in
            .init(.post, "events/items", as: "owner", body: body, is: 422, slug: slug)
        } + [
            .init(.post, "claims/items", as: "owner", body: #"{"item":"lamp"}"#, is: 422, slug: "own-item"),
            .init(
                .post, "located-events/items", as: "owner",
                body: #"{"habit":"run"}"#,
                is: 405, slug: "method-not-allowed"),
        ]

    @Test func refusedRequestReturnsStatusAndSlug() async throws {
        try await ServerFixture(Scene.friends).expectRefusals(Self.refused)
    }

    @Test func itemIsClaimedDiscussedAndGiven() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let claim = try await client.send(.post, path: "/collections/claims/items", as: "all", #"{"item":"lamp"}"#)
            #expect(claim.status == 201, "\(claim)")
            #expect(claim.json["id"] as? String == "lamp/all", "\(claim)")
            // Rule G-05: the response prompts the claimer to message the poster.
            #expect(claim.link("message")?.hasSuffix("/collections/messages/items?item=lamp") == true, "\(claim)")
            #expect(claim.text.contains("Message the poster"), "\(claim)")
            let second = try await client.send(
                .post, path: "/collections/claims/items", as: "latest", #"{"item":"lamp"}"#)
            #expect(second.status == 409, "\(second)")
            #expect(second.slug == "item-already-claimed", "\(second)")
            #expect(second.json["subject"] as? [String: String] == ["kind": "item", "id": "lamp"], "\(second)")
            let message = try await client.send(
                .post, path: "/collections/messages/items", as: "all", #"{"item":"lamp","text":"when?"}"#)
            #expect(message.status == 201, "\(message)")
            #expect(message.properties["recipient"] as? String == "owner", "\(message)")
            #expect(try await client.send(path: "/collections/messages/items", as: "owner").ids.count == 1)
            #expect(try await client.send(path: "/collections/messages/items", as: "latest").ids.isEmpty)
            let given = try await client.send(
                .patch, path: "/collections/claims/items/lamp%2Fall", as: "owner", #"{"state":"given"}"#)
            #expect(given.status == 200, "\(given)")
            #expect(given.properties["state"] as? String == "given", "\(given)")
            let again = try await client.send(
                .patch, path: "/collections/items/items/lamp", as: "owner", #"{"state":"withdrawn"}"#)
            #expect(again.status == 409, "\(again)")
            let other = try await client.send(.delete, path: "/collections/items/items/sofa", as: "owner")
            #expect(other.status == 403, "\(other)")
            #expect(other.slug == "not-yours", "\(other)")
        }
    }

    /// The URL names one claim, and other claims on the same item are unaffected.
    @Test func endedClaimCannotBeChanged() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let list = "/collections/claims/items"
            try await client.send(.post, path: list, as: "all", #"{"item":"lamp"}"#)
            #expect(try await client.send(.delete, path: list + "/lamp%2Fall", as: "all").status == 204)
            try await client.send(.post, path: list, as: "latest", #"{"item":"lamp"}"#)
            let given = try await client.send(.patch, path: list + "/lamp%2Fall", as: "owner", #"{"state":"given"}"#)
            #expect(given.status == 409, "\(given)")
            #expect(given.slug == "item-state-conflict", "\(given)")
            #expect(try await client.send(.delete, path: list + "/lamp%2Fall", as: "owner").status == 409)
            let held = try await client.send(path: list + "/lamp%2Flatest", as: "latest")
            #expect(held.properties["state"] as? String == "claimed", "\(held)")
            let named = try await client.send(.post, path: list, as: "all", #"{"item":"sofa","user":"latest"}"#)
            #expect(named.status == 403 && named.field == nil || named.slug == "not-yours", "\(named)")
        }
    }

    @Test func followRequestIsAcceptedByFollowee() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/follows/items/pending%2Fowner"
            for body in ["{}", #"{"share":"latest"}"#, #"{"status":"pending"}"#] {
                let response = try await client.send(.patch, path: path, as: "owner", body)
                let follow = try await client.send(path: path, as: "owner")
                #expect(
                    follow.properties["status"] as? String == "pending", "the body grants nothing: \(body): \(response)"
                )
            }
            let own = try await client.send(.patch, path: path, as: "pending", #"{"status":"accepted"}"#)
            #expect(own.status == 403, "the follower cannot accept the request: \(own)")
            let accepted = try await client.send(
                .patch, path: path, as: "owner", #"{"status":"accepted","share":"latest"}"#)
            #expect(accepted.status == 200, "\(accepted)")
            #expect(accepted.properties["share"] as? String == "latest", "\(accepted)")
            #expect(
                try await client.send(path: "/collections/events/items?scope=all", as: "pending").ids == [
                    "r19", "b/18 ü",
                ])
            #expect(try await client.send(.delete, path: path, as: "stranger").status == 404)
            #expect(try await client.send(.delete, path: path, as: "pending").status == 204)
            #expect(try await client.send(path: "/collections/events/items?scope=all", as: "pending").ids.isEmpty)
        }
    }

    @Test func photoIsStoredReadAndDeleted() async throws {
        let photo = try Array(
            Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/lamp.png")))
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items/r17/photo"
            #expect(try await client.send(path: path, as: "owner").status == 404)
            let put = try await client.send(
                .put, path: path, as: "owner", bytes: photo, headers: [.contentType: "image/png"])
            #expect(put.status == 204, "\(put)")
            #expect(!put.tag.isEmpty, "\(put)")
            let feature = try await client.send(path: "/collections/events/items/r17", as: "owner")
            let url = try #require(feature.properties["photo_url"] as? String)
            let read = try await client.send(path: Self.path(url), as: "all")
            #expect(read.status == 200)
            #expect(read.type == "image/png")
            #expect(!read.body.isEmpty)
            #expect(read.tag == put.tag)
            for tag in [read.tag, "*"] {
                #expect(try await client.send(path: path, as: "all", headers: [.ifNoneMatch: tag]).status == 304)
            }
            // A different photo changes the feature's tag, and a request with an old tag does not replace it.
            let other = try Array(
                Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/tram.png")))
            let changed = try await client.send(
                .put, path: path, as: "owner", bytes: other, headers: [.ifMatch: read.tag])
            #expect(changed.status == 204, "\(changed)")
            #expect(changed.tag != read.tag, "\(changed)")
            let late = try await client.send(
                .put, path: path, as: "owner", bytes: photo, headers: [.ifMatch: read.tag])
            #expect(late.status == 412, "\(late)")
            let unseen = try await client.send(
                .patch, path: "/collections/events/items/r17", as: "owner", #"{"comment":"x"}"#,
                headers: [.ifMatch: feature.tag])
            #expect(unseen.status == 412, "\(unseen)")
            #expect(try await client.send(path: path, as: "stranger").status == 404)
            #expect(try await client.send(.put, path: path, as: "all", bytes: photo).status == 403)
            let text = try await client.send(.put, path: path, as: "owner", "no picture")
            #expect(text.status == 422, "\(text)")
            #expect(text.slug == "photo-invalid", "\(text)")
            let large = try await client.send(
                .put, path: path, as: "owner", bytes: photo + [UInt8](repeating: 0, count: 65_536))
            #expect(large.status == 413, "\(large)")
            #expect(large.text.contains("?shrink=true"), "\(large)")
            #expect(try await client.send(.delete, path: path, as: "owner").status == 204)
            #expect(try await client.send(path: path, as: "owner").status == 404)
        }
    }

    /// A value that means "not done" never becomes an event (rule C-29).
    @Test func statusThatIsNotTheStatusOfHabitIsRefused() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let items = "/collections/events/items"
            for word in ["missed", "failed", "done", "skipped"] {
                let fields = #""habit":"run","day":"2026-11-20","status":"\#(word)""#
                let feature = #"{"type":"Feature","geometry":null,"properties":{\#(fields)}}"#
                for body in ["{\(fields)}", feature] {
                    let response = try await client.send(.post, path: items, as: "owner", body)
                    #expect(response.status == 422, "\(word): \(response)")
                    #expect(response.field == "status", "\(word): \(response)")
                }
                let patched = try await client.send(
                    .patch, path: items + "/r19", as: "owner", #"{"status":"\#(word)","comment":"x"}"#)
                #expect(patched.status == 422, "\(word): \(patched)")
                #expect(patched.field == "status", "\(word): \(patched)")
            }
            // Responses contain the status of the habit, so a client can send it back.
            let kept = try await client.send(
                .patch, path: items + "/r19", as: "owner", #"{"status":"On track","comment":"x"}"#)
            #expect(kept.status == 200, "\(kept)")
        }
    }
}
