import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests that a reused record contains only its latest values.
@Suite(.engineIndependent) struct RawRecordTests {
    private func begin(_ record: inout RawRecord, _ text: String) {
        record.begin(
            .events, line: 3, original: text.utf8.span)
    }

    @Test func recordContainsEveryFieldInAnyOrder() {
        var record = RawRecord()
        for fields in [Field.allCases, Field.allCases.reversed(), Array(Field.allCases.prefix(3))] {
            begin(&record, "e1,done")
            #expect(Field.allCases.allSatisfy { record[$0] == .absent })
            #expect(!Field.allCases.contains { record.contains($0) })
            for (number, field) in fields.enumerated() { record.set(.integer(Int64(number)), for: field) }
            for (number, field) in fields.enumerated() { #expect(record[field] == .integer(Int64(number))) }
            #expect(Field.allCases.count(where: record.contains) == fields.count)
        }
    }

    @Test func lastValueOfFieldIsKept() {
        var record = RawRecord()
        begin(&record, "e1,done")
        record.set(.text("e1"), for: .id, at: 0)
        record.set(.text("skipped"), for: .outcome)
        record.set(.text("done"), for: .outcome, at: 3)
        #expect(record[.outcome] == .text("done"))
        #expect(record.column(of: .outcome) == 4)
        #expect(record[.id] == .text("e1"))
        let copy = record
        begin(&record, "e2")
        record.set(.text("e2"), for: .id)
        #expect(record.column(of: .id) == nil)
        #expect(record[.outcome] == .absent)
        #expect(copy[.id] == .text("e1"))
        #expect(copy[.outcome] == .text("done"))
        #expect(copy.original == "e1,done")
    }
}
