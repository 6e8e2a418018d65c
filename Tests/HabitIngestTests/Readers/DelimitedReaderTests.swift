import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

@Suite(.engineIndependent) struct DelimitedReaderTests {
    @Test func rowsBecomeRecords() throws {
        let reading = try readAll(
            "habit,day,comment,longitude\nh1,2026-11-20,\"a, \"\"b\"\"\nc\",\nh2,2026-11-21,\"\",1.5\n")
        #expect(reading.header == ["habit", "day", "comment", "longitude"])
        #expect(reading.problems.isEmpty)
        #expect(
            reading.rows.map(\.values) == [
                [
                    .habit: .text("h1"),
                    .day: .text("2026-11-20"),
                    .comment: .text("a, \"b\"\nc"),
                    .longitude: .null,
                ],
                [
                    .habit: .text("h2"),
                    .day: .text("2026-11-21"),
                    .comment: .text(""),
                    .longitude: .text("1.5"),
                ],
            ])
        #expect(reading.rows.map(\.line) == [2, 4])
        #expect(reading.rows[0].original == "h1,2026-11-20,\"a, \"\"b\"\"\nc\",")
        #expect(reading.rows[0][.latitude] == .absent)
    }

    @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{feff}"])
    func lineEndsAndByteOrderMarkAreAccepted(end: String, mark: String) throws {
        let text =
            mark + ["habit,day,comment", "h1,2026-11-20,\"x\(end)y\"", "", "h2,2026-11-21,z"].joined(separator: end)
        for text in [text, text + end] {
            let reading = try readAll(text)
            #expect(reading.rows.map { $0[.habit] } == [.text("h1"), .text("h2")])
            #expect(reading.rows.map(\.line) == [2, 5])
            #expect(reading.rows[0][.comment] == .text("x\(end)y"))
            #expect(reading.problems.isEmpty)
        }
    }

    @Test func tabsSeparateFieldsOfTSV() throws {
        let reading = try readAll("habit\tday\tcomment\nh1\t2026-11-20\ta,b\nh2\t2026-11-21\t\"a\tb\"\n")
        #expect(reading.format == .tsv)
        #expect(reading.rows.map { $0[.comment] } == [.text("a,b"), .text("a\tb")])
    }

    @Test func namesAreResolvedWithoutCaseAndBlanks() throws {
        let reading = try readAll("Habit_ID, Day ,LON,y,note\nh1,2026-11-20,1,2,x\n")
        let fields = reading.rows[0].values.keys.sorted { one, other in one.name < other.name }
        #expect(fields == [.comment, .day, .habit, .latitude, .longitude])
    }

    @Test(arguments: [
        ("h1,2026-11-20\n", "the row has 2 fields, but the header has 3"),
        ("h1,2026-11-20,x,\n", "the row has 4 fields, but the header has 3"),
        ("h1,2026-11-20,a \"b\"\n", "an unquoted value contains a quote"),
        ("h1,\"2026-11-20\"x,y\n", "text follows a closing quote"),
        ("h1,\"2026-11-20\" ,y\n", "text follows a closing quote"),
    ])
    func invalidRowIsRefusedAndReadingContinues(row: String, reason: String) throws {
        let reading = try readAll("habit,day,comment\nh0,2026-11-19,\n\(row)h2,2026-11-21,\n")
        #expect(reading.rows.map { $0[.habit] } == [.text("h0"), .text("h2")])
        #expect(reading.problems.count == 1)
        #expect(reading.problems.first?.code == .rowInvalid)
        #expect(reading.problems.first?.line == 3)
        #expect(reading.problems.first?.reason.hasPrefix(reason) == true)
        #expect(reading.problems.first.map { $0.original + "\n" } == row)
    }

    @Test func problemHasColumn() throws {
        let reading = try readAll("habit,comment\nh1,朝ラ\"ン\n")
        #expect(reading.problems.first?.column == 6)
    }

    @Test func unclosedQuoteMakesRemainingTextOneRow() throws {
        let reading = try readAll("habit,day,comment\nh0,2026-11-19,\nh1,2026-11-20,\"x\nh2,2026-11-21,\n")
        #expect(reading.rows.map { $0[.habit] } == [.text("h0")])
        #expect(reading.problems.map(\.line) == [3])
        #expect(reading.problems.first?.code == .rowInvalid)
        #expect(reading.problems.first?.column == 15)
        #expect(reading.problems.first?.original == "h1,2026-11-20,\"x\nh2,2026-11-21,\n")
    }

    @Test func invalidUTF8IsRefused() throws {
        let bytes = Array("habit,day,other\nh1,2026-11-20,\u{e9}".utf8) + [0xC3, 0x0A] + Array("h2,2026-11-21,\n".utf8)
        let reading = try readAll(bytes)
        #expect(reading.rows.map { $0[.habit] } == [.text("h2")])
        #expect(reading.problems.map(\.code) == [.encodingInvalid])
        #expect(reading.problems.map(\.line) == [2])
        #expect(reading.problems.map(\.column) == [16])
        #expect(reading.problems.map(\.original) == ["h1,2026-11-20,\u{e9}\u{fffd}"])
    }

    @Test func nulIsRefused() throws {
        let reading = try readAll("habit,day\nh\01,2026-11-20\nh2,2026-11-21\n")
        #expect(reading.rows.map { $0[.habit] } == [.text("h2")])
        #expect(reading.problems.map(\.code) == [.textInvalid])
        #expect(reading.problems.map(\.column) == [2])
    }

    @Test func rowAtLimitIsAcceptedAndLongerRowIsRefused() throws {
        let text = "habit,day\nh1,2026-11-2\nh1,2026-11-20\nh1,2026-11-21\"\"\nh2,2026-11-2\n"
        for chunk in [1, 5, 1000] {
            let reading = try readAll(text, limit: 12, chunk: chunk)
            #expect(reading.rows.map(\.line) == [2, 5])
            #expect(reading.problems.map(\.code) == [.recordTooLong, .recordTooLong])
            #expect(reading.problems.map(\.original) == ["h1,2026-11-2", "h1,2026-11-2"])
        }
    }

    @Test func longQuotedRowIsSkippedToItsEnd() throws {
        let long = String(repeating: "line \"\"x\"\",\r\n", count: 1000)
        let text = "habit,comment\nh1,\"\(long)\"\nh2,y\n"
        for chunk in [7, 1 << 20] {
            let reading = try readAll(text, limit: 500, chunk: chunk)
            #expect(reading.problems.map(\.code) == [.recordTooLong])
            #expect(reading.rows.map(\.line) == [1003])
            #expect(reading.rows.map { $0[.habit] } == [.text("h2")])
        }
    }
}

