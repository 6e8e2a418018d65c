import Foundation
import HabitTestSupport
import Testing

/// Runs the shipped reports on the sample data, on the day after its last day.
enum Reports {
    static let now = "2026-11-21T09:00:00Z"

    private static let folder = Program.repository + "/reports/"

    static let ids: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".sql") }
        .map { String($0.dropLast(4)) }.sorted()

    /// Returns the values of a key in a report's header, one for each line.
    static func header(_ id: String, _ key: String) throws -> [String] {
        let text = try String(contentsOfFile: "\(folder)\(id).sql", encoding: .utf8)
        return text.split(separator: "\n").filter { $0.hasPrefix("-- \(key): ") }.map {
            String($0.dropFirst(key.count + 5))
        }
    }

    /// Returns the arguments in a report's example, without its id.
    static func example(_ id: String) throws -> [String] { RuleStore.words(try header(id, "example").first ?? "") }

    /// Runs a command on the sample data in another folder, which contains its input and output files.
    static func habitat(_ arguments: String..., in folder: TemporaryFolder) async throws -> ProgramResult {
        try await SampleData.habitat(arguments, in: folder, now: now)
    }

    static func run(
        _ words: [String], as user: String? = nil, format: String = "csv", in folder: TemporaryFolder? = nil,
        now: String = now
    ) async throws -> ProgramResult {
        let sample = try await SampleData.folder()
        let actor = user.map { ["--as", $0] } ?? []
        return try await Program.habitat(
            ["--now", now, "--format", format] + actor + words, in: folder ?? sample)
    }

    /// Returns the rows of a command.
    ///
    /// Spaces separate the words of `command`.
    static func rows(
        _ command: String, _ more: String..., as user: String? = nil, in folder: TemporaryFolder? = nil,
        now: String = now
    ) async throws -> OutputTable {
        let result = try await run(RuleStore.words(command) + more, as: user, in: folder, now: now)
        try #require(result.status == 0, "\(command): \(result.errors)")
        let rows = parseCSV(result.output)
        return OutputTable(columns: rows[0].map { $0 ?? "" }, rows: Array(rows.dropFirst()))
    }

    /// Returns the rows of a report, such as `completion --by week`.
    static func table(
        _ report: String, as user: String? = nil, in folder: TemporaryFolder? = nil, now: String = now
    ) async throws -> OutputTable {
        try await rows("report run \(report)", as: user, in: folder, now: now)
    }
}

extension OutputTable {
    /// Returns the rows with only the columns `names`, in that order.
    func selecting(_ names: [String]) -> [[String?]] {
        let columns = names.map { self[$0] }
        return rows.indices.map { row in columns.map { row < $0.count ? $0[row] : $0.first ?? nil } }
    }
}

/// Formats an expected number with six decimals.
func cell(_ value: Double?) -> String? { value.map { String(format: "%.6f", $0) } }
func cell(_ value: Int?) -> String? { value.map { String($0) } }

/// Checks columns of a table row by row.
///
/// Texts must be equal, and numbers must agree to six decimals.
func expectRows(
    _ table: OutputTable,
    columns: String,
    equal expected: [[String?]],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let rows = table.selecting(columns.split(separator: " ").map(String.init))
    #expect(rows.count == expected.count, sourceLocation: sourceLocation)
    for (row, wanted) in zip(rows, expected) where !isApproximatelyEqual(row, wanted) {
        Issue.record("\(row) instead of \(wanted)", sourceLocation: sourceLocation)
        return
    }
}

/// Whether two rows are equal, with numbers compared to six decimals.
func isApproximatelyEqual(_ row: [String?], _ wanted: [String?]) -> Bool {
    row.count == wanted.count
        && zip(row, wanted).allSatisfy { a, b in
            if a == b { return true }
            guard let a = a.flatMap(Double.init), let b = b.flatMap(Double.init) else { return false }
            return abs(a - b) < 1.1e-6
        }
}
