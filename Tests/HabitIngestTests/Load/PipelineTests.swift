import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests that batches arrive in order and without loss, and that an error on either side ends both sides.
@Suite(.engineIndependent) struct PipelineTests {
    private final class Numbers {
        var values: [Int] = []
    }

    private struct Failure: Error {}

    @Test(arguments: [0, 1, 2, 7, 1000]) func batchesArriveInOrder(count: Int) throws {
        var made = 0
        var filled = 0
        var taken: [Int] = []
        try Pipeline(depth: 3) {
            made += 1
            return Numbers()
        }.run(
            fill: { batch in
                batch.values = filled < count ? [filled] : []
                filled += 1
                return filled <= count
            }, process: { taken += $0.values })
        #expect(taken == Array(0..<count))
        #expect(made == 3)
    }

    @Test func readerErrorIsThrownAfterBatchesRead() {
        var filled = 0
        var taken: [Int] = []
        #expect(throws: Failure.self) {
            try Pipeline(depth: 2) { Numbers() }.run(
                fill: { batch in
                    guard filled < 5 else { throw Failure() }
                    batch.values = [filled]
                    filled += 1
                    return true
                }, process: { taken += $0.values })
        }
        #expect(taken == Array(0..<5))
    }

    @Test func writerErrorStopsReader() {
        var filled = 0
        var taken = 0
        #expect(throws: Failure.self) {
            try Pipeline(depth: 2) { Numbers() }.run(
                fill: { _ in
                    filled += 1
                    return true
                },
                process: { _ in
                    taken += 1
                    if taken == 3 { throw Failure() }
                })
        }
        // The batches belong to this thread again. The reader was at most two batches ahead.
        #expect(taken == 3)
        #expect((3...5).contains(filled))
    }
}
