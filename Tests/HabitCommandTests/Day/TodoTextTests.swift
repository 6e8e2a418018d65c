import HabitTestSupport
import Testing

/// Tests of the text of `habitat todo`, which is also `habitat` without a command.
@Suite(.engineIndependent) struct TodoTextTests {
    private static func text(_ arguments: [String], columns: Int) async throws -> String {
        let result = try await Program.onTerminal(
            ["--now", SampleData.now] + arguments, columns: columns, in: SampleData.folder(),
            environment: ["LANG": "C.UTF-8", "TERM": "xterm-256color", "NO_COLOR": "1"])
        return result.output
    }

    /// A narrow terminal omits the rate, then the earlier week, then the streak.
    @Test(arguments: [
        (140, ["last two weeks", "streak", "rate"]), (80, ["last two weeks", "streak", "rate"]),
        (60, ["last two weeks", "streak"]), (40, ["this week", "streak"]), (36, ["this week"]),
    ])
    func textFitsTerminal(columns: Int, headings: [String]) async throws {
        let text = try await Self.text(["todo", "--as", "alice", "--today", "2026-11-19"], columns: columns)
        for line in text.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
        #expect(text.hasPrefix("Thursday 19 November · "), "\(text)")
        for heading in ["last two weeks", "this week", "streak", "rate"] {
            let isShown = text.firstMatch(of: try Regex("\\b\(heading)\\b")) != nil
            #expect(isShown == headings.contains(heading), "\(heading) at \(columns) columns:\n\(text)")
        }
        #expect(text.contains("Guitar practice"), "\(text)")
    }

    @Test func programWithoutCommandIsTodo() async throws {
        let todo = try await SampleData.habitat(["todo", "--as", "alice", "--today", "2026-11-19"])
        let options = try await SampleData.habitat(["--as", "alice", "--today", "2026-11-19"])
        #expect(options.output == todo.output)
        for more in [["--plain"], ["--columns", "title,outcome", "--format", "csv"], ["--width", "60"]] {
            let day = ["--as", "alice", "--today", "2026-11-19"]
            let named = try await SampleData.habitat(["todo"] + day + more)
            #expect(named.status == 0 && !named.output.isEmpty, "\(named)")
            #expect(try await SampleData.habitat(day + more).output == named.output)
            #expect(try await SampleData.habitat(more + day).output == named.output)
        }
        let unknown = try await SampleData.habitat(["--as", "alice", "--limit", "3"])
        #expect(unknown.errors.contains("the command is missing"), "\(unknown)")
        let folder = try await SampleData.folder()
        let user = ["HABITAT_USER": "alice"]
        let variable = try await Program.habitat("--today", "2026-11-19", in: folder, environment: user)
        #expect(variable.output == todo.output)
        let none = try await Program.habitat([], in: folder)
        #expect(none.output.hasPrefix("OVERVIEW: "), "\(none)")
        let asOperator = try await Program.habitat("--operator", in: folder, environment: user)
        #expect(asOperator.status == 64)
    }

    @Test func listWithoutHabitsHasNotice() async throws {
        let store = try await RuleStore()
        let none = try await store.run("todo", as: "all")
        #expect(none.output.isEmpty, "\(none)")
        #expect(none.errors == "No habits yet: habitat habit add Walk --days weekdays\n")
        _ = try await store.run("habit add Gym --days sat", as: "all")
        #expect(try await store.run("todo", as: "all").errors == "Nothing is due today.\n")
        let owner = try await store.run("todo", as: "owner").output
        #expect(owner.hasSuffix("\n\nInbox: 1 request (habitat inbox)\n"), "\(owner)")
    }

    @Test func marksShowOutcome() async throws {
        let store = try await RuleStore()
        _ = try await store.run("habit add Pages --days daily --target-amount 20 --unit pages", as: "owner")
        _ = try await store.run("done run", as: "owner")
        _ = try await store.run("done pages -a 5", as: "owner")
        _ = try await store.run("skip Straße", as: "owner")
        let text = try await store.run("todo", as: "owner").output
        #expect(text.hasPrefix("Friday 20 November · 1 of 2 done\n"), "\(text)")
        #expect(text.contains("\n  ◐ Pages "), "\(text)")
        #expect(text.contains("  5 of 20 pages\n"), "\(text)")
        #expect(text.contains("·◐  "), "\(text)")
        let log = try await store.run("log pages", as: "owner").output
        #expect(log.contains("\nFri  · · · · · · · · · · · · ◐\n"), "\(log)")
        #expect(log.hasSuffix("◐ partly done  · not due\n"), "\(log)")
        let rows = try await store.table("log pages", as: "owner")
        #expect(rows["outcome"].last == "open", "\(rows)")
        #expect(text.contains("\n  ✓ Run "), "\(text)")
        #expect(text.contains("\n  – Straße "), "\(text)")
    }
}
