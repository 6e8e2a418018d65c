import Foundation
import HabitTestSupport
import Testing

/// Tests of rules C-07 and C-17 to C-21: users and follows.
@Suite(.engineIndependent) struct FollowRuleTests {
    static let refused: [Refusal] = [
        // C-07
        Refusal(nil, "following", status: 77, slug: "not-signed-in"),
        Refusal("nobody", "following", status: 77, slug: "not-signed-in"),
        // C-17
        Refusal("", "user list", status: 77, slug: "not-signed-in"),
        Refusal("nobody", "user list", status: 77, slug: "not-signed-in"),
        // C-18
        Refusal("owner", "follow request owner", status: 65, slug: "self-follow"),
        Refusal("all", "follow request owner", status: 76, slug: "already-following"),
        Refusal("latest", "follow request owner", status: 76, slug: "already-following"),
        Refusal("pending", "follow request owner", status: 76, slug: "already-requested"),
        Refusal("owner", "follow request none", status: 66, slug: "not-found"),
        Refusal("nobody", "follow request owner", status: 77, slug: "not-signed-in"),
        Refusal(nil, "follow request owner", status: 77, slug: "not-signed-in"),
        // C-19
        Refusal("owner", "follow accept stranger", status: 66, slug: "not-found"),
        Refusal("owner", "follow accept rejected", status: 66, slug: "not-found"),
        Refusal("owner", "follow accept none", status: 66, slug: "not-found"),
        Refusal("pending", "follow accept owner", status: 66, slug: "not-found"),
        Refusal("owner", "follow accept pending --share some", status: 64, slug: "usage"),
        Refusal("owner", "follow accept pending --output none/x", status: 73, slug: "output-not-writable"),
        Refusal(nil, "follow accept pending", status: 77, slug: "not-signed-in"),
        // C-20
        Refusal("owner", "follow reject stranger", status: 66, slug: "not-found"),
        Refusal("owner", "follow reject rejected", status: 66, slug: "not-found"),
        Refusal("owner", "follow reject all", status: 66, slug: "not-found"),
        Refusal("pending", "follow reject owner", status: 66, slug: "not-found"),
        Refusal("stranger", "follow remove owner", status: 66, slug: "not-found"),
        Refusal("rejected", "follow remove owner", status: 66, slug: "not-found"),
        Refusal("owner", "follow remove all", status: 66, slug: "not-found"),
        Refusal("owner", "follow drop stranger", status: 66, slug: "not-found"),
        Refusal("owner", "follow drop pending", status: 66, slug: "not-found"),
        Refusal("owner", "follow drop rejected", status: 66, slug: "not-found"),
        Refusal("all", "follow drop owner", status: 66, slug: "not-found"),
        Refusal("nobody", "follow remove owner", status: 77, slug: "not-signed-in"),
        Refusal(nil, "follow drop all", status: 77, slug: "not-signed-in"),
        // C-21
        Refusal(nil, "user add owner", status: 76, slug: "user-exists"),
        Refusal(nil, "user add ''", status: 65, slug: "id-invalid"),
        Refusal(nil, "user add new --time-zone Mars/Olympus", status: 65, slug: "time-zone-invalid"),
        Refusal("owner", "user add new", status: 77, slug: "operator-only"),
        Refusal("owner", "user add owner", status: 77, slug: "operator-only"),
        Refusal("owner", "user edit all --name Al", status: 77, slug: "not-yours"),
        Refusal("owner", "user delete all --yes", status: 77, slug: "not-yours"),
        Refusal("owner", "user delete", status: 64, slug: "confirm-required"),
        Refusal("owner", "user delete none --yes", status: 66, slug: "not-found"),
        Refusal(nil, "user show none", status: 66, slug: "not-found"),
        Refusal(nil, "user edit none --name x", status: 66, slug: "not-found"),
        Refusal(nil, "user show", status: 77, slug: "not-signed-in"),
        Refusal("nobody", "user show owner", status: 77, slug: "not-signed-in"),
    ]

