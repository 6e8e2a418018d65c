import Base
import HabitTestSupport
import Testing

@testable import HabitModel

@Suite(.engineIndependent) struct WordListTests {
    private static let list = """
        # What the tests look for
        ass
        cock
        penis
        sex
        anal
        dick
        rape
        the rapist
        shit
        asshole
        hell
        fuck you
        send money first   # a swindle
        straße
        été
        don't tell
        419
        σκατάς
        バカ
        先に送金して
        死ね
        + cock au vin
        +Dick Van Dyke
        +Moby Dick
        +必死ね
        """

    private func firstBlockedWord(_ text: String, in list: String = Self.list) throws -> String? {
        try WordList(list, name: "words.txt").firstForbidden(in: text)
    }

    @Test(arguments: [
        "Scunthorpe", "Essex, Sussex and Middlesex", "assess the class", "a cocktail", "Penistone", "grapes",
        "a therapist", "Charles Dickens", "Hancock", "shiitake", "analysis of a canal", "bass", "push it", "as sole",
        "pu shit's", "shell", "hello", "fuck", "you fuck", "send first money", "money first", "fück you", "ete", "étés",
        "don tell", "1,419", "4190", "4.19", "", " \n", "!?…", "https://www.essex.ac.uk/class?grade=assess",
        "class_room", "as-sole", "sex1", "バカンス", "アバカ", "asshol e", "\u{430}ss",
    ])
    func partOfWordIsNotFound(text: String) throws {
        #expect(try firstBlockedWord(text) == nil)
    }

    @Test(arguments: [
        ("ass", "ass"),
        ("ASS!", "ass"),
        ("…ass", "ass"),
        ("you (ass)", "ass"),
        ("“ass”", "ass"),
        ("'ass'", "ass"),
        ("ass-kicking", "ass"),
        ("kick.ass/", "ass"),
        ("https://example.com/ass", "ass"),
        ("_ass_", "ass"),
        ("note:ass", "ass"),
        ("2_ass", "ass"),
        ("it.Fuck you", "fuck you"),
        ("what a dick\n", "dick"),
        ("ass,sex", "ass"),
        ("fuck\nyou", "fuck you"),
        ("fuck\r\nyou", "fuck you"),
        ("FUCK   YOU", "fuck you"),
        ("fuck-you", "fuck you"),
        ("fuck… you", "fuck you"),
        ("fuck_you2 fuck👍you", "fuck you"),
        ("fuck\u{a0}\u{3000}you", "fuck you"),
        ("Please send  money, first.", "send money first"),
        ("Don’t tell anyone", "don't tell"),
        ("scam (419)", "419"),
    ])
    func wholeWordIsFound(text: String, entry: String) throws {
        #expect(try firstBlockedWord(text) == entry)
    }

    @Test(arguments: [
        ("ｓｅｘ", "sex"), ("ⓢⓔⓧ", "sex"), ("𝓼𝓮𝔁", "sex"), ("ＦＵＣＫ　ＹＯＵ", "fuck you"), ("STRASSE", "straße"),
        ("STRAẞE", "straße"), ("E\u{301}TE\u{301}", "été"), ("a\u{200b}s\u{ad}s", "ass"),
        ("se\u{200d}\u{2060}x\u{feff}", "sex"),
        ("fu\u{200c}ck y\u{202e}ou", "fuck you"), ("ΣΚΑΤΆΣ", "σκατάς"), ("σκατάσ", "σκατάς"), ("ﾊﾞｶ", "バカ"),
        ("ﾊﾞｶだ", "バカ"), ("先に送金してください", "先に送金して"), ("先に\n送金して", "先に送金して"), ("死ねよ", "死ね"),
    ])
    func visuallyEqualCharactersAreFolded(text: String, entry: String) throws {
        #expect(try firstBlockedWord(text) == entry)
    }

    /// A sign replaces inner letters, or punctuation follows each letter.
    @Test(
        arguments: [
            ("what a sh*t", "shit"),
            ("S#!T", "shit"),
            ("(**sh!t**)", "shit"),
            ("a$shole", "asshole"),
            ("a$$hole", "asshole"),
            ("f*ck you", "fuck you"),
            ("F-*CK you", nil),
            ("f.u.c.k you", "fuck you"),
            ("s-h-i-t", "shit"),
            ("S_E_X!", "sex"),
            ("é.t.é", "été"),
            ("ＳＨ＊Ｔ", "shit"),
            ("shit*", "shit"),
            ("c*ck au vin", nil),
            ("sh**", nil),
            ("*hit", nil),
            ("s*", nil),
            ("s h i t", nil),
            ("sh*ts", nil),
            ("s.h.i.t.s", nil),
            ("4*9", nil),
            ("4.1.9", nil),
            ("d.o.n.t", nil),
            ("sex@example.org", "sex"),
            ("it*self", nil),
            ("U.S.A.", nil),
        ] as [(String, String?)])
    func disguisedWordIsFound(text: String, entry: String?) throws {
        #expect(try firstBlockedWord(text) == entry)
    }

    /// Full case folding distinguishes the Turkish letters and accents.
    @Test func dottedAndDotlessLettersAreDistinct() throws {
        #expect(try firstBlockedWord("DİCK dıck", in: "dick") == nil)
        #expect(try firstBlockedWord("DİCK", in: "di\u{307}ck") == "di\u{307}ck")
        #expect(try firstBlockedWord("oﬀice", in: "OFFICE") == "OFFICE")
        #expect(try firstBlockedWord("cafe", in: "café") == nil)
    }

    /// An apostrophe is part of the word.
    @Test func apostropheIsPartOfWord() throws {
        #expect(try firstBlockedWord("the ass's ears, l'ass") == nil)
        #expect(try firstBlockedWord("the ass’s ears", in: "ass's") == "ass's")
    }

