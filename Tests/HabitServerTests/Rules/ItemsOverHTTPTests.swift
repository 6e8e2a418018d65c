import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules G-01, G-02 and G-04 over HTTP: items and claims.
///
/// They have the names of the tests on the command line.
@Suite(.serialized, .server(.sharing)) struct ItemsOverHTTPTests {
    private static let list = "items/items"
    private static let claims = "claims/items"
    private static let photo =
        FileManager.default.contents(atPath: Program.repository + "/sample-data/photos/lamp.png") ?? Data()

    /// Returns the body of a new item.
    private static func item(_ fields: String, photo: Data? = photo) -> String {
        let photo = photo.map { #","photo":"\#($0.base64EncodedString())""# } ?? ""
        return "{\(fields)\(photo)}"
    }

    private static let refused: [RefusedRequest] = [
        // G-01
        .init(.get, list + "/i-nothing", as: "sam", is: 404, slug: "not-found"),
        .init(.patch, list + "/i-nothing", as: "sam", body: #"{"name":"x"}"#, is: 404, slug: "not-found"),
        .init(.delete, list + "/i-nothing", as: "sam", is: 404, slug: "not-found"),
        .init(.post, claims, as: "sam", body: #"{"item":"i-nothing"}"#, is: 404, slug: "not-found"),
        .init(
            .patch, claims + "/i-nothing%2Fcleo", as: "sam",
            body: #"{"state":"released"}"#,
            is: 404, slug: "not-found"),
        .init(.get, list + "?state=lost", as: "sam", is: 400, slug: "parameter-invalid"),
        .init(.get, list + "?state=", as: "sam", is: 400, slug: "parameter-invalid"),
        .init(.get, list + "?user=%25", as: "sam", is: 404, slug: "not-found"),
        .init(.get, list, as: nil, is: 401, slug: "not-signed-in"),
        .init(.post, claims, as: "nobody", body: "{}", is: 401, slug: "not-signed-in"),
        // G-02
        .init(
            .post, list, as: "sam",
            body: item(#""name":"x""#, photo: nil),
            is: 422, slug: "picture-invalid"),
        .init(
            .post, list, as: "sam",
            body: item(#""name":"x""#, photo: TestImage.png(byteCount: 65_536)),
            is: 422, slug: "photo-too-large"),
        .init(.post, list, as: "sam", body: item(#""name":"""#), is: 422, slug: "item-name-invalid"),
        .init(.post, list, as: "sam", body: item(#""name":" \t ""#), is: 422, slug: "item-name-invalid"),
        .init(
            .post, list, as: "sam",
            body: item(#""name":"a\u0000""#),
            is: 422, slug: "text-invalid"),
        .init(
            .post, list, as: "sam",
            body: item(#""name":"x","expires":"2026-11-19""#),
            is: 422, slug: "day-invalid"),
        .init(
            .patch, list + "/i-available", as: "pat",
            body: #"{"expires":"2026-11-19"}"#,
            is: 422, slug: "day-invalid"),
        .init(
            .patch, list + "/i-available", as: "pat",
            body: item(#""name":"x""#, photo: Data("text".utf8)),
            is: 422, slug: "picture-invalid"),
        .init(.patch, list + "/i-available", as: "pat", body: #"{"photo":null}"#, is: 422, slug: "picture-invalid"),
        .init(
            .patch, list + "/i-available", as: "pat",
            body: #"{"state":"claimed"}"#,
            is: 409, slug: "item-state-conflict"),
        .init(.post, list, as: "nobody", body: item(#""name":"x""#), is: 401, slug: "not-signed-in"),
        .init(.post, list, as: "operator", body: item(#""name":"x""#), is: 403, slug: "not-signed-in"),
        // G-03
        .init(.delete, "messages/items/nothing", as: "sam", is: 404, slug: "not-found"),
        .init(.get, "messages/items?item=i-nothing", as: "cleo", is: 404, slug: "not-found"),
    ]

    @Test func invalidItemRequestIsRefused() async throws {
        try await ServerFixture.shared.expectRefusals(Self.refused)
    }

    /// Rule R-10: the parameters have the meaning of the options.
    @Test func itemListAppliesFilters() async throws {
        try await ServerFixture.shared.run { client in
            for (options, ids) in RuleCases.itemFilters {
                for user in ["pat", "sam"] {
                    let found = try await client.call(Self.list + "?" + options.query, as: user)
                    #expect(found.status == 200, "\(options): \(found)")
                    #expect(found.ids == ids.split(separator: " ").map(String.init), "\(options): \(found)")
                }
            }
        }
    }

    /// Only the poster and the claimant see `claimed_by`, in every form.
    ///
    /// A user who released the claim does not see it.
    @Test func claimantIsVisibleOnlyToPosterAndClaimant() async throws {
        try await ServerFixture.shared.run { client in
            for resource in [
                "?state=all", "?state=all&f=csv", "?state=all&f=html", "?state=given&properties=id,claimed_by",
                "/i-claimed", "/i-given", "/i-claimed?f=html",
            ] {
                for (user, knows) in [
                    ("sam", false), ("rex", false), ("pat", true), ("cleo", true), ("operator", true),
                ] {
                    let found = try await client.call(Self.list + resource, as: user)
                    #expect(found.status == 200, "\(resource) \(user): \(found)")
                    #expect(found.text.contains("cleo") == knows, "\(resource) \(user): \(found)")
                    let filter = "claimed_by = 'cleo'".urlEncoded
                    let filtered = try await client.call(Self.list + "?state=all&filter=\(filter)", as: user)
                    #expect(filtered.ids.isEmpty != knows, "\(user): \(filtered)")
                    let claims = try await client.call(Self.claims, as: user)
                    #expect(claims.text.contains("cleo") == knows, "\(user): \(claims)")
                }
            }
        }
    }

    /// Exactly one of several simultaneous claims succeeds.
    @Test func oneOfSimultaneousClaimsSucceeds() async throws {
        try await ServerFixture(.sharing).run { client in
            let users = StoreTemplate.sharing.users.filter { $0 != "pat" }
            let responses = try await withThrowingTaskGroup(of: (String, ServerResponse).self) { group in
                for user in users {
                    group.addTask {
                        (user, try await client.call(.post, Self.claims, as: user, body: #"{"item":"i-available"}"#))
                    }
                }
                var byUser: [String: ServerResponse] = [:]
                for try await (user, response) in group { byUser[user] = response }
                return byUser
            }
            let winners = responses.filter { $0.value.status == 201 }.keys
            #expect(winners.count == 1)
            #expect(responses.count == users.count)
            #expect(responses.values.count { $0.slug == "item-already-claimed" } == users.count - 1, "\(responses)")
            let item = try await client.call(Self.list + "/i-available", as: "pat")
            #expect(item.properties["claimed_by"] as? String == winners.first, "\(item)")
        }
    }

    // MARK: G-02

    @Test func itemIsPostedAndEdited() async throws {
        try await ServerFixture(.sharing).run { client in
            let fields =
                #""id":"sam:new","name":"Desk lamp","description":"works","#
                + #""expires":"2026-12-31","longitude":151.21,"latitude":-33.87"#
            let posted = try await client.call(.post, Self.list, as: "sam", body: Self.item(fields))
            #expect(posted.status == 201, "\(posted)")
            #expect(posted.text.contains("[151.21,-33.87]"), "\(posted)")
            let texts = [
                "user": "sam", "name": "Desk lamp", "description": "works", "state": "available",
                "posted_at": "2026-11-20T12:00:00+00:00", "expires": "2026-12-31",
            ]
            for (name, text) in texts { #expect(posted.properties[name] as? String == text, "\(name): \(posted)") }
            #expect(posted.properties["has_photo"] as? Bool == true)
            #expect(posted.properties["claimed_by"] is NSNull)
            let body = #"{"geometry":null,"properties":{"description":null,"expires":null}}"#
            let edited = try await client.call(.patch, Self.list + "/sam%3Anew", as: "sam", body: body)
            #expect(edited.json["geometry"] is NSNull, "\(edited)")
            #expect(edited.properties["name"] as? String == "Desk lamp", "\(edited)")
            #expect(edited.properties["description"] is NSNull, "\(edited)")
            #expect(edited.properties["expires"] is NSNull, "\(edited)")
            #expect(edited.properties["has_photo"] as? Bool == true, "\(edited)")
        }
    }

    /// Rule G-02.
    @Test(arguments: [
        ("name", 80, "item-name-invalid"), ("description", 2000, "item-description-invalid"),
    ])
    func itemTextsAreLimitedInLength(field: String, limit: Int, slug: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            func change(to length: Int) async throws -> ServerResponse {
                let body = #"{"\#(field)":"\#(String(repeating: "x", count: length))"}"#
                return try await client.send(.patch, path: "/collections/items/items/lamp", as: "owner", body)
            }
            let fits = try await change(to: limit)
            let long = try await change(to: limit + 1)
            #expect(fits.status == 200, "\(fits)")
            #expect(long.status == 422, "\(long)")
            #expect(long.slug == slug, "\(long)")
            #expect(long.field == field, "\(long)")
        }
    }

    @Test func operatorChangesLimits() async throws {
        let fixture = try await ServerFixture(.sharing)
        try fixture.store.write([
            .setting(.limit(.itemNameLimit, 3)), .setting(.limit(.itemDescriptionLimit, 2001)),
        ])
        try await fixture.run { client in
            let path = Self.list + "/i-available"
            let long = try await client.call(.patch, path, as: "pat", body: #"{"name":"four"}"#)
            #expect(long.status == 422, "\(long)")
            #expect(long.slug == "item-name-invalid", "\(long)")
            let text = String(repeating: "d", count: 2001)
            let body = #"{"name":"box","description":"\#(text)"}"#
            let fits = try await client.call(.patch, path, as: "pat", body: body)
            #expect(fits.status == 200, "\(fits)")
        }
    }

    /// Rule G-02.
    @Test func deletingItemRemovesClaimsAndMessages() async throws {
        try await ServerFixture(Scene.friends + Scene.exchange).run { client in
            let path = "/collections/items/items/lamp"
            let others = try await client.send(.delete, path: path, as: "all")
            #expect(others.status == 403, "\(others)")
            #expect(others.slug == "not-yours", "\(others)")
            let deleted = try await client.send(.delete, path: path, as: "owner")
            #expect(deleted.status == 204, "\(deleted)")
            for path in ["claims/items/lamp%2Fall", "messages/items/m1", "items/items/lamp"] {
                let gone = try await client.send(path: "/collections/" + path, as: "owner")
                #expect(gone.status == 404, "\(path): \(gone)")
            }
        }
    }

    // MARK: G-04

    /// Each resource of ``ItemTransition``, except the release, whose URL names one claim.
    private static func request(
        _ transition: ItemTransition, as user: String?, _ client: ServerClient
    ) async throws -> ServerResponse {
        let item = list + "/i-\(transition.state)"
        let user = user.map { $0.isEmpty ? "nobody" : $0 } ?? "operator"
        return switch transition.action {
        case "claim": try await client.call(.post, claims, as: user, body: #"{"item":"i-\#(transition.state)"}"#)
        case "give": try await client.call(.patch, item, as: user, body: #"{"state":"given"}"#)
        case "withdraw": try await client.call(.patch, item, as: user, body: #"{"state":"withdrawn"}"#)
        case "edit": try await client.call(.patch, item, as: user, body: #"{"description":"changed"}"#)
        default: try await client.call(.delete, item, as: user)
        }
    }

    @Test func actionOnItemDependsOnStateAndUser() async throws {
        let fixture = try await ServerFixture(.sharing)
        for transition in ItemTransition.all where transition.action != "release" {
            for (user, outcome) in transition.outcomes {
                let isError = outcome.contains("-")
                // An item in the requested state is unchanged, so that a client can repeat a request.
                let isRepeated =
                    user == "pat" && ["give given", "withdraw withdrawn"].contains(transition.description)
                try await (isError ? fixture : ServerFixture(.sharing)).run { client in
                    let response = try await Self.request(transition, as: user, client)
                    guard isError, !isRepeated else {
                        let item = try await client.call(Self.list + "/i-\(transition.state)", as: "operator")
                        let state = item.properties["state"] as? String ?? "gone"
                        #expect(response.status < 300, "\(transition) \(user ?? "operator"): \(response)")
                        #expect(state == (isRepeated ? transition.state : outcome), "\(transition): \(item)")
                        let holder = transition.action == "claim" ? user : "cleo"
                        let isHeld = ["claimed", "given"].contains(state)
                        #expect(item.properties["claimed_by"] as? String == (isHeld ? holder : nil), "\(item)")
                        return
                    }
                    #expect(response.slug == outcome, "\(transition) \(user ?? "operator"): \(response)")
                    let status =
                        switch outcome {
                        case "own-item": 422
                        case "not-yours": 403
                        case "not-signed-in": user == nil ? 403 : 401
                        default: 409
                        }
                    #expect(response.status == status, "\(transition) \(user ?? "operator"): \(response)")
                }
            }
        }
    }

    /// The poster and the claimer release a claim in force.
    @Test func releaseDependsOnStateAndUser() async throws {
        try await ServerFixture(.sharing).expectRefusals([
            .init(.delete, Self.claims + "/i-claimed%2Fcleo", as: "sam", is: 404, slug: "not-found"),
            .init(.delete, Self.claims + "/i-claimed%2Fcleo", as: "nobody", is: 401, slug: "not-signed-in"),
            .init(.delete, Self.claims + "/i-claimed%2Fcleo", as: "operator", is: 403, slug: "not-signed-in"),
            .init(.delete, Self.claims + "/i-given%2Fcleo", as: "pat", is: 409, slug: "item-state-conflict"),
            .init(.delete, Self.claims + "/i-given%2Fcleo", as: "cleo", is: 409, slug: "item-state-conflict"),
            .init(.delete, Self.claims + "/i-withdrawn%2Fcleo", as: "cleo", is: 409, slug: "item-state-conflict"),
            .init(.delete, Self.claims + "/i-claimed%2Frex", as: "rex", is: 409, slug: "item-state-conflict"),
            .init(.delete, Self.claims + "/i-available%2Fcleo", as: "pat", is: 404, slug: "not-found"),
        ])
        for user in ["pat", "cleo"] {
            try await ServerFixture(.sharing).run { client in
                #expect(try await client.call(.delete, Self.claims + "/i-claimed%2Fcleo", as: user).status == 204)
                let item = try await client.call(Self.list + "/i-claimed", as: "pat")
                #expect(item.properties["state"] as? String == "available", "\(item)")
                #expect(
                    try await client.call(.post, Self.claims, as: "rex", body: #"{"item":"i-claimed"}"#).status == 201)
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
        let others = Scene.friends.filter {
            if case .user(let user) = $0 { user.id != "owner" } else { true }
        }
        let records = [.user(owner)] + others + [.item(item)]
        try await ServerFixture(records).run { client in
            let response = try await client.send(path: "/collections/items/items/cup", as: "all")
            #expect(response.properties["state"] as? String == "expired", "\(response)")
            let claim = try await client.send(.post, path: "/collections/claims/items", as: "all", #"{"item":"cup"}"#)
            #expect(claim.status == 409, "\(claim)")
            #expect(claim.slug == "item-unavailable", "\(claim)")
        }
    }

    // MARK: S-06

    /// Errors contain nothing about other users or SQL.
    @Test func errorsRevealNothingAboutOtherUsersOrSQL() async throws {
        try await ServerFixture.shared.run { client in
            for (user, method, resource, body, slug) in [
                ("sam", .post, Self.claims, #"{"item":"i-claimed"}"#, "item-already-claimed"),
                ("sam", .post, Self.claims, #"{"item":"i-given"}"#, "item-unavailable"),
                ("sam", .patch, Self.list + "/i-claimed", #"{"state":"given"}"#, "not-yours"),
                ("sam", .post, "messages/items", #"{"item":"i-claimed","text":"x"}"#, "message-not-permitted"),
                ("sam", .get, "posts/items/p-river", nil, "not-found"),
                ("fay", .get, "posts/items/p-gone", nil, "post-deleted"),
                ("fay", .patch, "posts/items/p-river", #"{"caption":"x"}"#, "not-yours"),
                ("lou", .get, "events/items/e-old/photo", nil, "not-found"),
            ] as [(String, HTTPRequest.Method, String, String?, String)] {
                let response = try await client.call(method, resource, as: user, body: body)
                #expect(response.slug == slug, "\(response)")
                let shown = response.text.replacing("p-river", with: "?")
                for secret in ["pat", "cleo", "example.org", "SELECT", "river", "Lamp", "Chair", "38.7", "2026-11"] {
                    #expect(!shown.contains(secret), "\(secret) in \(response)")
                }
            }
        }
    }
}
