import Base
import Foundation
import HabitModel
import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct HTMLRendererTests {
    private let shape = ResultShape(
        columns: [
            Column("name", .text, at: 0), Column("count", .integer, at: 1), Column("status", .text, at: 2),
        ])

    private func row(_ name: TestRow.Cell, count: Int64 = 1, status: String = "New") -> TestRow {
        TestRow(name, .integer(count), .text(status))
    }

    @Test(
        arguments: [
            ("<script>alert(1)</script>", "<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>"),
            ("a & 'b' \"c\"", "<td>a &amp; &#39;b&#39; &quot;c&quot;</td>"), ("&amp;", "<td>&amp;amp;</td>"),
            ("שלום", "<td><bdi>שלום</bdi></td>"), ("é", "<td><bdi>é</bdi></td>"), ("", "<td></td>"),
            ("a\u{0}\u{1B}[31m\u{85}b", "<td><bdi>a␀␛[31m�b</bdi></td>"), ("two\nlines\t.", "<td>two\nlines\t.</td>"),
            ("Â\u{A0}", "<td><bdi>Â\u{A0}</bdi></td>"),
        ])
    func userTextIsEscaped(text: String, cell: String) throws {
        #expect(try render(.html, of: shape, rows: [row(.text(text))]).contains("<tr>" + cell))
    }

    @Test func bytesThatAreNotUTF8AreReplaced() throws {
        #expect(
            try render(.html, of: shape, rows: [row(.bytes([0x61, 0xFF, 0x3C]))]).contains("<td><bdi>a�&lt;</bdi></td>")
        )
    }

    @Test func pageTextsAreEscaped() throws {
        var options = RenderOptions()
        options.page.title = "\"><script>"
        options.page.description = "</style><img>"
        options.page.parameters = [.init("<i>", "'<b>")]
        options.page.columns = [.init("<u>", "</details>")]
        options.page.links = [.init("<s>", "a\"b.csv"), .init("elsewhere", "https://example.org/")]
        options.page.charts = [try Chart("bars count by name")]
        let html = try render(.html, of: shape, rows: [row(.text("<q>"))], options: options)
        for tag in ["<script", "<img", "<i>", "<b>", "<u>", "<s>", "<q>", "https://example.org"] {
            #expect(!html.contains(tag), "\(tag)")
        }
        #expect(html.contains("href=\"a&quot;b.csv\""))
        #expect(html.components(separatedBy: "</style>").count == 2)
    }

    @Test func partHasChartsBeforeAtMostTheGivenRowsAndNoFrame() throws {
        var options = RenderOptions()
        options.page.mostRows = 40
        options.page.charts = [try Chart("bars count by name")]
        let output = OutputBuffer()
        let part = HTMLRenderer(part: shape, options: options, into: output)
        try part.begin()
        for number in 1...45 {
            try part.append(row(.text("name \(number)"), count: Int64(number)))
        }
        try part.end()
        let html = output.text
        #expect(html.hasPrefix("<div class=\"charts\""), "\(html.prefix(200))")
        #expect(html.components(separatedBy: "<tr>").count == 42)
        #expect(html.contains("The first 40 of 45 rows"))
        for tag in ["<html", "<main", "<section", "<h1", "<details><summary>Table"] {
            #expect(!html.contains(tag), "\(tag)")
        }
    }

    @Test func pageIsOneFileWithoutExternalResources() throws {
        let html = try render(.html, of: shape, rows: [row(.text("a"), count: 3, status: "On track")])
        #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"))
        #expect(html.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
        for word in ["<script", "<link", "@import", "url(", "http:", "https:", " src="] {
            #expect(!html.contains(word), "\(word)")
        }
        #expect(html.contains("<th scope=\"col\" class=\"n\">count</th>"))
        #expect(html.contains("<td class=\"n\">3</td>"))
        #expect(html.contains("<i class=\"dot on-track\"></i>On track"))
        #expect(html.contains("<p class=\"count\">1 row</p>"))
        #expect(html.hasSuffix("</body>\n</html>\n"))
    }

    @Test func emptyResultHasNotice() throws {
        var options = RenderOptions()
        options.page.charts = [try Chart("bars count by name")]
        let html = try render(.html, of: shape, rows: [], options: options)
        #expect(html.contains("<p class=\"empty\">No rows yet.</p>"))
        #expect(!html.contains("<table>"))
        #expect(!html.contains("<figure"))
        options.page.parameters = [.init("day", "2026-11-20")]
        #expect(try render(.html, of: shape, rows: [], options: options).contains("No rows match these parameters."))
    }

    @Test func singleRowIsListOfNamesAndValues() throws {
        var options = RenderOptions()
        options.single = true
        let html = try render(.html, of: shape, rows: [row(.text("<a>"), count: 3)], options: options)
        #expect(html.contains("<div><dt>name</dt><dd>&lt;a&gt;</dd></div>\n<div><dt>count</dt><dd>3</dd></div>"))
        #expect(!html.contains("<table>"))
        #expect(throws: HabitError.self) {
            try render(.html, of: shape, rows: [row(.null), row(.null)], options: options)
        }
    }

    @Test func chartsPrecedeTableUnlessTableIsLong() throws {
        var options = RenderOptions()
        options.page.charts = [try Chart("bars count by name")]
        let short = try render(.html, of: shape, rows: (0..<100).map { row(.text("\($0)")) }, options: options)
        let chart = try #require(short.range(of: "<figure"))
        let table = try #require(short.range(of: "<table>"))
        #expect(chart.lowerBound < table.lowerBound)

        let text = String(repeating: "x", count: 5000)
        let rows = (0..<300).map { _ in row(.text(text)) }
        let long = try render(.html, of: shape, rows: rows, options: options)
        let below = try #require(long.range(of: "<figure"))
        let above = try #require(long.range(of: "<table>"))
        #expect(below.lowerBound > above.lowerBound)
        #expect(long.contains("<a href=\"#charts\">"))
        #expect(long.contains("id=\"charts\""))
        #expect(long.components(separatedBy: "<tr>").count == 302)
    }

    @Test func chartWithUnselectedColumnsIsOmittedWithNotice() throws {
        var options = RenderOptions()
        options.page.charts = [try Chart("bars count by name")]
        let selected = try #require(shape.selecting(["name"]))
        let html = try render(.html, of: selected, rows: [row(.text("a"))], options: options)
        #expect(!html.contains("<figure"))
        #expect(html.contains("A chart is missing"))
    }

    @Test(arguments: [(0, false), (30, false), (31, true)])
    func pageWithSectionsFoldsLongTables(rows: Int, isFolded: Bool) throws {
        let output = OutputBuffer()
        let page = HTMLPage(title: "<Night>", subtitle: "2026-11-20", sections: [.init("A & B", "a")], into: output)
        try page.begin()
        var options = RenderOptions()
        options.page.title = "A & B"
        let section = page.section("a", of: shape, options: options)
        try section.begin()
        for i in 0..<rows { try section.append(row(.text("\(i)"))) }
        try section.end()
        try page.end()
        let html = output.text
        #expect(html.contains("<details><summary>Table of 31 rows</summary>") == isFolded)
        #expect(html.contains("<h1>&lt;Night&gt;</h1>"))
        #expect(html.contains("<li><a href=\"#a\">A &amp; B</a></li>"))
        #expect(html.contains("<section id=\"a\">\n<details class=\"section\" open><summary><h2>A &amp; B</h2>"))
        #expect(html.components(separatedBy: "</html>").count == 2)
        #expect(html.components(separatedBy: "<details").count == html.components(separatedBy: "</details>").count)
    }

    @Test(arguments: [(0, 0), (2, 2), (100, 5)])
    func sectionListsUpToGivenNumberOfRows(most: Int, expected: Int) throws {
        let output = OutputBuffer()
        var options = RenderOptions()
        options.page.mostRows = most
        options.page.columns = [.init("name", "A name."), .init("other", "Another.")]
        let section = HTMLPage(title: "", subtitle: "", into: output).section("a", of: shape, options: options)
        try section.render((0..<5).map { row(.text("\($0)")) })
        #expect(output.text.components(separatedBy: "<tr><td>").count - 1 == expected)
        #expect(output.text.contains("<table>") == (expected > 0))
        #expect(!output.text.contains("Another."))
        #expect(output.text.contains("The first 2 of 5 rows") == (most == 2))
        #expect(section.rowCount == 5)
    }

    @Test func tableForPeopleHasPercentagesStatusAndLinks() throws {
        let shape = ResultShape(columns: [
            Column("user", .text, at: 0), Column("completion_rate", .number(decimals: 6), at: 1),
            Column("score", .number(decimals: 6), at: 1), Column("status", .text, at: 2),
        ])
        var options = RenderOptions()
        options.ratesAsPercent = true
        options.page.cellLinks = .init(column: "user", prefix: "user-")
        let html = try render(
            .html, of: shape, rows: [TestRow(.text("a <b"), .number(0.876543), .text("Inactive"))], options: options)
        #expect(html.contains("<td><a href=\"user-a%2520%253Cb.html\">a &lt;b</a></td>"))
        #expect(html.contains("<td class=\"n\">88 %</td><td class=\"n\">0.88</td>"))
        #expect(html.contains("<span class=\"status\"><i class=\"dot inactive\"></i>Inactive</span>"))
    }

    @Test func scriptIsPermittedByItsDigest() throws {
        let output = OutputBuffer()
        var page = HTMLPage(title: "", subtitle: "", into: output)
        page.script = "document.title = '';"
        try page.begin()
        try page.end()
        let match = output.text.firstMatch(of: /script-src 'sha256-([A-Za-z0-9+\/=]+)'"/)
        let policy = try #require(match)
        #expect(policy.1 == "document.title = '';".utf8.sha256.base64)
        #expect(output.text.contains("<script>document.title = '';</script>"))
    }
}

extension [UInt8] {
    fileprivate var base64: String { Data(self).base64EncodedString() }
}
