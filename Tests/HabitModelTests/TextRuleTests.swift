import Base
import HabitTestSupport
import Testing

@testable import HabitModel

@Suite(.engineIndependent) struct TextRuleTests {
    @Test(arguments: [
        (TextRule.title, 20, ErrorCode.titleTooLong), (.reason, 30, .reasonTooLong), (.comment, 20, .commentTooLong),
        (.itemName, 80, .itemNameInvalid), (.itemDescription, 2000, .itemDescriptionInvalid),
        (.message, 2000, .messageTooLong), (.caption, 200, .captionTooLong),
    ])
    func textAtLimitIsAcceptedAndLongerTextIsRefused(rule: TextRule, limit: Int, code: ErrorCode) throws {
        for character in ["a", "é", "👨‍👩‍👧"] {
            #expect(try rule.check(String(repeating: character, count: limit)).count == limit)
            #expect { try rule.check(String(repeating: character, count: limit + 1)) } throws: {
                ($0 as? HabitError)?.code == code
            }
        }
    }

    @Test func blankTitleIsRefusedAndBlankCommentIsAccepted() throws {
        #expect { try TextRule.title.check(" \u{3000}") } throws: { ($0 as? HabitError)?.code == .titleEmpty }
        #expect(try TextRule.comment.check("") == "")
    }

    /// Control characters and line breaks, each with the number that the error contains.
    private static let lineBreaks: [(text: String, code: String)] = [
        ("\u{0}", "U+0000"), ("\u{1}", "U+0001"), ("\u{7}", "U+0007"), ("\t", "U+0009"), ("\n", "U+000A"),
        ("\r", "U+000D"), ("\r\n", "U+000D"), ("\u{1b}[31m", "U+001B"), ("\u{1f}", "U+001F"), ("\u{7f}", "U+007F"),
        ("\u{80}", "U+0080"), ("\u{85}", "U+0085"), ("\u{9b}1m", "U+009B"), ("\u{9f}", "U+009F"),
        ("\u{2028}", "U+2028"), ("\u{2029}", "U+2029"),
    ]

    @Test(arguments: [TextRule.title, .reason, .unit, .userName, .itemName]) func textWithLinesIsRefused(
        rule: TextRule
    ) {
        for (text, code) in Self.lineBreaks {
            for text in ["a\(text)b", "a\(text)", "\(text)é"] {
                #expect {
                    try rule.check(text)
                } throws: { error in
                    let error = error as? HabitError
                    return error?.code == .textInvalid && error?.field == rule.field.name
                        && error?.message.contains(code) == true
                }
            }
        }
        #expect((try? rule.check("Été à vélo 🚴 \u{200d}\u{a0}~")) == "Été à vélo 🚴 \u{200d}\u{a0}~")
    }

    @Test(arguments: [TextRule.comment, .itemDescription, .message, .caption]) func otherTextsHaveLines(
        rule: TextRule
    ) throws {
        #expect(try rule.check("a\n\tb\u{2028}c") == "a\n\tb\u{2028}c")
        #expect { try rule.check("a\0b") } throws: { ($0 as? HabitError)?.code == .textInvalid }
    }

    @Test func singleLineHasSpaceForEachBreak() {
        for (text, _) in Self.lineBreaks {
            let rest = text.unicodeScalars.drop(while: \.breaksLine)
            #expect(
                "a\(text)b".singleLine == "a \(String(String.UnicodeScalarView(rest)))b", "\(text.debugDescription)")
        }
        #expect("a\r\n\r\nb\n\rc".singleLine == "a  b  c")
        #expect("e\u{1}\u{301}".singleLine.unicodeScalars.elementsEqual("e \u{301}".unicodeScalars))
        #expect("été".singleLine == "été")
        #expect("".singleLine == "")
    }

    @Test(arguments: ["a", "é", "👨‍👩‍👧"]) func idHasAtMost64Characters(character: String) throws {
        let longest = String(repeating: character, count: 64)
        #expect(try checkID(longest, field: .id) == longest)
        #expect { try checkID(longest + character, field: .id) } throws: { ($0 as? HabitError)?.code == .idInvalid }
    }

    @Test(arguments: ["a\u{2028}b", "a\u{2029}", "a\u{85}", "a\u{7f}", "a\nb"]) func idWithLinesIsRefused(id: String) {
        #expect { try checkID(id, field: .id) } throws: { ($0 as? HabitError)?.code == .idInvalid }
    }

    @Test func textsAreStoredComposed() throws {
        #expect(Array(try TextRule.comment.check("e\u{301}").utf8) == Array("é".utf8))
    }
}

@Suite(.engineIndependent) struct EmailAddressTests {
    @Test(arguments: [
        "ann@example.org", "a@b", "Ann.Smith+habits@mail.example.co.uk", "o'neil@example.org", "jörg@bücher.example",
        "用户@例子.广告", "_x@example.org", "a{b}~c@x-y.example", "1@2.3",
    ])
    func addressIsAccepted(text: String) throws {
        #expect(try EmailAddress.check(text) == text)
    }

    @Test func onlyCaseOfASCIILettersIsIgnored() {
        #expect(EmailAddress.comparable("Ann.Z@EXAMPLE.org") == "ann.z@example.org")
        for (one, other) in [
            ("ß@a", "ss@a"),
            ("É@a", "é@a"),
            ("ﬁ@a", "fi@a"),
            ("İ@a", "i@a"),
            ("@[`{@a", "@[`{@A"),
        ] {
            let isSame = EmailAddress.comparable(one) == EmailAddress.comparable(other)
            #expect(isSame == (one.first == "@"), "\(one)")
        }
    }

    /// Mail programs take some of these texts for options, commands, files, names or several addresses.
    @Test(arguments: [
        "", "@", "ann", "ann@", "@example.org", "a@b@c", "-oQ/tmp@example.org", "-a@example.org", "a,b@example.org",
        "a@example.org,b@example.org", "a@example.org, b@example.org", "a@example.org b@example.org",
        "a@example.org;b@example.org", " a@example.org", "a@example.org ", "a @example.org", "a@example.org\n",
        "a@example.org\r\nBcc: b@example.org", "a\u{0}@example.org", "a\u{1b}@example.org", "a@exam\u{2028}ple.org",
        "|sh@example.org", "/tmp/x@example.org", "+x@example.org", "a/b@example.org", "a|b@example.org",
        "`id`@example.org",
        "Ann <a@example.org>", "<a@example.org>", "\"a b\"@example.org", "a(b)@example.org", "a:b@example.org",
        "a\\b@example.org", "a@-example.org", "a@example-.org", "a@example..org", "a@.org", "a@[127.0.0.1]",
        "a!b@example.org", "a%b@example.org", "a@ex_ample.org", "a\u{a0}@example.org",
        String(repeating: "a", count: 243) + "@example.org",
    ])
    func textThatIsNoAddressIsRefused(text: String) {
        #expect { try EmailAddress.check(text) } throws: { error in
            let error = error as? HabitError
            return error?.code == .fieldInvalid && error?.field == "email"
        }
    }
}