    @Test(arguments: [
        ("cock au vin", nil), ("Cock-au-\nVin!", nil), ("Dick van Dyke", nil), ("必死ねえ", nil),
        ("cock au vin, cock", "cock"),
        ("cock cock au vin", "cock"), ("cock au", "cock"), ("Moby Dick Van Dyke", nil), ("Moby Dick, dick", "dick"),
    ])
    func allowedPhraseIsNotBlocked(text: String, entry: String?) throws {
        #expect(try firstBlockedWord(text) == entry)
    }

    @Test func onlyEntryInsideAllowedPhraseIsAllowed() throws {
        #expect(try firstBlockedWord("big cock au vin", in: "big cock\n+cock au vin") == "big cock")
        #expect(try firstBlockedWord("cock au vin", in: "cock au vin rouge\ncock\n+cock au vin") == nil)
        #expect(
            try firstBlockedWord("cock au vin rouge", in: "cock au vin rouge\ncock\n+cock au vin")
                == "cock au vin rouge")
        #expect(try firstBlockedWord("cock", in: "cock\n+COCK") == nil)
    }

    @Test func firstAndLongestEntryIsReported() throws {
        let list = "b c\na b\na\nA  B c\nc"
        #expect(try firstBlockedWord("x c a b c", in: list) == "c")
        #expect(try firstBlockedWord("a b c", in: list) == "A  B c")
        #expect(try firstBlockedWord("A b d", in: list) == "a b")
        #expect(try firstBlockedWord("a. a b", in: list) == "a")
    }

    @Test func commentsBlanksAndLineEndsAreParsed() throws {
        let list = "\u{feff}# ass\r\n\r\n \t sex\t# not ass\r\n#\n+\tsex shop\n c#\n"
        #expect(try firstBlockedWord("ass", in: list) == nil)
        #expect(try firstBlockedWord("Sex", in: list) == "sex")
        #expect(try firstBlockedWord("sex shop", in: list) == nil)
        #expect(try firstBlockedWord("C", in: list) == "c#")
        #expect(try firstBlockedWord("anything", in: "") == nil)
    }

    @Test(arguments: [
        ("a\0b", 1), ("a\rb", 1), ("ok\n+", 2), ("ok\r\n*** # c\r\n", 2), ("ok\n👍", 2),
        (String(repeating: "é", count: 201), 1), ("ok\n# " + String(repeating: "é", count: 199), 2),
        (String(repeating: "a\n", count: 100_001), 100_001),
    ])
    func invalidListIsRefusedWithItsLine(list: String, line: Int) throws {
        #expect { try WordList(list, name: "words.txt") } throws: { isRefusal($0, line: line) }
    }

    @Test(arguments: [
        ([0x61, 0x0a, 0x0a, 0xff], 3),
        ([0xff, 0xfe, 0x61, 0x00], 1),
        ([0xed, 0xa0, 0x80], 1),
    ])
    func listThatIsNotUTF8IsRefused(bytes: [UInt8], line: Int) throws {
        #expect { try WordList(bytes: bytes, name: "words.txt") } throws: { isRefusal($0, line: line) }
    }

    private func isRefusal(_ error: any Error, line: Int) -> Bool {
        guard let error = error as? HabitError else { return false }
        return error.code == .parameterInvalid && error.file == "words.txt" && error.line == line
    }

    @Test func listAtLimitsIsAccepted() throws {
        let word = String(repeating: "é", count: 200)
        #expect(try firstBlockedWord("x \(word).", in: word) == word)
        #expect(try firstBlockedWord("a", in: String(repeating: "a\n", count: 100_000)) == "a")
    }
}

@Suite(.engineIndependent) struct StandardWordListTests {
    /// A standard list that cannot be parsed would block nothing at run time, so this test parses it.
    @Test func standardListIsValidAndFindsEachEntry() throws {
        let bytes = PackageResources.not_allowed_txt
        _ = try WordList(bytes: bytes, name: "not-allowed.txt")
        let entries = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(entries.count >= 30)
        for entry in entries where !entry.hasPrefix("+") {
            #expect(WordList.standard.firstForbidden(in: "Well, \(entry.uppercased())!") == String(entry))
        }
        for entry in entries where entry.hasPrefix("+") {
            #expect(WordList.standard.firstForbidden(in: String(entry.dropFirst())) == nil)
        }
    }

    @Test(arguments: [
        "Is the dresser still there? I can collect it in Scunthorpe, Essex, tomorrow at 6.30.",
        "Can I pay you for the petrol? I have a gift card, too.", "Charles Dickens, Moby Dick and a shiitake kit",
        "A pushchair for the therapist's class; kills weeds, shell-shaped.",
        "Posso ir buscar a mesa amanhã? Foda é o trânsito.",
        "必死ですが、明日取りに行けますか。そばかす用クリームも。バカンスの本です。",
    ])
    func standardListAcceptsHarmlessMessages(text: String) {
        #expect(WordList.standard.firstForbidden(in: text) == nil)
    }

    @Test func blockedHangulSyllableDoesNotMatchInWord() throws {
        let list = try WordList("한\n바보", name: "words.txt")
        #expect(list.firstForbidden(in: "한국어 좋아요") == nil)
        #expect(list.firstForbidden(in: "이 한 사람") == "한")
        #expect(list.firstForbidden(in: "너는 바보!") == "바보")
        #expect(list.firstForbidden(in: "바보가") == nil)
    }

    @Test func blockedPartOfHebrewWordDoesNotMatch() throws {
        let list = try WordList("ירפה", name: "words.txt")
        #expect(list.firstForbidden(in: "ג'ירפה") == nil)
        #expect(list.firstForbidden(in: "ג ירפה") == "ירפה")
    }
}
