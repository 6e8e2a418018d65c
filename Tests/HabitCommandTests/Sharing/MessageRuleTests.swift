import Foundation
import HabitTestSupport
import Testing

/// Tests of rule G-03: messages between an item's poster and a claimant.
@Suite(.engineIndependent) struct MessageRuleTests {
    // MARK: Permission

    /// Each step is `sender>recipient`.
    ///
    /// If a step has no recipient, the program finds the recipient. `!` marks a step that is not permitted. Other steps
    /// are actions of a user on the item.
    @Test(arguments: [
        "!sam>pat", "!sam>", "!pat>sam", "!pat>", "!rex>pat", "!sam>cleo",
        "sam:claim sam>pat pat>sam pat> sam>", "sam:claim pat>sam sam>pat",
        "sam:claim !cleo>pat !pat>cleo !cleo>sam !sam>cleo",
        "sam:claim sam>pat sam:release pat>sam sam>pat", "sam:claim pat>sam sam:release sam>pat pat>sam",
        "sam:claim sam>pat pat:withdraw pat>sam sam>", "sam:claim sam:release !sam>pat !pat>sam",
        "sam:claim pat:release !sam>pat", "sam:claim pat:give sam>pat pat>sam",
        "sam:claim sam>pat sam:release cleo:claim pat>sam pat>cleo cleo>pat !cleo>sam !sam>cleo !rex>pat",
        "cleo:claim cleo:release sam:claim pat>",
    ])
    func messageIsPermittedOnlyBetweenPosterAndClaimant(steps: String) async throws {
        let fixture = try await SharingStore()
        for step in steps.split(separator: " ") {
            if let colon = step.firstIndex(of: ":") {
                let action = String(step[step.index(after: colon)...])
                try await fixture.expectSuccess("item", action, "i-available", as: String(step[..<colon]))
                continue
            }
            let names = step.drop { $0 == "!" }.split(separator: ">").map(String.init)
            let options = names.count > 1 ? ["--to", names[1]] : []
            let command = ["message", "send", "--item", "i-available", "--text", "Hello \(step)"] + options
            if step.hasPrefix("!") {
                try await fixture.expectRefusal(command, as: names[0], "message-not-permitted")
            } else {
                let result = try await fixture.run(command + ["--format", "csv"], as: names[0])
                #expect(result.status == 0, "\(step): \(result.errors)")
                let other = names[0] == "pat" ? "sam" : "pat"
                let expected =
                    ",i-available,\(names[0]),\(names.count > 1 ? names[1] : other),\(SharingStore.now),Hello \(step)"
                #expect(result.lines.last?.hasSuffix(expected) == true, "\(result.output)")
            }
        }
    }

    @Test func sendIsRefusedWhenUserOrItemIsUnknown() async throws {
        let fixture = try await SharingStore()
        let send = ["message", "send", "--item", "i-claimed", "--text", "Hello"]
        try await fixture.expectRefusal(send, "not-signed-in")
        try await fixture.expectRefusal(send, as: "", "not-signed-in")
        try await fixture.expectRefusal(send, as: "ghost", "not-signed-in")
        try await fixture.expectRefusal(send + ["--to", "ghost"], as: "cleo", "not-found")
        try await fixture.expectRefusal(
            "message", "send", "--item", "i-nothing", "--text", "Hello", as: "cleo", "not-found")
    }

    /// A user without permission does not get errors about the text.
    @Test func sendChecksPermissionBeforeText() async throws {
        let fixture = try await SharingStore()
        for text in ["", String(repeating: "m", count: 2001), "shit"] {
            try await fixture.expectRefusal(
                "message", "send", "--item", "i-claimed", "--text", text, as: "sam", "message-not-permitted")
        }
    }

    // MARK: Texts

