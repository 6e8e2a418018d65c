import Base
import Testing

@testable import HabitModel

/// Tests of the symbol of a habit, which is one visible character, and of its numbers.
@Suite(.engineIndependent) struct HabitSymbolTests {
    @Test(arguments: [
        "🏃", "a", "語", "é", "⌚️", "👩🏽‍❤️‍💋‍👩🏽", "👨‍👩‍👧‍👦", "🇵🇹", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "✓", "ש", "+",
    ])
    func oneVisibleCharacterIsAccepted(symbol: String) throws {
        let checked = try HabitSymbol.check(symbol)
        #expect(checked.unicodeScalars.elementsEqual(symbol.unicodeScalars))
    }

    @Test func symbolIsStoredInNFC() throws {
        let checked = try HabitSymbol.check("e\u{301}")
        #expect(checked.unicodeScalars.elementsEqual("é".unicodeScalars))
    }

    @Test(arguments: [
        "", " ", "\u{a0}", "\u{3000}", "ab", "🏃🏃", "🏃 ", "\u{301}", "\u{200d}", "\u{200b}", "\u{fe0f}", "\u{feff}",
        "\u{e0020}", "\u{3164}",
    ])
    func otherTextIsRefused(symbol: String) {
        #expect {
            _ = try HabitSymbol.check(symbol)
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .fieldInvalid && error?.field == "symbol"
        }
    }

    /// A mark of direction would change the text around the symbol.
    @Test(arguments: [
        "\u{0}", "\n", "\r\n", "\u{1b}", "\u{7f}", "\u{85}", "\u{2028}", "\u{200e}", "\u{200f}", "\u{61c}", "\u{202e}",
        "\u{2066}", "a\u{202e}", "🏃\u{2069}",
    ])
    func controlCharacterIsRefused(symbol: String) {
        #expect {
            _ = try HabitSymbol.check(symbol)
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .textInvalid && error?.field == "symbol"
        }
    }

    /// A character can have any number of marks.
    @Test func bytesOfCharacterAreLimited() throws {
        let limit = HabitSymbol.byteLimit
        // Each mark has two bytes.
        let longest = "a" + String(repeating: "\u{36f}", count: (limit - 1) / 2)
        #expect(try HabitSymbol.check(longest).utf8.count <= limit)
        #expect {
            _ = try HabitSymbol.check(longest + "\u{36f}")
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .fieldInvalid && error?.message.contains("bytes") == true
        }
    }

    @Test(arguments: [
        (Field.tint, 1, true),
        (.tint, 6, true),
        (.tint, 0, false),
        (.tint, 7, false),
        (.tint, -1, false),
        (.rank, 0, true),
        (.rank, 1_000_000, true),
        (.rank, -1, false),
        (.rank, 1_000_001, false),
        (.rank, Int.max, false),
        (.tint, Int.min, false),
    ])
    func numberIsCheckedAgainstRange(field: Field, number: Int, isAccepted: Bool) {
        let checked = try? field.check(number, in: .habits)
        #expect(checked == (isAccepted ? number : nil))
    }
}
