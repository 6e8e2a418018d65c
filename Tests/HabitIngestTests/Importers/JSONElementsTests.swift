import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the streaming reader of JSON arrays.
@Suite(.engineIndependent) struct JSONElementsTests {
    private func elements(_ text: String) throws -> JSONElements {
        try JSONElements(ByteSource(bytes: Array(text.utf8), name: "a.json"))
    }

    private func texts(_ text: String, at path: String...) throws -> [String] {
        var texts: [String] = []
        try elements(text).forEach(at: path) { texts.append($0["n"]?.anyText ?? "-") }
        return texts
    }

    @Test func elementsOfArraysAreRead() throws {
        #expect(try texts("[{\"n\":1},{\"n\":\"b\"},{}]") == ["1", "b", "-"])
        #expect(try texts(" {\"x\":[[1],{}],\"a\":[{\"n\":1}, {\"n\":2}] , \"y\":\"]}\"}\n", at: "a") == ["1", "2"])
        #expect(try texts("{\"a\":{\"c\":[{\"n\":9}],\"b\":[{\"n\":1}]},\"b\":[{\"n\":8}]}", at: "a", "b") == ["1"])
        #expect(try texts("{\"a\":[]}", at: "a").isEmpty)
        #expect(try texts("{}", at: "a").isEmpty)
        #expect(try texts("{\"n\":7}") == ["7"])
        #expect(try texts("{\"a\":{\"n\":5}}", at: "a") == ["5"])
    }

    @Test func severalArraysAreReadInOrder() throws {
        var found: [String] = []
        let isFound = try elements("{\"b\":[1,2],\"x\":0,\"a\":{\"c\":[3]}}").forEach(atAnyOf: [["a", "c"], ["b"]]) {
            found.append("\($0):\($1.integer ?? 0)")
        }
        #expect(isFound)
        #expect(found == ["1:1", "1:2", "0:3"])
    }

    @Test func nodeHasTypedValues() throws {
        try elements(
            "[{\"t\":\"x\",\"i\":\"12\",\"d\":1.5,\"n\":null,\"b\":true,\"l\":[1,\"2\"],\"o\":{\"k\":1},\"u\":18446744073709551615}]"
        )
        .forEach(at: []) { node in
            #expect(node["t"]?.text == "x")
            #expect(node["t"]?.number == nil)
            #expect(node["i"]?.integer == 12)
            #expect(node["i"]?.number == 12)
            #expect(node["d"]?.number == 1.5)
            #expect(node["d"]?.integer == nil)
            #expect(node["n"] == nil)
            #expect(node["missing"] == nil)
            #expect(node["b"]?.boolean == true)
            #expect(node["l"]?.items.map(\.number) == [1, 2])
            #expect(node["l"]?.isArray == true)
            #expect(node["o"]?.members.map(\.name) == ["k"])
            #expect(node["o"]?.isObject == true)
            #expect((node["u"]?.number ?? 0) > 1.8e19)
        }
    }

    @Test(
        arguments: [
            "[{\"n\":1},]", "[{\"n\":1} {\"n\":2}]", "[{\"n\":1}", "[{\"n\":01}]", "{\"a\":[1]", "{\"a\" [1]}",
            "{\"a\":[1],}",
            "[1] [2]", "", "{\"a\":[tru]}", "[{\"a\":1,\"a\":2}]",
        ])
    func damagedDocumentIsInvalid(text: String) throws {
        #expect { try elements(text).forEach(at: text.hasPrefix("{") ? ["a"] : []) { _ in } } throws: {
            ($0 as? HabitError)?.code == .jsonInvalid
        }
    }

    @Test(
        arguments: [
            (#""\ud83d""#, "\u{FFFD}"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
            (#""\\ud83d \ud83d""#, #"\ud83d \#u{FFFD}"#),
            ("99999999999999999999999999", "1e+26"),
            ("-9223372036854775809", "-9.223372036854776e+18"),
        ])
    func valueThatIsNotValidDoesNotDamageDocument(value: String, expected: String) throws {
        #expect(
            try texts("[{\"n\":1},{\"n\":\(value)},{\"n\":9007199254740993}]") == ["1", expected, "9007199254740993"])
    }

    @Test func errorHasLineOfElement() throws {
        #expect { try elements("[\n{\"n\":1},\n{\"n\":x}\n]").forEach(at: []) { _ in } } throws: {
            ($0 as? HabitError)?.line == 3
        }
    }

    @Test func outlineHasMembersOfFirstElements() {
        let outline = JSONOutline(
            Array("{\"locations\":[{\"a\":1},{\"latitudeE7\":2}],\"t\":{\"u\":[]},\"type\":\"x\",\"cut\":[{".utf8))
        #expect(outline?["locations"]?["latitudeE7"] != nil)
        #expect(outline?["locations"]?.isArray == true)
        #expect(outline?["t"]?["u"]?.isArray == true)
        #expect(outline?["type"]?.text == "x")
        #expect(outline?.names == ["cut", "locations", "t", "type"])
        #expect(JSONOutline(Array("text".utf8)) == nil)
    }
}
