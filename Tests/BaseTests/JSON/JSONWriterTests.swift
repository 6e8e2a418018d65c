import Foundation
import HabitTestSupport
import Testing

@testable import Base

@Suite(.engineIndependent) struct JSONWriterTests {
    @Test(
        arguments: [
            (.null, "null"),
            (true, "true"),
            (-7, "-7"),
            (1.5, "1.5"),
            (1.0, "1"),
            (1e16, "1e+16"),
            (.number(-0.0), "-0"),
            (.number(.nan), "null"),
            (.number(.infinity), "null"),
            (JSON(nil as String?), "null"),
            (JSON("a" as String?), "\"a\""),
            ([], "[]"),
            ([:], "{}"),
            ([1, [2], "x"], #"[1,[2],"x"]"#),
            (["b": 1, "é": 2, "B": 3, "f": 4, "e\u{301}x": 5], "{\"B\":3,\"b\":1,\"e\u{301}x\":5,\"f\":4,\"é\":2}"),
            (.ordered([.init("b", 1), .init("a", [])]), #"{"b":1,"a":[]}"#),
            (["feature": .verbatim(Array(#"{"z": 1}"#.utf8))], #"{"feature":{"z": 1}}"#),
        ] as [(JSON, String)])
    func valueIsWrittenCompactly(value: JSON, text: String) {
        #expect(Array(value.text.utf8) == Array(text.utf8))
        #expect(value.bytes == Array(text.utf8))
    }

    @Test func onlyNecessaryCharactersAreEscaped() {
        let text = "\0\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/\u{7F}é😀\u{2028}\u{FEFF}"
        let written = JSON.text(text).text
        #expect(
            Array(written.utf8)
                == Array(
                    #""\u0000\u0001\b\t\n\u000b\f\r\u001f \"\\/"#.utf8) + Array("\u{7F}é😀\u{2028}\u{FEFF}\"".utf8))
    }

    @Test func continuationBeginsWithComma() {
        let members = [JSON.Member("b", 1), JSON.Member("a", "x")]
        #expect(members.continuation == #","b":1,"a":"x""#)
        #expect([JSON.Member]().continuation == "")
    }

    @Test func mergingReplacesMembers() {
        let merged = (["a": 1, "b": 2] as JSON).merging(["b": 3, "c": 4])
        #expect(merged.text == #"{"a":1,"b":3,"c":4}"#)
        #expect((["a": 1] as JSON).merging(.null).text == "null")
    }

    /// `JSONSerialization` would drop U+FEFF at the beginning of a text, so the comparison is in bytes.
    @Test func randomValuesAreWrittenAsByFoundation() throws {
        let run = FuzzRun("JSON writer", rounds: 500)
        var random = RandomJSON(random: run.random)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for round in 0..<run.rounds {
            let value = random.value()
            #expect(value.bytes == Array(try encoder.encode(Encoded(value))), "seed \(run.seed), round \(round)")
        }
    }

    private struct Encoded: Encodable {
        let value: JSON

        init(_ value: JSON) { self.value = value }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .null: try container.encodeNil()
            case .text(let text): try container.encode(text)
            case .boolean(let flag): try container.encode(flag)
            case .integer(let number): try container.encode(number)
            case .number(let number): try container.encode(number)
            case .list(let values): try container.encode(values.map(Encoded.init))
            case .object(let members): try container.encode(members.mapValues(Encoded.init))
            case .ordered, .verbatim: Issue.record("the value is not random")
            }
        }
    }
}
