import Base
import HabitTestSupport
import Testing

@Suite(.engineIndependent) struct SpellingTests {
    @Test(
        arguments: [
            ("history", "history"), ("histori", "history"), ("hystori", "history"), ("mystory", nil), ("hist", nil),
            ("itme", "item"), ("", nil), ("i", nil), (String(repeating: "a", count: 1000), nil),
        ] as [(String, String?)])
    func nearestSpellingIsFoundForTypingError(word: String, expected: String?) {
        #expect(["history", "item", "near"].nearestSpelling(to: word) == expected)
    }

    @Test(
        arguments: [
            ("foo", nil),
            ("x", nil),
            ("ff", "f"),
            ("idd", "id"),
            ("i", nil),
        ] as [(String, String?)])
    func shortNameIsNotSuggestedForOtherWord(word: String, expected: String?) {
        #expect(["f", "id"].nearestSpelling(to: word) == expected)
    }

    @Test(
        arguments: [
            ("jsonn", "json"),
            ("fromat", "format"),
            ("colunms", "columns"),
            ("jsonnnn", nil),
            ("xyz", nil),
            ("", nil),
        ] as [(String, String?)])
    func nearestOptionIsWithinThirdOfLength(word: String, expected: String?) {
        #expect(["json", "format", "columns"].nearestSpelling(withinThirdOf: word) == expected)
    }

    @Test func nearestSpellingIsUnsetWithoutNames() { #expect([String]().nearestSpelling(to: "a") == nil) }
}
