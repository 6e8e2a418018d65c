import Foundation
import HabitTestSupport
import Testing

@testable import Geo

@Suite(.engineIndependent) struct DegreesTests {
    /// The fast path and the library return the same double.
    @Test(arguments: [UInt64.random(in: 0...(.max))]) func plainDecimalParsesToSameDoubleAsLibrary(seed: UInt64) throws
    {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50_000 {
            let number = Double.random(in: -180...180, using: &random)
            let text = String(format: "%.\(Int.random(in: 1...14, using: &random))f", number)
            let found = try #require(Position.degrees(text, axis: .longitude), "\(text), seed \(seed)")
            #expect(found.bitPattern == Double(text)?.bitPattern, "\(text), seed \(seed)")
        }
    }

    @Test(arguments: [
        ("-0.0", -0.0),
        ("007.50", 7.5),
        ("123456789012345.6", 123_456_789_012_345.6),
        ("9.1393W", -9.1393),
        (" 1.5 ", 1.5),
        ("-91393000", -9.1393),
        ("12", 12),
        ("1.5e1", 15),
        ("+2.25", 2.25),
        ("-7.", -7.0),
        (".5", 0.5),
        ("0.000000000000001", 1e-15),
        ("0.0000000000000001", 1e-16),
    ])
    func degreesAreParsedInEverySpelling(text: String, expected: Double) {
        #expect(Position.degrees(text, axis: .longitude)?.bitPattern == expected.bitPattern)
    }

    @Test(arguments: [
        "", "-", ".", "1.2.3", "--1.0", "1-2.0", "1,5", "0x1.8", "nan", "inf",
        "1.5N", "-1.5E", "١.٥", "1.5ß",
    ])
    func degreesAreUnsetWhenTextIsNotNumber(text: String) {
        #expect(Position.degrees(text, axis: .longitude) == nil)
    }
}
