import HabitTestSupport
import Testing

@testable import HabitStore

@Suite struct KeyTableTests {
    private func candidates(_ table: borrowing KeyTable, _ hash: UInt64) -> [Int] {
        var numbers: [Int] = []
        let none: Void? = table.firstCandidate(hash) {
            numbers.append($0)
            return nil
        }
        #expect(none == nil)
        return numbers
    }

    /// Inserts hashes with equal halves, equal hashes and random hashes.
    ///
    /// Each lookup must return exactly the right numbers.
    @Test func insertedHashesAreFound() {
        var table = KeyTable()
        var random = SeededGenerator(seed: 7)
        var hashes: [UInt64] = []
        for number in 1...20_000 {
            let hash: UInt64 =
                switch number % 100 {
                case 0: 42 << 32 | UInt64(number)
                case 1: UInt64(number) << 32 | 42
                case 2: 5
                default: UInt64.random(in: 0...(.max), using: &random)
                }
            hashes.append(hash)
            table.insert(hash)
        }
        #expect(table.count == hashes.count)
        for (index, hash) in hashes.enumerated() where hash != 5 { #expect(candidates(table, hash) == [index + 1]) }
        #expect(candidates(table, 5).count == 200)
        #expect((0..<1000).allSatisfy { candidates(table, 43 << 32 | $0).isEmpty })
    }

    /// Linear hashes, such as hashes of a habit and a day, must not form long runs of slots.
    ///
    /// The longest run of random slots would be about a hundred.
    @Test(arguments: [1, 1000, 1 << 20, 1 << 32, 0x9E37_79B9_7F4A_7C15] as [UInt64])
    func linearHashesAreSpread(habit: UInt64) {
        var table = KeyTable()
        for number in UInt64(0)..<300 {
            for day in UInt64(0)..<300 {
                table.insert(number &* habit &+ day &* 7919)
            }
        }
        var run = 0
        var longest = 0
        for mark in table.marks {
            run = mark == 0 ? 0 : run + 1
            longest = max(longest, run)
        }
        #expect(longest < 1000)
    }
}
