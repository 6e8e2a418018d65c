import Base
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
            Column("hour", .integer, at: 6),
        ], geometry: 5)

    private func row(
        _ name: String = "a", day: String = "2026-11-20", _ outcome: String = "done", rate: Double = 0.5,
        color: String = "#1769aa", at place: (Double, Double)? = (0, 0),
        hour: Int64? = 7
    ) -> TestRow {
        let placeCell: TestRow.Cell = place.map { .point($0.0, $0.1) } ?? .null
        let hourCell: TestRow.Cell = hour.map { .integer($0) } ?? .null
        return TestRow(
            .text(name),
            .text(day),
            .text(outcome),
            .number(rate),
            .text(color),
            placeCell,
            hourCell)
    }

    /// Returns the drawings of a page with one chart.
    private func drawings(
        _ chart: String, _ rows: [TestRow], circle: RenderOptions.PageContent.Circle? = nil
    ) throws -> [String] {
        let html = try page(chart, rows, circle: circle)
        return html.components(separatedBy: "<svg role").dropFirst().map { part in
            "<svg role" + part.components(separatedBy: "</svg>")[0] + "</svg>"
        }
    }

    private func page(
        _ chart: String, _ rows: [TestRow], circle: RenderOptions.PageContent.Circle? = nil
    ) throws -> String {
        var options = RenderOptions()
        options.page.charts = [try Chart(chart)]
        options.page.circle = circle
        return try render(.html, of: shape, rows: rows, options: options)
    }

    private static let names = [
        "a", "<b> & \"c\" 'd'", "שלום", "\u{0}\u{85}\u{FFFE}", String(repeating: "w", count: 200),
    ]
    private static let days = (0..<100).map { Day(number: 20_700 + $0).description }
    private static let outcomes = ["done", "missed", "skipped", "unplanned", "open", "none", "<other>"]

    @Test(
        arguments: [
            "calendar day outcome by name", "week rate by hour hour", "line rate over day by name", "map color",
            "map color circle near within",
        ])
    func everyDrawingIsWellFormedAndNamedWithTwoDecimalsAtMost(chart: String) throws {
        let colors = ["#1769aa", "#ABCDEF", "red;x:y", ""]
        let rows = (0..<500).map { i -> TestRow in
            let place = (Double(i % 360) - 180, Double(i % 180) - 90)
            return row(
                Self.names[i % 5], day: Self.days[i / 5], Self.outcomes[i % 7], rate: Double(i) / 499,
                color: colors[i % 4], at: place)
        }
        let circle = RenderOptions.PageContent.Circle(
            center: try #require(Position(longitude: 179, latitude: 60)), radius: .kilometers(500))
        let drawings = try drawings(chart, rows, circle: circle)
        #expect(!drawings.isEmpty)
        for drawing in drawings {
            let parser = XMLParser(data: Data(drawing.replacing("\u{FFFE}", with: "").utf8))
            #expect(parser.parse(), "\(String(describing: parser.parserError)): \(drawing.prefix(500))")
            #expect(drawing.contains(/role="img" aria-label="[^"]+"/))
            #expect(drawing.contains("<title>"))
            #expect(!drawing.contains("red;"))
            let matches = drawing.matches(of: #/ (?:d|x|y|width|cx|cy)="([^"]*)"/#)
            let coordinates = matches.map { String($0.1) }
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
        let outcomes = ["done", "done", "missed", "none"]
        let rows = (0..<90).map { number in row(day: Self.days[number], outcomes[number % 4]) }
        let drawing = try #require(try drawings("calendar day outcome by name", rows).first)
        #expect(drawing.components(separatedBy: "<path").count == 4)
        #expect(drawing.utf8.count < 2000)
        #expect(drawing.contains("46 done, 22 missed"))
    }

    /// The style does not stretch a calendar, whose width depends on its weeks.
    @Test func calendarKeepsItsOwnWidth() throws {
        for weeks in [4, 12] {
            let rows = (0..<Int32(weeks * 7)).map { row(day: Day(number: 20_699 + $0).description) }
            let drawing = try #require(try drawings("calendar day outcome by name", rows).first)
            let parts = try #require(drawing.firstMatch(of: /viewBox="0 0 (\d+) \d+" width="([\d.]+)"/))
            let scale = try #require(Double(parts.2)) / #require(Double(parts.1))
            #expect(abs(scale - 1.2) < 0.01, "\(weeks) weeks: \(scale)")
        }
        let html = try page("calendar day outcome by name", [row()])
        #expect(!html.contains("\n.multiples svg { width: 100%"))
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
        #expect(!html.contains("<span>group 300"))
    }

    @Test func lengthOfBarIsProportionalToValue() throws {
        let rates = try page("bars rate by name", [row("<b>", rate: 0.25), row(rate: 1)])
        #expect(
            rates.contains(
                "<li><span>&lt;b&gt;</span> <strong>25 %</strong><div><div style=\"width:25%\"></div></div></li>"),
            "\(rates)")
        let counts = try page("bars rate by name", [row(rate: 5), row(rate: 20)])
        #expect(counts.contains("<strong>5</strong><div><div style=\"width:25%\"></div>"))
        let colors = try page("bars rate by name color", [row(color: "#ABCDEF"), row(color: "red;x:y")])
        #expect(colors.contains("style=\"--paint:#abcdef;width:50%\""))
        #expect(!colors.contains("paint:red"))
    }

    @Test func barOfStatusHasItsForm() throws {
        let html = try page("bars rate by name color", [row("x", color: "#9b1c4b"), row("y", color: "#1769aa")])
        #expect(html.contains("<li class=\"inactive\"><span><i class=\"dot inactive\"></i>x</span>"))
        let legend = [StatusWord.onTrack, .inactive].map { status in
            "<li><i class=\"dot \(status.cssClass)\"></i>\(status.rawValue)</li>"
        }
        #expect(html.contains(legend.joined()))
        #expect(!html.contains("--paint:#"))
        let other = try page("bars rate by name color", [row(color: "#abcdef")])
        #expect(!other.contains("class=\"legend\""))
    }

    @Test func markOfStatusHasItsFormOnMap() throws {
        let rows = StatusWord.allCases.enumerated().map { index, status in
            row(color: status.color, at: (Double(index) / 100, 0))
        }
        let html = try page("map color", rows)
        let paths = StatusWord.allCases.compactMap { status in
            let start = html.range(of: "<path class=\"point \(status.cssClass)\" d=\"M")
            return start.flatMap { start in html[start.upperBound...].firstMatch(of: /[alhv].*?"/)?.output }
        }
        #expect(Set(paths).count == 4, "\(paths)")
    }

    @Test func manyRatesBecomeDistribution() throws {
        var options = RenderOptions()
        options.page.charts = [try Chart("bars rate by name")]
        options.page.mostBars = 3
        let shares = [0, 0.05, 0.1, 1].map { row(rate: $0) }
        let rates = try render(.html, of: shape, rows: shares, options: options)
        #expect(rates.contains("<figcaption>Number of rows by rate</figcaption>"))
        #expect(rates.contains("<span>0–10 %</span> <strong>2</strong><div><div style=\"width:100%\">"))
        #expect(rates.contains("<span>90–100 %</span> <strong>1</strong><div><div style=\"width:50%\">"))
        #expect(rates.contains("<strong>0</strong><div></div>"))
        let counts = try render(.html, of: shape, rows: [0, 5, 10, 20].map { row(rate: $0) }, options: options)
        #expect(counts.contains("The chart shows the first 3 of 4 rows."))
        options.page.mostBars = 4
        #expect(try !render(.html, of: shape, rows: shares, options: options).contains("Number of rows"))
    }

    @Test func weekHasSquareForEachWeekdayAndHour() throws {
        let rows = [
            row(rate: 4, hour: 1),
            row(rate: 16, hour: 7),
            row(rate: 1, hour: nil),
            row(rate: 9, hour: 30),
        ]
        let html = try page("week rate by hour hour", rows)
        // The weekday and the hour are the same column here: the other values are not weekdays.
        #expect(html.contains("Mon 01:00: 4"))
        #expect(html.contains("Sun 07:00: 16"))
        #expect(html.contains("The largest square is 16."))
        #expect(html.contains("rate by weekday and hour"))
        #expect(html.components(separatedBy: "<g><title>").count == 7 * 24 + 1)
        #expect(html.contains("aria-label=\"Mon: 4; Tue: 0; Wed: 0; Thu: 0; Fri: 0; Sat: 0; Sun: 16\""))
        let weekday = ResultShape(columns: [
            Column("weekday", .integer, at: 0), Column("hour", .integer, at: 1), Column("events", .integer, at: 2),
        ])
        var options = RenderOptions()
        options.page.charts = [try Chart("week events by weekday hour")]
        let timelessRows = [
            TestRow(.integer(2), .null, .integer(3)),
            TestRow(.integer(2), .integer(0), .integer(3)),
        ]
        let timeless = try render(.html, of: weekday, rows: timelessRows, options: options)
        #expect(timeless.contains("Tue no time: 3"))
        #expect(timeless.contains("Tue 00:00: 3"))
        #expect(timeless.components(separatedBy: "<g><title>").count == 7 * 25 + 1)
    }

    @Test(arguments: [(6, 1), (7, 7)])
    func upToSixCurvesShareOneDrawing(groups: Int, expected: Int) throws {
        let rows = (0..<groups * 10).map { number in
            row("g\(number / 10)", day: Self.days[number % 10], rate: Double(number) / 100)
        }
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
