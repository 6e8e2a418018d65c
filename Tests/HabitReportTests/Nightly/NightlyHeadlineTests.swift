import Testing

@testable import HabitReport

/// Tests of the percentages of a nightly run.
@Suite(.engineIndependent) struct NightlyHeadlineTests {
    /// A percentage between two is rounded as in lists, and a small share is not zero.
    @Test(arguments: [
        (1, 8, "12 %"),
        (3, 8, "38 %"),
        (5, 8, "62 %"),
        (2, 3, "67 %"),
        (1, 300, "<1 %"),
        (0, 5, "0 %"),
        (0, 0, ""),
    ])
    func percentageIsRoundedAsInLists(done: Int, due: Int, expected: String) {
        #expect(NightlyHeadline.percent(done, of: due) == expected)
    }
}
