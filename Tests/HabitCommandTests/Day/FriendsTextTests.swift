import HabitTestSupport
import Testing

/// Tests of the texts of `habitat following` and `habitat inbox`.
@Suite(.engineIndependent) struct FriendsTextTests {
    /// The newest event of a habit is visible with every share.
    @Test(arguments: ["all", "latest"])
    func followingShowsNewestEvent(user: String) async throws {
        let store = try await RuleStore()
        _ = try await store.run("event edit r19 --comment dry", as: "owner")
        let text = try await store.run("following", as: user)
        let run = try #require(text.lines.first { line in line.contains("  Run ") }, "\(text)")
        #expect(run.hasSuffix("  2026-11-19  dry"), "\(run)")
        let never = try #require(text.lines.first { line in line.contains("  Soon ") }, "\(text)")
        #expect(!never.contains("2026"), "\(never)")
        let plain = try await store.run("following --plain", as: user)
        #expect(!plain.output.contains("dry"), "\(plain)")
    }

    @Test func inboxEndsWithCommandsForReplies() async throws {
        let store = try await RuleStore()
        let answer = "Answer: habitat message send ITEM TEXT, item give ITEM, follow accept USER"
        let text = try await store.run("inbox", as: "owner")
        #expect(text.lines.last == answer, "\(text)")
        for option in ["--plain", "--columns kind", "--format csv"] {
            let other = try await store.run("inbox \(option)", as: "owner")
            #expect(!other.output.contains("Answer"), "\(option)")
        }
        #expect(try await store.run("inbox", as: "all").output.contains("Answer") == false)
    }
}
