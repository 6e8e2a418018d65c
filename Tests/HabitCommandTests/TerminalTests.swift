import Foundation
import HabitTestSupport
import Testing

/// The text of commands on a pseudo-terminal.
@Suite(.engineIndependent) struct TerminalTests {
    private static let commands = [
        "habit list --as alice --today 2026-11-20",
        "history --as alice --limit 4",
        "history --as alice --scope all --limit 4",
        "near 38.7223,-9.1393 --limit 3",
        "item list --near 38.7223,-9.1393 --within 1km --sort distance --limit 3 --today 2026-11-20",
        "message list --as alice --limit 3",
        "post list --limit 3",
        "inbox --as alice",
        "report run completion --from 2026-09-01 --by month --user alice",
        "habit show alice-gym --as alice --today 2026-11-20",
        "history --habit nothing-of-this-name",
        "todo --as alice --today 2026-11-19",
        "log --as alice --today 2026-11-20",
        "log gym --as alice --today 2026-11-20",
        "following --as alice --user bruno",
        "follow list --as alice --limit 4",
        "user list --as alice --limit 3",
        "report streaks --as alice --user alice --today 2026-11-20",
        "report calendar --as alice --user alice --today 2026-11-20",
        "item show item-0003 --as alice",
    ]

    private func run(_ command: String, columns: Int, _ environment: [String: String] = [:]) async throws -> String {
        let arguments = ["--now", SampleData.now] + command.split(separator: " ").map(String.init)
        let standard = ["LANG": "C.UTF-8", "TERM": "xterm-256color", "NO_COLOR": "1"]
        let result = try await Program.onTerminal(
            arguments, columns: columns, in: SampleData.folder(),
            environment: standard.merging(environment) { _, given in given })
        return result.output
    }

    @Test(arguments: [60, 80, 140])
    func everyLineFitsTerminal(columns: Int) async throws {
        var text = ""
        for command in Self.commands {
            let output = try await run(command, columns: columns)
            for line in output.split(separator: "\n") { #expect(line.count <= columns, "\(command): \(line)") }
            text += "$ habitat \(command)\n\(output)\n"
        }
        try expectGolden(text, "terminal/\(columns).txt")
    }

    @Test func terminalWithoutUTF8HasASCIISymbols() async throws {
        let output = try await run(Self.commands[0], columns: 80, ["LANG": "C"])
        #expect(output.contains("* On track"), "\(output)")
        #expect(output.utf8.allSatisfy { $0 < 0x80 }, "\(output)")
    }

    @Test func colorsFollowTerminalAndOption() async throws {
        let command = Self.commands[0]
        let blue = "\u{1B}[38;5;32m● On track\u{1B}[0m"
        let colored = try await run(command, columns: 80, ["NO_COLOR": ""])
        #expect(colored.contains(blue) && colored.contains("\u{1B}[38;5;136m◒ Near goal"), "\(colored)")
        let dumb = try await run(command, columns: 80, ["NO_COLOR": "", "TERM": "dumb"])
        #expect(!dumb.contains("\u{1B}"), "\(dumb)")
        let never = try await run("\(command) --color never", columns: 80, ["NO_COLOR": ""])
        #expect(never == dumb)
        let words = command.split(separator: " ").map(String.init)
        let pipe = try await SampleData.habitat(words + ["--color", "always"])
        let basicBlue = "\u{1B}[94m● On track\u{1B}[0m"
        #expect(pipe.output.contains(basicBlue) && pipe.output.contains("\u{1B}[33m◒ Near goal"), "\(pipe.output)")
        #expect(!(try await SampleData.habitat(words)).output.contains("\u{1B}"))
    }

    @Test func columnsAcceptHeadingsAndAll() async throws {
        let base = ["habit", "list", "--as", "alice", "--today", "2026-11-20", "--columns"]
        let csv = try await SampleData.habitat(base + ["title,rate,best", "--format", "csv"])
        #expect(csv.lines.first == "title,completion_rate,streak_longest")
        let place = try await SampleData.habitat([
            "history", "--limit", "1", "--columns", "day,place", "--format", "csv",
        ])
        #expect(place.lines.first == "day,longitude,latitude")
        let all = try await SampleData.habitat(base + ["all", "--format", "csv"])
        let standard = try await SampleData.habitat(Array(base.dropLast()) + ["--format", "csv"])
        #expect(all.output == standard.output)
        let text = try await SampleData.habitat(base + ["all"])
        #expect(text.output.contains("color          blue"), "\(text.output)")
    }
}
