import Foundation
import FoundationXML
import Geo
import HabitModel
import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct ChartDrawingTests {
    private let shape = ResultShape(
        columns: [
            Column("name", .text, at: 0), Column("day", .day, at: 1), Column("outcome", .text, at: 2),
            Column("rate", .number(decimals: 6), at: 3), Column("color", .text, at: 4),
            Column("longitude", .longitude, at: 5), Column("latitude", .latitude, at: 5),
        ], geometry: 5)

    private func row(
        _ name: String = "a", day: String = "2026-11-20", _ outcome: String = "done", rate: Double = 0.5,
        color: String = "#2e7d32", at place: (Double, Double)? = (0, 0)
    ) -> TestRow {
        TestRow(
            .text(name), .text(day), .text(outcome), .number(rate), .text(color),
            place.map { .point($0.0, $0.1) } ?? .null)
    }

    /// Returns the drawings of a page with one chart.
    private func drawings(
        _ chart: String, _ rows: [TestRow], circle: RenderOptions.Page.Circle? = nil
    ) throws -> [String] {
        let html = try page(chart, rows, circle: circle)
        return html.components(separatedBy: "<svg role").dropFirst().map { part in
            "<svg role" + part.components(separatedBy: "</svg>")[0] + "</svg>"
        }
    }

    private func page(
        _ chart: String, _ rows: [TestRow], circle: RenderOptions.Page.Circle? = nil
    ) throws -> String {
        var options = RenderOptions()
        options.page.charts = [try Chart(chart)]
        options.page.circle = circle
        return try render(.html, shape, rows, options)
    }

    private static let names = [
        "a", "<b> & \"c\" 'd'", "שלום", "\u{0}\u{85}\u{FFFE}", String(repeating: "w", count: 200),
    ]
    private static let days = (0..<100).map { Day(number: 20_700 + $0).description }
    private static let outcomes = ["done", "missed", "skipped", "unplanned", "open", "none", "<other>"]

    @Test(
        arguments: [
            "calendar day outcome by name", "bars rate by name color", "line rate over day by name", "map color",
            "map color circle near within",
        ])
    func everyDrawingIsWellFormedAndNamedWithTwoDecimalsAtMost(chart: String) throws {
        let colors = ["#2e7d32", "#ABCDEF", "red;x:y", ""]
        let rows = (0..<500).map { i -> TestRow in
            let place = (Double(i % 360) - 180, Double(i % 180) - 90)
            return row(
                Self.names[i % 5], day: Self.days[i / 5], Self.outcomes[i % 7], rate: Double(i) / 499,
                color: colors[i % 4], at: place)
        }
        let circle = RenderOptions.Page.Circle(
            center: try #require(Position(longitude: 179, latitude: 60)), radius: .kilometers(500))
        let drawings = try drawings(chart, rows, circle: circle)
        #expect(!drawings.isEmpty)
        for drawing in drawings {
            let parser = XMLParser(data: Data(drawing.replacing("\u{FFFE}", with: "").utf8))
            #expect(parser.parse(), "\(String(describing: parser.parserError)): \(drawing.prefix(500))")
            #expect(drawing.contains(/role="img" aria-label="[^"]+"/))
            #expect(drawing.contains("<title>"))
            #expect(!drawing.contains("red;"))
            let coordinates = drawing.matches(of: #/ (?:d|x|y|width|cx|cy)="([^"]*)"/#).map { String($0.1) }
            #expect(!coordinates.contains { $0.contains(/\.\d{3}|e-|nan|inf/) })
        }
        #expect(try self.page(chart, rows, circle: circle) == self.page(chart, rows, circle: circle))
    }

    @Test func calendarHasMondayAtTopAndSundayAtBottom() throws {
        let monday = try #require(Day("2026-08-24"))
        let grid = CalendarGrid(from: monday, to: monday.advanced(by: 89))
        #expect(grid.corner(of: monday) == (27, 14))
        #expect(grid.corner(of: monday.advanced(by: 6)) == (27, 14 + 6 * 13))
        #expect(grid.corner(of: monday.advanced(by: 7)) == (27 + 13, 14))
        #expect(grid.corner(of: monday.advanced(by: 89)) == (27 + 12 * 13, 14 + 5 * 13))
        // After 24 weeks, the year continues below.
        let year = CalendarGrid(from: monday, to: monday.advanced(by: 364))
        #expect(year.corner(of: monday.advanced(by: 7 * 18)) == (27, 14 + 110))
        #expect(year.size.width == Double(27 + 18 * 13))
    }

    @Test func everyOutcomeIsOnePathAndNinetyDaysAreSmall() throws {
        let rows = (0..<90).map { row(day: Self.days[$0], ["done", "done", "missed", "none"][$0 % 4]) }
        let drawing = try #require(try drawings("calendar day outcome by name", rows).first)
        #expect(drawing.components(separatedBy: "<path").count == 4)
        #expect(drawing.utf8.count < 2000)
        #expect(drawing.contains("46 done, 22 missed"))
    }

    @Test func longCalendarKeepsItsEndWithNotice() throws {
        let html = try page("calendar day outcome by name", [row(day: "1970-01-01", "missed"), row(day: "2026-11-20")])
        #expect(html.contains("Only the last 53 weeks"))
        #expect(html.contains("aria-label=\"a: 1 done\""))
    }

    @Test(arguments: ["bars rate by name", "calendar day outcome by name", "line rate over day by name"])
    func groupsAreLimitedWithNotice(chart: String) throws {
        let html = try page(chart, (0..<303).map { row("group \($0)") })
        #expect(html.contains("The chart omits 3 "))
        #expect(!html.contains("aria-label=\"group 300"))
    }

    @Test func lengthOfBarIsProportionalToValue() throws {
        let drawing = try #require(try drawings("bars rate by name", [row(rate: 0.25), row(rate: 1)]).first)
        #expect(drawing.contains("width=\"85\" height"))
        #expect(drawing.contains(">25 %</text>"))
        let counts = try #require(try drawings("bars rate by name", [row(rate: 5), row(rate: 20)]).first)
        #expect(counts.contains(">5</text>"))
        #expect(counts.contains("width=\"85\" height"))
    }

    @Test(arguments: [(6, 1), (7, 7)])
    func upToSixCurvesShareOneDrawing(groups: Int, expected: Int) throws {
        let rows = (0..<groups * 10).map { row("g\($0 / 10)", day: Self.days[$0 % 10], rate: Double($0) / 100) }
        #expect(try drawings("line rate over day by name", rows).count == expected)
    }

    @Test func curvesHaveFullNames() throws {
        let names = ["alice: Read 20 pages", "alice: Morning exercises"]
        let drawing = try drawings("line rate over day by name", names.map { row($0) })
        #expect(drawing.count == 1)
        for name in ["Read 20 pages", "Morning exercises"] { #expect(drawing[0].contains(">\(name)</text>")) }
        // Names that do not fit become captions of separate drawings.
        let long = ["alice: Read 20 pages", "ben: " + String(repeating: "w", count: 30)]
        let html = try page("line rate over day by name", long.map { row($0) })
        #expect(html.components(separatedBy: "<svg role").count == 3)
        for name in long { #expect(html.contains("<figcaption>\(name)<")) }
    }
}
