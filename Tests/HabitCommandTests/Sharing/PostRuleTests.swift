import Foundation
import HabitTestSupport
import Testing

/// Tests of rules H-05, H-06 and H-08: photo posts and their visibility.
@Suite struct PostRuleTests {
    /// Only pat and the followers of pat see pat's posts.
    ///
    /// The share of a follow, which limits events, does not limit posts.
    static let sees: [(user: String?, sees: Bool)] = [
        ("pat", true), ("lou", true), (nil, true), ("pen", false), ("rej", false), ("sam", false),
    ]

    private static let commands = [
        ["post", "list"], ["near", "38.7,-9.1", "--kind", "posts"],
        ["near", "38.7,-9.1", "--kind", "events,items,posts"],
        ["query", "SELECT * FROM posts"], ["post", "list", "--near", "38.7,-9.1", "--user", "pat"],
    ]

    @Test(arguments: commands) func listsContainOnlyVisiblePosts(command: [String]) throws {
        let world = try SharingWorld()
        for (user, sees) in Self.sees {
            let result = try world.run(command + ["--format", "csv"], as: user)
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
        let world = try SharingWorld()
        func command(_ id: String) -> [String] { ["post", action[0], id] + action.dropFirst() }
        for (user, sees) in Self.sees where !sees {
            let never = try world.refused(command("never"), as: user, "not-found").replacing("never", with: "?")
            for id in ["p-river", "p-gone"] {
                let unseen = try world.refused(command(id), as: user, "not-found").replacing(id, with: "?")
                #expect(unseen == never)
            }
        }
        for (user, sees) in Self.sees where sees {
            let errors = try world.refused(
                command("p-gone"), as: user,
                user == nil && !["show", "download"].contains(action[0]) ? "not-signed-in" : "post-deleted")
            #expect(!errors.contains("Soon gone"))
        }
        try world.refused(command("p-river"), as: "", "not-signed-in")
        #expect(world.files.isEmpty)
    }

    @Test func postIsChangedOnlyByAuthor() throws {
        let world = try SharingWorld()
        for user in ["fay", "lou"] {
            try world.refused("post", "edit", "p-river", "--caption", "mine", as: user, "not-yours")
            try world.refused("post", "delete", "p-river", "--yes", as: user, "not-yours")
        }
        try world.refused(["post", "edit", "p-river", "--caption", "mine"], "not-signed-in")
        try world.refused("post", "delete", "p-river", as: "pat", "confirm-required")
        let edited = try world.done(
            "post", "edit", "p-river", "--caption", "", "--position", "none", "--format", "csv", as: "pat")
        #expect(edited.lines.last == "p-river,pat,,2026-11-06T08:00:00Z,true,,")
        try world.refused("post", "edit", "p-river", "--photo", "none", as: "pat", "photo-invalid")
    }

    /// A post is visible only while the follow is accepted.
    @Test func visibilityOfPostFollowsFollowStatus() throws {
        let world = try SharingWorld()
        try world.done("follow", "drop", "fay", as: "pat")
        try world.refused("post", "show", "p-river", as: "fay", "not-found")
        try world.refused("post", "show", "p-gone", as: "fay", "not-found")
        try world.done("follow", "accept", "pen", as: "pat")
        try world.done("post", "show", "p-river", as: "pen")
        try world.refused("post", "show", "p-gone", as: "pen", "post-deleted")
        try world.done("follow", "remove", "pat", as: "pen")
        try world.refused("post", "show", "p-river", as: "pen", "not-found")
    }

    /// H-05: a deleted post remains as a record without content.
    @Test(.onFilesAlone) func deletedPostKeepsNoContent() throws {
        let world = try SharingWorld()
        let photos = "print(db.execute('SELECT count(*) FROM photo').fetchone()[0])"
        let before = Int(try world.python(photos).trimmingCharacters(in: .newlines)) ?? 0
        let deleted = try world.done("post", "delete", "p-river", "--yes", "--format", "json", as: "pat")
        #expect(deleted.output == "{\"deleted\":\"p-river\"}\n")
        #expect(try world.python(photos) == "\(before - 1)\n", "the photo is gone with it")
        let row = "SELECT caption, photo_id, geometry, deleted_at FROM post WHERE external_id = 'p-river'"
        #expect(
            try world.python("print(db.execute(\"\(row)\").fetchall())")
                == "[(None, None, None, 1795176000000000)]\n")
        let again = try world.refused("post", "delete", "p-river", "--yes", as: "pat", "post-deleted")
        #expect(again.contains("deleted"))
    }

    // MARK: H-08

    @Test(
        arguments: [
            (String(repeating: "c", count: 200), nil), (String(repeating: "c", count: 201), "caption-too-long"),
            (String(repeating: ItemRuleTests.family, count: 200), nil),
            (String(repeating: ItemRuleTests.family, count: 201), "caption-too-long"), ("", nil), ("  ", nil),
            ("\"; DROP TABLE post; --", nil),
        ] as [(String, String?)])
    func captionIsLimitedInLength(text: String, slug: String?) throws {
        let world = try SharingWorld()
        let add = ["post", "add", "--id", "pat:new", "--photo", SharingWorld.picture("tram.png"), "--caption", text]
        let edit = ["post", "edit", "p-river", "--caption", text]
        for (command, id) in [(add, "pat:new"), (edit, "p-river")] {
            if let slug {
                let errors = try world.refused(command, as: "pat", slug)
                #expect(errors.contains("201") && errors.contains("200"))
            } else {
                #expect(try world.run(command, as: "pat").status == 0)
                let shown = try world.run("post", "show", id, "--format", "csv", "--columns", "caption").output
                #expect(parseCSV(shown).last == [text.isEmpty ? nil : text])
            }
        }
    }