    @Test(
        arguments: [
            (String(repeating: "m", count: 2000), nil), (String(repeating: "m", count: 2001), "message-too-long"),
            (String(repeating: ItemRuleTests.familyEmoji, count: 2000), nil),
            (String(repeating: ItemRuleTests.familyEmoji, count: 2001), "message-too-long"),
            ("", "message-empty"), (" \n\t\u{3000}", "message-empty"), ("'); DELETE FROM message; --", nil), ("0", nil),
        ] as [(String, String?)])
    func messageTextIsLimitedInLength(text: String, slug: String?) async throws {
        let fixture = try await SharingStore()
        let send = ["message", "send", "--item", "i-claimed", "--text", text]
        if let slug {
            let errors = try await fixture.expectRefusal(send, as: "cleo", slug)
            #expect(slug == "message-empty" || (errors.contains("2001") && errors.contains("2000")))
        } else {
            #expect(try await fixture.run(send, as: "cleo").status == 0)
            #expect(
                parseCSV(try await fixture.rows("SELECT text FROM messages").joined(separator: "\n") + "\n") == [[text]]
            )
        }
    }

    @Test func operatorChangesMessageLimit() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("setting", "set", "message-limit", "5")
        try await fixture.expectRefusal(
            "message", "send", "--item", "i-claimed", "--text", "123456", as: "cleo", "message-too-long")
        try await fixture.expectSuccess("message", "send", "--item", "i-claimed", "--text", "12345", as: "cleo")
        try await fixture.expectSuccess("setting", "set", "message-limit", "2001")
        let long = String(repeating: "m", count: 2001)
        try await fixture.expectSuccess("message", "send", "--item", "i-claimed", "--text", long, as: "cleo")
    }

    // MARK: Blocked words

    @Test(arguments: [
        ("well, shit.", "shit"), ("SHIT", "shit"), ("ＳＨＩＴ", "shit"), ("sh\u{ad}it", "shit"), ("it.shit.now", "shit"),
        ("I KNOW where\nyou  live", "I know where you live"), ("Kys!", "kys"), ("send me your pin", "send me your PIN"),
        ("vou te matar", "vou te matar"), ("お前は死ね", "死ね"),
    ])
    func blockedWordIsNamedInError(text: String, word: String) async throws {
        let fixture = try await SharingStore()
        let errors = try await fixture.expectRefusal(
            "message", "send", "--item", "i-claimed", "--text", text, as: "cleo", "message-word-not-allowed")
        #expect(errors.contains("'\(word)'"))
        #expect(try await fixture.rows("SELECT * FROM messages").isEmpty)
    }

    /// A blocked word inside another word, or a similar word, is not blocked.
    @Test(arguments: [
        "Scunthorpe, Penistone and Lightwater: the class assassin passed a cocktail of grape and shiitake",
        "Dick Whittington of Essex, therapist and analyst, sat in a Matsushita cockpit", "I'll skill you up", "必死ね",
        "shitake; my skyscraper; where you live I know; send the money at first light; a whorehouse-free tale",
    ])
    func textWithSimilarWordsIsAccepted(text: String) async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("message", "send", "--item", "i-claimed", "--text", text, as: "cleo")
    }

    // MARK: History

    private static func conversation() async throws -> SharingStore {
        let fixture = try await SharingStore()
        let lines = [
            ("2026-11-20T12:00:02+00:00", "cleo", "second"), ("2026-11-20T12:00:03+00:00", "pat", "third"),
            ("2026-11-20T13:00:01+01:00", "cleo", "first"), ("2026-11-20T12:00:04+00:00", "cleo", "fourth"),
        ]
        for (now, sender, text) in lines {
            try await fixture.expectSuccess(
                "message", "send", "--item", "i-claimed", "--text", text, "--now", now, as: sender)
        }
        try await fixture.expectSuccess(
            "message", "send", "--item", "i-given", "--text", "other", "--now", "2026-11-20T12:00:05Z", as: "cleo")
        return fixture
    }

    @Test func messageListIsSortedAndLimitedToParticipants() async throws {
        let fixture = try await Self.conversation()
        let list = ["message", "list", "--format", "csv", "--columns", "text"]
        let all = ["text", "first", "second", "third", "fourth", "other"]
        for user in ["pat", "cleo", nil] {
            #expect(try await fixture.run(list, as: user).lines == all)
            #expect(try await fixture.run(list + ["--item", "i-claimed"], as: user).lines == all.dropLast())
            #expect(try await fixture.run(list + ["--limit", "2"], as: user).lines == ["text", "fourth", "other"])
        }
        for options in [[], ["--item", "i-claimed"], ["--user", "pat"]] {
            let strange = try await fixture.run(list + options, as: "sam")
            #expect(strange.status == 0)
            #expect(strange.lines == ["text"])
            #expect(strange.errors.contains("habitat item claim"), "the notice contains a remedy")
        }
        try await fixture.expectRefusal(list, as: "", "not-signed-in")
        try await fixture.expectRefusal(list + ["--item", "i-nothing"], as: "pat", "not-found")
        #expect(try await fixture.rows("SELECT * FROM messages", as: "sam").isEmpty)
    }

    @Test func messageIsDeletedOnlyBySender() async throws {
        let fixture = try await Self.conversation()
        let id = try await fixture.rows("SELECT id FROM messages WHERE text = 'second'").first ?? ""
        let delete = ["message", "delete", id]
        try await fixture.expectRefusal(delete, as: "cleo", "confirm-required")
        try await fixture.expectRefusal(delete + ["--yes"], as: "pat", "not-yours")
        try await fixture.expectRefusal(delete + ["--yes"], as: "", "not-signed-in")
        try await fixture.expectRefusal(delete + ["--yes"], "not-signed-in")
        let unseen = try await fixture.expectRefusal(delete + ["--yes"], as: "sam", "not-found")
        let never = try await fixture.expectRefusal("message", "delete", "nothing", "--yes", as: "sam", "not-found")
        #expect(unseen.replacing(id, with: "?") == never.replacing("nothing", with: "?"), "the errors are equal")
        #expect(try await fixture.run(delete + ["--yes"], as: "cleo").status == 0)
        for user in ["pat", "cleo", nil] {
            #expect(try await fixture.rows("SELECT text FROM messages WHERE id = '\(id)'", as: user).isEmpty)
            #expect(try await fixture.rows("SELECT count(*) FROM messages", as: user) == ["4"])
        }
        try await fixture.expectRefusal(delete + ["--yes"], as: "cleo", "not-found")
    }
}
