import Foundation
import Testing

@testable import HabitReport
@testable import Rendering

@Suite struct NumberTests {
    private func text(_ value: Double, _ decimals: Int?) -> String? {
        let output = OutputBuffer()
        return output.append(value, decimals: decimals) ? output.text : nil
    }

    @Test(
        arguments: [
            (0, 3, "0"),
            (-0.0, 3, "0"),
            (-0.0, nil, "0"),
            (-0.0004, 3, "0"),
            (-0.0006, 3, "-0.001"),
            (1.5, 3, "1.5"),
            (1.0005, 3, "1"),
            (2.5, 0, "2"),
            (3.5, 0, "4"),
            (0.125, 2, "0.12"),
            (0.375, 2, "0.38"),
            (1.005, 2, "1"),
            (-113.5267999999999, 7, "-113.5268"),
            (179.99999999, 7, "180"),
            (0.1 + 0.2, 7, "0.3"),
            (1e-8, 7, "0"),
            (9_007_199_254_740.99, 3, "9007199254740.99"),
            (1e300, 3, "1e+300"),
            (123, 40, "123"),
            (5, nil, "5"),
            (0.1 + 0.2, nil, "0.30000000000000004"),
            (1e-5, nil, "0.00001"),
            (1.5e-6, nil, "0.0000015"),
            (1e-7, nil, "1e-7"),
            (1.25e-7, nil, "1.25e-7"),
            (1e16, nil, "10000000000000000"),
            (1e21, nil, "1e+21"),
            (1.234e20, nil, "123400000000000000000"),
            (.leastNonzeroMagnitude, nil, "5e-324"),
            (.greatestFiniteMagnitude, nil, "1.7976931348623157e+308"),
            (-9.139299999999999, nil, "-9.139299999999999"),
        ] as [(Double, Int?, String)])
    func numberIsFormatted(value: Double, decimals: Int?, expected: String) {
        #expect(text(value, decimals) == expected)
    }

    @Test func numberThatIsNotFiniteIsNotFormatted() {
        for value in [Double.infinity, -.infinity, .nan] {
            #expect(text(value, 3) == nil)
            #expect(text(value, nil) == nil)
        }
    }

    @Test func integersOfAnySizeAreFormatted() {
        for value in [Int64.min, -1, 0, 9, 10, 99, 100, .max] {
            let output = OutputBuffer()
            output.append(integer: value)
            #expect(output.text == String(value))
        }
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func fixedDecimalsMatchPrintf(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100_000 {
            let decimals = Int.random(in: 0...9, using: &random)
            let fraction = Double.random(in: -1...1, using: &random)
            let exponent = Double.random(in: -6...15, using: &random)
            var value = fraction * pow(10, exponent)
            // Half of the values are close to a tie, where rounding is difficult.
            if Bool.random(using: &random) {
                let scale = pow(10, Double(decimals))
                value = ((value * scale).rounded(.down) + 0.5) / scale
            }
            guard abs(value) * pow(10, Double(decimals)) < 0x1p53 else { continue }
            #expect(text(value, decimals) == trimmed(String(format: "%.\(decimals)f", value)), "seed \(seed)")
        }
    }

    /// Returns the text without trailing zeros and without the sign of zero.
    private func trimmed(_ text: String) -> String {
        var text = text
        if text.contains(".") {
            while text.last == "0" { text.removeLast() }
            if text.last == "." { text.removeLast() }
        }
        return text == "-0" ? "0" : text
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func shortestFormRoundTripsAndHasDigitsOfSwift(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for i in 0..<100_000 {
            let value =
                i % 2 == 0
                ? Double(bitPattern: random.next())
                : Double(Int.random(in: -1_800_000_000...1_800_000_000, using: &random)) / 1e7
            guard value.isFinite else { continue }
            let written = try #require(text(value, nil))
            #expect(Double(written) == value, "seed \(seed)")
            #expect(digits(written) == digits(value.description), "seed \(seed): \(written) for \(value)")
        }
    }

    /// Returns the significant digits.
    private func digits(_ text: String) -> String {
        let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
        return String(String(digits.reversed().drop { $0 == "0" }).reversed())
    }
}
