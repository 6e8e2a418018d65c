import HabitTestSupport
import Testing

@testable import Base

/// Tests of the words for truth values.
@Suite(.engineIndependent) struct WordTests {
    @Test(
        arguments: [
            ("yes", true),
            ("true", true),
            ("no", false),
            ("false", false),
            ("", nil),
            ("Yes", nil),
            ("1", nil),
            ("yes ", nil),
        ] as [(String, Bool?)])
    func wordIsTruthValue(text: String, expected: Bool?) {
        #expect(Bool(word: text) == expected)
    }
}
