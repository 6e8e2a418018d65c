import Testing

@testable import HabitReport
@testable import Rendering

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("", 0),
        ("abc", 3),
        ("é", 1),
        ("e\u{301}", 1),
        ("日本", 4),
        ("ﾊﾝ", 2),
        ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2),
        ("😀", 2),
        ("👩‍👩‍👧‍👦", 2),
        ("🇵🇹", 2),
        ("🇵🇹🇩🇪", 4),
        ("❤️", 2),
        ("1️⃣", 2),
        ("👍🏽", 2),
        ("a\u{200B}b", 2),
        ("שלום", 4),
        ("…", 1),
    ])
    func widthCountsTerminalColumns(text: String, width: Int) {
        #expect(TerminalText(text).width == width)
        #expect(TerminalText(text).text == text)
    }

    @Test(arguments: [
        ("a\nb", "a␤b"), ("a\r\nb", "a␍␤b"), ("a\tb", "a␉b"), ("\u{1B}[31mred", "␛[31mred"), ("\u{0}", "␀"),
        ("\u{7F}", "␡"),
        ("\u{9B}31m", "�31m"), ("a\u{202E}b", "a�b"), ("a\u{2066}b\u{2069}", "a�b�"), ("a\u{2028}b", "a␤b"),
        ("\u{85}", "�"),
    ])
    func controlCharactersAreReplaced(text: String, expected: String) {
        #expect(TerminalText(text).text == expected)
        #expect(TerminalText(text).width == expected.count)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef", 6),
        ("abcdef", 5, "abcd…", 5),
        ("abcdef", 1, "…", 1),
        ("日本語", 5, "日本…", 5),
        ("日本語", 4, "日…", 3),
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3, "👩‍👩‍👧‍👦…", 3), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…", 2),
    ])
    func longTextIsCutBetweenCharacters(text: String, limit: Int, expected: String, width: Int) {
        let cut = TerminalText(text).cut(to: limit)
        #expect(cut.text == expected)
        #expect(cut.width == width)
    }

    @Test func rightToLeftTextIsIsolated() {
        #expect(TerminalText("שלום").isolated == "\u{2068}שלום\u{2069}")
        #expect(TerminalText("سلام abc").cut(to: 3).isolated == "\u{2068}سل…\u{2069}")
        #expect(TerminalText("abc é 日").isolated == "abc é 日")
    }
}
