import Foundation
import HabitTestSupport
import Testing

/// A copy of ``StoreTemplate/rules`` on which commands run.
final class RuleStore: Sendable {
    static let now = StoreTemplate.now

    let folder: TemporaryFolder

    init() async throws { folder = try await StoreTemplate.rules.copy() }

    /// Runs a command whose words are separated by spaces.
    ///
    /// `''` is an empty word, and `~` is a space in a word.
    func run(
        _ command: String, _ more: String..., as user: String? = nil, now: String = RuleStore.now
    ) async throws -> ProgramResult {
        try await run(Self.words(command) + more, as: user, now: now)
    }

    /// Runs a command with the given words.
    private func run(_ words: [String], as user: String?, now: String) async throws -> ProgramResult {
        try await Program.habitat(["--now", now] + (user.map { ["--as", $0] } ?? []) + words, in: folder)
    }

    static func words(_ command: String) -> [String] {
        command.split(separator: " ").map { $0 == "''" ? "" : String($0.replacing("~", with: " ")) }
    }

    /// Returns the rows of a command in CSV.
    func table(
        _ command: String, _ more: String..., as user: String? = nil, now: String = RuleStore.now
    ) async throws -> OutputTable {
        let words = Self.words(command) + more + ["--format", "csv"]
        let result = try await run(words, as: user, now: now)
        try #require(result.status == 0, "\(words): \(result.errors)")
        let rows = parseCSV(result.output)
        return OutputTable(columns: rows[0].map { $0 ?? "" }, rows: Array(rows.dropFirst()))
    }

    /// Returns the number of rows that a query over the views counts, for the operator or a user.
    func count(_ table: String, as user: String? = nil) async throws -> Int {
        let counted = try await self.table("query", "SELECT count(*) AS n FROM \(table)", as: user)["n"]
        return try #require(counted.first.flatMap { $0.flatMap { Int($0) } })
    }

    /// The bytes of the store and its neighboring files, except empty WAL files and shared memory files, which readers
    /// create, and the folder of the log of `habitat undo`, which a command writes before it commits.
    var state: [String: Data] {
        var state: [String: Data] = [:]
        for name in folder.names where !name.hasSuffix("-shm") && name != ".local" {
            let content = FileManager.default.contents(atPath: folder.file(name)) ?? Data()
            if !name.hasSuffix("-wal") || !content.isEmpty { state[name] = content }
        }
        return state
    }

    /// Checks that a command fails with one line on standard error, no output and no change.
    func expectRefusal(_ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let before = state
        let result = try await Program.habitat(
            ["--now", Self.now] + (refusal.user.map { ["--as", $0] } ?? []) + refusal.words, in: folder)
        #expect(result.status == refusal.status, "\(refusal): \(result.errors)", sourceLocation: sourceLocation)
        #expect(
            result.errors.hasPrefix("error[\(refusal.slug)]: "), "\(refusal): \(result.errors)",
            sourceLocation: sourceLocation)
        #expect(
            result.errors.filter { $0 == "\n" }.count == 1, "\(refusal): \(result.errors)",
            sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, "\(refusal): \(result.output)", sourceLocation: sourceLocation)
        #expect(state == before, "\(refusal) changed something", sourceLocation: sourceLocation)
    }
}

/// The rows of a CSV output by column.
///
/// A null cell is `nil`.
struct OutputTable: Equatable {
    var columns: [String]
    var rows: [[String?]]

    subscript(column: String) -> [String?] {
        columns.firstIndex(of: column).map { index in rows.map { $0[index] } } ?? ["no column \(column)"]
    }

    /// Returns the cell of the only row.
    func singleCell(_ column: String) throws -> String? {
        try #require(rows.count == 1)
        return self[column][0]
    }
}

/// A command that must fail, with its user (`nil` for the operator), words, exit status and slug.
struct Refusal: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    var user: String?
    var words: [String]
    var status: Int32
    var slug: String

    init(_ user: String?, _ command: String, status: Int32, slug: String) {
        self.user = user
        words = RuleStore.words(command)
        self.status = status
        self.slug = slug
    }

    var description: String { "\(user ?? "operator"): \(words.joined(separator: " "))" }
    var testDescription: String { description }
}

/// Returns the error text with `NAME` instead of the record's name, for comparing errors of missing and hidden records.
func errorText(_ result: ProgramResult, about name: String) -> String { result.errors.replacing(name, with: "NAME") }

/// Parses JSON output with Foundation.
func json<T>(_ result: ProgramResult, as type: T.Type = T.self) throws -> T {
    try #require(result.status == 0, "\(result.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? T, "\(result.output)")
}
