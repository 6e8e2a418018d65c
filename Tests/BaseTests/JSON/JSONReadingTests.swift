import Foundation
import HabitTestSupport
import Testing

@testable import Base

/// Tests that every reader of JSON reads the same values and refuses the same texts.
@Suite(.engineIndependent) struct JSONReadingTests {
    private static let maximumDepth = 64

    private static func slice(_ text: String) -> JSONSlice { JSONSlice(Array(text.utf8)[...]) }

    /// Returns what simdjson reads, or `nil` if it refuses the text.
    private static func parsed(_ text: String) throws -> String? {
        let parser = try JSONParser(maximumDepth: maximumDepth)
        return withExtendedLifetime(parser) { try? parser.document(copying: text.utf8).exact }
    }

    private static func located(_ text: String) -> String? {
        try? OffsetJSON(parsing: text, maximumDepth: maximumDepth).exact
    }

    @Test func randomValuesAreReadAsWritten() throws {
        let run = FuzzRun("JSON readers", rounds: 500)
        var random = RandomJSON(random: run.random)
        for round in 0..<run.rounds {
            let value = random.value()
            let text = value.text
            let context: Comment = "seed \(run.seed), round \(round): \(text)"
            #expect(Self.located(text) == value.exact, context)
            #expect(try Self.slice(text).exact == value.exact, context)
            #expect(try Self.parsed(text) == value.exact, context)
        }
    }

    @Test func changedTextsAreReadEquallyOrRefused() throws {
        var run = FuzzRun("changed JSON texts", rounds: 1000)
        var random = RandomJSON(random: run.random)
        var accepted = 0
        for round in 0..<run.rounds {
            var bytes = random.value().bytes
            let mutations = Int.random(in: 1..<4, using: &run.random)
            for _ in 0..<mutations { run.mutate(&bytes, inserting: RandomJSON.words) }
            let text = String(decoding: bytes, as: UTF8.self)
            // simdjson accepts U+0000 and low surrogates, refuses integers of more than 64 bits, and takes names that
            // are canonically equal for different names.
            let isReadDifferently = text.contains(/\\u(?:0000|[dD][c-fC-F])|[0-9]{19}/)
            let hasAccent = text.unicodeScalars.contains("\u{301}")
            guard !isReadDifferently, !hasAccent else { continue }
            let read = Self.located(text)
            if read != nil { accepted += 1 }
            #expect(try Self.parsed(text) == read, "seed \(run.seed), round \(round): \(text)")
        }
        #expect(accepted > 0, "seed \(run.seed)")
    }

    @Test(arguments: [
        "", " ", "[1,]", #"{"a":1,}"#, "[1 2]", #"{"a" 1}"#, "{a:1}",
        "01", "-", "1.", ".5", "+1", "1e", "1e400",
        "NaN", "tru", "nulll", "[1]]", "[1}",
        #""a"#, #""\x""#, #""\ud800""#, "\"\t\"",
        #"{"a":1,"\u0061":2}"#, "'a'", "\u{FEFF}1", "[1]\u{A0}",
    ])
    func invalidTextIsRefusedByAll(text: String) throws {
        #expect(Self.located(text) == nil)
        #expect(try Self.parsed(text) == nil)
    }

