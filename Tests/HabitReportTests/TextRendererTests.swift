import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct TextRendererTests {
    private let events = ResultShape(
        columns: [
            Column("id", .text, at: 0), Column("user", .text, at: 1), Column("habit", .text, at: 2),
            Column("title", .text, at: 3),
            Column("day", .day, at: 4), Column("at", .instant(offset: nil), at: 5), Column("comment", .text, at: 6),
            Column("outcome", .text, at: 7), Column("has_photo", .boolean, at: 8), Column("unplanned", .boolean, at: 9),
            Column("longitude", .longitude, at: 10), Column("latitude", .latitude, at: 10),
            Column("distance_m", .number(decimals: 3), at: 11, isEssential: true),
        ], geometry: 10, identity: ["id"])

    private let rows = [
        TestRow(
            .text("e-1"), .text("alice"), .text("h-1"), .text("Morning run"), .text("2026-11-20"),
            .integer(1_763_622_900_000_000),
            .text("felt great"), .text("done"), .integer(1), .integer(0), .point(-9.1393, 38.7223), .number(0)),
        TestRow(
            .text("e-27"), .text("bob"), .text("h-2"), .text("読書を三十分 📚"), .text("2026-11-19"),
            .integer(1_763_542_800_000_000),
            .null, .text("skipped"), .integer(0), .integer(1), .null, .number(1234.5)),
    ]

    private func options(_ width: Int, _ change: (inout RenderOptions) -> Void = { _ in }) -> RenderOptions {
        var options = RenderOptions()
        options.width = width
        change(&options)
        return options
    }

    @Test func wideTerminalShowsEveryColumn() throws {
        #expect(
            try render(.text, events, rows, options(150)) == """
                id    user   habit  title            day         at                    comment     outcome  has_photo  unplanned  longitude  latitude  distance_m
                ────  ─────  ─────  ───────────────  ──────────  ────────────────────  ──────────  ───────  ─────────  ─────────  ─────────  ────────  ──────────
                e-1   alice  h-1    Morning run      2026-11-20  2025-11-20T07:15:00Z  felt great  done     true       false        -9.1393   38.7223           0
                e-27  bob    h-2    読書を三十分 📚  2026-11-19  2025-11-19T09:00:00Z              skipped  false      true                                1234.5

                """)
    }

    @Test func positionsAreOmittedBeforeTitleIsCut() throws {
        #expect(
            try render(.text, events, rows, options(140)) == """
                id    user   habit  title            day         at                    comment     outcome  has_photo  unplanned  distance_m  …
                ────  ─────  ─────  ───────────────  ──────────  ────────────────────  ──────────  ───────  ─────────  ─────────  ──────────
                e-1   alice  h-1    Morning run      2026-11-20  2025-11-20T07:15:00Z  felt great  done     true       false               0
                e-27  bob    h-2    読書を三十分 📚  2026-11-19  2025-11-19T09:00:00Z              skipped  false      true           1234.5

                """)
    }

    @Test func narrowTerminalOmitsColumnsWithNotice() throws {
        let output = OutputBuffer()
        let renderer = TextRenderer(events, options(80), output)
        for row in rows { try renderer.append(row) }
        try renderer.end()
        #expect(
            output.text == """
                id    user   habit  title         day         comment     outcome  distance_m  …
                ────  ─────  ─────  ────────────  ──────────  ──────────  ───────  ──────────
                e-1   alice  h-1    Morning run   2026-11-20  felt great  done              0
                e-27  bob    h-2    読書を三十…   2026-11-19              skipped      1234.5

                """)
        #expect(renderer.hiddenColumns == ["at", "has_photo", "unplanned", "longitude", "latitude"])
    }

    @Test(arguments: [
        (70, "habitbull:0123456789abcdef0123456789ab  a note of some thirty letters."),
        (60, "habitbull:0123…f0123456789ab  a note of some thirty letters."),
        (44, "habitbull:…3456789ab  a note of some thirty…"),
        (40, "habitbull…456789ab  a note of some thir…"),
        (24, "habitb…789ab  a note of…"),
        (23, "habitbull:…3456789ab"),
    ]) func longIDShrinksBeforeTextsInItsMiddle(width: Int, line: String) throws {
        let shape = ResultShape(
            columns: [Column("id", .text, at: 0), Column("note", .text, at: 1)], geometry: nil, identity: ["id"])
        let row = TestRow(
            .text("habitbull:0123456789abcdef0123456789ab"), .text("a note of some thirty letters."))
        let text = try render(.text, shape, [row], options(width))
        #expect(text.split(separator: "\n").last.map(String.init) == line, "\(text)")
    }

    @Test func plainTextKeepsLongID() throws {
        let id = "loop:" + String(repeating: "0a", count: 26)
        let shape = ResultShape(columns: [Column("id", .text, at: 0)], identity: ["id"])
        #expect(try render(.text, shape, [TestRow(.text(id))], options(40) { $0.plain = true }) == id + "\n")
    }

    @Test func narrowTableWithLongIDsKeepsTitleDayCommentAndOutcome() throws {
        let row = TestRow(
            .text("loop:0123456789abcdef0123456789abcdef@2026-11-20"), .text("alice"),
            .text("loop:0123456789abcdef0123456789abcdef"), .text("Morning run"), .text("2026-11-20"),
            .integer(1_763_622_900_000_000), .text("felt great"), .text("done"), .integer(0), .integer(0), .null,
            .number(2.5))
        var shape = events
        shape.columns[12] = Column("amount", .number(decimals: nil), at: 11)
        let output = OutputBuffer()
        let renderer = TextRenderer(shape, options(80), output)
        try renderer.append(row)
        try renderer.end()
        #expect(
            Set(["title", "day", "comment", "outcome", "id"]).isDisjoint(with: renderer.hiddenColumns),
            "\(output.text)")
        for text in ["Morning run", "2026-11-20", "felt great", "done"] {
            #expect(output.text.contains(text), "\(output.text)")
        }
    }

    @Test func blankColumnsAndNumbersAreOmittedBeforeTexts() throws {
        let shape = ResultShape(
            columns: [
                Column("rank", .integer, at: 0), Column("user", .text, at: 1), Column("title", .text, at: 2),
                Column("reason", .text, at: 3), Column("visits", .integer, at: 4),
                Column("share", .number(decimals: 6), at: 5), Column("first_day", .day, at: 6),
            ], identity: ["rank"])
        let row = TestRow(
            .integer(1), .text("alice"), .text("Morning run"), .null, .integer(12), .number(0.123456),
            .text("2026-11-20"))
        func hidden(_ width: Int) throws -> [String] {
            let renderer = TextRenderer(shape, options(width), OutputBuffer())
            try renderer.append(row)
            try renderer.end()
            return renderer.hiddenColumns
        }
        #expect(try hidden(62) == [])
        #expect(try hidden(61) == ["reason"])
        #expect(try hidden(50) == ["reason", "share"])
        #expect(try hidden(45) == ["reason", "visits", "share"])
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func linesNeverExceedWidth(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["日本語", "x", "a much longer word", "🇵🇹", "שלום", "\u{1B}", ""]
        for _ in 0..<100 {
            let width = Int.random(in: 40...160, using: &random)
            let count = Int.random(in: 0...3, using: &random)
            let texts = (0..<12).map { _ in
                (0..<Int.random(in: 0...5, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                    .joined()
            }
            var shape = events
            shape.identity = Array(events.columns.prefix(count))
            let row = TestRow(
                .text(texts[0]), .text(texts[1]), .text(texts[2]), .text(texts[3]), .text("2026-11-20"), .integer(0),
                .text(texts[4]), .text(texts[5]), .integer(0), .null, .point(1.5, 2.5), .number(-1e300))
            for line in try render(.text, shape, [row], options(width)).split(separator: "\n") {
                let visible = line.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }
                #expect(visible.reduce(0) { $0 + $1.terminalWidth } <= width, "seed \(seed)")
                #expect(line.last != " ", "seed \(seed)")
            }
        }
    }

    @Test func rowsAfterSampleAreStreamedWithItsWidths() throws {
        let shape = ResultShape(
            columns: [Column("id", .integer, at: 0), Column("name", .text, at: 1)], identity: ["id"])
        let output = OutputBuffer()
        let renderer = TextRenderer(shape, options(80), output)
        for i in 0..<500 {
            #expect(output.contents.isEmpty)
            try renderer.append(TestRow(.integer(Int64(i)), .text("name \(i)")))
        }
        try renderer.append(TestRow(.integer(7), .text("a longer name")))
        try renderer.end()
        let lines = output.text.split(separator: "\n")
        #expect(lines.count == 503)
        #expect(lines[502] == "  7  a longe…")
        #expect(renderer.rowCount == 501)
    }

    @Test func emptyResultIsEmptyText() throws {
        #expect(try render(.text, events, []) == "")
    }

    @Test func columnsWithoutTypeAreAlignedByValues() throws {
        let shape = ResultShape(columns: [Column("name", .any, at: 0), Column("n", .any, at: 1)])
        let rows = [TestRow(.text("a"), .integer(1)), TestRow(.null, .number(10.5)), TestRow(.blob([0xAB]), .null)]
        #expect(
            try render(.text, shape, rows) == """
                name     n
                ────  ────
                a        1
                      10.5
                ab

                """)
    }

    @Test(arguments: [("On track", "32"), ("Near goal", "38;5;208"), ("Inactive", "31"), ("New", "90")])
    func statusIsColoredOnRequest(status: String, code: String) throws {
        let shape = ResultShape(columns: [Column("id", .text, at: 0), Column("status", .text, at: 1)])
        let row = TestRow(.text("h"), .text(status))
        #expect(!(try render(.text, shape, [row])).contains("\u{1B}"))
        let colored = try render(.text, shape, [row], options(80) { $0.color = true })
        #expect(colored.contains("\u{1B}[1mid\u{1B}[0m  \u{1B}[1mstatus\u{1B}[0m\n"))
        #expect(colored.hasSuffix("\nh   \u{1B}[\(code)m\(status)\u{1B}[0m\n"))
    }

    @Test func singleRowIsCard() throws {
        let shape = ResultShape(columns: [
            Column("id", .text, at: 0), Column("reason", .text, at: 1),
            Column("completion_rate", .number(decimals: 6), at: 2),
        ])
        let row = TestRow(.text("h\n1"), .null, .number(0.5))
        #expect(
            try render(.text, shape, [row], options(40) { $0.single = true })
                == "id               h␤1\nreason\ncompletion_rate  0.5\n")
    }

    @Test func plainLinesHaveTabsAndEscapes() throws {
        let shape = ResultShape(columns: [
            Column("id", .text, at: 0), Column("text", .text, at: 1), Column("n", .integer, at: 2),
        ])
        let rows = [
            TestRow(.text("e"), .text("a\tb\n\\\u{1B}\u{202E}é日"), .integer(5)), TestRow(.text("f"), .null, .null),
            TestRow(.text(String(repeating: "x", count: 300)), .text(""), .integer(0)),
        ]
        #expect(
            try render(.text, shape, rows, options(40) { $0.plain = true })
                == "e\ta\\tb\\n\\\\\\u001b\\u202eé日\t5\nf\t\t\n\(String(repeating: "x", count: 300))\t\t0\n")
        #expect(
            try render(.text, shape, [rows[1]], options(40) { ($0.plain, $0.single) = (true, true) })
                == "id\tf\ntext\t\nn\t\n")
    }
}
