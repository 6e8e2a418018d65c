import HabitTestSupport
import Testing

@testable import Rendering

/// Tests of the bounds of a Parquet column.
@Suite(.engineIndependent) struct ParquetStatisticsTests {
    private static let plusZero = [UInt8](repeating: 0, count: 8)
    private static let minusZero = plusZero.dropLast() + [0x80]

    /// A reader that skips rows by the bounds then finds zeros of both signs.
    @Test(arguments: [[0.0, 1], [-0.0, 1], [0.0, -0.0]])
    func lowestZeroIsNegative(numbers: [Double]) throws {
        let column = ParquetColumn(["a"], .double)
        for number in numbers { column.append(number) }
        let bounds = try #require(ParquetStatistics(column, at: nil))
        #expect(bounds.lowest == Array(Self.minusZero))
    }

    @Test(arguments: [[0.0, -1], [-0.0, -1], [0.0, -0.0]])
    func highestZeroIsPositive(numbers: [Double]) throws {
        let column = ParquetColumn(["a"], .double)
        for number in numbers { column.append(number) }
        let bounds = try #require(ParquetStatistics(column, at: nil))
        #expect(bounds.highest == Self.plusZero)
    }
}
