import Base
import HabitModel
import Testing

@testable import HabitReport
@testable import Rendering

@Suite struct InstantTests {
    private func text(_ microseconds: Int64, _ offset: Int64?) -> String? {
        let output = OutputBuffer()
        return output.append(instant: microseconds, offset: offset)
            ? output.text : nil
    }

    @Test(
        arguments: [
            (0, nil, "1970-01-01T00:00:00Z"), (0, 0, "1970-01-01T00:00:00+00:00"),
            (0, 330, "1970-01-01T05:30:00+05:30"),
            (0, -210, "1969-12-31T20:30:00-03:30"), (-1, nil, "1969-12-31T23:59:59.999999Z"),
            (1_500_000, nil, "1970-01-01T00:00:01.500Z"), (50, nil, "1970-01-01T00:00:00.000050Z"),
            (0, 1440, "1970-01-01T00:00:00Z"), (0, .min, "1970-01-01T00:00:00Z"),
            (-62_135_596_800_000_000, nil, "0001-01-01T00:00:00Z"),
            (253_402_300_799_999_999, nil, "9999-12-31T23:59:59.999999Z"),
            (-62_135_596_800_000_001, nil, nil), (253_402_300_800_000_000, nil, nil), (.min, -60, nil), (.max, 60, nil),
        ] as [(Int64, Int64?, String?)])
    func instantIsFormatted(microseconds: Int64, offset: Int64?, expected: String?) {
        #expect(text(microseconds, offset) == expected)
    }

    @Test(arguments: [UInt64.random(in: 0...(.max))])
    func formattedInstantMatchesModel(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let output = OutputBuffer()
        for _ in 0..<20_000 {
            let moment = Instant(
                microseconds: .random(in: -60_000_000_000_000_000...250_000_000_000_000_000, using: &random))
            let offset =
                Bool.random(using: &random) ? UTCOffset(minutes: .random(in: -1439...1439, using: &random)) : nil
            output.truncate(to: 0)
            #expect(output.append(instant: moment.microseconds, offset: offset.map { Int64($0.minutes) }))
            let written = output.text
            #expect(written == OffsetInstant(moment, offset: offset).description, "seed \(seed)")
        }
    }
}
