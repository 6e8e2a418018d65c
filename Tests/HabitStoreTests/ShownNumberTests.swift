import Foundation
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of numbers in conditions, which are rounded like the numbers in outputs.
@Suite struct ShownNumberTests {
    @Test func numberIsRoundedAsOutputsShowIt() throws {
        var random = SeededGenerator(seed: 20_261_127)
        // The multiples of 1/128 and 1/640 are ties, or so near to a tie that a product is rounded to it.
        var numbers: [Double] = [0, 1, -0.0, -0.0078125, 0.9999995, 0.9999994999, 12_345_678.1234565, 1e-9]
        numbers += (1..<128).map { Double($0) / 128 } + (1..<640).map { Double($0) / 640 }
        numbers += (0..<500).map { _ in Double.random(in: 0...1, using: &random) }
        for _ in 0..<500 {
            let numerator = Int.random(in: 0...400, using: &random)
            let denominator = Int.random(in: 1...400, using: &random)
            numbers.append(Double(numerator) / Double(denominator))
        }
        let store = try TestStore()
        try store.engine.read { session in
            for number in numbers {
                let expression = session.dialect.rounded("\(.number(number), as: "number")", decimals: 6)
                let shown = try session.first("SELECT \(expression)") { $0.number(0) }
                #expect(shown == Double(String(format: "%.6f", number)), "\(number)")
            }
            let null = try session.first("SELECT \(session.dialect.rounded("NULL", decimals: 6))") { $0.isNull(0) }
            #expect(null == true)
        }
    }
}