    @Test func operatorChangesCaptionLimit() throws {
        let world = try SharingWorld()
        try world.done("setting", "set", "caption-limit", "2")
        try world.refused("post", "edit", "p-river", "--caption", "abc", as: "pat", "caption-too-long")
        try world.done("post", "edit", "p-river", "--caption", "ab", as: "pat")
        try world.done("setting", "set", "caption-limit", "201")
        try world.done("post", "edit", "p-river", "--caption", String(repeating: "c", count: 201), as: "pat")
        #expect(
            try world.done("setting", "get", "caption-limit", "--format", "csv").lines.last == "caption-limit,201,200")
        try world.refused(["setting", "set", "caption-limit", "many"], "parameter-invalid")
        try world.refused(["setting", "set", "caption-limits", "2"], "parameter-invalid")
    }

    @Test(
        arguments: [
            ([], "photo-invalid"), (["--photo", "text.png"], "photo-invalid"),
            (["--photo", "large.png"], "photo-too-large"),
            (["--photo", "fits.png"], nil),
        ] as [([String], String?)])
    func photoOfPostIsValidated(options: [String], slug: String?) throws {
        let world = try SharingWorld()
        try world.folder.write("no picture at all", to: "text.png")
        try world.folder.write(TestPicture.png(byteCount: 65_535), to: "fits.png")
        try world.folder.write(TestPicture.png(byteCount: 65_536), to: "large.png")
        if let slug {
            try world.refused(["post", "add"] + options, as: "pat", slug)
            if !options.isEmpty { try world.refused(["post", "edit", "p-river"] + options, as: "pat", slug) }
            let event = try world.run(["event", "add", "--habit", "read"] + options, as: "pat")
            #expect(event.status == (options.isEmpty ? 0 : 65), "\(event.errors)")
        } else {
            for command in [["post", "add"], ["post", "edit", "p-river"], ["event", "add", "--habit", "read"]] {
                let result = try world.run(command + options + ["--format", "json"], as: "pat")
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains("\"has_photo\":true"))
            }
        }
    }

    /// EXIF data is removed unless the user keeps it.
    ///
    /// The position is stored only if requested.
    @Test(arguments: [["post", "add"], ["item", "post", "--name", "Lamp"]])
    func photosLoseEXIFUnlessKept(command: [String]) throws {
        let world = try SharingWorld()
        try world.folder.write(TestPicture.located, to: "camera.jpg")
        let photo = command[0] == "post" ? ["post", "download"] : ["item", "photo"]
        for (id, options, place, keeps) in [
            ("plain", [], ",", false), ("placed", ["--position", "photo"], "-9.25,38.5", false),
            ("kept", ["--keep-exif"], ",", true),
        ] {
            let add = command + ["--id", "pat:\(id)", "--photo", "camera.jpg", "--format", "csv"] + options
            let added = try world.done(add, as: "pat")
            #expect(added.lines.last?.hasSuffix(",true,\(place)") == true, "\(added.output)")
            try world.done(photo + ["pat:\(id)", "--output", id], as: "pat")
            let stored = try #require(FileManager.default.contents(atPath: world.folder.file(id)))
            #expect(stored.contains(Data("Secret".utf8)) == keeps)
            #expect((stored == TestPicture.located) == keeps)
        }
        let place = command + ["--photo", SharingWorld.picture("tram.png"), "--position", "photo"]
        try world.refused(place, as: "pat", "location-unavailable")
        let large = try world.folder.write(TestPicture.png(byteCount: 65_536), to: "large.png")
        try world.done(command + ["--id", "pat:large", "--photo", large, "--shrink-photo"], as: "pat")
        try world.done(photo + ["pat:large", "--output", "small"], as: "pat")
        let small = try #require(FileManager.default.contents(atPath: world.folder.file("small")))
        #expect((100..<65_536).contains(small.count))
    }

    @Test func postIsAdded() throws {
        let world = try SharingWorld()
        let add = ["post", "add", "--id", "sam:new", "--photo", SharingWorld.picture("tram.png"), "--caption", "28"]
        let added = try world.run(add + ["--position", "-33.87,151.21", "--format", "csv"], as: "sam")
        let header = "id,user,caption,posted_at,has_photo,longitude,latitude"
        #expect(added.output == "\(header)\nsam:new,sam,28,\(SharingWorld.now),true,151.21,-33.87\n", "\(added.errors)")
        try world.refused(add, "not-signed-in")
        try world.refused(add, as: "", "not-signed-in")
        try world.refused(["post", "add", "--photo", "none.png"], as: "sam", "input-not-found")
    }
}
