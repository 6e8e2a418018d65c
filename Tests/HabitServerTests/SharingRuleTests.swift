import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules of follows, items, messages, posts and searches over HTTP.
///
/// They have the names of the tests of the same rules on the command line.
@Suite(.serialized) struct SharingRuleTests {
    private static let follows = "/collections/follows/items"
    private static let messages = "/collections/messages/items"

    private static func message(_ text: String) -> String {
        String(decoding: (try? JSONEncoder().encode(["item": "lamp", "text": text])) ?? Data(), as: UTF8.self)
    }

    private static func records(_ more: Record...) -> [Record] {
        ServerFixture.records() + [.claim(ClaimRecord(item: "lamp", user: "all"))] + more
    }

    /// Rules C-15 and C-27.
    @Test(arguments: ["", "%20", "%20%09%0A", "%E3%80%80"]) func blankSearchTextIsRefused(text: String) async throws {
        try await ServerFixture().run { client in
            for name in ["comment", "comment-contains", "comment-word"] {
                let path = "/collections/events/items?\(name)=\(text)"
                let response = try await client.send(path: path, as: "owner")
                #expect(response.status == 400 && response.slug == "search-text-empty", "\(path): \(response)")
                #expect(response.field == name, "\(response)")
            }
        }
    }

    /// Rules C-18 and C-20.
    @Test func rejectedUserSeesNothingAndCanRequestAgain() async throws {
        try await ServerFixture().run { client in
            let request = #"{"followee":"owner"}"#
            let twice = try await client.send(.post, path: Self.follows, as: "pending", request)
            #expect(twice.status == 409 && twice.slug == "already-requested", "\(twice)")
            let path = Self.follows + "/pending%2Fowner"
            let rejected = try await client.send(.patch, path: path, as: "owner", #"{"status":"rejected"}"#)
            #expect(rejected.status == 200 && rejected.properties["status"] as? String == "rejected", "\(rejected)")
            #expect(try await client.send(path: "/collections/habits/items/run", as: "pending").status == 404)
            let again = try await client.send(.post, path: Self.follows, as: "pending", request)
            #expect(again.status == 201 && again.properties["status"] as? String == "pending", "\(again)")
            #expect(try await client.send(path: "/collections/events/items?scope=all", as: "pending").ids.isEmpty)
        }
    }

    /// Rule C-20.
    @Test(arguments: ["owner", "all"]) func endedFollowHidesRecordsImmediately(user: String) async throws {
        try await ServerFixture().run { client in
            let before = try await client.send(path: "/collections/habits/items/run", as: "all")
            #expect(before.status == 200, "\(before)")
            let ended = try await client.send(.delete, path: Self.follows + "/all%2Fowner", as: user)
            #expect(ended.status == 204, "\(ended)")
            for path in ["habits/items/run", "events/items/r17", "posts/items/p1"] {
                let hidden = try await client.send(path: "/collections/" + path, as: "all")
                #expect(hidden.status == 404, "\(path): \(hidden)")
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
        try await ServerFixture(records: Self.records()).run { client in
            let response = try await client.send(.post, path: Self.messages, as: "all", Self.message(text))
            #expect(response.status == (slug == nil ? 201 : 422) && response.slug == slug, "\(response)")
            #expect(slug != nil || response.properties["text"] as? String == text)
            #expect(try await client.send(path: Self.messages, as: "all").ids.count == (slug == nil ? 1 : 0))
        }
    }

    /// Rule G-03.
    @Test func operatorChangesMessageLimit() async throws {
        let limit = Record.setting(.limit(.messageLimit, 5))
        try await ServerFixture(records: Self.records(limit)).run { client in
            let long = try await client.send(.post, path: Self.messages, as: "all", Self.message("123456"))
            #expect(long.status == 422 && long.slug == "message-too-long", "\(long)")
            let short = try await client.send(.post, path: Self.messages, as: "all", Self.message("12345"))
            #expect(short.status == 201, "\(short)")
        }
    }

    /// Rule G-03.
    @Test func messageIsDeletedOnlyBySender() async throws {
        try await ServerFixture(records: ServerFixture.records() + ServerFixture.exchange()).run { client in
            let path = Self.messages + "/m1"
            #expect(try await client.send(.delete, path: path).status == 401)
            #expect(try await client.send(.delete, path: path, as: "operator").status == 403)
            let recipient = try await client.send(.delete, path: path, as: "owner")
            #expect(recipient.status == 403 && recipient.slug == "not-yours", "\(recipient)")
            #expect(try await client.send(.delete, path: path, as: "stranger").status == 404)
            #expect(try await client.send(.delete, path: path, as: "all").status == 204)
            for user in ["all", "owner"] {
                #expect(try await client.send(path: path, as: user).status == 404)
                #expect(try await client.send(path: Self.messages, as: user).ids == ["m2"])
            }
        }
    }

    /// Rules H-05 and H-06.
    @Test func hiddenPostCausesSameErrorAsMissingPost() async throws {
        try await ServerFixture().run { client in
            let path = "/collections/posts/items/p1"
            let hidden = try await client.send(path: path, as: "stranger")
            let missing = try await client.send(path: "/collections/posts/items/p9", as: "stranger")
            #expect(hidden.status == 404 && hidden.text.replacing("p1", with: "p9") == missing.text, "\(hidden)")
            #expect(try await client.send(.delete, path: path, as: "all").status == 403)
            #expect(try await client.send(.delete, path: path, as: "owner").status == 204)
            for user in ["owner", "all"] {
                let deleted = try await client.send(path: path, as: user)
                #expect(deleted.status == 410 && deleted.slug == "post-deleted", "\(user): \(deleted)")
            }
            #expect(try await client.send(path: path, as: "stranger").text == hidden.text)
        }
    }

    /// Rule H-08.
    @Test func captionIsLimitedInLength() async throws {
        try await ServerFixture().run { client in
            let path = "/collections/posts/items/p1"
            for (count, status) in [(200, 200), (201, 422)] {
                let caption = String(repeating: "c", count: count)
                let response = try await client.send(.patch, path: path, as: "owner", #"{"caption":"\#(caption)"}"#)
                #expect(response.status == status, "\(count): \(response)")
                #expect(status == 200 || response.slug == "caption-too-long", "\(response)")
            }
        }
    }

    /// Rule G-04.
    @Test func actionOnItemDependsOnStateAndUser() async throws {
        try await ServerFixture(records: Self.records()).run { client in
            let path = "/collections/items/items/lamp"
            let claim = "/collections/claims/items/lamp%2Fall"
            for user in ["all", "stranger"] {
                let withdrawn = try await client.send(.patch, path: path, as: user, #"{"state":"withdrawn"}"#)
                #expect(withdrawn.status == 403 && withdrawn.slug == "not-yours", "\(withdrawn)")
            }
            #expect(try await client.send(.delete, path: claim, as: "stranger").status == 404)
            #expect(try await client.send(.delete, path: claim, as: "owner").status == 204, "the poster releases it")
            let given = try await client.send(.patch, path: path, as: "owner", #"{"state":"given"}"#)
            #expect(given.status == 409 && given.slug == "item-state-conflict", "\(given)")
            let withdrawn = try await client.send(.patch, path: path, as: "owner", #"{"state":"withdrawn"}"#)
            #expect(withdrawn.status == 200, "\(withdrawn)")
            let late = try await client.send(.post, path: "/collections/claims/items", as: "all", #"{"item":"lamp"}"#)
            #expect(late.status == 409 && late.slug == "item-unavailable", "\(late)")
        }
    }
}
