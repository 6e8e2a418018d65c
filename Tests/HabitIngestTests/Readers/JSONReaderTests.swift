import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

@Suite(.engineIndependent) struct JSONSequenceReaderTests {
    @Test func valuesKeepTheirTypes() throws {
        let reading = try readAll(
            #"{"habit":"h1","at":1763625600,"longitude":1.5,"latitude":null,"photo":true,"comment":["a",1,"b"],"outcome":{"a":1},"day":[[]],"id":"\u00e9\ud83d\ude00","user":[]}"#
        )
        #expect(
            reading.rows.first?.values == [
                .habit: .text("h1"),
                .at: .integer(1_763_625_600),
                .longitude: .number(1.5),
                .latitude: .null,
                .photo: .boolean(true),
                .comment: .text("a 1 b"),
                .outcome: .nested,
                .day: .nested,
                .id: .text("é😀"),
                .user: .text(""),
            ])
    }

    @Test(arguments: [
        (#"{"habit":"h1",}"#, ErrorCode.rowInvalid),
        (#"{"habit":"h1"} x"#, .rowInvalid),
        (#"{"habit":"h1"#, .rowInvalid),
        (#"{'habit':1}"#, .rowInvalid),
        (#"{"habit":01}"#, .rowInvalid),
        (#"{"habit":NaN}"#, .rowInvalid),
        (#"{"habit":1e999}"#, .rowInvalid),
        (#"{"habit":99999999999999999999}"#, .rowInvalid),
        (#"{"habit":18446744073709551615}"#, .rowInvalid),
        (#"{"habit":1,"habit":2}"#, .rowInvalid),
        (#"{"habit":1,"shade":{"a":1,"a":2}}"#, .rowInvalid),
        (#"{"habit":1,"shade":[{"a":1,"\u0061":2}]}"#, .rowInvalid),
        (#"{"lon":1,"longitude":2}"#, .rowInvalid),
        (#"{"id":1,"ID":2}"#, .rowInvalid),
        (#"[1]"#, .rowInvalid),
        ("1", .rowInvalid),
        (#""h1""#, .rowInvalid),
        ("{\"habit\":\"a\tb\"}", .rowInvalid),
        (#"{"habit":"\x"}"#, .rowInvalid),
        (#"{"habit":"a\u0000b"}"#, .textInvalid),
        (#"{"shade":{"a\u0000":1}}"#, .textInvalid),
        ("{\"habit\":\"a\0b\"}", .textInvalid),
        (#"{"habit":"\ud800"}"#, .rowInvalid),
        (#"{"habit":"\udc00"}"#, .rowInvalid),
        (#"{"habit":"\ud800\u0041"}"#, .rowInvalid),
        ("{\"shade\":" + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}", .rowInvalid),
    ])
    func invalidLineIsRefusedAndReadingContinues(line: String, code: ErrorCode) throws {
        let reading = try readAll("{\"habit\":\"h1\"}\n\n\(line)\r\n{\"habit\":\"h2\"}", format: .ndjson)
        #expect(reading.rows.map { $0[.habit] } == [.text("h1"), .text("h2")])
        #expect(reading.rows.map(\.line) == [1, 4])
        #expect(reading.problems.map(\.code) == [code])
        #expect(reading.problems.map(\.line) == [3])
        #expect(reading.problems.map(\.original) == [line])
    }

    @Test func invalidUTF8IsRefused() throws {
        let bytes = Array(#"{"habit":"h1"}"#.utf8) + [0x0A] + Array(#"{"habit":""#.utf8) + [0xE9] + Array("\"}\n".utf8)
        let reading = try readAll(bytes)
        #expect(reading.rows.count == 1)
        #expect(reading.problems.map(\.code) == [.encodingInvalid])
    }

    @Test func repeatedNameIsFoundAmongManyMembers() throws {
        let members = (0..<3000).map { "\"m\($0)\":1" }.joined(separator: ",")
        #expect(try readAll("{\"habit\":1,\(members)}").problems.isEmpty)
        #expect(try readAll("{\"habit\":1,\(members),\"m7\":2}").problems.first?.reason.contains("'m7'") == true)
    }

    @Test func unknownMembersAreReported() throws {
        let text =
            #"{"habit":"h1","shade":1,"rejected":{"line":1},"rejected_reason":"x","a much longer name than any":2}"#
        let reading = try readAll(text + "\n" + text)
        #expect(reading.unknownFields == ["shade", "a much longer name than any"])
        #expect(
            reading.rows.map(\.values) == [
                [.habit: .text("h1")],
                [.habit: .text("h1")],
            ])
        #expect(failure { _ = try readAll(text, strict: true) }?.code == .headerInvalid)
    }

    @Test func recordsMayHaveDifferentKinds() throws {
        let reading = try readAll(
            """
            {"kind":"users","id":"u1","name":"Ann"}
            {"id":"h1","name":"Run","kind":"habits"}
            {"id":"h1"}
            {"id":"h1","kind":"pets"}
            {"id":"h1","kind":7}
            """, kind: nil)
        #expect(reading.rows.map(\.kind) == [.users, .habits])
        #expect(reading.rows[1][.title] == .text("Run"))
        #expect(reading.problems.map(\.code) == [.fieldMissing, .fieldInvalid, .fieldInvalid])
        #expect(reading.problems.allSatisfy { $0.field == "kind" })
    }

    @Test func kindOfRecordMustMatchGivenKind() throws {
        let reading = try readAll(
            "{\"kind\":\"events\",\"habit\":1}\n{\"kind\":\"posts\",\"id\":1}\n{\"kind\":null,\"habit\":1}")
        #expect(reading.rows.map(\.line) == [1, 3])
        #expect(reading.problems.map(\.code) == [.fieldInvalid])
    }

    @Test func inputOfUnknownKindIsRefused() {
        let error = failure { _ = try readAll("{\"habit\":\"h1\"}\n", kind: nil) }
        #expect(error?.code == .headerInvalid)
        #expect(error?.line == 1)
        #expect(error?.remedies.contains(.give(.kind)) == true)
    }

    @Test func recordAtLimitIsAcceptedAndLongerRecordIsRefused() throws {
        for chunk in [1, 5, 1000] {
            let reading = try readAll("{\"id\":\"12\"}\n{\"id\":\"123\"}\n{\"id\":\"1\"}", limit: 11, chunk: chunk)
            #expect(reading.rows.map(\.line) == [1, 3])
            #expect(reading.problems.map(\.code) == [.recordTooLong])
            #expect(reading.problems.map(\.original) == ["{\"id\":\"123\""])
        }
    }

    @Test func recordSeparatorsAreAccepted() throws {
        let feature = #"{"type":"Feature","id":"ID","geometry":null,"properties":{}}"#
        let texts = ["a", "b", "c"].map { feature.replacing("ID", with: $0) }
        let pretty = texts[1].replacing(",", with: ",\n")
        let reading = try readAll("\u{1e}\(texts[0])\n\u{1e}\(pretty)\n\u{1e}\n\u{1e}{\"type\"\n\u{1e}\(texts[2])")
        #expect(reading.format == .geojsonseq)
        let ids = reading.rows.map { $0[.id] }
        #expect(ids == [.text("a"), .text("b"), .text("c")])
        #expect(reading.rows.map(\.line) == [1, 2, 8])
        #expect(reading.problems.map(\.line) == [7])
        let plain = try readAll(texts.joined(separator: "\n") + "\n\u{1e}\(texts[0])\n")
        let plainIDs = plain.rows.map { $0[.id] }
        #expect(plainIDs == [.text("a"), .text("b"), .text("c"), .text("a")])
    }

    @Test func objectOverSeveralLinesIsOneRecord() throws {
        let reading = try readAll("{\n  \"habit\": \"h1\"\n}\n")
        #expect(reading.rows.map { $0[.habit] } == [.text("h1")])
        #expect(failure { _ = try readAll("{\n\"habit\": \"h1\"\n}\n{}") }?.code == .rowInvalid)
    }
}

@Suite(.engineIndependent) struct JSONDocumentReaderTests {
    @Test func elementsBecomeRecords() throws {
        let reading = try readAll(" [ {\"habit\":\"h1\"} ,\n{\"habit\":\"]},[{\\\"\"}\n]\n")
        #expect(reading.rows.map { $0[.habit] } == [.text("h1"), .text("]},[{\"")])
        #expect(reading.rows.map(\.line) == [1, 2])
        #expect(reading.rows[0].original == "{\"habit\":\"h1\"}")
    }

    @Test(arguments: [
        "[{},]", "[{} {}]", "[{}", "[{},", "[", "[,{}]", "[{}]x", "[{}][]", "[{\"habit\":1]", "[{\"habit\":\"1]",
        "[{\"habit\":1,}]",
        "[{]}]", "[{}}", "[{\"a\":[}]]", "[x]", "[{}, ]", "[:]", "[{}:{}]", "[tru]", "[{\"a\"}]",
    ])
    func documentThatIsNotJSONIsRefused(text: String) {
        for chunk in [1, 1000] {
            let error = failure { _ = try readAll(text, chunk: chunk) }
            #expect(error?.code == .rowInvalid)
            #expect(error?.file == "input")
            #expect(error?.line == 1)
        }
    }

    @Test func invalidElementsAreRefusedAndReadingContinues() throws {
        let reading = try readAll(#"[1,"x",null,[{}],{"habit":1,"habit":2},{"habit":"a\u0000"},{"habit":"h1"}]"#)
        #expect(reading.rows.map { $0[.habit] } == [.text("h1")])
        #expect(
            reading.problems.map(\.code) == [
                .rowInvalid, .rowInvalid, .rowInvalid, .rowInvalid, .rowInvalid, .textInvalid,
            ])
        #expect(reading.problems[1].original == "\"x\"")
    }

    @Test func longElementIsSkipped() throws {
        let long = String(repeating: "\\\"]", count: 2000)
        for chunk in [7, 1 << 20] {
            let reading = try readAll("[{\"comment\":\"\(long)\"},\n{\"habit\":\"h1\"}]", limit: 100, chunk: chunk)
            #expect(reading.rows.map(\.line) == [2])
            #expect(reading.problems.map(\.code) == [.recordTooLong])
        }
        #expect(failure { _ = try readAll("[{\"comment\":\"\(long)", limit: 100) }?.code == .rowInvalid)
    }

    @Test func emptyDocumentHasNoRecords() throws {
        #expect(try readAll("[]").rows.isEmpty)
        #expect(try readAll(" ", format: .json).rows.isEmpty)
    }
}
