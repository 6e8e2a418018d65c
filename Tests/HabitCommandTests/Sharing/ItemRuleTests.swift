import Foundation
import HabitTestSupport
import Rendering
import Testing

/// Tests of rules G-01, G-02 and G-04: items.
@Suite(.engineIndependent) struct ItemRuleTests {
    // MARK: G-01

    @Test func claimOfOtherUsersItemSucceeds() async throws {
        let fixture = try await SharingStore()
        let claim = try await fixture.expectSuccess("item", "claim", "i-available", "--format", "json", as: "sam")
        #expect(claim.output.contains("\"state\":\"claimed\",\"claimed_by\":\"sam\""))
        #expect(
            claim.errors.contains("habitat message send --item i-available"),
            "the notice contains the command for a message")
        #expect(
            try await fixture.rows("SELECT user, state, claimed_at FROM claims WHERE item = 'i-available'")
                == ["sam,claimed,\(SharingStore.now)"])
    }

    /// A released claim does not prevent a claim by another user.
    @Test func releasedItemIsClaimedByAnotherUser() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("item", "release", "i-claimed", as: "cleo")
        try await fixture.expectSuccess("item", "claim", "i-claimed", as: "rex")
        #expect(
            try await fixture.rows("SELECT user, state FROM claims WHERE item = 'i-claimed' ORDER BY user")
                == ["cleo,released", "rex,claimed"])
    }

    @Test(arguments: RuleCases.itemFilters)
    func itemListAppliesFilters(options: String, ids: String) async throws {
        let fixture = try await SharingStore()
        for user in ["pat", "sam"] {
            let result = try await fixture.run(
                ["item", "list", "--columns", "id", "--format", "csv"] + RuleStore.words(options), as: user)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.lines == ["id"] + ids.split(separator: " ").map(String.init))
            #expect(result.errors.isEmpty == !ids.isEmpty, "an empty result succeeds with a notice")
        }
        try await fixture.expectRefusal(["item", "list"] + RuleStore.words(options), as: "", "not-signed-in")
    }

    /// The name of an item that cannot be claimed leads to the reason.
    @Test func claimByNameSaysWhyItIsRefused() async throws {
        let fixture = try await SharingStore()
        let own = try await fixture.expectRefusal("item", "claim", "lamp", as: "pat", "own-item")
        #expect(own.contains("is your own"), "\(own)")
        let given = try await fixture.expectRefusal("item", "claim", "books", as: "sam", "item-unavailable")
        #expect(given.contains("is already given"), "\(given)")
    }

    @Test func actionFailsWhenItemDoesNotExist() async throws {
        let fixture = try await SharingStore()
        for action in ["show", "claim", "release", "give", "withdraw", "edit"] {
            try await fixture.expectRefusal("item", action, "i-nothing", as: "sam", "not-found")
        }
        try await fixture.expectRefusal("item", "delete", "i-nothing", "--yes", as: "sam", "not-found")
        try await fixture.expectRefusal("item", "list", "--state", "lost", as: "sam", "parameter-invalid")
    }

    /// Only the poster and the claimant see `claimed_by`, in every command and format.
    ///
    /// A user who released the claim does not see it.
    @Test(arguments: OutputFormat.allCases.map(\.rawValue))
    func claimantIsVisibleOnlyToPosterAndClaimant(format: String) async throws {
        let fixture = try await SharingStore()
        var commands = [
            ["item", "list", "--state", "all", "--width", "400"], ["item", "show", "i-claimed", "--width", "400"],
        ]
        if format == "csv" {
            commands += [
                ["item", "show", "i-given"], ["item", "list", "--state", "given", "--columns", "id,claimed_by"],
                ["query", "SELECT * FROM items"], ["query", "SELECT * FROM claims"],
                ["query", "SELECT claimed_by FROM items WHERE claimed_by >= ''"],
                ["near", "38.7,-9.1", "--kind", "items"],
            ]
        }
        var users: [(String?, Bool)] = [("sam", false), ("pat", true), ("cleo", true)]
        if format == "csv" { users += [("rex", false), (nil, true)] }
        for command in commands {
            for (user, knows) in users {
                let result = try await fixture.run(command + ["--format", format], as: user)
                #expect(result.status == 0, "\(command): \(result.errors)")
                // `near` lists only available items, and the events of a calendar have no claimant.
                #expect(
                    result.output.contains("cleo") == (knows && command[0] != "near" && format != "ics"),
                    "\(command) as \(user ?? "operator"): \(result.output)")
            }
        }
    }

    // MARK: G-02

    static let familyEmoji = "👨‍👩‍👧‍👦"

    @Test(
        arguments: [
            ("name", String(repeating: "n", count: 80), nil),
            ("name", String(repeating: "n", count: 81), "item-name-invalid"),
            ("name", String(repeating: familyEmoji, count: 80), nil),
            ("name", String(repeating: familyEmoji, count: 81), "item-name-invalid"),
            ("name", "", "item-name-invalid"), ("name", " \t ", "item-name-invalid"),
            ("name", "'; DROP TABLE item; --", nil), ("description", "", nil),
            ("description", String(repeating: "é", count: 2000), nil),
            ("description", String(repeating: "e\u{301}", count: 2000), nil),
            ("description", String(repeating: "d", count: 2001), "item-description-invalid"),
        ] as [(String, String, String?)])
    func itemTextsAreLimitedInLength(field: String, text: String, slug: String?) async throws {
        let fixture = try await SharingStore()
        var command = [
            "item", "post", "--photo", SharingStore.photoPath("lamp.png"), "--\(field)", text, "--id", "pat:new",
        ]
        if field != "name" { command += ["--name", "Lamp"] }
        let change = ["item", "edit", "i-available", "--\(field)", text]
        if let slug {
            let errors = try await fixture.expectRefusal(command, as: "pat", slug)
            #expect(text.count < 80 || errors.contains("\(text.count)"), "the error contains the length")
            try await fixture.expectRefusal(change, as: "pat", slug)
        } else {
            for (command, id) in [(command, "pat:new"), (change, "i-available")] {
                #expect(try await fixture.run(command, as: "pat").status == 0)
                let shown = try await fixture.run("item", "show", id, "--format", "csv", "--columns", field).output
                let stored = parseCSV(shown).last?.first ?? nil
                #expect(stored == (text.isEmpty ? nil : text.precomposedStringWithCanonicalMapping))
            }
        }
    }

    @Test func operatorChangesLimits() async throws {
        let fixture = try await SharingStore()
        let picture = SharingStore.photoPath("lamp.png")
        try await fixture.expectSuccess("setting", "set", "item-name-limit", "3")
        try await fixture.expectSuccess("setting", "set", "item-description-limit", "2001")
        try await fixture.expectRefusal(
            "item", "post", "--photo", picture, "--name", "four", as: "pat", "item-name-invalid")
        let long = String(repeating: "d", count: 2001)
        try await fixture.expectSuccess(
            "item", "post", "--photo", picture, "--name", "box", "--description", long, as: "pat")
        try await fixture.expectRefusal("setting", "set", "item-name-limit", "9", as: "pat", "operator-only")
        try await fixture.expectRefusal(["setting", "set", "item-name-limit", "0"], "parameter-invalid")
    }

    @Test(
        arguments: [
            ([], "picture-invalid"), (["--photo", "none"], "picture-invalid"),
            (["--photo", "text.png"], "picture-invalid"),
            (["--photo", "empty.png"], "picture-invalid"), (["--photo", "half.png"], "picture-invalid"),
            (["--photo", "large.png"], "photo-too-large"), (["--photo", "named.txt"], nil),
            (["--photo", "fits.png"], nil),
        ] as [([String], String?)])
    func photoOfItemIsValidated(options: [String], slug: String?) async throws {
        let fixture = try await SharingStore()
        let picture = try Data(contentsOf: URL(fileURLWithPath: SharingStore.photoPath("lamp.png")))
        try fixture.folder.write("no picture at all", to: "text.png")
        try fixture.folder.write("", to: "empty.png")
        try fixture.folder.write(picture.prefix(picture.count / 2), to: "half.png")
        try fixture.folder.write(picture, to: "named.txt")
        try fixture.folder.write(TestImage.png(byteCount: 65_535), to: "fits.png")
        try fixture.folder.write(TestImage.png(byteCount: 65_536), to: "large.png")
        let command = ["item", "post", "--name", "Lamp"] + options
        if let slug {
            try await fixture.expectRefusal(command, as: "pat", slug)
            if !options.isEmpty {
                try await fixture.expectRefusal(["item", "edit", "i-available"] + options, as: "pat", slug)
            }
        } else {
            let result = try await fixture.run(command + ["--format", "json"], as: "pat")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("\"has_photo\":true"))
        }
    }

    @Test func itemIsPostedAndEdited() async throws {
        let fixture = try await SharingStore()
        let posted = try await fixture.expectSuccess(
            "item", "post", "--id", "sam:new", "--name", "Desk lamp", "--description", "works", "--photo",
            SharingStore.photoPath("lamp.png"), "--position", "-33.87,151.21", "--expires", "2026-12-31", "--format",
            "csv", as: "sam")
        let header = "id,user,name,description,state,claimed_by,posted_at,expires,has_photo,longitude,latitude"
        let row = "sam:new,sam,Desk lamp,works,available,,2026-11-20T12:00:00+00:00,2026-12-31,true,151.21,-33.87"
        #expect(posted.output == "\(header)\n\(row)\n")
        let edited = try await fixture.expectSuccess(
            "item", "edit", "sam:new", "--description", "", "--expires", "none", "--position", "none", "--format",
            "csv",
            as: "sam")
        #expect(edited.lines.last == "sam:new,sam,Desk lamp,,available,,2026-11-20T12:00:00+00:00,,true,,")
        try await fixture.expectRefusal("item", "edit", "sam:new", "--expires", "2026-11-19", as: "sam", "day-invalid")
        try await fixture.expectRefusal("item", "delete", "sam:new", as: "sam", "confirm-required")
        try await fixture.expectRefusal("item", "post", "--name", "x", as: "", "not-signed-in")
        try await fixture.expectRefusal(
            ["item", "post", "--name", "x", "--photo", SharingStore.photoPath("lamp.png")], "not-signed-in")
    }

    @Test(.fileStoreOnly) func deletingItemRemovesClaimsAndMessages() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("message", "send", "--item", "i-claimed", "--text", "When?", as: "cleo")
        let deleted = try await fixture.expectSuccess(
            "item", "delete", "i-claimed", "--yes", "--format", "json", as: "pat")
        #expect(deleted.output == "{\"deleted\":\"i-claimed\",\"claims\":2,\"messages\":1}\n")
        #expect(try await fixture.rows("SELECT * FROM claims WHERE item = 'i-claimed'").isEmpty)
        #expect(try await fixture.rows("SELECT * FROM messages").isEmpty)
        #expect(try await fixture.runPython("print(db.execute('SELECT count(*) FROM claim').fetchone()[0])") == "3\n")
    }
}
