import Base
import Foundation
import HabitModel
import Rendering
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

extension Scene {
    /// The owner has a pending follow request, a claim, and a message without a reply.
    fileprivate static func inbox() -> [Record] {
        let at = OffsetInstant("2026-11-19T10:00:00Z").map { FieldInput.value($0) } ?? .absent
        var claim = ClaimRecord(item: "lamp", user: "all")
        claim.state = .value(.claimed)
        claim.claimedAt = at
        func message(_ id: String, from sender: String, to recipient: String) -> Record {
            var message = MessageRecord(item: "lamp", sender: sender, recipient: recipient, text: "hello \(id)")
            message.id = id
            message.sentAt = at
            return .message(message)
        }
        let messages = [
            message("m1", from: "all", to: "owner"),
            message("m2", from: "owner", to: "all"),
            message("m3", from: "all", to: "owner"),
        ]
        return friends + [.claim(claim)] + messages
    }
}

/// Tests of the inbox over HTTP: it has the rows of `habitat inbox`.
@Suite(.serialized, .server(Scene.inbox())) struct InboxRouteTests {
    @Test func inboxListsWhatWaitsForTheUser() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/inbox", as: "owner")
            #expect(response.status == 200, "\(response)")
            #expect(response.type == "application/json", "\(response)")
            let rows = try #require(
                try JSONSerialization.jsonObject(with: Data(response.text.utf8)) as? [[String: Any]])
            let found = rows.map { "\($0["kind"] ?? "") \($0["id"] ?? "")" }.sorted()
            #expect(found == ["claim lamp", "message m3", "request pending"])
            let stranger = try await client.send(path: "/inbox?f=csv", as: "stranger")
            let header = "kind,id,user,item,at,text,unread\n"
            #expect(stranger.text == header, "the rows of another user are hidden: \(stranger)")
            #expect(
                try await client.send(path: "/inbox", as: "owner", headers: [.ifNoneMatch: response.tag]).status == 304)
        }
    }

    @Test(arguments: [OutputFormat.ndjson, .csv, .text, .html])
    func inboxHasFormat(format: OutputFormat) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/inbox?f=\(format.rawValue)&limit=1", as: "owner")
            #expect(response.status == 200, "\(response)")
            #expect(response.type == format.mediaType.text, "\(response)")
            // Texts name the item, and the other formats its ID.
            #expect(response.text.lowercased().contains("lamp"), "\(response)")
        }
    }

    @Test(arguments: [
        ("", "operator", 403, "not-signed-in"), ("", nil, 401, "not-signed-in"),
        ("?f=geojson", "owner", 400, "format-not-available"), ("?limit=0", "owner", 400, "parameter-invalid"),
        ("?user=owner", "owner", 400, "parameter-invalid"),
    ])
    func inboxIsRefused(query: String, user: String?, status: Int, slug: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/inbox\(query)", as: user)
            #expect(response.status == status, "\(response)")
            #expect(response.slug == slug, "\(response)")
        }
    }
}
