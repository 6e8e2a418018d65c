import Foundation
import HTTPTypes
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests of the shared views on the account page.
@Suite(.engineIndependent, .serialized) struct AccountPageViewTests {
    @Test func formsCreateAndRevokeView() async throws {
        try await ServerFixture.runFriends { client in
            let owner = try await AccountPageUser("owner", client)
            let created = try await owner.send(
                "create-view",
                [
                    "layer-events": "yes", "layer-items": "yes", "rounding": "city", "view-days": "30",
                    "view-lifetime": "", "label": " blog ",
                ])
            #expect(created.status == 201, "\(created)")
            let address = /http[^<]*(\/shared\/hbv_[A-Za-z0-9_-]{43})/
            let found = try #require(created.text.firstMatch(of: address))
            let path = String(found.output.1)
            #expect(try await client.send(path: path).status == 200)
            let list = try await client.send(path: "/user/views", as: "owner")
            let view = try #require((list.json["views"] as? [[String: Any]])?.first)
            let definition = try #require(view["definition"] as? [String: Any])
            #expect(definition["layers"] as? [String] == ["events", "items"], "\(list)")
            #expect(definition["days"] as? Int == 30, "\(list)")
            #expect(definition["rounding"] as? String == "city", "\(list)")
            #expect(view["label"] as? String == "blog", "\(list)")
            let id = try #require(view["id"] as? String)
            let page = try await owner.page().text
            #expect(page.contains("Positions are rounded to about 10 km."), "\(page)")
            #expect(!page.contains("hbv_"))
            let revoked = try await owner.send("revoke-view", ["id": id])
            #expect(revoked.status == 303, "\(revoked)")
            #expect(try await client.send(path: path).status == 404)
        }
    }

    @Test(arguments: [
        ["rounding": "city"], ["layer-events": "yes", "rounding": "exact"],
        ["layer-events": "yes", "view-days": "0"], ["layer-events": "yes", "view-lifetime": "367"],
        ["layer-habits": "yes"],
    ])
    func invalidViewIsRefused(fields: [String: String]) async throws {
        try await ServerFixture.runFriends { client in
            let owner = try await AccountPageUser("owner", client)
            let pairs = fields.sorted { first, second in first.key < second.key }
            let body = (["form=create-view"] + pairs.map { "\($0.key)=\($0.value)" }).joined(separator: "&")
            let headers = AccountPageUser.ownForm.merging([.cookie: owner.cookie])
            let refused = try await client.send(.post, path: "/account", body, headers: headers)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains("create-view-problem"), "\(refused.text)")
            let list = try await client.send(path: "/user/views", as: "owner")
            #expect((list.json["views"] as? [Any])?.isEmpty == true, "\(list)")
        }
    }
}
