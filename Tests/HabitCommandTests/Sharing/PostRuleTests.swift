import Foundation
import HabitTestSupport
import Testing

/// Tests of rules H-05, H-06 and H-08: photo posts and their visibility.
@Suite struct PostRuleTests {
    /// Only pat and the followers of pat see pat's posts.
    ///
    /// The share of a follow, which limits events, does not limit posts.
    static let visibility: [(user: String?, sees: Bool)] = [
        ("pat", true), ("lou", true), (nil, true), ("pen", false), ("rej", false), ("sam", false),
    ]

    private static let commands = [
        ["post", "list"], ["near", "38.7,-9.1", "--kind", "posts"],
        ["near", "38.7,-9.1", "--kind", "events,items,posts"],
        ["query", "SELECT * FROM posts"], ["post", "list", "--near", "38.7,-9.1", "--user", "pat"],
    ]

    @Test(arguments: commands) func listsContainOnlyVisiblePosts(command: [String]) throws {
        let fixture = try SharingStore()
        for (user, sees) in Self.visibility {
            let result = try fixture.run(command + ["--format", "csv"], as: user)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("p-river") == sees, "\(user ?? "operator"): \(result.output)")
            #expect(!result.output.contains("p-gone"), "a deleted post is in no list")
        }
    }

    /// The errors for hidden and missing posts are equal.
    @Test(arguments: [
        ["show"], ["edit", "--caption", "mine"], ["delete", "--yes"], ["download", "--output", "x.png"],
    ])
    func hiddenPostCausesSameErrorAsMissingPost(action: [String]) throws {
        let fixture = try SharingStore()
        func command(_ id: String) -> [String] { ["post", action[0], id] + action.dropFirst() }
        for (user, sees) in Self.visibility where !sees {
            let never = try fixture.expectRefusal(command("never"), as: user, "not-found").replacing("never", with: "?")
            for id in ["p-river", "p-gone"] {
                let unseen = try fixture.expectRefusal(command(id), as: user, "not-found").replacing(id, with: "?")
                #expect(unseen == never)
            }
        }
        for (user, sees) in Self.visibility where sees {
            let errors = try fixture.expectRefusal(
                command("p-gone"), as: user,
                user == nil && !["show", "download"].contains(action[0]) ? "not-signed-in" : "post-deleted")
            #expect(!errors.contains("Soon gone"))
        }
        try fixture.expectRefusal(command("p-river"), as: "", "not-signed-in")
        #expect(fixture.files.isEmpty)
    }

    @Test func postIsChangedOnlyByAuthor() throws {
        let fixture = try SharingStore()
        for user in ["fay", "lou"] {
            try fixture.expectRefusal("post", "edit", "p-river", "--caption", "mine", as: user, "not-yours")
            try fixture.expectRefusal("post", "delete", "p-river", "--yes", as: user, "not-yours")
        }
        try fixture.expectRefusal(["post", "edit", "p-river", "--caption", "mine"], "not-signed-in")
        try fixture.expectRefusal("post", "delete", "p-river", as: "pat", "confirm-required")
        let edited = try fixture.expectSuccess(
            "post", "edit", "p-river", "--caption", "", "--position", "none", "--format", "csv", as: "pat")
        #expect(edited.lines.last == "p-river,pat,,2026-11-06T08:00:00Z,true,,")
        try fixture.expectRefusal("post", "edit", "p-river", "--photo", "none", as: "pat", "photo-invalid")
    }

    /// A post is visible only while the follow is accepted.
    @Test func visibilityOfPostFollowsFollowStatus() throws {
        let fixture = try SharingStore()
        try fixture.expectSuccess("follow", "drop", "fay", as: "pat")
        try fixture.expectRefusal("post", "show", "p-river", as: "fay", "not-found")
        try fixture.expectRefusal("post", "show", "p-gone", as: "fay", "not-found")
        try fixture.expectSuccess("follow", "accept", "pen", as: "pat")
        try fixture.expectSuccess("post", "show", "p-river", as: "pen")
        try fixture.expectRefusal("post", "show", "p-gone", as: "pen", "post-deleted")
        try fixture.expectSuccess("follow", "remove", "pat", as: "pen")
        try fixture.expectRefusal("post", "show", "p-river", as: "pen", "not-found")
    }

    /// H-05: a deleted post remains as a record without content.
    @Test(.fileStoreOnly) func deletedPostKeepsNoContent() throws {
        let fixture = try SharingStore()
        let photos = "print(db.execute('SELECT count(*) FROM photo').fetchone()[0])"
        let before = Int(try fixture.runPython(photos).trimmingCharacters(in: .newlines)) ?? 0
        let deleted = try fixture.expectSuccess("post", "delete", "p-river", "--yes", "--format", "json", as: "pat")
        #expect(deleted.output == "{\"deleted\":\"p-river\"}\n")
        #expect(try fixture.runPython(photos) == "\(before - 1)\n", "the photo is deleted")
        let row = "SELECT caption, photo_id, geometry, deleted_at FROM post WHERE external_id = 'p-river'"
        #expect(
            try fixture.runPython("print(db.execute(\"\(row)\").fetchall())")
                == "[(None, None, None, 1795176000000000)]\n")
        let again = try fixture.expectRefusal("post", "delete", "p-river", "--yes", as: "pat", "post-deleted")
        #expect(again.contains("deleted"))
    }

    // MARK: H-08

    @Test(
        arguments: [
            (String(repeating: "c", count: 200), nil), (String(repeating: "c", count: 201), "caption-too-long"),
            (String(repeating: ItemRuleTests.familyEmoji, count: 200), nil),
            (String(repeating: ItemRuleTests.familyEmoji, count: 201), "caption-too-long"), ("", nil), ("  ", nil),
            ("\"; DROP TABLE post; --", nil),
        ] as [(String, String?)])
    func captionIsLimitedInLength(text: String, slug: String?) throws {
        let fixture = try SharingStore()
        let add = ["post", "add", "--id", "pat:new", "--photo", SharingStore.photoPath("tram.png"), "--caption", text]
        let edit = ["post", "edit", "p-river", "--caption", text]
        for (command, id) in [(add, "pat:new"), (edit, "p-river")] {
            if let slug {
                let errors = try fixture.expectRefusal(command, as: "pat", slug)
                #expect(errors.contains("201") && errors.contains("200"))
            } else {
                #expect(try fixture.run(command, as: "pat").status == 0)
                let shown = try fixture.run("post", "show", id, "--format", "csv", "--columns", "caption").output
                #expect(parseCSV(shown).last == [text.isEmpty ? nil : text])
            }
        }
    }

    @Test func operatorChangesCaptionLimit() throws {
        let fixture = try SharingStore()
        try fixture.expectSuccess("setting", "set", "caption-limit", "2")
        try fixture.expectRefusal("post", "edit", "p-river", "--caption", "abc", as: "pat", "caption-too-long")
        try fixture.expectSuccess("post", "edit", "p-river", "--caption", "ab", as: "pat")
        try fixture.expectSuccess("setting", "set", "caption-limit", "201")
        try fixture.expectSuccess("post", "edit", "p-river", "--caption", String(repeating: "c", count: 201), as: "pat")
        #expect(
            try fixture.expectSuccess("setting", "get", "caption-limit", "--format", "csv").lines.last
                == "caption-limit,201,200")
        try fixture.expectRefusal(["setting", "set", "caption-limit", "many"], "parameter-invalid")
        try fixture.expectRefusal(["setting", "set", "caption-limits", "2"], "parameter-invalid")
    }

    @Test(
        arguments: [
            ([], "photo-invalid"), (["--photo", "text.png"], "photo-invalid"),
            (["--photo", "large.png"], "photo-too-large"),
            (["--photo", "fits.png"], nil),
        ] as [([String], String?)])
    func photoOfPostIsValidated(options: [String], slug: String?) throws {
        let fixture = try SharingStore()
        try fixture.folder.write("no picture at all", to: "text.png")
        try fixture.folder.write(TestImage.png(byteCount: 65_535), to: "fits.png")
        try fixture.folder.write(TestImage.png(byteCount: 65_536), to: "large.png")
        if let slug {
            try fixture.expectRefusal(["post", "add"] + options, as: "pat", slug)
            if !options.isEmpty { try fixture.expectRefusal(["post", "edit", "p-river"] + options, as: "pat", slug) }
            let event = try fixture.run(["event", "add", "--habit", "read"] + options, as: "pat")
            #expect(event.status == (options.isEmpty ? 0 : 65), "\(event.errors)")
        } else {
            for command in [["post", "add"], ["post", "edit", "p-river"], ["event", "add", "--habit", "read"]] {
                let result = try fixture.run(command + options + ["--format", "json"], as: "pat")
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains("\"has_photo\":true"))
            }
        }
    }

    /// EXIF data is removed unless the user keeps it, and always from the photo of an item (G-09).
    ///
    /// The position is stored only if requested.
    @Test(arguments: [["post", "add"], ["item", "post", "--name", "Lamp"]])
    func photosLoseEXIFUnlessKept(command: [String]) throws {
        let fixture = try SharingStore()
        try fixture.folder.write(TestImage.located, to: "camera.jpg")
        let photo = command[0] == "post" ? ["post", "download"] : ["item", "photo"]
        for (id, options, place, keeps) in [
            ("plain", [], ",", false), ("placed", ["--position", "photo"], "-9.25,38.5", false),
            ("kept", ["--keep-exif"], ",", true),
        ] {
            let add = command + ["--id", "pat:\(id)", "--photo", "camera.jpg", "--format", "csv"] + options
            if keeps, command[0] == "item" {
                try fixture.expectRefusal(add, as: "pat", "usage")
                continue
            }
            let added = try fixture.expectSuccess(add, as: "pat")
            #expect(added.lines.last?.hasSuffix(",true,\(place)") == true, "\(added.output)")
            try fixture.expectSuccess(photo + ["pat:\(id)", "--output", id], as: "pat")
            let stored = try #require(FileManager.default.contents(atPath: fixture.folder.file(id)))
            #expect(stored.contains(Data("Secret".utf8)) == keeps)
            #expect((stored == TestImage.located) == keeps)
        }
        let place = command + ["--photo", SharingStore.photoPath("tram.png"), "--position", "photo"]
        try fixture.expectRefusal(place, as: "pat", "location-unavailable")
        let large = try fixture.folder.write(TestImage.png(byteCount: 65_536), to: "large.png")
        try fixture.expectSuccess(command + ["--id", "pat:large", "--photo", large, "--shrink-photo"], as: "pat")
        try fixture.expectSuccess(photo + ["pat:large", "--output", "small"], as: "pat")
        let small = try #require(FileManager.default.contents(atPath: fixture.folder.file("small")))
        #expect((100..<65_536).contains(small.count))
    }

    @Test func postIsAdded() throws {
        let fixture = try SharingStore()
        let add = ["post", "add", "--id", "sam:new", "--photo", SharingStore.photoPath("tram.png"), "--caption", "28"]
        let added = try fixture.run(add + ["--position", "-33.87,151.21", "--format", "csv"], as: "sam")
        let header = "id,user,caption,posted_at,has_photo,longitude,latitude"
        #expect(added.output == "\(header)\nsam:new,sam,28,\(SharingStore.now),true,151.21,-33.87\n", "\(added.errors)")
        try fixture.expectRefusal(add, "not-signed-in")
        try fixture.expectRefusal(add, as: "", "not-signed-in")
        try fixture.expectRefusal(["post", "add", "--photo", "none.png"], as: "sam", "input-not-found")
    }
}
