import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct CSVRendererTests {
    private let shape = ResultShape(columns: [
        Column("id", .text, at: 0),
        Column("title", .text, at: 1),
        Column("distance_m", .number(decimals: 3), at: 2),
    ])

    @Test(
        arguments: [
            (.null, ""),
            (.text(""), "\"\""),
            (.text("a"), "a"),
            (.text("a,b"), "\"a,b\""),
            (.text("a\"b"), "\"a\"\"b\""),
            (.text("a\nb"), "\"a\nb\""),
            (.text("a\r"), "\"a\r\""),
            (.text(" a"), "\" a\""),
            (.text("a "), "\"a \""),
            (.text("a b"), "a b"),
            (.text("=1+1"), "=1+1"),
            (.text("日本, 🇵🇹"), "\"日本, 🇵🇹\""),
            (.bytes([0x61, 0xFF]), "a\u{FFFD}"),
        ] as [(TestRow.Cell, String)])
    func cellIsQuotedWhenNeeded(cell: TestRow.Cell, expected: String) throws {
        #expect(
            try render(.csv, of: shape, rows: [TestRow(.text("e"), cell, .null)])
                == "id,title,distance_m\ne,\(expected),\n")
    }

    @Test func headerIsWrittenWithoutRowsAndLineEndsAreConfigurable() throws {
        #expect(try render(.csv, of: shape, rows: []) == "id,title,distance_m\n")
        var options = RenderOptions()
        options.crlf = true
        let row = TestRow(.text("e"), .text("x"), .number(-1.5))
        #expect(try render(.csv, of: shape, rows: [row], options: options) == "id,title,distance_m\r\ne,x,-1.5\r\n")
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@a", "'@a"),
        ("\ta", "'\ta"),
        ("\ra", "\"'\ra\""),
        ("\na", "\"'\na\""),
        ("\r\na", "\"'\r\na\""),
        ("＝1+1", "'＝1+1"),
        ("＋1", "'＋1"),
        ("－1", "'－1"),
        ("＠a", "'＠a"),
        ("，a", "，a"),
        ("％a", "％a"),
        ("\u{FF1D}", "'\u{FF1D}"),
        ("=a,\"b\"", "\"'=a,\"\"b\"\"\""),
        ("a=1", "a=1"),
        ("'a", "'a"),
    ])
    func formulaCellsGetApostropheOnRequest(text: String, expected: String) throws {
        var options = RenderOptions()
        options.spreadsheetSafe = true
        let row = TestRow(.text("e"), .text(text), .number(-1.5))
        #expect(
            try render(.csv, of: shape, rows: [row], options: options) == "id,title,distance_m\ne,\(expected),-1.5\n")
    }

    @Test(arguments: [false, true])
    func everyTextRoundTripsAndNullDiffersFromEmpty(crlf: Bool) throws {
        let texts: [String?] = [
            nil, "", " ", ",", "\"", "\"\"", "\n", "\r\n",
            "a,b", "=1", "👩‍👩‍👧‍👦", "שלום, עולם", "tab\there", "\u{0}", "'", "plain",
        ]
        var options = RenderOptions()
        options.crlf = crlf
        let rows = texts.map { text -> TestRow in
            let cell: TestRow.Cell = text.map { .text($0) } ?? .null
            return TestRow(.text("x"), cell, .number(0.5))
        }
        let records = try records(
            try render(.csv, of: shape, rows: rows, options: options), lineEnd: crlf ? "\r\n" : "\n")
        #expect(records.count == texts.count + 1)
        for (record, text) in zip(records.dropFirst(), texts) { #expect(record == ["x", text, "0.5"]) }
    }

    private struct Malformed: Error {}

    /// Parses CSV strictly by RFC 4180.
    ///
    /// An empty cell without quotes is `nil`.
    private func records(_ text: String, lineEnd: String) throws -> [[String?]] {
        var rest = text.unicodeScalars[...]
        var records: [[String?]] = []
        while !rest.isEmpty {
            var record: [String?] = []
            while true {
                record.append(try cell(&rest))
                if rest.first == "," {
                    rest.removeFirst()
                } else if rest.starts(with: lineEnd.unicodeScalars) {
                    rest.removeFirst(lineEnd.unicodeScalars.count)
                    break
                } else {
                    throw Malformed()
                }
            }
            records.append(record)
        }
        return records
    }

    private func cell(_ rest: inout Substring.UnicodeScalarView) throws -> String? {
        guard rest.first == "\"" else {
            let bare = rest.prefix { !",\"\r\n".unicodeScalars.contains($0) }
            rest = rest[bare.endIndex...]
            return bare.isEmpty ? nil : String(bare)
        }
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == "\"" {
                guard rest.first == "\"" else { return String(value) }
                rest.removeFirst()
            }
            value.append(scalar)
        }
        throw Malformed()
    }
}
