import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests that no input crashes a reader: every mutated document ends in records, problems or a ``HabitError``.
@Suite(.engineIndependent) struct FuzzReaderTests {
    @Test(arguments: InputFormat.allCases) func mutatedDocumentsAreRead(format: InputFormat) throws {
        let seed =
            ProcessInfo.processInfo.environment["HABITAT_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        print("HABITAT_SEED=\(seed) for \(format.rawValue)")
        var random = SeededGenerator(seed: seed)
        let document = Array(try #require(SampleEvents.documents[format]).utf8)
        let rounds = ProcessInfo.processInfo.environment["HABITAT_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 300
        for _ in 0..<rounds {
            var bytes = Bool.random(using: &random) ? document : gzipped(document)
            for _ in 0...Int.random(in: 0..<4, using: &random) { mutate(&bytes, &random) }
            for given in [nil, InputFormat.allCases.randomElement(using: &random)] {
                let kind: RecordKind? = Bool.random(using: &random) ? .events : nil
                let limit = Int.random(in: 10...300, using: &random)
                let whole = outcome(of: bytes, kind: kind, format: given, limit: limit, chunk: .max)
                #expect(whole != nil, "seed \(seed)")
                let chunk = Int.random(in: 1...9, using: &random)
                let split = outcome(of: bytes, kind: kind, format: given, limit: limit, chunk: chunk)
                #expect(split == whole, "seed \(seed)")
            }
        }
    }

    /// Returns the outcome of reading, or `nil` for an error of another type.
    private func outcome(
        of bytes: [UInt8], kind: RecordKind?, format: InputFormat?, limit: Int, chunk: Int
    ) -> Result<Reading, HabitError>? {
        do {
            return .success(try readAll(bytes, kind: kind, format: format, limit: limit, chunk: chunk))
        } catch let error as HabitError {
            return .failure(error)
        } catch {
            return nil
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        let signs = Array("\"\\,\t\n\r{}[]:\u{1e}\0-1e9\u{feff}".utf8) + [0xFF, 0xC3, 0xED, 0xA0]
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.removeSubrange(offset..<min(bytes.count, offset + Int.random(in: 1...20, using: &random)))
        case 2: bytes.insert(signs.randomElement(using: &random) ?? 0, at: offset)
        case 3: bytes.removeLast(bytes.count - offset)
        default: bytes.insert(contentsOf: bytes[offset..<min(bytes.count, offset + 40)], at: offset)
        }
    }
}
