import HabitModel
import HabitTestSupport
import Testing

@testable import Rendering

/// The renderers know no habits, so their words for statuses must agree with the model.
@Suite(.engineIndependent) struct StatusWordTests {
    @Test func wordsAndColorsAreThoseOfStatuses() {
        #expect(StatusWord.allCases.map(\.rawValue) == HabitStatus.allCases.map(\.rawValue))
        #expect(StatusWord.allCases.map(\.color) == HabitStatus.allCases.map(\.color))
    }
}
