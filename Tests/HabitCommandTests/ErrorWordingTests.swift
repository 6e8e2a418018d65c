import ArgumentParser
import Base
import CommandLineText
import HabitModel
import HabitTestSupport
import Testing

@testable import habitat

/// Tests that remedies name existing options and commands and do not mention HTTP.
@Suite(.engineIndependent) struct ErrorWordingTests {
    /// The help text of every command, printed by the program.
    private static let help = Task { () async throws -> [String: String] in
        let folder = try TemporaryFolder()
        var texts: [String: String] = [:]
        func read(_ command: [String], _ type: any ParsableCommand.Type) async throws {
            texts[command.joined(separator: " ")] = try await Program.habitat(
                ["help"] + command + ["--all"], in: folder
            ).output
            for subcommand in type.configuration.subcommands {
                try await read(command + [subcommand._commandName], subcommand)
            }
        }
        try await read([], Habitat.self)
        return texts
    }

    @Test func remedyNamesExistingOptionsAndCommands() async throws {
        let help = try await Self.help.value
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
    func fieldOfErrorIsNameOfOption(arguments: [String], field: String) async throws {
        let store = try await SampleData.folder()
        let result = try await Program.habitat(
            arguments + ["--errors", "json"], in: store, environment: ["HABITAT_NOW": "2026-11-21T09:00:00Z"])
        #expect(result.errors.contains("\"field\":\"\(field)\""), "\(result.errors)")
    }

    @Test(arguments: [
        (["query", "SELECT :day AS id"], "the parameter ':day' of the SQL has no value: pass -p day=VALUE"),
        (["query", "SELECT 1 AS id", "-p", "day=1"], "the SQL has no parameter ':day': omit -p day"),
    ])
    func errorOfSQLParameterNamesOption(arguments: [String], message: String) async throws {
        let result = try await Program.habitat(
            arguments + ["--store", try await SampleData.folder().file("habitat.db")], in: try TemporaryFolder())
        #expect(result.errors.contains(message), "\(result)")
    }

    @Test(
        arguments: [
            ([], "name at least one weekday with --days mon,wed,fri, or give a target with --times 3 --period-days 7"),
            (["--per", "week"], "add the number of completions with --times"),
            (["--period-days", "7"], "add the number of completions with --times"),
            (
                ["--days", "mon", "--times", "3", "--period-days", "7"],
                "omit --days, or omit --times and --period-days"
            ),
        ] as [([String], String)])
    func errorOfScheduleNamesOptions(options: [String], remedy: String) async throws {
        let result = try await Program.habitat(
            ["--as", "alice", "habit", "add", "--title", "Piano"] + options, in: try SampleData.folder())
        #expect(result.errors.contains(": \(remedy)\n"), "\(result)")
    }

    @Test func errorOfScheduleInFileNamesColumns() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nu\n", to: "users.csv")
        try folder.write("id,user,title,days\nh,u,Run,\n", to: "habits.csv")
        let result = try await Program.habitat("ingest", "users.csv", "habits.csv", in: folder)
        #expect(result.errors.contains("in 'days', or give a target (3 times in 7 days) in 'times'"), "\(result)")
        #expect(!result.errors.contains("--days"), "\(result)")
    }

    @Test(arguments: [
        (
            ["habit", "add", "--title", "A title of 23 letters..", "--days", "mon"], "title-too-long",
            #""parameters":{"length":23,"limit":20}"#
        ),
        (
            ["event", "add", "--habit", "alice-gym", "--day", "2026-11-22"], "day-in-future",
            #""parameters":{"day":"2026-11-22","time_zone":"Europe/Lisbon","today":"2026-11-21"}"#
        ),
    ])
    func errorInJSONContainsParameters(arguments: [String], slug: String, parameters: String) async throws {
        let result = try await Program.habitat(
            arguments + ["--as", "alice", "--errors", "json", "--now", "2026-11-21T09:00:00Z"],
            in: try SampleData.folder())
        #expect(result.errors.contains("\"error\":\"\(slug)\""), "\(result)")
        #expect(result.errors.contains(parameters), "\(result)")
    }

    @Test func rejectionInJSONContainsParameters() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nu\n", to: "users.csv")
        try folder.write("id,user,title,days\nh,u,\(String(repeating: "x", count: 30)),mon\n", to: "habits.csv")
        let result = try await Program.habitat("ingest", "users.csv", "habits.csv", "--errors", "json", in: folder)
        #expect(result.errors.contains(#""parameters":{"length":30,"limit":20}"#), "\(result)")
    }

    @Test func fileAndLineOfErrorPrecedeMessageOnce() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alice\nnobody\n", to: "users.txt")
        let arguments = [
            "history", "--users", "users.txt", "--store", try await SampleData.folder().file("habitat.db"),
        ]
        let text = try await Program.habitat(arguments, in: folder)
        #expect(text.errors.hasPrefix("error[not-signed-in]: users.txt:2: the user 'nobody' does not exist"), "\(text)")
        let json = try await Program.habitat(arguments + ["--errors", "json"], in: folder)
        #expect(json.errors.contains(#""file":"users.txt","line":2"#), "\(json)")
        #expect(!json.errors.contains("users.txt:2"), "\(json)")
        let missing = try await Program.habitat(["ingest", "none.csv"], in: folder)
        #expect(
            missing.errors == "error[input-not-found]: none.csv: the file or folder does not exist: check the path\n")
    }

    @Test func errorInJSONNamesRecord() async throws {
        let store = try await SampleData.folder()
        let result = try await Program.habitat(
            ["--as", "alice", "--errors", "json", "item", "claim", "no-such-item"], in: store,
            environment: ["HABITAT_NOW": "2026-11-21T09:00:00Z"])
        #expect(result.errors.contains(#""subject":{"id":"no-such-item","kind":"item"}"#), "\(result.errors)")
    }
}
