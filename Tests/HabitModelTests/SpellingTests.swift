import HabitModel
import Testing

@Suite struct SpellingTests {
    @Test(
        arguments: [
            ("history", "history"), ("histori", "history"), ("hystori", "history"), ("mystory", nil), ("hist", nil),
            ("itme", "item"), ("", nil), ("i", nil), (String(repeating: "a", count: 1000), nil),
        ] as [(String, String?)])
    func `a slip of the pen has a nearest name`(word: String, expected: String?) {
        #expect(["history", "item", "near"].nearestSpelling(to: word) == expected)
    }

    @Test func `nothing is near to no names`() { #expect([String]().nearestSpelling(to: "a") == nil) }
}
