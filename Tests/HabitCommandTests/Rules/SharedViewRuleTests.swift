import Foundation
import HabitTestSupport
import Testing

/// Tests of rule W-05 with commands: shared views are created, listed and revoked.
@Suite(.engineIndependent) struct SharedViewRuleTests {
    @Test func viewsAreCreatedListedAndRevoked() async throws {
        let store = try await RuleStore()
        let notice = try await store.run("view list", as: "owner")
        #expect(notice.errors.contains("No shared views"), "\(notice)")
        let created = try await store.table(
            "view create --layers posts,events --habit Run --days 30 --rounding city --lifetime-days 7 --label blog",
            as: "owner")
        let path = try #require(created["path"].first ?? nil)
        #expect(path.wholeMatch(of: /\/shared\/hbv_[A-Za-z0-9_-]{43}/) != nil, "\(path)")
        let id = try #require(created["id"].first ?? nil)
        let list = try await store.run("view list --format json", as: "owner")
        let views = try #require(
            try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]], "\(list)")
        #expect(views.count == 1)
        let definition = try #require(views.first?["definition"] as? [String: Any], "\(list)")
        #expect(definition["layers"] as? [String] == ["events", "posts"])
        #expect(definition["habits"] as? [String] == ["run"])
        #expect(definition["days"] as? Int == 30)
        #expect(views.first?["label"] as? String == "blog")
        #expect(!list.output.contains("hbv_"))
        #expect(try await store.table("view list", as: "all")["id"].isEmpty)
        #expect(try await store.table("view list")["id"] == [id])
        let refused = try await store.run("view revoke \(id)", as: "all")
        #expect(refused.status == 66, "\(refused)")
        let revoked = try await store.run("view revoke \(id)", as: "owner")
        #expect(revoked.status == 0, "\(revoked)")
        #expect(try await store.table("view list", as: "owner")["id"].isEmpty)
    }

    @Test(arguments: [
        ("view create --layers habits", "parameter-invalid", 64), ("view create --layers ,", "field-invalid", 65),
        ("view create --layers posts --habit run", "field-invalid", 65),
        ("view create --habit other", "not-found", 66), ("view create --days 0", "field-invalid", 65),
        ("view create --days 3 --from 2026-11-01", "usage", 64),
        ("view create --lifetime-days 367", "parameter-invalid", 64),
        ("view create --bbox 1,2,3", "position-invalid", 64), ("view revoke nothing", "not-found", 66),
    ])
    func invalidViewIsRefused(command: String, slug: String, status: Int32) async throws {
        let store = try await RuleStore()
        let refused = try await store.run(command, as: "owner")
        #expect(refused.errors.hasPrefix("error[\(slug)]: "), "\(refused)")
        #expect(refused.status == status, "\(refused)")
        #expect(try await store.table("view list", as: "owner")["id"].isEmpty)
    }

    @Test func operatorHasNoViews() async throws {
        let store = try await RuleStore()
        let refused = try await store.run("view create")
        #expect(refused.errors.hasPrefix("error[not-signed-in]: "), "\(refused)")
    }
}
