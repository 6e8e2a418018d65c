import Foundation
import HabitTestSupport
import Testing

/// Tests that the help of every command fits in a terminal with 80 columns.
@Suite(.engineIndependent) struct HelpWidthTests {
    private struct Command: Decodable {
        var commandName: String
        var superCommands: [String]?
        var subcommands: [Command]?

        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
        var words: [String] { ((superCommands ?? []) + [commandName]).dropFirst().map { $0 } }
    }

    private struct Description: Decodable { var command: Command }

    private static let helps = Task { () async throws -> [String: String] in
        let folder = try TemporaryFolder()
        let dump = try await Program.habitat("--experimental-dump-help", in: folder)
        let command = try JSONDecoder().decode(Description.self, from: Data(dump.output.utf8)).command
        var helps = ["serve": try await Program.habitat("serve", "--help", in: folder).output]
        for command in command.all where !["help", "serve"].contains(command.commandName) {
            let help = try await Program.habitat(command.words + ["--help"], in: folder)
            #expect(help.status == 0, "\(help)")
            helps[command.words.joined(separator: " ")] = help.output
        }
        return helps
    }

    @Test func usageHasAtMost80Columns() async throws {
        let helps = try await Self.helps.value
        #expect(helps.count > 60)
        for (command, help) in helps {
            let usage = help.split(separator: "\n").filter { $0.hasPrefix("USAGE: ") }
            #expect(usage.count == 1, "\(command)")
            for line in usage { #expect(line.count <= 80, "\(command): \(line)") }
        }
    }

    @Test func helpHasEachDefaultOnce() async throws {
        let entry = #/\n  (?:-[a-z], |-|<)[\s\S]*?(?=\n  [-<]|\n\n|$)/#
        for (command, help) in try await Self.helps.value {
            for option in help.matches(of: entry) {
                let count = option.0.components(separatedBy: "(default: ").count - 1
                #expect(count <= 1, "\(command): \(option.0)")
            }
        }
    }

    @Test(arguments: [40, 60]) func overviewBreaksBetweenWordsOnNarrowTerminal(columns: Int) async throws {
        let wide = try await Program.habitat("--help", in: TemporaryFolder())
        let words = Set(wide.output.split(whereSeparator: \.isWhitespace))
        let narrow = try await Program.onTerminal(["--help"], columns: columns, in: TemporaryFolder())
        #expect(Set(narrow.output.split(whereSeparator: \.isWhitespace)) == words)
        for line in narrow.output.split(separator: "\n") {
            #expect(line.count <= columns, "\(line)")
        }
    }
}
