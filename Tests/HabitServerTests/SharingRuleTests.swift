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

    /// Rule C-06.
    @Test func todoListsHabitsDueToday() async throws {
        try await ServerFixture().run { client in
            func rows() async throws -> [String: Bool] {
                let response = try await client.send(path: "/reports/todo", as: "owner")
                try #require(response.status == 200, "\(response)")
                let rows = try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]] ?? []
                return Dictionary(
                    rows.map { ($0["title"] as? String ?? "", $0["done"] as? Bool ?? false) }, uniquingKeysWith: { $1 })
            }
            let before = try await rows()
            #expect(before == ["Run": false, "Straße": false])
            let done = try await client.send(.post, path: "/collections/events/items", as: "owner", #"{"habit":"run"}"#)
            #expect(done.status == 201, "\(done)")
            let after = try await rows()
            #expect(after == ["Run": true, "Straße": false])
        }
    }

    /// Rule C-19.
    @Test func changedShareTakesEffectImmediately() async throws {
        try await ServerFixture().run { client in
            let events = "/collections/events/items?scope=all&user=owner"
            let all = try await client.send(path: events, as: "all")
            #expect(all.ids.count == 4, "\(all)")
            let path = Self.follows + "/all%2Fowner"
            let changed = try await client.send(.patch, path: path, as: "owner", #"{"share":"latest"}"#)
            #expect(changed.status == 200 && changed.properties["share"] as? String == "latest", "\(changed)")
            let latest = try await client.send(path: events, as: "all")
            #expect(Set(latest.ids) == ["r19", "b/18 ü"], "\(latest)")
            let hidden = try await client.send(path: "/collections/events/items/r17", as: "all")
            #expect(hidden.status == 404, "\(hidden)")
            let other = try await client.send(.patch, path: path, as: "all", #"{"share":"all"}"#)
            #expect(other.status == 403, "only the followed user decides: \(other)")
        }
    }

    /// Rule C-28.
    @Test func limitsOfHabitTextsAreSettings() async throws {
        let limits = [Setting.titleLimit, .reasonLimit, .commentLimit].map { Record.setting(.limit($0, 40)) }
        let (fits, long) = (String(repeating: "x", count: 40), String(repeating: "x", count: 41))
        let bodies = [
            ("habits", #"{"title":"TEXT","days":"mon"}"#, "title-too-long"),
            ("habits", #"{"title":"A","days":"mon","reason":"TEXT"}"#, "reason-too-long"),
            ("events", #"{"habit":"run","day":"2026-11-10","comment":"TEXT"}"#, "comment-too-long"),
        ]
        try await ServerFixture(records: ServerFixture.records() + limits).run { client in
            for (collection, body, slug) in bodies {
                let path = "/collections/\(collection)/items"
                let refused = try await client.send(.post, path: path, as: "owner", body.replacing("TEXT", with: long))
                #expect(refused.status == 422 && refused.slug == slug, "\(refused)")
                let accepted = try await client.send(.post, path: path, as: "owner", body.replacing("TEXT", with: fits))
                #expect(accepted.status == 201, "\(accepted)")
            }
        }
    }

    /// Rule G-02.
    @Test(arguments: [
        ("name", 80, "item-name-invalid"), ("description", 2000, "item-description-invalid"),
    ])
    func itemTextsAreLimitedInLength(field: String, limit: Int, slug: String) async throws {
        try await ServerFixture().run { client in
            func change(to length: Int) async throws -> ServerResponse {
                let body = #"{"\#(field)":"\#(String(repeating: "x", count: length))"}"#
                return try await client.send(.patch, path: "/collections/items/items/lamp", as: "owner", body)
            }
            let (fits, long) = (try await change(to: limit), try await change(to: limit + 1))
            #expect(fits.status == 200, "\(fits)")
            #expect(long.status == 422 && long.slug == slug && long.field == field, "\(long)")
        }
    }

    /// Rule G-02.
    @Test func deletingItemRemovesClaimsAndMessages() async throws {
        try await ServerFixture(records: ServerFixture.records() + ServerFixture.exchange()).run { client in
            let path = "/collections/items/items/lamp"
            let others = try await client.send(.delete, path: path, as: "all")
            #expect(others.status == 403 && others.slug == "not-yours", "\(others)")
            let deleted = try await client.send(.delete, path: path, as: "owner")
            #expect(deleted.status == 204, "\(deleted)")
            for path in ["claims/items/lamp%2Fall", "messages/items/m1", "items/items/lamp"] {
                let gone = try await client.send(path: "/collections/" + path, as: "owner")
                #expect(gone.status == 404, "\(path): \(gone)")
            }
        }
    }

    /// Rule G-04.
    @Test func itemExpiresAtEndOfDayOfPoster() async throws {
        var owner = UserRecord(id: "owner")
        owner.timeZone = .value("Pacific/Auckland")
        var item = ItemRecord(id: "cup", user: "owner", name: "Cup")
        // It is noon in UTC, and already the next day in Auckland.
        item.expires = .value(try #require(Day("2026-11-20")))
        let others = ServerFixture.records().filter {
            if case .user(let user) = $0 { user.id != "owner" } else { true }
        }
        let records = [.user(owner)] + others + [.item(item)]
        try await ServerFixture(records: records).run { client in
            let response = try await client.send(path: "/collections/items/items/cup", as: "all")
            #expect(response.properties["state"] as? String == "expired", "\(response)")
            let claim = try await client.send(.post, path: "/collections/claims/items", as: "all", #"{"item":"cup"}"#)
            #expect(claim.status == 409 && claim.slug == "item-unavailable", "\(claim)")
        }
    }
}
