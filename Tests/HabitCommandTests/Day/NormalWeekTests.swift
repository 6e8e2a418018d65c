import Foundation
import HabitTestSupport
import Testing

/// The acts of a normal week, in the words that a person types at a terminal of 80 columns.
///
/// The commands run on a store in a file, whose output does not depend on the engine.
@Suite(.fileStoreOnly) struct NormalWeekTests {
    private static let mostWords = 115
    private static let mostLines = 90

    /// A command, and the text that a person types at its prompts.
    private struct Act {
        var words: [String]
        var typed = ""
        /// Whether the friend runs the command, at another terminal.
        var isOfFriend = false
        /// A text that the output contains.
        var answer: String

        init(_ words: String..., typed: String = "", friend isOfFriend: Bool = false, answer: String) {
            self.words = words
            self.typed = typed
            self.isOfFriend = isOfFriend
            self.answer = answer
        }
    }

    private static let monday: [Act] = [
        // Make a store and an account.
        Act("init", typed: "Nu\n\n", answer: "✓ Account "),
        Act("habit", "add", "Walk", "--days", "weekdays", answer: "✓ Walk · weekdays"),
        Act("habit", "add", "Gym", "--times", "3", answer: "✓ Gym · 3 a week"),
        Act(
            "habit", "add", "Read", "--days", "daily", "--target-amount", "20", "--unit", "pages",
            answer: "✓ Read · daily"),
    ]

    private static let friday: [Act] = [
        // List the due habits, and record habits with and without an amount.
        Act(answer: "Friday 27 November · 0 of 3 done"),
        Act("done", typed: "\n25\ny\n", answer: "✓ Read · Fri 27 Nov · 25 of 20 pages"),
        Act("done", "walk@yesterday", answer: "✓ Walk · Thu 26 Nov"),
        Act("done", "gym", "-c", "leg day", answer: "✓ Gym · Fri 27 Nov · 1 of 3 in 7 days · \"leg day\""),
        // Skip a day, undo, and change an amount.
        Act("skip", "walk@wed", "-c", "ill", answer: "– Walk · Wed 25 Nov · skipped · \"ill\""),
        Act("undo", answer: "Undone: Walk · Wed 25 Nov · no longer skipped"),
        Act("done", "read", "-a", "18", answer: "◐ Read · Fri 27 Nov · 18 of 20 pages"),
        // My habits with their streaks, the calendar week by week, one habit, and the last week.
        Act("habit", "list", answer: "Walk   weekdays"),
        Act("log", answer: "■ done"),
        Act("log", "walk", answer: "Walk · weekdays"),
        Act("history", "--in=this-week", answer: "leg day"),
        // A new friend, follows, and the status and the newest events of friends.
        Act("user", "add", "bob", answer: "✓ Account bob"),
        Act("follow", "request", "bob", answer: "✓ Asked bob"),
        Act("follow", "accept", "Nu", friend: true, answer: "✓ "),
        Act("following", answer: "● On track"),
        // Offer an item, find it, claim it, and read the inbox.
        Act("item", "post", "Old lamp", "--photo", "lamp.jpg", answer: "✓ Old lamp · "),
        Act("item", "list", friend: true, answer: "Old lamp"),
        Act("item", "claim", "lamp", friend: true, answer: "✓ Old lamp"),
        Act("inbox", answer: "has claimed it"),
        // Reply, read the message, and hand the item over.
        Act("message", "send", "lamp", "Come at six", answer: "✓ Sent to bob"),
        Act("inbox", friend: true, answer: "Come at six"),
        Act("item", "give", "lamp", answer: "✓ Old lamp"),
        // Post a photo, download it, and search near a place.
        Act("post", "add", "lamp.jpg", "--caption", "Lamp", "--position", "lisbon", friend: true, answer: "✓ Lamp · "),
        Act("post", "download", "lamp", answer: "✓ "),
        Act("near", "lisbon", "--kind", "posts", answer: "Lamp"),
    ]

    /// The commands of the friend at another terminal.
    private static let friendsWeek: [Act] = [
        Act("habit", "add", "Swim", "--days", "daily", friend: true, answer: "✓ Swim"),
        Act("done", "swim", friend: true, answer: "✓ Swim"),
    ]

    @Test func normalWeekNeedsFewWordsAndLines() async throws {
        let folder = try TemporaryFolder()
        let photo = try Data(contentsOf: URL(filePath: SampleData.path + "/photos/hills.png"))
        try folder.write(photo, to: "lamp.jpg")
        var words = 0
        var lines = 0
        var answers = ""
        func run(_ acts: [Act], at time: String, isCounted: Bool = true) async throws {
            for act in acts {
                var environment = ["LANG": "C.UTF-8", "NO_COLOR": "1", "HABITAT_CONFIG": folder.file("config.toml")]
                if act.isOfFriend { environment["HABITAT_USER"] = "bob" }
                let result = try await Program.onTerminal(
                    ["--now", "2026-11-\(time)"] + act.words, columns: 80, in: folder, environment: environment,
                    typed: act.typed)
                #expect(result.status == 0, "\(act.words): \(result.output)")
                #expect(result.output.contains(act.answer), "\(act.words): \(result.output)")
                // The terminal does not show the keys after a prompt, so that the next text follows on the same line.
                if act.typed.isEmpty {
                    for line in result.output.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
                }
                guard isCounted else { continue }
                words += 1 + act.words.count
                lines += result.output.count { character in character == "\n" }
                answers += "$ habitat \(act.words.joined(separator: " "))\n\(result.output)"
            }
        }
        try await run(Self.monday, at: "23T08:00:00Z")
        let split = try #require(Self.friday.firstIndex { act in act.words == ["following"] })
        try await run(Array(Self.friday[..<split]), at: "27T18:00:00Z")
        try await run(Self.friendsWeek, at: "27T18:00:00Z", isCounted: false)
        try await run(Array(Self.friday[split...]), at: "27T18:00:00Z")
        #expect(words <= Self.mostWords, "\(words) words:\n\(answers)")
        #expect(lines <= Self.mostLines, "\(lines) lines:\n\(answers)")
    }
}
