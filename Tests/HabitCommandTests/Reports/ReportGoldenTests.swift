import HabitTestSupport
import Rendering
import Testing

/// Tests that compare every shipped report in each of its formats with a golden file, on the sample data.
@Suite struct ReportGoldenTests {
    static let all: [(id: String, format: String)] = Reports.ids.flatMap { id -> [(id: String, format: String)] in
        let formats = try? Reports.header(id, "formats").first
        return (formats ?? "").split(separator: " ").map { (id, String($0)) }
    }

    @Test(arguments: all) func exampleOutputMatchesGoldenFile(id: String, format: String) async throws {
        let result = try await Reports.run(["report", "run", id] + Reports.example(id), format: format)
        #expect(result.status == 0, "\(result.errors)")
        // Every page contains the same style sheets. The golden files omit them.
        let style = StyleSheet.allCases.map(\.text).joined()
        #expect(result.output.contains(style) == (format == "html"))
        try expectGolden(result.output.replacing(style, with: "…\n"), "reports/\(id).\(format)")
    }

    /// The example of each report must find rows.
    ///
    /// One of the alert rules has at most one row.
    @Test(arguments: Reports.ids) func exampleHasRows(id: String) async throws {
        let result = try await Reports.run(["report", "run", id] + Reports.example(id), format: "ndjson")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count >= (id == "alert-no-events" ? 1 : 3), "\(result.errors)")
        #expect(try Reports.header(id, "formats").first?.contains("csv json ndjson") == true)
    }

    /// A nightly report takes only a date and returns rows.
    @Test(arguments: try Reports.ids.filter { try !Reports.header($0, "nightly").isEmpty })
    func nightlyReportRunsWithDateOnly(id: String) async throws {
        let table = try await Reports.table("\(id) --date 2026-11-20")
        #expect(!table.rows.isEmpty || id == "quiet-users")
    }

    @Test func allReportsAndFormatsAreFound() {
        #expect(Reports.ids.count >= 19)
        #expect(Self.all.count > 5 * Reports.ids.count)
    }
}
