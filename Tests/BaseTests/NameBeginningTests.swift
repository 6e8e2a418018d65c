import Testing

@testable import Base

@Suite struct NameBeginningTests {
    @Test(arguments: [
        ("gin", "Ginásio", NameBeginning.Match.name),
        ("GINASIO", "Ginásio", .name),
        ("giná", "Ginasio", .name),
        ("ma", "Corrida matinal", .word),
        ("corrida m", "Corrida matinal", .name),
        ("matinal", "Corrida matinal", .word),
        ("été", "Un ÉTÉ", .word),
        ("strasse", "Straße", .name),
        ("ギ", "ギター練習", .name),
        ("練習", "ギター練習", .word),
        ("home", "Run @home", .word),
        ("@ho", "Run @home", .word),
        ("1 km", "Swim 1 km", .word),
        (" walk ", "Walk", .name),
        ("e\u{301}", "Été", .name),
        ("👩", "👩‍👧 time", .name),
    ])
    func textBeginsNameOrWord(text: String, name: String, match: NameBeginning.Match) {
        #expect(NameBeginning(text).match(in: name) == match)
    }

    @Test(arguments: [
        ("", "Walk"), (" ", "Walk"), ("\u{301}", "Walk"), ("alk", "Walk"), ("walks", "Walk"),
        ("inal", "Corrida matinal"),
        ("walk dog", "Dog walk"),
    ])
    func otherTextBeginsNothing(text: String, name: String) {
        #expect(NameBeginning(text).match(in: name) == nil)
    }
}
