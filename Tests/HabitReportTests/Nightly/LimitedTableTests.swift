import Rendering
import StoreEngine
import Testing

@testable import HabitReport

/// Tests of the tables of a limited number of rows in the text summary.
@Suite(.engineIndependent) struct LimitedTableTests {
    @Test(arguments: [
        (1, "… and 1 more row in habits.csv\n"),
        (2, "… and 2 more rows in habits.csv\n"),
    ])
    func omittedRowsAreCountedWithTheirFile(omitted: Int, note: String) throws {
        #expect(try text(omitted: omitted, file: "habits.csv").hasSuffix("\n" + note))
    }

    @Test(arguments: [
        (1, "… and 1 more row\n"),
        (2, "… and 2 more rows\n"),
    ])
    func omittedRowsAreCountedWithoutFile(omitted: Int, note: String) throws {
        #expect(try text(omitted: omitted, file: nil).hasSuffix("\n" + note))
    }

    @Test func completeTableHasNoNote() throws {
        #expect(try !text(omitted: 0, file: "habits.csv").contains("more row"))
    }

    /// Returns the table of two rows, followed by omitted rows.
    private func text(omitted: Int, file: String?) throws -> String {
        let output = OutputBuffer()
        let renderer = ResultRenderer { shape in
            try OutputFormat.text.renderer(for: shape, into: output)
        }
        let table = LimitedTable(renderer, most: 2, into: output, file: file)
        try table.begin(ResultShape(columns: [Column("title", .text, at: 0)]))
        for number in 0..<(2 + omitted) {
            try table.append(TestRow(.text("Habit \(number)")))
        }
        try table.end()
        return output.text
    }
}
