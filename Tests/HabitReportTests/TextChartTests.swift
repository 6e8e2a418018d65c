import Testing

@testable import Rendering
@testable import StoreEngine

@Suite struct TextChartTests {
    private let days = ResultShape(columns: [
        Column("day", .day, at: 0), Column("outcome", .text, at: 1), Column("label", .text, at: 2),
    ])

    private func render(
        _ chart: Chart,
        of shape: ResultShape,
        rows: [TestRow],
        width: Int = 60,
        isASCII: Bool = false
    ) throws -> String {
        var options = RenderOptions()
        options.width = width
        options.page.charts = [.map(), chart]
        options.style.isASCII = isASCII
        let output = OutputBuffer()
        try OutputFormat.text.renderer(for: shape, options: options, into: output).render(rows)
        return output.text
    }

    private func day(_ day: String, _ outcome: String, of label: String) -> TestRow {
        TestRow(.text(day), .text(outcome), .text(label))
    }

    private let calendar = Chart.calendar(day: "day", value: "outcome", group: "label")

    @Test func calendarOfSeveralHabitsHasLineForEach() throws {
        let rows = [
            day("2026-10-26", "done", of: "Gym"), day("2026-10-27", "missed", of: "Gym"),
            day("2026-11-02", "skipped", of: "Gym"),
            day("2026-11-05", "unplanned", of: "Gym"), day("2026-11-04", "done", of: "Read"),
            day("2026-11-06", "open", of: "Read"),
        ]
        #expect(
            try render(calendar, of: days, rows: rows) == """
                      Oct    Nov
                Gym   ■□·····–··▪·
                Read  ·········■·○
                ■ done  □ missed  – skipped  ▪ unplanned  ○ still open

                """)
        #expect(try render(calendar, of: days, rows: rows, isASCII: true).contains("Gym   #.     -  +\n"))
        for width in [20, 30] {
            let narrow = try render(calendar, of: days, rows: rows, width: width)
            for line in narrow.split(separator: "\n") { #expect(TerminalText(String(line)).width <= width, "\(line)") }
        }
    }

    @Test func calendarOfOneHabitIsGrid() throws {
        let rows = [
            day("2026-10-26", "done", of: "Gym"), day("2026-11-03", "missed", of: "Gym"),
            day("2026-11-04", "done", of: "Gym"),
        ]
        #expect(
            try render(calendar, of: days, rows: rows) == """
                Gym

                       Nov
                Mon  ■ ·
                Tue  · □
                Wed  · ■
                Thu  ·
                Fri  ·
                Sat  ·
                Sun  ·
                ■ done  □ missed

                """)
    }

    @Test func curveIsSparklineWithLastValue() throws {
        let shape = ResultShape(columns: [
            Column("day", .day, at: 0), Column("score", .number(decimals: 6), at: 1, measure: .share),
            Column("label", .text, at: 2),
        ])
        let rows = (1...8).map { number in
            TestRow(.text("2026-11-0\(number)"), .number(Double(number - 1) / 7), .text("Gym"))
        }
        let chart = Chart.line(value: "score", over: "day", group: "label")
        #expect(try render(chart, of: shape, rows: rows) == "Gym  ▁▂▃▄▅▆▇█  100 %\n")
        #expect(try render(chart, of: shape, rows: rows, isASCII: true) == "Gym  01345689  100 %\n")
        let narrow = try render(chart, of: shape, rows: rows, width: 20)
        #expect(narrow.split(separator: "\n").allSatisfy { line in line.count <= 20 })
    }

    @Test func weekHasCellsOfHours() throws {
        let shape = ResultShape(columns: [
            Column("weekday", .integer, at: 0), Column("hour", .integer, at: 1), Column("events", .integer, at: 2),
        ])
        let rows = [
            TestRow(.integer(1), .integer(0), .integer(8)),
            TestRow(.integer(7), .integer(23), .integer(1)),
            TestRow(.integer(3), .null, .integer(5)),
        ]
        let text = try render(
            .week(value: "events", weekday: "weekday", hour: "hour"), of: shape, rows: rows, width: 40)
        #expect(
            text == """
                     0     6     12    18
                Mon  █
                Tue
                Wed
                Thu
                Fri
                Sat
                Sun                         ░
                █ up to 8 events

                """)
    }

    private let bars = Chart.bars(value: "rate", label: "name")
    private let rates = ResultShape(columns: [
        Column("name", .text, at: 0), Column("rate", .number(decimals: 6), at: 1, measure: .share),
    ])

    @Test func barsFollowTheirValues() throws {
        let rows = [
            TestRow(.text("a"), .number(0.5)),
            TestRow(.text("b"), .number(1)),
            TestRow(.text("c"), .null),
        ]
        #expect(
            try render(bars, of: rates, rows: rows, width: 24) == """
                name   rate
                ────  ─────
                a      50 %  █████▌
                b     100 %  ███████████
                c

                """)
        #expect(
            try render(bars, of: rates, rows: rows, width: 24, isASCII: true).contains("b     100 %  ###########\n"))
        #expect(
            try render(bars, of: rates, rows: rows, width: 22).contains("█") == false, "less than 10 columns are left")
        let selected = try #require(rates.selecting(["name", "rate"]))
        #expect(try render(bars, of: selected, rows: rows).contains("█") == false)
    }
}
