import Foundation
import HabitTestSupport
import Testing

/// Tests of rules G-01, G-02 and G-04: items.
@Suite struct ItemRuleTests {
    // MARK: G-01

    @Test func claimOfOtherUsersItemSucceeds() throws {
        let world = try SharingWorld()
        let claim = try world.done("item", "claim", "i-available", "--format", "json", as: "sam")
        #expect(claim.output.contains("\"state\":\"claimed\",\"claimed_by\":\"sam\""))
        #expect(claim.errors.contains("habitat message send --item i-available"), "it says how to message the poster")
        #expect(
            try world.rows("SELECT user, state, claimed_at FROM claims WHERE item = 'i-available'")
                == ["sam,claimed,\(SharingWorld.now)"])
    }

    /// A released claim does not prevent a claim by another user.
    @Test func releasedItemIsClaimedByAnotherUser() throws {
        let world = try SharingWorld()
        try world.done("item", "release", "i-claimed", as: "cleo")
        try world.done("item", "claim", "i-claimed", as: "rex")
        #expect(
            try world.rows("SELECT user, state FROM claims WHERE item = 'i-claimed' ORDER BY user")
                == ["cleo,released", "rex,claimed"])
    }

    @Test(arguments: [
        ([], ["i-available"]),
        (["--state", "all"], ["i-expired", "i-withdrawn", "i-given", "i-claimed", "i-available"]),
        (["--state", "claimed,given"], ["i-given", "i-claimed"]), (["--state", "expired"], ["i-expired"]),
        (["--state", "all", "--user", "sam"], []), (["--state", "all", "--limit", "1"], ["i-expired"]),
        (["--near", "38.7,-9.1", "--within", "1m"], ["i-available"]), (["--near", "38.8,-9.1"], []),
    ])
    func itemListAppliesFilters(options: [String], ids: [String]) throws {
        let world = try SharingWorld()
        for user in ["pat", "sam"] {
            let result = try world.run(["item", "list", "--columns", "id", "--format", "csv"] + options, as: user)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.lines == ["id"] + ids)
            #expect(result.errors.isEmpty == !ids.isEmpty, "nothing found is a success with a notice")
        }
        try world.refused(["item", "list"] + options, as: "", "not-signed-in")
    }

    @Test func actionFailsWhenItemDoesNotExist() throws {
        let world = try SharingWorld()
        for action in ["show", "claim", "release", "give", "withdraw", "edit"] {
            try world.refused("item", action, "i-nothing", as: "sam", "not-found")
        }
        try world.refused("item", "delete", "i-nothing", "--yes", as: "sam", "not-found")
        try world.refused("item", "list", "--state", "lost", as: "sam", "parameter-invalid")
    }

    /// Only the poster and the claimant see `claimed_by`, in every command and format.
    ///
    /// A user who released the claim does not see it.
    @Test(arguments: ["text", "csv", "json", "ndjson", "geojson", "geojsonseq"])
    func claimantIsVisibleOnlyToPosterAndClaimant(format: String) throws {
        let world = try SharingWorld()
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
                let result = try world.run(command + ["--format", format], as: user)
                #expect(result.status == 0, "\(command): \(result.errors)")
                // `near` lists only available items.
                #expect(
                    result.output.contains("cleo") == (knows && command[0] != "near"),
                    "\(command) as \(user ?? "operator"): \(result.output)")
            }
        }
    }

    // MARK: G-02

    static let family = "👨‍👩‍👧‍👦"

    @Test(
        arguments: [
            ("name", String(repeating: "n", count: 80), nil),
            ("name", String(repeating: "n", count: 81), "item-name-invalid"),
            ("name", String(repeating: family, count: 80), nil),
            ("name", String(repeating: family, count: 81), "item-name-invalid"),
            ("name", "", "item-name-invalid"), ("name", " \t ", "item-name-invalid"),
            ("name", "'; DROP TABLE item; --", nil), ("description", "", nil),
            ("description", String(repeating: "é", count: 2000), nil),
            ("description", String(repeating: "e\u{301}", count: 2000), nil),
            ("description", String(repeating: "d", count: 2001), "item-description-invalid"),
        ] as [(String, String, String?)])
    func itemTextsAreLimitedInLength(field: String, text: String, slug: String?) throws {
        let world = try SharingWorld()
        var command = [
            "item", "post", "--photo", SharingWorld.picture("lamp.png"), "--\(field)", text, "--id", "pat:new",
        ]
        if field != "name" { command += ["--name", "Lamp"] }
        let change = ["item", "edit", "i-available", "--\(field)", text]
        if let slug {
            let errors = try world.refused(command, as: "pat", slug)
            #expect(text.count < 80 || errors.contains("\(text.count)"), "it gives the length")
            try world.refused(change, as: "pat", slug)
        } else {
            for (command, id) in [(command, "pat:new"), (change, "i-available")] {
                #expect(try world.run(command, as: "pat").status == 0)
                let shown = try world.run("item", "show", id, "--format", "csv", "--columns", field).output
                let stored = parseCSV(shown).last?.first ?? nil
                #expect(stored == (text.isEmpty ? nil : text.precomposedStringWithCanonicalMapping))
            }
        }
    }

    @Test func operatorChangesLimits() throws {
        let world = try SharingWorld()
        let picture = SharingWorld.picture("lamp.png")
        try world.done("setting", "set", "item-name-limit", "3")
        try world.done("setting", "set", "item-description-limit", "2001")
        try world.refused("item", "post", "--photo", picture, "--name", "four", as: "pat", "item-name-invalid")
        let long = String(repeating: "d", count: 2001)
        try world.done("item", "post", "--photo", picture, "--name", "box", "--description", long, as: "pat")
        try world.refused("setting", "set", "item-name-limit", "9", as: "pat", "operator-only")
        try world.refused(["setting", "set", "item-name-limit", "0"], "parameter-invalid")
    }

    @Test(
        arguments: [
            ([], "picture-invalid"), (["--photo", "none"], "picture-invalid"),
            (["--photo", "text.png"], "picture-invalid"),
            (["--photo", "empty.png"], "picture-invalid"), (["--photo", "half.png"], "picture-invalid"),
            (["--photo", "large.png"], "photo-too-large"), (["--photo", "named.txt"], nil),
            (["--photo", "fits.png"], nil),
        ] as [([String], String?)])
    func photoOfItemIsValidated(options: [String], slug: String?) throws {
        let world = try SharingWorld()
        let picture = try Data(contentsOf: URL(fileURLWithPath: SharingWorld.picture("lamp.png")))
        try world.folder.write("no picture at all", to: "text.png")
        try world.folder.write("", to: "empty.png")
        try world.folder.write(picture.prefix(picture.count / 2), to: "half.png")
        try world.folder.write(picture, to: "named.txt")
        try world.folder.write(TestPicture.png(byteCount: 65_535), to: "fits.png")
        try world.folder.write(TestPicture.png(byteCount: 65_536), to: "large.png")
        let command = ["item", "post", "--name", "Lamp"] + options
        if let slug {
            try world.refused(command, as: "pat", slug)
            if !options.isEmpty { try world.refused(["item", "edit", "i-available"] + options, as: "pat", slug) }
        } else {
            let result = try world.run(command + ["--format", "json"], as: "pat")
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("\"has_photo\":true"))
        }
    }

    @Test func itemIsPostedAndEdited() throws {
        let world = try SharingWorld()
        let posted = try world.done(
            "item", "post", "--id", "sam:new", "--name", "Desk lamp", "--description", "works", "--photo",
            SharingWorld.picture("lamp.png"), "--position", "-33.87,151.21", "--expires", "2026-12-31", "--format",
            "csv", as: "sam")
        let header = "id,user,name,description,state,claimed_by,posted_at,expires,has_photo,longitude,latitude"
        let row = "sam:new,sam,Desk lamp,works,available,,2026-11-20T12:00:00+00:00,2026-12-31,true,151.21,-33.87"
        #expect(posted.output == "\(header)\n\(row)\n")
        let edited = try world.done(
            "item", "edit", "sam:new", "--description", "", "--expires", "none", "--position", "none", "--format",
            "csv",
            as: "sam")
        #expect(edited.lines.last == "sam:new,sam,Desk lamp,,available,,2026-11-20T12:00:00+00:00,,true,,")
        try world.refused("item", "edit", "sam:new", "--expires", "2026-11-19", as: "sam", "day-invalid")
        try world.refused("item", "delete", "sam:new", as: "sam", "confirm-required")
        try world.refused("item", "post", "--name", "x", as: "", "not-signed-in")
        try world.refused(
            ["item", "post", "--name", "x", "--photo", SharingWorld.picture("lamp.png")], "not-signed-in")
    }

    @Test(.onFilesAlone) func deletingItemRemovesClaimsAndMessages() throws {
        let world = try SharingWorld()
        try world.done("message", "send", "--item", "i-claimed", "--text", "When?", as: "cleo")
        let deleted = try world.done("item", "delete", "i-claimed", "--yes", "--format", "json", as: "pat")
        #expect(deleted.output == "{\"deleted\":\"i-claimed\",\"claims\":2,\"messages\":1}\n")
        #expect(try world.rows("SELECT * FROM claims WHERE item = 'i-claimed'").isEmpty)
        #expect(try world.rows("SELECT * FROM messages").isEmpty)
        #expect(try world.python("print(db.execute('SELECT count(*) FROM claim').fetchone()[0])") == "3\n")
    }
}
