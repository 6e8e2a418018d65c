import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct TextRendererTests {
    private let events = shape(
        [
            Column("id", .text, at: 0),
            Column("user", .text, at: 1),
            Column("habit", .text, at: 2),
            Column("title", .text, at: 3),
            Column("day", .day, at: 4),
            Column("at", .instant(offset: nil), at: 5),
            Column("comment", .text, at: 6),
            Column("outcome", .text, at: 7, measure: .outcome),
            Column("has_photo", .boolean, at: 8),
            Column("unplanned", .boolean, at: 9),
            Column("longitude", .longitude, at: 10),
            Column("latitude", .latitude, at: 10),
            Column("distance_m", .number(decimals: 3), at: 11, measure: .distance),
        ], labels: ["has_photo": "photo", "distance_m": "distance"])

    private let rows = [
        TestRow(
            .text("e-1"),
            .text("alice"),
            .text("h-1"),
            .text("Morning run"),
            .text("2026-11-20"),
            .integer(1_763_622_900_000_000),
            .text("felt great"),
            .text("done"),
            .integer(1),
            .integer(0),
            .point(-9.1393, 38.7223),
            .number(0)),
        TestRow(
            .text("e-27"),
            .text("bob"),
            .text("h-2"),
            .text("読書を三十分 📚"),
            .text("2026-11-19"),
            .integer(1_763_542_800_000_000),
            .null,
            .text("skipped"),
            .integer(0),
            .integer(1),
            .null,
            .number(1234.5)),
    ]

    private static func shape(_ columns: [Column], labels: [String: String]) -> ResultShape {
        var shape = ResultShape(columns: columns, geometry: 10, identity: ["id"])
        shape.labels = labels
        return shape
    }

    private func options(_ width: Int, _ change: (inout RenderOptions) -> Void = { _ in }) -> RenderOptions {
        var options = RenderOptions()
        options.width = width
        change(&options)
        return options
    }

    @Test func tableShowsValuesForPeople() throws {
        #expect(
            try render(.text, of: events, rows: rows, options: options(140)) == """
                id    user   title            day         at                comment     outcome    photo  unplanned  place            distance
                ────  ─────  ───────────────  ──────────  ────────────────  ──────────  ─────────  ─────  ─────────  ───────────────  ────────
                e-1   alice  Morning run      2026-11-20  2025-11-20 07:15  felt great  ✓ done     ✓      –          38.7223,-9.1393       0 m
                e-27  bob    読書を三十分 📚  2026-11-19  2025-11-19 09:00              – skipped  –      ✓                             1.2 km

                """)
    }

    @Test func narrowTerminalOmitsColumnsFromTheRightWithNotice() throws {
        let output = OutputBuffer()
        let renderer = TextRenderer(events, options: options(81), into: output)
        for row in rows { try renderer.append(row) }
        try renderer.end()
        #expect(
            output.text == """
                id    user   title            day         at                comment     outcome
                ────  ─────  ───────────────  ──────────  ────────────────  ──────────  ─────────
                e-1   alice  Morning run      2026-11-20  2025-11-20 07:15  felt great  ✓ done
                e-27  bob    読書を三十分 📚  2026-11-19  2025-11-19 09:00              – skipped

                """)
        #expect(renderer.hiddenColumns == ["photo", "unplanned", "place", "distance"])
    }

    @Test func declaredTableHasItsOrderAndOmitsUnusedColumns() throws {
        var shape = events
        shape.table = [
            "day", TableColumn("title", label: "habit"), .ifUsed("comment"), .ifUsed("has_photo"), .ifUsed("place"),
            "unknown",
        ]
        #expect(
            try render(.text, of: shape, rows: [rows[1]], options: options(80)) == """
                day         habit
                ──────────  ───────────────
                2026-11-19  読書を三十分 📚

                """)
        #expect(
            try render(.text, of: shape, rows: rows, options: options(80)).hasPrefix(
                "day         habit            comment     photo  place\n"))
    }

    @Test func selectedColumnsAreNeverOmitted() throws {
        let shape = try #require(events.selecting(["title", "comment", "day", "longitude", "latitude"]))
        #expect(
            try render(.text, of: shape, rows: [rows[0]], options: options(40)) == """
                title    Morning run
                comment  felt great
                day      2026-11-20
                place    38.7223,-9.1393


                """)
    }

    @Test(arguments: [
        (70, ["habitbull:0123456789abcdef0123456789ab  a note of some thirty letters."]),
        (
            60,
            [
                "habitbull:0123456789abcdef0123456789ab  a note of some",
                "                                        thirty letters.",
            ]
        ),
        (44, ["habitbull:0123456789abcdef0123456789ab"]),
        (20, ["habitbull:0123456789", "abcdef0123456789ab"]),
    ]) func identifierIsCompleteAndTextsWrap(width: Int, lines: [String]) throws {
        let columns = [Column("id", .text, at: 0), Column("note", .text, at: 1)]
        let shape = ResultShape(columns: columns, geometry: nil, identity: ["id"])
        let row = TestRow(
            .text("habitbull:0123456789abcdef0123456789ab"), .text("a note of some thirty letters."))
        let text = try render(.text, of: shape, rows: [row], options: options(width))
        #expect(text.split(separator: "\n").dropFirst(2).map(String.init) == lines, "\(text)")
    }

    @Test func plainTextKeepsValuesOfOtherFormats() throws {
        let id = "loop:" + String(repeating: "0a", count: 26)
        let shape = ResultShape(
            columns: [
                Column("id", .text, at: 0), Column("rate", .number(decimals: 6), at: 1, measure: .share),
                Column("done", .boolean, at: 2), Column("status", .text, at: 3, measure: .status),
            ], identity: ["id"])
        let row = TestRow(.text(id), .number(0.722222), .integer(1), .text("New"))
        #expect(
            try render(.text, of: shape, rows: [row], options: options(40) { $0.plain = true }) == id
                + "\t0.722222\ttrue\tNew\n")
    }

    @Test func valueAfterSampleOfUnusedColumnIsReported() throws {
        var shape = ResultShape(columns: [Column("n", .integer, at: 0), Column("note", .text, at: 1)])
        shape.table = ["n", .ifUsed("note")]
        let renderer = TextRenderer(shape, options: options(80), into: OutputBuffer())
        for i in 0..<500 { try renderer.append(TestRow(.integer(Int64(i)), .null)) }
        #expect(renderer.hiddenColumns == [])
        try renderer.append(TestRow(.integer(500), .text("late")))
        #expect(renderer.hiddenColumns == ["note"])
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func linesNeverExceedWidth(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let words = ["日本語", "x", "a much longer word", "🇵🇹", "שלום", "\u{1B}", ""]
        for _ in 0..<100 {
            let width = Int.random(in: 20...160, using: &random)
            let count = Int.random(in: 0...3, using: &random)
            let texts = (0..<12).map { _ -> String in
                let wordCount = Int.random(in: 0...5, using: &random)
                let parts = (0..<wordCount).map { _ in words.randomElement(using: &random) ?? "" }
                return parts.joined()
            }
            var shape = events
            shape.identity = Array(events.columns.prefix(count))
            let row = TestRow(
                .text(texts[0]),
                .text(texts[1]),
                .text(texts[2]),
                .text(texts[3]),
                .text("2026-11-20"),
                .integer(0),
                .text(texts[4]),
                .text(texts[5]),
                .integer(0),
                .null,
                .point(1.5, 2.5),
                .number(-1e300))
            for line in try render(.text, of: shape, rows: [row], options: options(width)).split(separator: "\n") {
                let visible = line.filter { $0 != "\u{2068}" && $0 != "\u{2069}" }
                let visibleWidth = visible.reduce(0) { sum, character in sum + character.terminalWidth }
                #expect(visibleWidth <= width, "seed \(seed)")
                #expect(line.last != " ", "seed \(seed)")
            }
        }
    }

    @Test func rowsAfterSampleAreStreamedWithItsWidths() throws {
        let shape = ResultShape(
            columns: [Column("id", .integer, at: 0), Column("name", .text, at: 1)], identity: ["id"])
        let output = OutputBuffer()
        let renderer = TextRenderer(shape, options: options(80), into: output)
        for i in 0..<500 {
            #expect(output.contents.isEmpty)
            try renderer.append(TestRow(.integer(Int64(i)), .text("name \(i)")))
        }
        try renderer.append(TestRow(.integer(7), .text("a longer name")))
        try renderer.end()
        let lines = output.text.split(separator: "\n")
        #expect(lines.count == 504)
        #expect(lines[502...] == ["  7  a longer", "     name"])
        #expect(renderer.rowCount == 501)
    }

    @Test func emptyResultIsEmptyText() throws {
        #expect(try render(.text, of: events, rows: []) == "")
    }

    @Test func columnsWithoutTypeAreAlignedByValues() throws {
        let shape = ResultShape(columns: [Column("name", .any, at: 0), Column("n", .any, at: 1)])
        let rows = [
            TestRow(.text("a"), .integer(1)),
            TestRow(.null, .number(10.5)),
            TestRow(.blob([0xAB]), .null),
        ]
        #expect(
            try render(.text, of: shape, rows: rows) == """
                name     n
                ────  ────
                a        1
                      10.5
                ab

                """)
    }

    @Test(arguments: [
        ("On track", "●", "38;5;32", "94"),
        ("Near goal", "◒", "38;5;136", "33"),
        ("Inactive", "◆", "38;5;161", "35"),
        ("New", "•", "38;5;243", "90"),
    ])
    func statusHasColorAndForm(status: String, form: String, extended: String, basic: String) throws {
        let shape = ResultShape(columns: [
            Column("id", .text, at: 0), Column("status", .text, at: 1, measure: .status),
        ])
        let row = TestRow(.text("h"), .text(status))
        #expect(try render(.text, of: shape, rows: [row]).hasSuffix("\nh   \(form) \(status)\n"))
        for (palette, code) in [(TerminalStyle.Palette.extended, extended), (.basic, basic)] {
            let colored = try render(.text, of: shape, rows: [row], options: options(80) { $0.style.palette = palette })
            #expect(colored.hasPrefix("\u{1B}[1mid\u{1B}[0m  \u{1B}[1mstatus\u{1B}[0m\n"))
            #expect(colored.hasSuffix("\nh   \u{1B}[\(code)m\(form) \(status)\u{1B}[0m\n"))
        }
    }

    @Test func terminalWithoutUTF8HasASCIISymbolsAndTextsOfUsers() throws {
        let shape = ResultShape(columns: [
            Column("title", .text, at: 0), Column("status", .text, at: 1, measure: .status),
            Column("outcome", .text, at: 2, measure: .outcome), Column("photo", .boolean, at: 3),
        ])
        let row = TestRow(.text("読書"), .text("Near goal"), .text("skipped"), .integer(1))
        #expect(
            try render(.text, of: shape, rows: [row], options: options(80) { $0.style.isASCII = true }) == """
                title  status       outcome    photo
                -----  -----------  ---------  -----
                読書   ~ Near goal  - skipped  x

                """)
    }

    @Test func singleRowIsCardWithoutBlankValues() throws {
        var shape = ResultShape(columns: [
            Column("id", .text, at: 0), Column("reason", .text, at: 1),
            Column("completion_rate", .number(decimals: 6), at: 2, measure: .share),
            Column("color", .text, at: 3, measure: .color), Column("start_day", .day, at: 4),
        ])
        shape.labels = ["completion_rate": "rate"]
        let row = TestRow(.text("h\n1"), .null, .number(0.5), .text("#1769aa"), .text("2026-11-20"))
        #expect(
            try render(.text, of: shape, rows: [row], options: options(40) { $0.single = true })
                == "id         h␤1\nrate       50 %\nstart day  2026-11-20\n")
        let color = try #require(shape.selecting(["color"]))
        #expect(try render(.text, of: color, rows: [row], options: options(40) { $0.single = true }) == "color  blue\n")
    }

    @Test func longValueOfCardContinuesBelow() throws {
        let shape = ResultShape(columns: [Column("id", .text, at: 0), Column("text", .text, at: 1)])
        let row = TestRow(.text("m"), .text("It is by the door. Enjoy the lamp!"))
        #expect(
            try render(.text, of: shape, rows: [row], options: options(24) { $0.single = true }) == """
                id    m
                text  It is by the door.
                      Enjoy the lamp!

                """)
    }

    // MARK: Tables that show every column

    private let summary = shape(
        [
            Column("user", .text, at: 0), Column("done", .integer, at: 1),
            Column("completion_rate", .number(decimals: 6), at: 2, measure: .share),
            Column("streak_title", .text, at: 3),
        ], labels: ["completion_rate": "rate"])

    private func row(_ user: String, done: Int64, rate: Double, title: String) -> TestRow {
        TestRow(.text(user), .integer(done), .number(rate), .text(title))
    }

    private func summary(_ rows: [TestRow], width: Int) throws -> String {
        try render(.text, of: summary, rows: rows, options: options(width) { $0.showsAllColumns = true })
    }

    @Test func narrowColumnHasHeadingOfSeveralLines() throws {
        let text = try summary([row("ann", done: 4, rate: 0.5, title: "Read")], width: 27)
        #expect(
            text
                == """
                                  streak
                user  done  rate  title
                ────  ────  ────  ───────
                ann      4  50 %  Read

                """.replacing("───────\n", with: "─────────\n"))
    }

    @Test func longValuesWrapWithinTheirColumn() throws {
        let text = try summary([row("ann", done: 4, rate: 0.5, title: "Read twenty pages of a good book")], width: 34)
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
        let names = ["ann", String(repeating: "w", count: 90), "朝ラン 朝ラン 朝ラン 朝ラン", "x", "a\nb"]
        let rows = names.enumerated().map { index, name in
            row(name, done: Int64(index), rate: 0.25, title: "title " + name)
        }
        let text = try summary(rows, width: width)
        for line in text.split(separator: "\n") { #expect(TerminalText(String(line)).width <= width, "\(line)") }
        #expect(text.filter { $0 == "w" }.count == 180)
        #expect(text.filter { $0 == "朝" }.count == 8)
        #expect(!text.contains("…"))
    }

    @Test func tooManyColumnsBecomeCards() throws {
        let rows = [
            row("ann", done: 4, rate: 0.5, title: "Read"),
            row("ben", done: 3, rate: 1, title: "Run"),
        ]
        let text = try summary(rows, width: 24)
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
        ("a bc def", 3, ["a", "bc", "def"]),
        ("abcdef", 4, ["abcd", "ef"]),
        ("a bc", 10, ["a bc"]),
        ("", 5, [""]),
        ("朝ラン", 3, ["朝", "ラ", "ン"]),
    ])
    func textIsSplitIntoLines(text: String, limit: Int, lines: [String]) {
        #expect(TerminalText(text).lines(of: limit).map(\.text) == lines)
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
            try render(.text, of: shape, rows: rows, options: options(40) { $0.plain = true })
                == "e\ta\\tb\\n\\\\\\u001b\\u202eé日\t5\nf\t\t\n\(String(repeating: "x", count: 300))\t\t0\n")
        let plainSingle = options(40) { options in
            options.plain = true
            options.single = true
        }
        let card = try render(.text, of: shape, rows: [rows[1]], options: plainSingle)
        #expect(card == "id\tf\ntext\t\nn\t\n")
        let one = ResultShape(columns: [Column("id", .text, at: 0)])
        let value = try render(.text, of: one, rows: [rows[1]], options: plainSingle)
        #expect(value == "f\n")
    }
}
