import Base
import Foundation
import HabitModel
import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

@Suite struct JSONRendererTests {
    private let shape = ResultShape(columns: [
        Column("id", .text, at: 0),
        Column("at", .instant(offset: 2), at: 1),
        Column("day", .day, at: 3),
        Column("done", .boolean, at: 4),
        Column("rate", .number(decimals: 6), at: 5),
        Column("longitude", .longitude, at: 6),
        Column("latitude", .latitude, at: 6),
        Column("any", .any, at: 7),
    ])
    private let full = TestRow(
        .text("e1"),
        .integer(1_500_000),
        .integer(60),
        .text("2026-11-20"),
        .integer(1),
        .number(2.0 / 3),
        .point(-9.1393, 38.72230000000001),
        .number(1e-5))
    private let empty = TestRow(.null, .null, .null, .null, .null, .null, .null, .null)

    private let fullText =
        #"{"id":"e1","at":"1970-01-01T01:00:01.500+01:00","#
        + #""day":"2026-11-20","done":true,"rate":0.666667,"#
        + #""longitude":-9.1393,"latitude":38.7223,"any":0.00001}"#
    private let emptyText =
        #"{"id":null,"at":null,"day":null,"done":null,"rate":null,"longitude":null,"latitude":null,"any":null}"#

    @Test func arrayHasOneObjectPerLineWithEveryColumn() throws {
        #expect(try render(.json, of: shape, rows: [full, empty]) == "[\n\(fullText),\n\(emptyText)\n]\n")
        #expect(try render(.json, of: shape, rows: []) == "[]\n")
    }

    @Test func linesHaveNoArray() throws {
        #expect(try render(.ndjson, of: shape, rows: [full, empty]) == "\(fullText)\n\(emptyText)\n")
        #expect(try render(.ndjson, of: shape, rows: []) == "")
    }

    @Test func singleRowIsObject() throws {
        var options = RenderOptions()
        options.single = true
        #expect(try render(.json, of: shape, rows: [full], options: options) == "\(fullText)\n")
        #expect(try render(.json, of: shape, rows: [], options: options) == "null\n")
        #expect { try render(.json, of: shape, rows: [full, full], options: options) } throws: {
            ($0 as? HabitError)?.code == .internal
        }
    }

    @Test func positionKeepsFullPrecisionOnRequest() throws {
        var options = RenderOptions()
        options.precision = nil
        #expect(
            try render(.ndjson, of: shape, rows: [full], options: options).contains(#""latitude":38.72230000000001"#))
    }

    @Test func columnWithoutTypeContainsValueOfEngine() throws {
        let shape = ResultShape(columns: [Column("v", .any, at: 0)])
        let cells: [(TestRow.Cell, String)] = [
            (.null, "null"), (.integer(.min), "-9223372036854775808"), (.number(.infinity), "null"),
            (.text("a\"b"), #""a\"b""#),
            (.blob([0, 0xAB, 0xFF]), #""00abff""#), (.blob([]), #""""#), (.text(""), #""""#),
        ]
        for (cell, expected) in cells {
            #expect(try render(.ndjson, of: shape, rows: [TestRow(cell)]) == "{\"v\":\(expected)}\n")
        }
    }

    @Test(arguments: [
        "", "plain", "quote \" and \\ backslash", "\u{0}\u{1}\u{1F}\u{7F}", "a\r\n\tb", "日本語 👩‍👩‍👧‍👦 🇵🇹", "שלום",
        "\u{2028}\u{FEFF}",
    ])
    func textRoundTrips(text: String) throws {
        let shape = ResultShape(columns: [Column("te\"xt", .text, at: 0)])
        let written = try render(.ndjson, of: shape, rows: [TestRow(.text(text))])
        #expect(written.utf8.filter { $0 == 0x0A }.count == 1)
        #expect(try object(written)["te\"xt"] as? String == text)
    }

    @Test(
        arguments: [
            [0xFF], [0x61, 0xC3], [0xE2, 0x82], [0xE2, 0x82, 0x61], [0xED, 0xA0, 0x80], [0xC0, 0xAF],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF0, 0x9F, 0x98], [0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF5, 0x22], [0xC3, 0x22],
        ] as [[UInt8]])
    func invalidUTF8IsReplacedAsInSwift(bytes: [UInt8]) throws {
        let shape = ResultShape(columns: [Column("text", .text, at: 0)])
        let output = OutputBuffer()
        let renderer = NDJSONRenderer(shape, options: RenderOptions(), into: output)
        try renderer.append(TestRow(.bytes(bytes)))
        #expect(String(validating: output.contents, as: UTF8.self) != nil)
        let value = try object(output.text)["text"] as? String
        #expect(value == String(decoding: bytes, as: UTF8.self))
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func anyBytesProduceValidJSONAndUTF8(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                [UInt8.random(in: 0...255, using: &random), 0xE2, 0x80, 0x61, 0xF0, 0x9F][
                    Int.random(in: 0..<6, using: &random)]
            }
            let output = OutputBuffer()
            output.append(json: bytes.span)
            #expect(String(validating: output.contents, as: UTF8.self) != nil, "seed \(seed)")
            let value = try parsed(output.text) as? String
            #expect(value.map { Array($0.utf8) } == Array(String(decoding: bytes, as: UTF8.self).utf8), "seed \(seed)")
        }
    }
}
