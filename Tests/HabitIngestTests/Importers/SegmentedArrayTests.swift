import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the list that grows without copying.
@Suite(.engineIndependent) struct SegmentedArrayTests {
    @Test func elementsKeepTheirOrder() throws {
        var list = SegmentedArray<Int?>()
        #expect(list.isEmpty)
        for number in 0..<10_000 { list.append(number) }
        list[5000] = nil
        list[9999] = -1
        #expect(list.count == 10_000)
        #expect(list.indices == 0..<10_000)
        try #require(list[4095] == 4095)
        try #require(list[4096] == 4096)
        #expect(list[9999] == -1)
        #expect(list.compactMap(\.self).count == 9999)
    }
}
