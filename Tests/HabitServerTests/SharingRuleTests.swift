import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules of messages, searches and limits over HTTP.
///
/// They have the names of the tests of the same rules on the command line.
@Suite(.serialized) struct SharingRuleTests {
    private static let messages = "/collections/messages/items"

    private static func message(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(["item": "lamp", "text": text])) ?? Data(), as: UTF8.self)
    }

    private static func records(_ more: Record...) -> [Record] {
        Scene.friends + [.claim(ClaimRecord(item: "lamp", user: "all"))] + more
    }

    /// Rules C-15 and C-27.
    @Test(.server(Scene.friends), arguments: ["", "%20", "%20%09%0A", "%E3%80%80"])
    func blankSearchTextIsRefused(text: String) async throws {
        try await ServerFixture.shared.run { client in
            for name in ["comment", "comment-contains", "comment-word"] {
                let path = "/collections/events/items?\(name)=\(text)"
                let response = try await client.send(path: path, as: "owner")
                #expect(response.status == 400, "\(path): \(response)")
                #expect(response.slug == "search-text-empty", "\(path): \(response)")
                #expect(response.field == name, "\(response)")
            }
        }
    }

    /// Rule G-03.
    @Test(
        arguments: [
            (String(repeating: "m", count: 2000), nil), (String(repeating: "m", count: 2001), "message-too-long"),
            ("", "message-empty"), (" \n\t\u{3000}", "message-empty"), ("'); DELETE FROM message; --", nil),
        ] as [(String, String?)])
    func messageTextIsLimitedInLength(text: String, slug: String?) async throws {
        try await ServerFixture(Self.records()).run { client in
            let response = try await client.send(.post, path: Self.messages, as: "all", Self.message(text))
            #expect(response.status == (slug == nil ? 201 : 422), "\(response)")
            #expect(response.slug == slug, "\(response)")
            #expect(slug != nil || response.properties["text"] as? String == text)
            #expect(try await client.send(path: Self.messages, as: "all").ids.count == (slug == nil ? 1 : 0))
        }
    }

    /// Rule G-03.
    @Test func operatorChangesMessageLimit() async throws {
        let limit = Record.setting(.limit(.messageLimit, 5))
        try await ServerFixture(Self.records(limit)).run { client in
            let long = try await client.send(.post, path: Self.messages, as: "all", Self.message("123456"))
            #expect(long.status == 422, "\(long)")
            #expect(long.slug == "message-too-long", "\(long)")
            let short = try await client.send(.post, path: Self.messages, as: "all", Self.message("12345"))
            #expect(short.status == 201, "\(short)")
        }
    }

    /// Rule G-03.
    @Test func messageIsDeletedOnlyBySender() async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            let path = Self.messages + "/m1"
            #expect(try await client.send(.delete, path: path).status == 401)
            #expect(try await client.send(.delete, path: path, as: "operator").status == 403)
            let recipient = try await client.send(.delete, path: path, as: "owner")
            #expect(recipient.status == 403, "\(recipient)")
            #expect(recipient.slug == "not-yours", "\(recipient)")
            #expect(try await client.send(.delete, path: path, as: "stranger").status == 404)
            #expect(try await client.send(.delete, path: path, as: "all").status == 204)
            for user in ["all", "owner"] {
                #expect(try await client.send(path: path, as: user).status == 404)
                #expect(try await client.send(path: Self.messages, as: user).ids == ["m2"])
            }
        }
    }

    /// Rule C-28.
    @Test func limitsOfHabitTextsAreSettings() async throws {
        let limits = [Setting.titleLimit, .reasonLimit, .commentLimit].map { Record.setting(.limit($0, 40)) }
        let fits = String(repeating: "x", count: 40)
        let long = String(repeating: "x", count: 41)
        let bodies = [
            ("habits", #"{"title":"TEXT","days":"mon"}"#, "title-too-long"),
            ("habits", #"{"title":"A","days":"mon","reason":"TEXT"}"#, "reason-too-long"),
            ("events", #"{"habit":"run","day":"2026-11-10","comment":"TEXT"}"#, "comment-too-long"),
        ]
        try await ServerFixture(Scene.friends + limits).run { client in
            for (collection, body, slug) in bodies {
                let path = "/collections/\(collection)/items"
                let refused = try await client.send(.post, path: path, as: "owner", body.replacing("TEXT", with: long))
                #expect(refused.status == 422, "\(refused)")
                #expect(refused.slug == slug, "\(refused)")
                let accepted = try await client.send(.post, path: path, as: "owner", body.replacing("TEXT", with: fits))
                #expect(accepted.status == 201, "\(accepted)")
            }
        }
    }
}
