import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the numbers of pairs against a dictionary.
@Suite struct SlotTableTests {
    private struct Pair: Hashable {
        var first: Int64
        var second: Int64
    }

    @Test func pairsAreNumberedInOrderOfFirstOccurrence() {
        var random = SeededGenerator(seed: 7)
        var table = SlotTable()
        var numbers: [Pair: Int] = [:]
        let edges: [Int64] = [.min, -1, 0, 1, .max]
        for index in 0..<40_000 {
            let isEdge = index % 5 == 0
            let pair = Pair(
                first: isEdge ? edges[index / 5 % 5] : Int64.random(in: -200...200, using: &random),
                second: isEdge ? edges[index / 25 % 5] : Int64.random(in: -200...200, using: &random))
            let expected = numbers[pair] ?? numbers.count
            numbers[pair] = expected
            #expect(table.slot(of: pair.first, pair.second) == expected)
        }
        #expect(table.count == numbers.count)
    }
}
