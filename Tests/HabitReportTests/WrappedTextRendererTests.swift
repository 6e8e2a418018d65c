import HabitReport
import Testing

@testable import Rendering
@testable import StoreEngine

@Suite struct WrappedTextRendererTests {
    private let shape = ResultShape(
        columns: [
            Column("user", .text, at: 0), Column("done", .integer, at: 1),
            Column("completion_rate", .number(decimals: 6), at: 2), Column("streak_title", .text, at: 3),
        ], identity: ["user"])

    private func row(_ user: String, _ done: Int64, _ rate: Double, _ title: String) -> TestRow {
        TestRow(.text(user), .integer(done), .number(rate), .text(title))
    }

    private func render(_ rows: [TestRow], width: Int) throws -> String {
        var options = RenderOptions()
        options.wraps = true
        options.ratesAsPercent = true
        options.width = width
        let buffer = OutputBuffer()
        try OutputFormat.text.renderer(for: shape, options: options, into: buffer).render(rows)
        return buffer.text
    }

    @Test func tableHasShortHeadings() throws {
        let text = try render([row("ann", 4, 0.5, "Read")], width: 78)
        #expect(
            text.split(separator: "\n") == [
                "                  streak", "user  done  rate  title", "────  ────  ────  ──────",
                "ann      4  50 %  Read",
            ])
    }

    @Test func longValuesWrapWithinTheirColumn() throws {
        let text = try render([row("ann", 4, 0.5, "Read twenty pages of a good book")], width: 34)
        #expect(
            text == """
                user  done  rate  streak title
                ────  ────  ────  ────────────────
                ann      4  50 %  Read twenty
                                  pages of a good
                                  book

                """)
    }

    @Test(arguments: [20, 30, 40, 78])
    func noLineIsWiderThanLimitAndNoValueIsMissing(width: Int) throws {
        let names = ["ann", String(repeating: "w", count: 90), "朝ラン 朝ラン 朝ラン 朝ラン", "", "a\nb"]
        let rows = names.enumerated().map { row($1, Int64($0), 0.25, "title " + $1) }
        let text = try render(rows, width: width)
        for line in text.split(separator: "\n") { #expect(TerminalText(String(line)).width <= width, "\(line)") }
        #expect(text.filter { $0 == "w" }.count == 180)
        #expect(text.filter { $0 == "朝" }.count == 8)
        #expect(!text.contains("…"))
    }

    @Test func tooManyColumnsBecomeCards() throws {
        let text = try render([row("ann", 4, 0.5, "Read"), row("ben", 3, 1, "Run")], width: 24)
        #expect(
            text == """
                user          ann
                done          4
                rate          50 %
                streak title  Read

                user          ben
                done          3
                rate          100 %
                streak title  Run


                """)
    }

    @Test(arguments: [
        ("a bc def", 3, ["a", "bc", "def"]), ("abcdef", 4, ["abcd", "ef"]), ("a bc", 10, ["a bc"]), ("", 5, [""]),
        ("朝ラン", 3, ["朝", "ラ", "ン"]),
    ])
    func textIsSplitIntoLines(text: String, limit: Int, lines: [String]) {
        #expect(TerminalText(text).lines(of: limit).map(\.text) == lines)
    }
}
