import ArgumentParser
import HabitModel
import HabitTestSupport
import Testing

@testable import habitat

/// Tests of the texts between the program and the shells.
@Suite(.engineIndependent) struct CompletionTextTests {
    @Test(arguments: [
        ("Read\\ 20", "Read 20"), ("\"Rock & r", "Rock & r"), ("'It is'", "It is"), ("''", ""), ("a\"b c\"d", "ab cd"),
        ("'a\\b'", "a\\b"), ("$HOME", "$HOME"), ("", ""),
    ])
    func quotesOfShellAreRemoved(word: String, text: String) { #expect(CompletionWords.unquoted(word) == text) }

    @Test func offeredDaysAndPeriodsAreAccepted() throws {
        for day in CompletionKind.days { _ = try DayExpression(day, field: "day") }
        for period in CompletionKind.periods { #expect(Period(period) != nil, "\(period)") }
    }

    @Test func optionsAreFoundInAllForms() {
        let words = CompletionWords(
            ["habitat", "--as", "ana", "event", "show", "--store", "=", "'my store.db'", "--today=2026-11-20", "gu"],
            index: 9)
        #expect(words.typed == "gu")
        #expect(words.command == ["event", "show"])
        #expect(words.value(of: "--as") == "ana")
        #expect(words.value(of: "--store") == "my store.db")
        #expect(words.value(of: "--today") == "2026-11-20")
        #expect(words.value(of: "--now") == nil)
        #expect(!words.contains("--operator"))
        #expect(CompletionWords(["habitat"], index: 1).typed == "")
        let leading = CompletionWords(["habitat", "--store", "x", "--quiet", "done", "gu"], index: 5)
        #expect(leading.command == ["done", "gu"])
        #expect(leading.value(of: "--store") == "x")
    }

    @Test(
        arguments: [
            ("gu", "Guitar practice", "guitar practice"),
            ("", "Walk", "Walk"),
            ("wx", "Walk", nil),
            ("CAFÉ", "Café au lait", "CAFÉ au lait"),
            ("ス", "スキー", "スキー"),
            ("It", "It's late", nil),
            ("", "Say \"hi\"", "id-1"),
            ("", "back\\slash", "id-1"),
            ("", "two\u{7}bells", "id-1"),
            ("", "-x", "id-1"),
            ("id-", "Walk", "id-1"),
            ("id-", "It's late", "id-1"),
            ("x", "It's late", nil),
            ("$", "$5 a day", "$5 a day"),
        ] as [(String, String, String?)])
    func nameCompletesTypedText(typed: String, name: String, expected: String?) {
        #expect(RecordName(id: "id-1", name: name).completion(of: typed) == expected)
    }

    @Test func shellReadsValueUnchanged() {
        #expect(ShellValue.text("$(x) `y`", for: .bash) == "'$(x) `y`'")
        #expect(ShellValue.text("it's", for: .bash) == "'it'\\''s'")
        #expect(ShellValue.text("zoe:walk", for: .zsh) == "zoe\\:walk")
        #expect(ShellValue.text("a: $(b)", for: .fish) == "a: $(b)")
    }
}
