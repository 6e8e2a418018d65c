import Base
import Testing

@testable import Rendering
@testable import StoreEngine

@Suite struct TextCellTests {
    private func text(_ value: Column.Value, measure: Column.Measure?, cell: TestRow.Cell) throws -> String {
        var shape = ResultShape(columns: [Column("x", value, at: 0, measure: measure)])
        shape.isSelected = true
        var options = RenderOptions()
        options.single = true
        let text = try render(.text, of: shape, rows: [TestRow(cell)], options: options)
        return text.isEmpty ? "" : String(text.dropFirst("x  ".count).dropLast())
    }

    @Test(arguments: [
        (0, "0 %"),
        (0.001, "<1 %"),
        (0.00499, "<1 %"),
        (0.005, "<1 %"),
        (0.006, "1 %"),
        (0.722222, "72 %"),
        (1, "100 %"),
    ])
    func shareIsPercentage(share: Double, expected: String) throws {
        #expect(try text(.number(decimals: 6), measure: .share, cell: .number(share)) == expected)
    }

    @Test(arguments: [
        (0, "0 m"),
        (3.2, "3 m"),
        (512, "512 m"),
        (999.4, "999 m"),
        (999.6, "1 km"),
        (1234.5, "1.2 km"),
        (9949, "9.9 km"),
        (9951, "10 km"),
        (35_120, "35 km"),
        (10_134_538, "10135 km"),
    ])
    func distanceHasUnit(meters: Double, expected: String) throws {
        #expect(try text(.number(decimals: 3), measure: .distance, cell: .number(meters)) == expected)
    }

    @Test(arguments: [
        (0, "0 B"),
        (512, "512 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (4923, "4.9 kB"),
        (49_230, "49 kB"),
        (999_600, "1 MB"),
        (2_500_000_000, "2.5 GB"),
    ])
    func sizeHasUnit(bytes: Int64, expected: String) throws {
        #expect(try text(.integer, measure: .bytes, cell: .integer(bytes)) == expected)
    }

    @Test(arguments: [
        ("mon tue wed thu fri sat sun", "daily"), ("mon tue wed thu fri", "weekdays"), ("sat sun", "weekends"),
        ("mon wed fri", "mon wed fri"), ("3 times in 7 days", "3 a week"), ("1 time in 30 days", "1 a month"),
        ("2 times in 4 days", "2 in 4 days"), ("1 time in 1 day", "1 a day"), ("", ""),
    ])
    func scheduleIsShort(schedule: String, expected: String) throws {
        #expect(try text(.text, measure: .schedule, cell: .text(schedule)) == expected)
    }

    @Test(arguments: [
        ("done", "✓ done"), ("skipped", "– skipped"), ("missed", "□ missed"), ("unplanned", "▪ unplanned"),
        ("open", "○ open"), ("none", ""), ("other", "other"),
    ])
    func outcomeHasSymbol(outcome: String, expected: String) throws {
        #expect(try text(.text, measure: .outcome, cell: .text(outcome)) == expected)
    }

    @Test(arguments: [
        ("#1769aa", "blue"),
        ("#c27c0e", "orange"),
        ("#9b1c4b", "wine"),
        ("#6b726d", "gray"),
        ("x", "x"),
    ])
    func colorHasName(color: String, expected: String) throws {
        #expect(try text(.text, measure: .color, cell: .text(color)) == expected)
    }

    @Test(arguments: [
        (12.5, "12.5"),
        (0.126, "0.13"),
        (1e6, "1000000"),
        (-2.345678, "-2.35"),
        (0, "0"),
        (0.0012, "0.0012"),
    ])
    func otherNumberHasTwoDecimalsAndIsNeverRoundedToZero(number: Double, expected: String) throws {
        #expect(try text(.number(decimals: 6), measure: nil, cell: .number(number)) == expected)
    }

    @Test func degreesAndUntypedNumbersKeepTheirDecimals() throws {
        #expect(try text(.number(decimals: 7), measure: .degrees, cell: .number(-9.1393125)) == "-9.1393125")
        #expect(try text(.any, measure: nil, cell: .number(0.123456789)) == "0.123456789")
    }

    @Test func instantHasLocalMinute() throws {
        #expect(
            try text(.instantText, measure: nil, cell: .text("2026-11-27T02:11:37.320+01:00")) == "2026-11-27 02:11")
        #expect(
            try text(.instant(offset: nil), measure: nil, cell: .integer(1_763_622_900_000_000)) == "2025-11-20 07:15")
        #expect(try text(.instant(offset: nil), measure: .date, cell: .integer(1_763_622_900_000_000)) == "2025-11-20")
        #expect(try text(.instantText, measure: nil, cell: .text("soon")) == "soon")
    }

    @Test func instantIsInZoneOfReader() throws {
        let shape = ResultShape(columns: [Column("at", .instant(offset: nil), at: 0)])
        var options = RenderOptions()
        options.single = true
        options.zone = try TimeZoneRules.named("Asia/Tokyo", field: "zone")
        let row = TestRow(.integer(1_763_650_800_000_000))
        #expect(try render(.text, of: shape, rows: [row], options: options) == "at  2025-11-21 00:00\n")
    }

    @Test(arguments: [
        ((-9.1393125, 38.72234), "38.7223,-9.1393"), ((0, -0.00004), "0.0000,0.0000"),
        ((180, -90), "-90.0000,180.0000"),
        ((-0.5, 7.00006), "7.0001,-0.5000"),
    ])
    func placeHasFourDecimals(position: (Double, Double), expected: String) throws {
        #expect(try text(.longitude, measure: .place, cell: .point(position.0, position.1)) == expected)
    }

    @Test func amountHasUnitOfRow() throws {
        let shape = ResultShape(columns: [
            Column("amount", .number(decimals: nil), at: 0, measure: .amount),
            Column("unit", .text, at: 1, measure: .unit),
        ])
        var options = RenderOptions()
        options.single = true
        #expect(
            try render(.text, of: shape, rows: [TestRow(.number(25), .text("pages"))], options: options)
                == "amount  25 pages\n")
        #expect(try render(.text, of: shape, rows: [TestRow(.number(2.5), .null)], options: options) == "amount  2.5\n")
        #expect(
            try render(.text, of: shape, rows: [TestRow(.null, .text("pages"))], options: options) == "unit    pages\n")
    }
}
