import Foundation
import HabitTestSupport
import Testing

/// A store with two users, whose titles contain characters that shells interpret.
struct CompletionStore {
    let folder: TemporaryFolder

    /// The current date of the runs.
    static let today = "2026-11-20"

    /// The titles by the IDs of their habits.
    static let titles = [
        "guitar": "Guitar practice",
        "rock": "Rock & roll",
        "apostrophe-1": "It's late",
        "quotes-1": "Say \"hi\"",
        "slash-1": "back\\slash",
        "dollar": "$(touch pwned)",
        "ebony": "Ébène",
        "ski": "スキー",
        "stroll": "Walk",
    ]

    /// The completion that takes longer on a busy machine than its limit is repeated this often.
    private static let attempts = 6

    init() async throws {
        folder = try TemporaryFolder()
        try await run("init", "--quiet")
        for user in ["ana", "bob"] { try await run("user", "add", user, "--time-zone", "UTC") }
        let titles = Self.titles.map { id, title in (id, "ana", title) } + [("hidden", "bob", "Guild secret")]
        let rows = titles.map { id, user, title in
            let quoted = title.replacing("\"", with: "\"\"")
            return "\(id),\(user),\"\(quoted)\",1111111,2026-11-01\n"
        }
        try folder.write("id,user,title,days,start\n" + rows.sorted().joined(), to: "habits.csv")
        try await run("ingest", "habits.csv", "--quiet")
        try await run("follow", "request", "ana", "--as", "bob")
    }

    /// Runs a command on the current date of the store.
    func run(_ arguments: String...) async throws {
        let result = try await Program.habitat(arguments + ["--today", Self.today], in: folder)
        #expect(result.status == 0, "\(result)")
    }

    /// Runs a completion of the last word of a command line.
    ///
    /// - Parameters:
    ///   - argument: The argument in the form of a completion script, such as `positional@0` or `--as`.
    ///   - line: The words after the program's name.
    ///   - expectsValues: Whether a run without values may have reached its limit and is repeated.
    /// - Returns: The values as the Fish shell reads them.
    /// - Throws: An error if the program cannot be started.
    func values(_ argument: String, _ line: [String], expectsValues: Bool = true) async throws -> [String] {
        let path = line.prefix { !$0.hasPrefix("-") }.prefix(argument.hasPrefix("--") ? 2 : line.count - 1)
        let command = try await Self.commandPath(Array(path))
        let words =
            ["---completion"] + command + ["--", argument, "\(line.count)", "\(line.last?.count ?? 0)", "habitat"]
        for _ in 1...(expectsValues ? Self.attempts : 1) {
            let result = try await Program.habitat(
                words + line, in: folder, environment: ["SAP_SHELL": "fish", "HABITAT_USER": "ana"])
            #expect(result.status == 0, "\(result)")
            #expect(result.errors.isEmpty, "\(result)")
            if !result.lines.isEmpty || !expectsValues { return result.lines }
        }
        return []
    }

    /// Returns the leading words that name a command.
    private static func commandPath(_ words: [String]) async throws -> [String] {
        let groups = [
            "habit", "event", "user", "follow", "item", "message", "post", "report", "setting", "config", "token",
        ]
        guard let first = words.first else { return [] }
        return groups.contains(first) ? Array(words.prefix(2)) : [first]
    }
}
