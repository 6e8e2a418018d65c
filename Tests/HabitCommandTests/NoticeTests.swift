import Foundation
import HabitTestSupport
import Testing

/// Tests of notices and errors: each names a command or an option that the user can use.
@Suite(.engineIndependent) struct NoticeTests {
    @Test(arguments: [
        (
            ["--as", "owner", "--columns", "id", "history"],
            "the option '--columns' cannot precede the command: write it after"
        ),
        (["--quiet", "--limit=3", "history"], "the option '--limit' cannot precede the command"),
        (["--as", "owner", "--bogus"], "unknown option '--bogus', and the command is missing: see 'habitat --help'"),
        (["--quiet"], "the command is missing: see 'habitat --help'"),
        (["--store=x.db", "--as", "owner", "histori"], "unknown command 'histori': did you mean 'history'?"),
        (["--bogus"], "Unknown option '--bogus'"),
    ])
    func errorNamesMisplacedOption(arguments: [String], message: String) async throws {
        let result = try await Program.habitat(arguments, in: try await RuleStore().folder)
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains(message), "\(result)")
    }

    @Test(arguments: [
        (["history", "--format", "csv", "--format", "json"], "--format is given twice: omit one of them"),
        (["history", "--limit=3", "--limit=4"], "--limit is given twice"),
        (["todo", "--jsonn"], "Unknown option '--jsonn': see 'habitat help todo'"),
        (["history", "--fromat", "csv"], "Unknown option '--fromat': did you mean '--format'?"),
        (["history", "--limt", "3", "--comment", "--bogus"], "Unknown option '--limt': did you mean '--limit'?"),
        (["history", "--xyz"], "Unknown option '--xyz': see 'habitat help history'"),
        (["report", "run"], "the report is missing: name one, such as 'habitat report calendar': alert-no-events, "),
        (["report", "run", "--as", "owner"], "the report is missing"),
    ])
    func errorNamesRepeatedOrUnknownOption(arguments: [String], message: String) async throws {
        let result = try await Program.habitat(arguments, in: try await RuleStore().folder)
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains(message), "\(result)")
        #expect(result.output.isEmpty, "\(result)")
    }

    /// An alias can set a default.
    ///
    /// Options with several values, flags and values that look like options may repeat.
    @Test(arguments: [
        ["--today", "2026-11-20", "history", "--today", "2026-11-19"],
        ["history", "--habit", "a", "--habit", "b"], ["history", "--plain", "--plain"],
        ["history", "--comment", "--format", "--format", "csv"],
        ["report", "streaks", "--as", "owner"],
    ])
    func optionMayRepeatBeforeNameOrWithSeveralValues(arguments: [String]) async throws {
        let result = try await Program.habitat(["--as", "owner"] + arguments, in: try await RuleStore().folder)
        #expect(!result.errors.contains("given twice"), "\(result)")
        #expect(result.status != 64, "\(result)")
    }

    @Test(arguments: [
        ["--as", "owner", "--version"], ["--quiet", "--help"],
    ])
    func optionsOfEveryCommandPrecedeHelpAndVersion(arguments: [String]) async throws {
        #expect(try await Program.habitat(arguments, in: try TemporaryFolder()).status == 0)
    }

    @Test func emptyListsNameCommandsOfUser() async throws {
        let store = try await RuleStore()
        let user = try await store.run("history", as: "stranger", now: "2026-11-20T12:00:00Z")
        #expect(user.status == 0)
        let hidden = try await store.run("history", as: "hidden")
        #expect(hidden.errors == "No events found: record one with 'habitat event add --habit HABIT'.\n")
        let empty = try TemporaryFolder()
        #expect(try await Program.habitat("init", "--quiet", in: empty).status == 0)
        let operators = try await Program.habitat("history", in: empty)
        #expect(operators.errors == "No events found: load data with 'habitat ingest PATH'.\n")
        #expect(try await Program.habitat("user", "add", "solo", "--quiet", in: empty).status == 0)
        #expect(
            try await Program.habitat("user", "list", "--as", "solo", in: empty).errors
                == "The store has no other users.\n")
    }

    @Test(arguments: [
        ("pat:lamp", "pat:lamp"), ("my lamp", "\"my lamp\""), ("a\"$b`c\\!'", #""a\"\$b\`c\\\!'""#), ("ä/b", "ä/b"),
    ])
    func noticeOfClaimNamesItem(id: String, word: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\npat\ncleo\n", to: "users.csv")
        try folder.write("id,user,name\n\"\(id.replacing("\"", with: "\"\""))\",pat,Lamp\n", to: "items.csv")
        #expect(try await Program.habitat("ingest", "users.csv", "items.csv", "--quiet", in: folder).status == 0)
        let claim = try await Program.habitat("item", "claim", id, "--as", "cleo", in: folder)
        #expect(claim.output.hasSuffix(": habitat message send \(word) TEXT\n"), "\(claim)")
        let echo = try await Program.run("/bin/sh", ["-c", "printf %s \(word)"], in: "/")
        if !id.contains("!") { #expect(echo.output == id) }
    }

    @Test func csvOfHabitReportsOmittedWeeks() async throws {
        let store = try await RuleStore()
        let shown = try await store.run("habit show run --format csv", as: "owner")
        let command = "habitat report run completion --by week --habit run"
        #expect(shown.errors.contains("CSV omits the weeks of the habit"), "\(shown)")
        #expect(shown.errors.contains(command), "\(shown)")
        #expect(try await store.run(String(command.dropFirst(8)), as: "owner").status == 0)
        #expect(try await store.run("habit show run --format json", as: "owner").errors.isEmpty)
        #expect(
            try await store.run("habit show run --format csv", as: "all").errors.isEmpty, "another user has no weeks")
    }

    @Test func helpNamesDefaultsOfLimits() async throws {
        for command in [
            ["event", "add"], ["event", "edit"], ["event", "skip"], ["item", "post"], ["item", "edit"],
            ["post", "add"],
            ["post", "edit"], ["message", "send"], ["habit", "add"],
        ] {
            let help = try await Program.habitat(command + ["--help"], in: try TemporaryFolder()).output
            let text = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            // The limits of the unit and of IDs are fixed.
            let limits = text.matches(of: /[\d,]+ characters(?! by default)[^.]*/).filter {
                !text[..<$0.range.lowerBound].hasSuffix("Unit of the amounts, up to ")
            }
            #expect(limits.isEmpty, "\(command): \(limits.map { String($0.output) })")
        }
        let help = try await Program.habitat("ingest", "--help", in: try TemporaryFolder()).output
        #expect(
            help.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("for 'ingest': a comma or a tab")
        )
    }

    @Test(arguments: [(1, "1 position is 0,0"), (2, "2 positions are 0,0")]) func positionsAtZeroAreCounted(
        count: Int, message: String
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\npat\n", to: "users.csv")
        let rows = (0..<count).map { "i\($0),pat,Lamp,0,0\n" }.joined()
        try folder.write("id,user,name,longitude,latitude\n" + rows, to: "items.csv")
        let load = try await Program.habitat("ingest", "users.csv", "items.csv", in: folder)
        #expect(load.errors.contains("warning[null-island]: \(message)"), "\(load)")
    }

    @Test func reportDescriptionsAreTrue() async throws {
        let store = try await RuleStore()
        for (report, parameter) in [("completion", "by"), ("score", "every"), ("items-near", "state")] {
            let arguments = report == "items-near" ? ["--near", "50,10"] : []
            let run = try await Program.habitat(
                ["report", "run", report, "--\(parameter)", "other", "--as", "owner"] + arguments, in: store.folder)
            #expect(run.status == 64, "\(run)")
            #expect(run.errors.hasPrefix("error[parameter-invalid]"), "\(run)")
            let shown = try await Program.habitat("report", "show", report, in: store.folder).output
            #expect(!shown.contains("report is empty"), "\(shown)")
        }
    }
}
