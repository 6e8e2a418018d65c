import HabitTestSupport
import Rendering
import Testing

/// Every shipped report, in every format that it declares, on the sample data: what it prints today is what it printed.
@Suite struct ReportGoldenTests {
    static let all: [(id: String, format: String)] = Reports.ids.flatMap { id in
        ((try? Reports.header(id, "formats").first) ?? "").split(separator: " ").map { (id, String($0)) }
    }

    @Test(arguments: all) func example(id: String, format: String) throws {
        let result = try Reports.run(["report", "run", id] + Reports.example(id), format: format)
        #expect(result.status == 0, "\(result.errors)")
        // Every page holds the same style sheet: it is looked at once, and is no part of the goldens.
        let style = try String(
            contentsOfFile: Program.repository + "/Sources/Rendering/HTML/page.css", encoding: .utf8)
        #expect(result.output.contains(style) == (format == "html"))
        try expectGolden(result.output.replacing(style, with: "…\n"), "reports/\(id).\(format)")
    }

    /// An example that finds nothing shows nothing.
    @Test(arguments: Reports.ids) func exampleHasRows(id: String) throws {
        let result = try Reports.run(["report", "run", id] + Reports.example(id), format: "ndjson")
        #expect(result.status == 0 && result.lines.count >= 3, "\(result.errors)")
        #expect(try Reports.header(id, "formats").first?.contains("csv json ndjson") == true)
    }

    /// A report of the night is given a day and nothing else, finds something, and knows each day's end.
    @Test(arguments: try Reports.ids.filter { try !Reports.header($0, "nightly").isEmpty })
    func nightlyReportsTakeADay(id: String) throws {
        let table = try Reports.table("\(id) --date 2026-11-20")
        #expect(!table.rows.isEmpty || id == "quiet-users")
    }

    @Test func allAreThere() {
        #expect(Reports.ids.count >= 19)
        #expect(Self.all.count > 5 * Reports.ids.count)
    }
}
