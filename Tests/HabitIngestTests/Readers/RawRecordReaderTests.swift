import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

@Suite(.engineIndependent) struct RawRecordReaderTests {
    @Test func recordHasSlotForEveryField() {
        var record = RawRecord()
        for (index, field) in Field.allCases.enumerated() {
            #expect(!record.contains(field))
            #expect(record[field] == .absent)
            record.set(.integer(Int64(index)), for: field)
        }
        for (index, field) in Field.allCases.enumerated() { #expect(record[field] == .integer(Int64(index))) }
    }

    @Test func fieldIsFoundByName() {
        for field in Field.allCases { #expect(Field(named: field.name) == field) }
        #expect(Field(named: "shade") == nil)
    }

    @Test func valuesHaveLineAndColumn() throws {
        let text = "habit,comment,day,outcome\nh1,朝ラン,\"2026-11-20\",done\nh2,\"x\ny\",2026-11-21,\n"
        let reader = try openReader(source(Array(text.utf8), chunk: .max), ReaderOptions(kind: .events))
        var record = RawRecord()
        #expect(try reader.next(into: &record) == .record)
        #expect(record.column(of: .habit) == 1)
        #expect(record.column(of: .comment) == 4)
        #expect(record.column(of: .day) == 8)
        #expect(record.column(of: .outcome) == 21)
        #expect(record.column(of: .user) == nil)
        let first = record
        #expect(try reader.next(into: &record) == .record)
        #expect(record.column(of: .comment) == 4)
        #expect((record.line(of: .comment), record.line(of: .day)) == (3, 4))
        #expect((record.column(of: .day), record.column(of: .outcome)) == (4, 15))
        #expect(first[.comment] == .text("朝ラン"))
    }

    @Test func valuesOfPreviousRecordAreCleared() throws {
        let reading = try readAll("{\"habit\":1,\"comment\":\"x\"}\n{\"habit\":2}\n{}")
        #expect(reading.rows.map { $0[.comment] } == [.text("x"), .absent, .absent])
    }

    @Test func originalIsTruncatedBetweenScalars() {
        let text = String(repeating: "a", count: RowProblem.originalLimit - 1) + "é"
        let cut = beginning(of: text.utf8.span)
        #expect(cut == text.dropLast())
    }
}
