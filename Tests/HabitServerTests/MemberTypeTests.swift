import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that members of a request must have the JSON types of the OpenAPI document.
@Suite(.engineIndependent, .server(Scene.friends)) struct MemberTypeTests {
    @Test(arguments: [
        ("habits", #"{"title": 0, "days": "mon"}"#, "title"),
        ("habits", #"{"title": true, "days": "mon"}"#, "title"),
        ("habits", #"{"title": {}, "days": "mon"}"#, "title"),
        ("items", #"{"name": "Chair", "state": {}}"#, "state"),
        ("posts", #"{"caption": "Sea", "keep_exif": 0}"#, "keep_exif"),
        ("posts", #"{"caption": "Sea", "keep_exif": "yes"}"#, "keep_exif"),
        ("messages", #"{"item": "chair", "recipient": "b", "text": 0}"#, "text"),
    ])
    func memberOfOtherTypeIsRefused(collection: String, body: String, field: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(.post, path: "/collections/\(collection)/items", as: "owner", body)
            #expect(response.status == 422, "\(response)")
            #expect(response.slug == "field-invalid", "\(response)")
            #expect(response.json["field"] as? String == field)
        }
    }

    @Test(arguments: [
        ("habits", #"{"title": "Read", "days": "mon", "start": ""}"#, "start", "field-invalid"),
        ("habits", #"{"title": "Read", "days": "mon", "end": "soon"}"#, "end", "day-invalid"),
        (
            "messages", #"{"item": "chair", "recipient": "b", "text": "Hi", "sent_at": "AAA"}"#, "sent_at",
            "instant-invalid"
        ),
        ("events", #"{"habit": "owner:run", "at": ""}"#, "at", "field-invalid"),
        ("items", #"{"name": "Chair", "state": "lost"}"#, "state", "field-invalid"),
        ("items", #"{"name": "Chair", "state": ""}"#, "state", "field-invalid"),
        ("follows", #"{"followee": "b", "share": "everything"}"#, "share", "field-invalid"),
    ])
    func invalidValueIsRefusedInEveryField(collection: String, body: String, field: String, slug: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(.post, path: "/collections/\(collection)/items", as: "owner", body)
            #expect(response.status == 422, "\(response)")
            #expect(response.slug == slug, "\(response)")
            #expect(response.json["field"] as? String == field)
        }
    }

    @Test func nullIsAcceptedInFieldWithChoices() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = #"{"name": "Floor lamp", "state": null, "expires": null}"#
            let response = try await client.send(.patch, path: "/collections/items/items/lamp", as: "owner", body)
            #expect(response.status == 200, "\(response)")
        }
    }
}