    @Test(arguments: refused) func invalidFollowCommandIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    /// Rule C-07: the habits are sorted by user and title.
    @Test func followingListsHabitsOfFollowedUsers() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("follow request auckland", as: "all").status == 0)
        #expect(try await store.run("follow accept all", as: "auckland").status == 0)
        let found = try await store.table("following", as: "all")
        #expect(found.columns == ["user", "user_name", "habit", "title", "status", "color"])
        #expect(found["title"] == ["Auckland", "Gone", "Run", "Soon", "Straße", "TWIN", "Twin"])
        #expect(found["user"] == ["auckland"] + Array(repeating: "owner", count: 6))
        #expect(found.rows[2] == ["owner", "Olga Owner", "run", "Run", "Inactive", "#9b1c4b"])
        #expect(found.rows[3].suffix(2) == ["New", "#6b726d"])
        for user in ["pending", "rejected", "stranger", "owner"] {
            let none = try await store.run("following --format json", as: user)
            #expect(none.status == 0, "\(user)")
            #expect(none.output == "[]\n", "\(user)")
            #expect(none.errors.contains("follow request"), "\(user)")
        }
    }

    /// Rule C-17: the list shows the follow status of each user.
    @Test func userListShowsFollowStatusInBothDirections() async throws {
        let store = try await RuleStore()
        let seen = try await store.table("user list", as: "owner")
        #expect(seen.columns == ["id", "name", "following", "follower"])
        #expect(!seen["id"].contains("owner"))
        #expect(seen.rows.count == 10)
        for (id, follower) in [
            ("all", "accepted"), ("latest", "accepted"), ("pending", "pending"), ("rejected", "rejected"),
            ("stranger", "none"),
        ] {
            #expect(seen.rows.first { $0[0] == id } == [id, nil, "none", follower])
            let other = try await store.table("user list", as: id)
            #expect(other.rows.first { $0[0] == "owner" } == ["owner", "Olga Owner", follower, "none"])
        }
        #expect(try await store.table("user list")["id"].count == 11, "the operator sees all users")
    }

    /// Rules C-18 and C-19: the events that a follower sees after request and acceptance.
    @Test(arguments: [
        ("", "all", ["r19", "b18", "r18", "r17"]),
        (" --share latest", "latest", ["r19", "b18"]),
    ])
    func acceptedRequestShowsGrantedEvents(option: String, share: String, ids: [String]) async throws {
        let store = try await RuleStore()
        let request = try await store.table("follow request owner", as: "stranger")
        #expect(request.columns == ["follower", "followee", "status", "share", "requested_at"])
        #expect(request.rows[0][0...2] == ["stranger", "owner", "pending"])
        #expect(try request.singleCell("requested_at") == "2026-11-20T12:00:00+00:00")
        try await store.expectRefusal(
            Refusal("stranger", "follow request owner", status: 76, slug: "already-requested"))
        try await store.expectRefusal(Refusal("stranger", "event show r19", status: 66, slug: "not-found"))
        #expect(try await store.table("following", as: "stranger").rows.isEmpty)
        #expect(try await store.table("inbox", as: "owner")["user"].contains("stranger"))
        let accepted = try await store.table("follow accept stranger" + option, as: "owner")
        #expect(accepted.rows[0].prefix(4) == ["stranger", "owner", "accepted", share])
        #expect(try await store.table("history --scope all --user owner", as: "stranger")["id"] == ids)
        #expect(try await store.table("history --scope all", as: "owner").rows.count == 4, "a follow has one direction")
        try await store.expectRefusal(
            Refusal("stranger", "follow request owner", status: 76, slug: "already-following"))
    }

    /// Rule C-20: a rejected user sees nothing and can send another request.
    @Test func rejectedUserSeesNothingAndCanRequestAgain() async throws {
        let store = try await RuleStore()
        #expect(try await store.table("follow reject pending", as: "owner").singleCell("status") == "rejected")
        try await store.expectRefusal(Refusal("pending", "habit show run", status: 66, slug: "not-found"))
        for user in ["pending", "rejected"] {
            #expect(try await store.table("follow request owner", as: user).singleCell("status") == "pending")
            #expect(try await store.table("history --scope all", as: user).rows.isEmpty)
        }
        let list = try await store.table("follow list", as: "owner")
        #expect(list["follower"] == ["all", "latest", "pending", "rejected"])
        #expect(list["status"] == ["accepted", "accepted", "pending", "pending"])
        #expect(try await store.table("follow list", as: "stranger").rows.isEmpty)
        #expect(try await store.table("follow list", as: "all").rows.count == 1, "only follows of the user")
    }

    /// Rule C-21: commands for accounts.
    @Test func userIsAddedShownAndEdited() async throws {
        let store = try await RuleStore()
        let made = try await store.table("user add zoe --name Zoe~L --email zoe@example.org --time-zone Asia/Tokyo")
        #expect(made.columns.prefix(4) == ["id", "name", "following", "follower"])
        #expect(try made.singleCell("id") == "zoe")
        let own: [String: Any] = try json(try await store.run("user show --format json", as: "zoe"))
        #expect(own["name"] as? String == "Zoe L")
        #expect(own["email"] as? String == "zoe@example.org")
        #expect(own["time_zone"] as? String == "Asia/Tokyo")
        let other = try await store.run("user show zoe --format json", as: "owner")
        #expect(other.output.contains("Zoe L"), "the email address is private")
        #expect(!other.output.contains("example.org"), "the email address is private")
        #expect(try await store.table("user edit --name Zoe", as: "zoe").singleCell("name") == "Zoe")
        #expect(try await store.table("user edit zoe --name ''").singleCell("name") == nil)
    }

    /// Rule C-21: deleting an account deletes all records of the user and nothing else.
    @Test(arguments: [("owner", "user delete --yes"), (nil, "user delete owner --yes")])
    func userDeleteRemovesOnlyRecordsOfUser(user: String?, command: String) async throws {
        let store = try await RuleStore()
        let result = try await store.table(command, as: user)
        #expect(try result.singleCell("deleted") == "owner")
        for (kind, count) in [("habits", "6"), ("events", "4"), ("follows", "4")] {
            #expect(try result.singleCell(kind) == count)
        }
        #expect(try await store.run("habit list", as: "owner").status == 77)
        #expect(try await store.count("users") == 10)
        #expect(try await store.count("habits") == 6)
        #expect(try await store.count("events") == 1)
        #expect(try await store.count("follows") == 0)
        #expect(try await store.table("history --scope all", as: "all").rows.isEmpty)
        #expect(try await store.run("user add owner").status == 0)
        #expect(
            try await store.table("habit list", as: "owner").rows.isEmpty,
            "a new account with the same id has no records")
    }

    /// Rule C-21: the export before the deletion can restore the account.
    @Test func userDeleteWritesExportFirst() async throws {
        let store = try await RuleStore()
        let before = try await store.table("history", as: "owner")
        let result = try await store.run("user delete --yes --export kept", as: "owner")
        try #require(result.status == 0, "\(result.errors)")
        #expect(try await store.count("users") == 10)
        #expect(try await store.run("ingest kept").status == 0)
        #expect(try await store.table("history", as: "owner") == before)
        try await store.expectRefusal(
            Refusal("owner", "user delete --yes --export none/kept", status: 73, slug: "output-not-writable"))
    }
}