@Suite(.engineIndependent) struct HeaderReaderTests {
    @Test(arguments: [
        ("\nhabit,day\n", "the first line is not a header"),
        (",,\n", "the header is blank"),
        ("x1,y1\n1,2\n", "the header has no column of events"),
        ("\"habit,day\n", "the first line is not a header"),
    ])
    func invalidHeaderIsRefused(text: String, reason: String) {
        let error = failure { _ = try readAll(text) }
        #expect(error?.code == .headerInvalid)
        #expect(error?.message.hasPrefix(reason) == true)
        #expect(error?.plainText.contains("id, user, habit, day") == true)
        #expect(error?.file == "input")
    }

    @Test(arguments: ["lon,x,day", "LON,longitude", "habit,habit", "at,ts"])
    func twoSpellingsOfFieldAreRefused(header: String) {
        let error = failure { _ = try readAll(header + "\n") }
        #expect(error?.code == .headerInvalid)
        let names = header.split(separator: ",").prefix(2)
        #expect(names.allSatisfy { error?.message.contains("'\($0)'") == true })
    }

    @Test func unknownColumnsAreReported() throws {
        let reading = try readAll("habit,shade,,rejected_reason,shade,weather\nh1,1,2,3,4,5\n")
        #expect(reading.unknownFields == ["shade", "column 3", "weather"])
        #expect(reading.rows[0].values == [.habit: .text("h1")])
        let error = failure { _ = try readAll("habit,shade\n", strict: true) }
        #expect(error?.code == .headerInvalid)
        #expect(error?.field == "shade")
        #expect(failure { _ = try readAll("habit,rejected_reason,kind\n", strict: true) } == nil)
    }

