import Foundation
import HabitTestSupport
import Testing

/// Tests that the engines act on the declaration of the schema, and contain no word of habits.
@Suite(.engineIndependent) struct EngineWordTests {
    private static let modules = ["StoreEngine", "StoreSpatiaLite", "StorePostGIS"]

    /// The words of habits, which also count in the plural.
    private static let words: Set<String> = [
        "account", "claim", "comment", "event", "follow", "followee", "follower", "habit", "item", "post", "user",
        "viewer",
    ]

    /// The terms of programs and messages that contain a word of habits without its meaning.
    private static let exceptions = [
        // The error type of the module `Base`, and the extension of PostgreSQL.
        "HabitError",
        "PostGIS",
        // SQL that a user of the program writes, in messages.
        "user-supplied SQL",
        "signed-in user",
        // The version and the closure data of SQLite.
        "user_version",
        "userVersion",
        "sqlite3_user_data",
        // Keywords of SQL.
        "current_user",
        "session_user",
        "COMMENT ON",
        #"isWord("USER")"#,
        #""\"user\"""#,
        // The role in a URL of PostgreSQL.
        "user@host",
        #"== "user""#,
        // A comment in SQL.
        "skipComment",
        "unterminated comment",
    ]

    /// Returns the words of habits in a line of Swift, which may be parts of identifiers.
    private static func words(in line: String) -> [String] {
        var code = line
        if let comment = code.firstMatch(of: /(?:^ *|  ?)\/\/.*$/) {
            code.removeSubrange(comment.range)
        }
        for term in exceptions {
            code = code.replacing(term, with: " ")
        }
        let parts = code.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/)
        return parts.map { part in part.output.lowercased() }.filter(isWord)
    }

    private static func isWord(_ part: String) -> Bool {
        guard part.hasSuffix("s") else {
            return words.contains(part)
        }
        return words.contains(String(part.dropLast()))
    }

    @Test(arguments: modules)
    func moduleContainsNoWordOfHabits(module: String) throws {
        let folder = Program.repository + "/Sources/" + module
        let files = try #require(FileManager.default.enumerator(atPath: folder))
        for case let name as String in files where name.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                let found = Self.words(in: String(line))
                #expect(found == [], "\(module)/\(name):\(index + 1): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("guard table == \"event\" else {", ["event"]),
        ("let viewersAtOnce = eventMap.count", ["viewers", "event"]),
        ("SELECT max(id) FROM habit_schedule", ["habit"]),
        ("throw HabitError(.internal, \"no PostGIS\") // for the user", []),
        ("/// The events of a user.", []),
        ("let habitat = \"postgresql://user@host\"", []),
    ])
    func wordsAreFound(line: String, words: [String]) {
        #expect(Self.words(in: line) == words)
    }
}
