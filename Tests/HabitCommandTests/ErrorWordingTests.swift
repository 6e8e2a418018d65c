import ArgumentParser
import CommandLineText
import HabitModel
import HabitTestSupport
import Testing

@testable import habitat

/// Tests that remedies name existing options and commands and do not mention HTTP.
@Suite struct ErrorWordingTests {
    /// The help text of every command, printed by the program.
    private static let help: Result<[String: String], any Error> = Result {
        let folder = try TemporaryFolder()
        var texts: [String: String] = [:]
        func read(_ command: [String], _ type: any ParsableCommand.Type) throws {
            texts[command.joined(separator: " ")] = try Program.habitat(["help"] + command, in: folder).output
            for subcommand in type.configuration.subcommands {
                try read(command + [subcommand._commandName], subcommand)
            }
        }
        try read([], Habitat.self)
        return texts
    }

    @Test func remedyNamesExistingOptionsAndCommands() throws {
        let help = try Self.help.get()
        let all = help.values.joined(separator: "\n")
        for words in Remedy.samples.compactMap(\.commandWords) {
            for option in words.matches(of: /--[a-z-]+/) { #expect(all.contains(option.0), "\(words)") }
            for command in words.matches(of: /'habitat ([a-z ]+?)(?: --[^']*)?'/) {
                #expect(help[String(command.1)] != nil, "\(words)")
            }
            #expect(!words.contains(/\b(GET|PUT|PATCH|DELETE|POST)\b|\/collections/), "\(words)")
        }
    }

    @Test(arguments: [
        (["--as", "alice", "follow", "request", "nobody"], "user"),
        (["--as", "alice", "message", "send", "--item", "item-0001", "--text", "hello", "--to", "nobody"], "to"),
    ])
    func fieldOfErrorIsNameOfOption(arguments: [String], field: String) throws {
        let store = try SampleData.folder()
        let result = try Program.habitat(
            arguments + ["--errors", "json"], in: store, environment: ["HABITAT_NOW": "2026-11-21T09:00:00Z"])
        #expect(result.errors.contains("\"field\":\"\(field)\""), "\(result.errors)")
    }

    @Test func errorInJSONNamesRecord() throws {
        let store = try SampleData.folder()
        let result = try Program.habitat(
            ["--as", "alice", "--errors", "json", "item", "claim", "no-such-item"], in: store,
            environment: ["HABITAT_NOW": "2026-11-21T09:00:00Z"])
        #expect(result.errors.contains(#""subject":{"id":"no-such-item","kind":"item"}"#), "\(result.errors)")
    }
}
