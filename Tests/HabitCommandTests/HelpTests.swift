import Base
import Foundation
import HabitTestSupport
import Rendering
import Testing

@testable import habitat

/// Tests that every command has examples and that every example runs on the sample data.
@Suite(.engineIndependent) struct HelpTests {
    /// A command in the output of `--experimental-dump-help`.
    private struct Command: Decodable {
        var commandName: String
        var superCommands: [String]?
        var discussion: String?
        var subcommands: [Command]?
        var arguments: [Argument]?

        var leaves: [Command] { subcommands.map { $0.flatMap(\.leaves) } ?? [self] }
        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
        var name: String { ((superCommands ?? []) + [commandName]).joined(separator: " ") }

        /// The examples, without the line breaks that a backslash escapes.
        var examples: [String] {
            (discussion ?? "").replacing(/\\\n +/, with: "").split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("habitat ") }
        }

        /// The lines of the examples, which are indented in the discussion.
        var exampleLines: [Substring] { (discussion ?? "").split(separator: "\n").filter { $0.hasPrefix("  ") } }
    }

    @Test func helpOfAccountNamesTimeZone() async throws {
        let help = try await Program.habitat("user", "edit", "--help", in: try TemporaryFolder())
        #expect(help.output.contains("--time-zone ZONE"), "\(help)")
    }

    /// An argument or an option of a command.
    private struct Argument: Decodable {
        struct Name: Decodable {
            var kind: String
            var name: String
        }

        var kind: String
        var names: [Name]?
        /// The allowed values of an option with a fixed list of values.
        var allValues: [String]?

        var options: [String] {
            guard kind == "option", let names else { return [] }
            return names.map { name in name.kind == "long" ? "--" + name.name : "-" + name.name }
        }
    }

    private struct Description: Decodable { var command: Command }

    private static let program = Task { () async throws -> Command in
        let folder = try TemporaryFolder()
        let help = try await Program.habitat("--experimental-dump-help", in: folder)
        return try JSONDecoder().decode(Description.self, from: Data(help.output.utf8)).command
    }

    private static func commands() async throws -> [Command] {
        try await program.value.all.filter { $0.commandName != "help" }
    }

    /// Returns a folder with a store and the files that the examples name.
    ///
    /// The store has the sample data. A nightly run reads all records several times, so its examples have a small store.
    private static func folder(for example: String) async throws -> TemporaryFolder {
        let isNightly = example.hasPrefix("habitat nightly")
        let folder = isNightly ? try await StoreTemplate.rules.copy() : try TemporaryFolder()
        if !isNightly { try await SampleData.copy(to: folder.file("habitat.db")) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("sample-data"), withDestinationPath: SampleData.path)
        for (from, to) in [
            (SampleData.path + "/photos/lamp.png", "lamp.png"), (SampleData.path + "/photos/tram.png", "tram.png"),
        ] {
            try FileManager.default.copyItem(atPath: from, toPath: folder.file(to))
        }
        let photo = try #require(Data(base64Encoded: Self.locatedPhoto, options: .ignoreUnknownCharacters))
        try folder.write(photo, to: "gym.jpg")
        try folder.write("alice\nbruno\n", to: "users.txt")
        try folder.write("teapot\n", to: "words.txt")
        try folder.write(
            #"{"type":"Polygon","coordinates":[[[-9.3,38.6],[-9,38.6],[-9,38.9],[-9.3,38.9],[-9.3,38.6]]]}"#,
            to: "district.geojson")
        return folder
    }

    /// Creates the two nightly runs that an example compares.
    private static func makeNightlyRuns(in folder: TemporaryFolder) async throws {
        for day in ["2026-11-19", "2026-11-20"] {
            let night = try await Program.habitat("nightly", "--output", "nights", "--date", day, "--quiet", in: folder)
            #expect(night.status == 0, "\(night)")
        }
    }

    /// Options whose value is a position, a number, a date, a time, a length, a time zone or one of a few words.
    private static let otherOptions: Set<String> = [
        "-a", "-d", "--amount", "--at", "--bbox", "--date", "--day", "--days", "--end", "--expires", "--in", "--keep",
        "--kind",
        "--layers", "--lifetime-days", "--limit",
        "--max-rejects", "--near", "--nearest", "--now", "--per", "--period-days", "--position", "--radius",
        "--rank", "--remind-at", "--shards",
        "--share-location",
        "--since",
        "--start", "--state", "--stay", "--target-amount", "--threads", "--time-zone", "--timeout", "--times",
        "--tint",
        "--today", "--wait",
        "--weeks", "--width", "--within", "--limit-unpacked",
    ]

    /// The value of an option with any text may look like coordinates.
    @Test func normalizerKnowsAllOptionsWithTexts() async throws {
        let arguments = try await Self.commands().flatMap { $0.arguments ?? [] }
        let options = Set(arguments.filter { ($0.allValues ?? []).isEmpty }.flatMap(\.options))
        #expect(options.count > 50)
        #expect(options.subtracting(ArgumentNormalizer.texts).subtracting(Self.otherOptions) == [])
        #expect(ArgumentNormalizer.texts.isDisjoint(with: Self.otherOptions))
    }

    @Test func everyCommandHasExamples() async throws {
        for command in try await Self.commands() { #expect(!command.examples.isEmpty, "\(command.name)") }
        for command in try await Self.program.value.leaves where command.commandName != "help" {
            let words = command.name.split(separator: " ").dropFirst().joined(separator: " ")
            #expect(command.examples.allSatisfy { $0.contains(" \(words) ") || $0.hasSuffix(" \(words)") }, "\(words)")
        }
    }

    /// The parser breaks longer lines in the help, and a broken example cannot be copied.
    @Test func exampleLinesFitIntoHelp() async throws {
        let server = try await Program.habitat("serve", "--experimental-dump-help", in: try TemporaryFolder())
        let commands = try JSONDecoder().decode(Description.self, from: Data(server.output.utf8)).command.all
        for command in try await commands + Self.commands() {
            for line in command.exampleLines { #expect(line.count <= 78, "\(command.name): \(line)") }
        }
    }

    /// Examples that need the other engine or an unavailable server, with their exit status and error text.
    private static let refused: [(command: String, status: Int32, reason: String)] =
        [
            ("init --store postgresql:", 69, "cannot be reached"),
            ("place delete ", 66, "you have no private place with the name 'home'"),
            ("habit resume ", 66, "is not paused on 2026-11-21"),
            ("user resume ", 66, "no pause of all habits contains 2026-11-21"),
            ("pause delete ", 66, "the pause '4bq0txp7' does not exist"), ("pause list ", 0, "No pauses match"),
            ("user unblock ", 66, "you have not blocked a user 'bruno'"), ("user blocks ", 0, "No blocks"),
            ("view list ", 0, "No shared views"), ("view revoke ", 66, "the shared view '5d1f0c9a2b7e' does not exist"),
        ]
        + (TestServer.isUsed
            ? [
                ("backup ", 64, "cannot be backed up to a file"), ("restore ", 64, "cannot be replaced by a file"),
                ("copy --from habitat.db", 69, "the store 'habitat.db' does not exist"),
                ("cluster init --shards", 69, "does not have the extension citus"),
                ("cluster ", 0, "The store is not distributed"),
            ] : [("cluster ", 64, "only a PostgreSQL store can be distributed")])

    private static let parts = 4

    /// The parts of the examples run at the same time.
    @Test(arguments: 0..<parts) func everyExampleRuns(part: Int) async throws {
        let path = Program.habitat
        let examples = Set(try await Self.commands().flatMap(\.examples)).sorted()
        for (index, example) in examples.enumerated() where index % Self.parts == part {
            let folder = try await Self.folder(for: example)
            if example.contains("--diff") { try await Self.makeNightlyRuns(in: folder) }
            if example.contains(" restore "), !TestServer.isUsed {
                try FileManager.default.copyItem(atPath: folder.file("habitat.db"), toPath: folder.file("backup.db"))
            }
            // These examples change the configuration file, which no other test selects.
            let changesFile = example.hasPrefix("habitat config ") || example.hasPrefix("habitat init --user ")
            let file = changesFile ? "export HABITAT_CONFIG=config.toml XDG_DATA_HOME=$PWD/data\n" : ""
            if example.hasPrefix("habitat config unset ") { try folder.write("user = \"ana\"\n", to: "config.toml") }
            let script = "\(file)habitat() { '\(path)' --now 2026-11-21T09:00:00Z \"$@\"; }\n\(example)"
            let result = try await Program.run("/bin/sh", ["-c", script], in: folder.path)
            if let refused = Self.refused.first(where: { example.hasPrefix("habitat \($0.command)") }) {
                #expect(result.status == refused.status, "\(example): \(result)")
                #expect(result.errors.contains(refused.reason), "\(example): \(result)")
                continue
            }
            #expect(result.status == 0, "\(example): \(result.errors)")
            let isEmpty = result.errors.contains("No ") || result.errors.contains("found no rows")
            #expect(!isEmpty, "\(example): \(result.errors)")
        }
    }

    /// Help works at every command, because each command is parsed separately.
    @Test func everyCommandHasHelpAndVersion() async throws {
        let folder = try TemporaryFolder()
        // This report may declare parameters.
        #expect(try await Program.habitat("report", "run", "near", "--version", in: folder).status == 0)
        for command in try await Self.commands() {
            // The first word is the program's name. The command `serve` passes its arguments to the server.
            let words = Array(command.name.split(separator: " ").map(String.init).dropFirst())
            guard words != ["serve"] else { continue }
            let version = try await Program.habitat(words + ["--version"], in: folder)
            #expect(version.status == 0, "\(words): \(version)")
            #expect(version.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil, "\(words): \(version)")
            let help = try await Program.habitat(words + ["--help"], in: folder)
            #expect(help.status == 0, "\(words): \(help)")
            #expect(help.output.contains("USAGE: \(command.name) "), "\(words): \(help)")
        }
    }

    // MARK: What the help shows

    private static func text(_ arguments: [String]) async throws -> String {
        let help = try await Program.habitat(arguments, in: try TemporaryFolder())
        #expect(help.status == 0, "\(help)")
        #expect(help.errors.isEmpty, "\(help)")
        return help.output
    }

    @Test(arguments: [["--help"], ["help"], ["-h"], ["--quiet", "--help"]])
    func helpOfProgramHasGroupsAndFitsScreen(arguments: [String]) async throws {
        let lines = try await Self.text(arguments).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 55)
        for line in lines { #expect(line.count <= 80, "\(line)") }
        #expect(lines.contains("Begin with 'habitat init'."))
        let groups = Habitat.configuration.groupedSubcommands
        #expect(groups.map(\.name) == ["Every day", "Records", "Reports", "Data", "Operation"])
        for group in groups {
            #expect(lines.contains("\(group.name.uppercased()):"))
            for command in group.subcommands {
                let name = command._commandName
                #expect(lines.count { $0.hasPrefix("  \(name) ") } == 1, "\(name)")
            }
        }
        for topic in HelpTopics.names { #expect(lines.contains { $0.contains(topic) }, "\(topic)") }
    }

    /// The parser's sections of shared options are one line, except in the complete help.
    @Test func helpOfCommandOmitsSharedOptions() async throws {
        let line = "Output and common options: habitat help options\n"
        let shared = ["COMMON OPTIONS:", "OUTPUT OPTIONS:", "--spreadsheet-safe", "--time-zone"]
        for command in try await Self.program.value.leaves where !["help", "serve"].contains(command.commandName) {
            let words = Array(command.name.split(separator: " ").map(String.init).dropFirst())
            let help = try await Self.text(words + ["--help"])
            #expect(help.hasSuffix("\n\n" + line), "\(words): \(help)")
            for text in shared where !text.hasPrefix("--") { #expect(!help.contains(text), "\(words)") }
            #expect(!help.contains("\n  --verbose "), "\(words)")
            #expect(try await Self.text(["help"] + words) == help, "\(words)")
        }
        let complete = try await Self.text(["help", "history", "--all"])
        for text in shared { #expect(complete.contains(text), "\(text)") }
        #expect(!complete.contains(line))
        #expect(complete.contains("\n  --scope "))
    }

    @Test(arguments: ["todo", "following", "inbox"]) func helpOfDailyCommandIsShort(command: String) async throws {
        #expect(try await Self.text([command, "--help"]).split(separator: "\n").count <= 40)
    }

    @Test func everyTopicFitsWidthOfTerminal() async throws {
        #expect(
            HelpTopics.names == [
                "options", "environment", "days", "names", "formats", "exit-status", "store", "time-zones",
            ])
        for topic in HelpTopics.names {
            let text = try await Self.text(["help", topic])
            for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(topic): \(line)") }
        }
    }

    @Test func topicsAreComplete() async throws {
        let formats = try await Self.text(["help", "formats"])
        for format in OutputFormat.allCases { #expect(formats.contains("\n\(format.rawValue) "), "\(format)") }
        let statuses = try await Self.text(["help", "exit-status"]).split(separator: "\n").map { $0.prefix(3) }
        for code in ErrorCode.allCases {
            #expect(statuses.contains { $0.trimmingCharacters(in: .whitespaces) == "\(code.exitStatus)" }, "\(code)")
        }
        let options = try await Self.text(["help", "options"])
        for option in ["--format", "--share-output", "--columns", "--store", "--as", "--wait"] {
            #expect(options.contains("\n  \(option) ") || options.contains("\n  \(option)\n"), "\(option)")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionScriptContainsCommandsAndOptions(shell: String)
        async throws
    {
        let result = try await Program.habitat("--generate-completion-script", shell, in: try TemporaryFolder())
        #expect(result.status == 0)
        for word in ["near", "habit", "claim", "--nearest", "--share-location"] {
            #expect(result.output.contains(word.replacing("--", with: shell == "fish" ? "" : "--")), "\(shell) \(word)")
        }
    }

    /// The condition of the command is the same for all its options, so that Fish checks it once for each Tab key.
    @Test func linesOfFishCheckTheCommandFirst() async throws {
        let result = try await Program.habitat("--generate-completion-script", "fish", in: try TemporaryFolder())
        let lines = result.lines.filter { line in line.hasPrefix("complete ") && line.contains(" -n ") }
        #expect(lines.count > 1000, "\(lines.count)")
        let others = lines.filter { line in !line.hasPrefix("complete -c 'habitat' -n '__habitat_is_command \"") }
        #expect(others == [])
    }

    /// A small photo with an EXIF position: 38.7223, -9.1393.
    private static let locatedPhoto = """
        /9j/4AAQSkZJRgABAQAAAQABAAD/4QCIRXhpZgAATU0AKgAAAAgAAYglAAQAAAABAAAAGgAAAAAABAABAAIAAAACTgAAAAACAAUAAAADAAAAUAAD
        AAIAAAACVwAAAAAEAAUAAAADAAAAaAAAAAAAAAAmAAAAAQAAACsAAAABAAAB+wAAABkAAAAJAAAAAQAAAAgAAAABAAACGQAAABn/2wBDAA0JCgsK
        CA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09P
        T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAQABgDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAA
        AAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0
        NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT
        1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAEC
        AxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3
        eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIR
        AxEAPwCGiiiuU4wooooA/9k=
        """
}