    /// A depth of one more than the maximum is an error at the first value that is too deep.
    @Test func nestingIsLimited() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(Self.located(nested(65)) != nil)
        #expect(throws: JSONReader.Fault(reason: .tooDeep, offset: 65)) {
            try OffsetJSON(parsing: nested(66), maximumDepth: Self.maximumDepth)
        }
        #expect(try Self.parsed(nested(64)) != nil)
        #expect(try Self.parsed(nested(66)) == nil)
        // The extent of a part is found without recursion.
        #expect(try Self.slice("[" + nested(100_000) + "]").elements().count == 1)
    }

    @Test func integersAndDoublesAreExact() throws {
        let parser = try JSONParser()
        let node = try parser.document(copying: "[9007199254740993,-9223372036854775808,18446744073709551615,-0]".utf8)
        #expect(node.items.map(\.integer) == [9_007_199_254_740_993, .min, nil, 0])
        #expect(node.items.map(\.number)[2] == 0x1p64)
        #expect(throws: JSONFault.number) { try parser.document(copying: "18446744073709551616".utf8) }
        #expect(try Self.slice("18446744073709551616").number() == 0x1p64)
        #expect(try Self.slice("-0").number().sign == .minus)
    }

    // MARK: Faults

    @Test(
        arguments: [
            ("", 0, .valueExpected),
            ("[1 2]", 3, .expected("]")),
            (#"{"a" 1}"#, 5, .expected(":")),
            (#"{"a":1 "b":2}"#, 7, .expected("}")),
            ("{1:2}", 1, .textExpected),
            (#"{"a":1,}"#, 7, .textExpected),
            ("[1,]", 3, .valueExpected),
            ("[tru]", 1, .wordExpected("true")),
            ("[nul", 1, .wordExpected("null")),
            ("\"a\nb\"", 3, .controlCharacter),
            (#""é\x""#, 4, .escapeInvalid),
            (#""\u00""#, 2, .escapeInvalid),
            (#""\ud83d\u0041""#, 13, .escapeInvalid),
            (#""\u0000""#, 7, .escapeInvalid),
            (#""abc"#, 4, .textUnterminated),
            (#"{"é":1,"\u00e9":2}"#, 16, .repeatedName("é")),
            ("1 2", 2, .secondValue),
            ("[01]", 1, .valueExpected),
        ] as [(String, Int, JSONReader.Fault.Reason)])
    func faultHasOffset(text: String, offset: Int, reason: JSONReader.Fault.Reason) {
        #expect(throws: JSONReader.Fault(reason: reason, offset: offset)) {
            try OffsetJSON(parsing: text, maximumDepth: Self.maximumDepth)
        }
    }

    @Test func valuesHaveOffsets() throws {
        let json = try OffsetJSON(parsing: #" {"é": [1, {"b" : null}]}"#, maximumDepth: 3)
        #expect(json.offset == 1)
        guard case .object(let members) = json.value, let list = members["é"], case .list(let values) = list.value
        else {
            Issue.record("the value is \(json)")
            return
        }
        #expect(list.offset == 8)
        #expect(values.map(\.offset) == [9, 12])
    }

    // MARK: Parts

    @Test func partsKeepTheirBytes() throws {
        let members = try Self.slice(#" { "a" : [1, 2 ] ,"b":"\u0062","c":{"d":tru} , "n":null }"#).members()
        #expect(
            members.mapValues { String(decoding: $0.bytes, as: UTF8.self) } == [
                "a": "[1, 2 ]", "b": #""\u0062""#, "c": #"{"d":tru}"#, "n": "null",
            ])
        #expect(members["a"]?.isArray == true)
        #expect(members["c"]?.isObject == true)
        #expect(members["n"]?.isNull == true)
        #expect(try members["b"]?.text() == "b")
        #expect(try members["a"]?.elements().map { try $0.number() } == [1, 2])
    }

    @Test(arguments: [
        "", "[]", "{", "{}}",
        #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1"b":2}"#,
        #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"a":[1}"#,
        #"{"a":"x}"#, #"{"a":1:2}"#, #"{"a":1}x"#, "{1:2}",
    ])
    func malformedObjectHasNoMembers(text: String) {
        #expect(throws: JSONReader.Fault.self) { try Self.slice(text).members() }
    }

    @Test(arguments: ["", "{}", "[", "[]]", "[,]", "[1,]", "[1 2]", "[[1]", "[\"]", "[1]x"])
    func malformedArrayHasNoElements(text: String) {
        #expect(throws: JSONReader.Fault.self) { try Self.slice(text).elements() }
    }

    /// Characters after a string belong to its part, so that its parser refuses them.
    @Test func charactersAfterStringBelongToItsPart() throws {
        let value = try #require(try Self.slice(#"{"a":"x"y}"#).members()["a"])
        #expect(Array(value.bytes) == Array(#""x"y"#.utf8))
        #expect(throws: JSONReader.Fault.self) { try value.text() }
    }

    @Test func textOfPartIsExact() throws {
        let escaped = try Self.slice(#""\u0000\ud83d\ude00\/\b""#).text()
        #expect(escaped.unicodeScalars.map(\.value) == [0, 0x1F600, 0x2F, 8])
        #expect(try Array(Self.slice("\"\u{FEFF}e\u{301}\"").text().utf8) == Array("\u{FEFF}e\u{301}".utf8))
        #expect(throws: JSONReader.Fault(reason: .notUTF8, offset: 3)) { try JSONSlice([0x22, 0xFF, 0x22]).text() }
        #expect(throws: JSONReader.Fault.self) { try Self.slice(#""\ud800""#).text() }
        #expect(throws: JSONReader.Fault.self) { try Self.slice(#""\ude00""#).text() }
    }

    /// The reader accepts the beginning of a text.
    @Test func extentOfCutTextIsUnknown() {
        var reader = JSONReader(Array(#"{"a":[1,"#.utf8)[...])
        #expect(reader.extent() == nil)
        #expect(reader.offset == 8)
        #expect(reader.peek() == nil)
    }

    @Test(
        arguments: [
            ("1", 1),
            ("-1.5e3", -1500),
            ("+2", 2),
            (".5", 0.5),
            ("0x10", nil),
            ("inf", nil),
            ("nan", nil),
            ("1e400", nil),
            ("", nil),
            (" 1", nil),
            ("1,5", nil),
        ] as [(String, Double?)])
    func decimalNumberIsParsed(text: String, number: Double?) {
        #expect(Double(decimal: text) == number)
    }
}
