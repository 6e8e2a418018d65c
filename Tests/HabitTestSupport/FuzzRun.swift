import Foundation

/// Random changes of valid inputs, with a printed seed.
///
/// `HABITAT_SEED` repeats a run. `HABITAT_FUZZ_ROUNDS` sets the number of rounds.
public struct FuzzRun {
    /// The seed of the run, for messages.
    public let seed: UInt64
    /// The number of rounds.
    public let rounds: Int
    /// The generator of the run.
    public var random: SeededGenerator

    /// Creates a run and prints its seed.
    ///
    /// - Parameters:
    ///   - name: The name of the inputs in the output of the tests.
    ///   - rounds: The number of rounds unless the environment sets it.
    public init(_ name: String, rounds: Int) {
        let environment = ProcessInfo.processInfo.environment
        seed = environment["HABITAT_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        self.rounds = environment["HABITAT_FUZZ_ROUNDS"].flatMap { Int($0) } ?? rounds
        random = SeededGenerator(seed: seed)
        print("HABITAT_SEED=\(seed) for \(name)")
    }

    /// Changes bytes in one of several ways.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to change.
    ///   - words: Parts of valid inputs that can be inserted.
    public mutating func mutate(_ bytes: inout [UInt8], inserting words: [String] = []) {
        guard !bytes.isEmpty else { return }
        let offset = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, offset + Int.random(in: 1...20, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[offset] = [0, 1, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(offset..<end)
        case 3: bytes.insert(contentsOf: bytes[offset..<end], at: offset)
        case 4: bytes.removeLast(bytes.count - offset)
        case 5:
            for index in offset..<end { bytes[index] = .random(in: 0...255, using: &random) }
        default:
            if let word = words.randomElement(using: &random) {
                bytes.insert(contentsOf: word.utf8, at: offset)
            } else {
                bytes[offset] = .random(in: 0...255, using: &random)
            }
        }
    }
}
