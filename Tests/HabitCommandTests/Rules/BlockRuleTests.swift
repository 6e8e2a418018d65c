import Foundation
import HabitTestSupport
import Testing

/// Tests of rule C-35 with commands: a block hides two users from each other.
@Suite(.engineIndependent) struct BlockRuleTests {
    /// Commands whose output contains the ID or a record of the other user before the block.
    private static let commands = [
        "user list", "user list --search OTHER", "item list --state all", "following",
        "near 50,10 --kind events,items,posts", "query SELECT~*~FROM~users", "query SELECT~*~FROM~items",
        "history --scope all", "post list",
    ]

    @Test(arguments: [("owner", "all"), ("all", "owner")])
    func bothUsersAreHiddenInEveryOutput(blocker: String, blocked: String) async throws {
        let store = try await RuleStore()
        let result = try await store.run("user block \(blocked)", as: blocker)
        #expect(result.status == 0, "\(result.errors)")
        for (viewer, hidden) in [(blocker, blocked), (blocked, blocker)] {
            for command in Self.commands {
                let shown = try await store.run(
                    command.replacing("OTHER", with: hidden) + " --format csv", as: viewer)
                #expect(shown.status == 0, "\(command): \(shown.errors)")
                let cells = parseCSV(shown.output).dropFirst().joined()
                #expect(!cells.contains(hidden), "\(viewer) \(command): \(shown.output)")
            }
            let follows = try await store.table("follow list", as: viewer)
            #expect(!follows["follower"].contains(hidden))
            #expect(!follows["followee"].contains(hidden))
        }
    }

    /// The blocked user gets the errors of an unknown user.
    @Test(arguments: ["user show NAME", "follow request NAME", "user block NAME", "history --scope all --user NAME"])
    func errorsAreThoseOfUnknownUser(command: String) async throws {
        let store = try await RuleStore()
        #expect(try await store.run("user block all", as: "owner").status == 0)
        let hidden = try await store.run(command.replacing("NAME", with: "owner"), as: "all")
        let unknown = try await store.run(command.replacing("NAME", with: "nowhere"), as: "all")
        #expect(hidden.status == 66)
        #expect(hidden.status == unknown.status)
        #expect(errorText(hidden, about: "owner") == errorText(unknown, about: "nowhere"))
    }

    @Test func blocksAreListedAndEnded() async throws {
        let store = try await RuleStore()
        let notice = try await store.run("user blocks", as: "owner")
        #expect(notice.errors.contains("No blocks"), "\(notice)")
        #expect(try await store.run("user block all", as: "owner").status == 0)
        #expect(try await store.run("user block all", as: "owner").status == 0)
        let list = try await store.table("user blocks", as: "owner")
        #expect(list["blocked"] == ["all"])
        #expect(try await store.table("user blocks", as: "all")["blocked"].isEmpty)
        #expect(try await store.table("user blocks")["blocker"] == ["owner"])
        let ended = try await store.run("user unblock all", as: "owner")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try await store.table("user blocks", as: "owner")["blocked"].isEmpty)
        let follows = try await store.table("follow list", as: "all")
        #expect(!follows["followee"].contains("owner"))
        #expect(try await store.run("follow request owner", as: "all").status == 0)
    }

    @Test(arguments: [
        ("user block owner", "field-invalid"), ("user block nowhere", "not-found"),
        ("user unblock all", "not-found"), ("user unblock nowhere", "not-found"),
    ])
    func invalidBlockIsRefused(command: String, slug: String) async throws {
        let store = try await RuleStore()
        let refused = try await store.run(command, as: "owner")
        #expect(refused.errors.hasPrefix("error[\(slug)]: "), "\(refused)")
        #expect(try await store.table("user blocks")["blocked"].isEmpty)
    }

    @Test func operatorCannotBlock() async throws {
        let store = try await RuleStore()
        let refused = try await store.run("user block all")
        #expect(refused.errors.hasPrefix("error[not-signed-in]: "), "\(refused)")
    }

    @Test func exportContainsBlocksOfBlocker() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("user block all", as: "owner").status == 0)
        #expect(try await store.run("export out").status == 0)
        let blocks = String(decoding: store.folder.contents("out/blocks.csv") ?? Data(), as: UTF8.self)
        #expect(blocks.hasPrefix("blocker,blocked,blocked_at\nowner,all,2026-"), "\(blocks)")
        let repeated = try await store.run("ingest out")
        #expect(repeated.status == 0, "\(repeated.errors)")
        #expect(try await store.table("user blocks")["blocked"] == ["all"])
    }
}
