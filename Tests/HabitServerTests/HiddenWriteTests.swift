import Base
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that a stranger cannot notice writes that concern one user or two others, beyond those of `HiddenChangeTests`.
@Suite(.serialized) struct HiddenWriteTests {
    /// A write, sent by a user over HTTP.
    struct Write: Sendable {
        var name: String
        var user = "owner"
        var method = HTTPRequest.Method.post
        var path: String
        var body: [UInt8]

        init(
            _ name: String,
            user: String = "owner",
            _ method: HTTPRequest.Method = .post,
            path: String,
            body: String = ""
        ) {
            self.name = name
            self.user = user
            self.method = method
            self.path = path
            self.body = Array(body.utf8)
        }
    }

    static let writes: [Write] = {
        var photo = Write("photo of an event", .put, path: "/collections/events/items/r17/photo")
        photo.body = Array(TestImage.located)
        return [
            photo,
            Write("calendar address", path: "/user/calendars", body: "{}"),
            Write("shared view", path: "/user/views", body: #"{"layers":["events"]}"#),
            Write("own comment", .patch, path: "/collections/events/items/r18", body: #"{"comment":"x"}"#),
            Write("message to the holder", path: "/collections/messages/items", body: #"{"item":"lamp","text":"Hi"}"#),
            Write(
                "follow between others", user: "latest", path: "/collections/follows/items",
                body: #"{"followee":"all"}"#),
            Write(
                "several changes", path: "/changes",
                body:
                    #"{"collection":"habits","id":"owner:swim","feature":{"properties":{"title":"Swim","days":"mon"}}}"#
            ),
            Write(
                "rejected request", .patch, path: "/collections/follows/items/pending%2Fowner",
                body: #"{"status":"rejected"}"#),
        ]
    }()

    private static let scene = Scene.friends + [.claim(ClaimRecord(item: "lamp", user: "all"))]

    @Test func strangerNoticesNothing() async throws {
        try await ServerFixture(Self.scene).run { client in
            let before = try await HiddenChangeTests.observations(client, as: "stranger")
            for write in Self.writes {
                let response = try await client.send(write.method, path: write.path, as: write.user, bytes: write.body)
                try #require(response.status < 300, "\(write.name): \(response)")
                let after = try await HiddenChangeTests.observations(client, as: "stranger")
                for (path, seen) in before {
                    #expect(after[path] == seen, "\(write.name): \(path)")
                }
            }
        }
    }

    /// The log does not contain tokens.
    @Test func tokenOfAnotherUserIsNotNoticed() async throws {
        let fixture = try await ServerFixture(Self.scene)
        try await fixture.run { client in
            let before = try await HiddenChangeTests.observations(client, as: "stranger")
            try fixture.store.engine.write { session in
                let owner = try Viewer.user(named: "owner", in: session)
                let actions = TokenActions(clock: ServerFixture.clock, in: session)
                _ = try actions.create(for: owner, label: "other", lifetime: .seconds(60))
            }
            #expect(try await HiddenChangeTests.observations(client, as: "stranger") == before)
        }
    }

    /// A user who can see a record but not change it cannot send its tag as a condition of a change.
    @Test func conditionOnRecordOfAnotherUserIsRefused() async throws {
        let fixture = try await ServerFixture(Self.scene)
        try await fixture.run { client in
            let path = "/collections/events/items/r17"
            let shown = try await client.send(path: path, as: "all")
            #expect(!shown.tag.contains("."), "\(shown.tag)")
            let body = #"{"comment":"x"}"#
            let refused = try await client.send(.patch, path: path, as: "all", body, headers: [.ifMatch: shown.tag])
            #expect(refused.slug == "not-yours", "\(refused)")
            let foreign = try await client.send(.patch, path: path, as: "owner", body, headers: [.ifMatch: shown.tag])
            #expect(foreign.slug == "changed-meanwhile", "\(foreign)")
            let own = try await client.send(path: path, as: "owner")
            #expect(own.tag.contains("."), "\(own.tag)")
            let changed = try await client.send(.patch, path: path, as: "owner", body, headers: [.ifMatch: own.tag])
            #expect(changed.status == 200, "\(changed)")
            let again = try await client.send(.patch, path: path, as: "owner", body, headers: [.ifMatch: own.tag])
            #expect(again.slug == "changed-meanwhile", "\(again)")
        }
    }
}