    @Test func unknownColumnsAreCapped() throws {
        let names = (0..<500).map { "unknown\($0)" }.joined(separator: ",")
        #expect(try readAll("habit,\(names)\n").unknownFields.count == 100)
    }

    @Test func headerThatIsNotUTF8IsRefused() {
        #expect(failure { _ = try readAll(Array("habit,".utf8) + [0xE9, 0x0A]) }?.code == .encodingInvalid)
    }
}

@Suite(.engineIndependent) struct MixedKindsReaderTests {
    @Test func rowsMayHaveDifferentKinds() throws {
        let reading = try readAll(
            """
            kind,id,name,title,habit,day,comment,text,rejected_reason
            users,u1,Ann,,,,,,x
            habits,h1,,Run,,,,,
            events,,,,h1,2026-11-20,fine,,
            messages,m1,,,,,,hello,

            """, kind: nil)
        #expect(reading.problems.isEmpty)
        #expect(reading.unknownFields.isEmpty)
        #expect(reading.rows.map(\.kind) == [.users, .habits, .events, .messages])
        #expect(reading.rows[1][.title] == .text("Run"))
        #expect(reading.rows[2][.comment] == .text("fine"))
        #expect(reading.rows[3][.text] == .text("hello"))
    }

    @Test func rowWithTwoSpellingsFilledIsRefused() throws {
        let reading = try readAll("kind,habit,comment,text\nevents,h1,a,b\nevents,h1,,b\nevents,h1,a,\n", kind: nil)
        #expect(reading.problems.map(\.line) == [2, 3])
        #expect(reading.problems.map(\.code) == [.fieldInvalid, .fieldInvalid])
        #expect(reading.problems.map(\.field) == ["comment", "comment"])
        #expect(reading.rows.map(\.line) == [4])
    }

    @Test(arguments: [("", ErrorCode.fieldMissing), ("pets", .fieldInvalid), ("Events", .fieldInvalid)])
    func rowWithoutKindIsRefused(kind: String, code: ErrorCode) throws {
        let reading = try readAll("kind,habit\n\(kind),h1\nevents,h2\n", kind: nil)
        #expect(reading.problems.map(\.code) == [code])
        #expect(reading.problems.map(\.field) == ["kind"])
        #expect(reading.rows.map(\.line) == [3])
    }

    @Test func kindOfRowMustMatchGivenKind() throws {
        let reading = try readAll("habit,kind\nh1,events\nh2,posts\nh3,\n")
        #expect(reading.rows.map(\.line) == [2, 4])
        #expect(reading.problems.map(\.code) == [.fieldInvalid])
        #expect(reading.problems.map(\.column) == [4])
    }

    @Test func fileOfUnknownKindIsRefused() {
        let error = failure { _ = try readAll("habit,day\n", kind: nil) }
        #expect(error?.code == .headerInvalid)
        #expect(error?.remedies.contains(.give(.kind)) == true)
    }

    @Test func columnIsUnknownWhenNoKindInFileHasIt() throws {
        let reading = try readAll("kind,habit,shade,name\nevents,h1,x,\nevents,h1,,Ann\n", kind: nil)
        #expect(reading.unknownFields == ["shade", "name"])
    }
}
