import Foundation
import HabitTestSupport
import Testing

/// Tests of rules H-05, H-06 and H-08: photo posts and their visibility.
@Suite(.engineIndependent) struct PostRuleTests {
    /// Only pat and the followers of pat see pat's posts.
    ///
    /// The share of a follow, which limits events, does not limit posts.
    static let visibility: [(user: String?, sees: Bool)] = [
        ("pat", true),
        ("lou", true),
        (nil, true),
        ("pen", false),
        ("rej", false),
        ("sam", false),
    ]

    private static let commands = [
        ["post", "list"], ["near", "38.7,-9.1", "--kind", "posts"],
        ["near", "38.7,-9.1", "--kind", "events,items,posts"],
        ["query", "SELECT * FROM posts"], ["post", "list", "--near", "38.7,-9.1", "--user", "pat"],
    ]

    @Test(arguments: commands) func listsContainOnlyVisiblePosts(command: [String]) async throws {
        let fixture = try await SharingStore()
        for (user, sees) in Self.visibility {
            let result = try await fixture.run(command + ["--format", "csv"], as: user)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("p-river") == sees, "\(user ?? "operator"): \(result.output)")
            #expect(!result.output.contains("p-gone"), "a deleted post is in no list")
        }
    }

    /// The errors for hidden and missing posts are equal.
    @Test(arguments: [
        ["show"], ["edit", "--caption", "mine"], ["delete", "--yes"], ["download", "--output", "x.png"],
    ])
    func hiddenPostCausesSameErrorAsMissingPost(action: [String]) async throws {
        let fixture = try await SharingStore()
        func command(_ id: String) -> [String] { ["post", action[0], id] + action.dropFirst() }
        for (user, sees) in Self.visibility where !sees {
            let never = try await fixture.expectRefusal(command("never"), as: user, "not-found").replacing(
                "never", with: "?")
            for id in ["p-river", "p-gone"] {
                let unseen = try await fixture.expectRefusal(command(id), as: user, "not-found").replacing(
                    id, with: "?")
                #expect(unseen == never)
            }
        }
        for (user, sees) in Self.visibility where sees {
            let errors = try await fixture.expectRefusal(
                command("p-gone"), as: user,
                user == nil && !["show", "download"].contains(action[0]) ? "not-signed-in" : "post-deleted")
            #expect(!errors.contains("Soon gone"))
        }
        try await fixture.expectRefusal(command("p-river"), as: "", "not-signed-in")
        #expect(fixture.files.isEmpty)
    }

    @Test func postIsChangedOnlyByAuthor() async throws {
        let fixture = try await SharingStore()
        for user in ["fay", "lou"] {
            try await fixture.expectRefusal("post", "edit", "p-river", "--caption", "mine", as: user, "not-yours")
            try await fixture.expectRefusal("post", "delete", "p-river", "--yes", as: user, "not-yours")
        }
        try await fixture.expectRefusal(["post", "edit", "p-river", "--caption", "mine"], "not-signed-in")
        try await fixture.expectRefusal("post", "delete", "p-river", as: "pat", "confirm-required")
        let edited = try await fixture.expectSuccess(
            "post", "edit", "p-river", "--caption", "", "--position", "none", "--format", "csv", as: "pat")
        #expect(edited.lines.last == "p-river,pat,,2026-11-06T08:00:00Z,true,,")
        try await fixture.expectRefusal("post", "edit", "p-river", "--photo", "none", as: "pat", "photo-invalid")
    }

    /// A post is visible only while the follow is accepted.
    @Test func visibilityOfPostFollowsFollowStatus() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("follow", "drop", "fay", as: "pat")
        try await fixture.expectRefusal("post", "show", "p-river", as: "fay", "not-found")
        try await fixture.expectRefusal("post", "show", "p-gone", as: "fay", "not-found")
        try await fixture.expectSuccess("follow", "accept", "pen", as: "pat")
        try await fixture.expectSuccess("post", "show", "p-river", as: "pen")
        try await fixture.expectRefusal("post", "show", "p-gone", as: "pen", "post-deleted")
        try await fixture.expectSuccess("follow", "remove", "pat", as: "pen")
        try await fixture.expectRefusal("post", "show", "p-river", as: "pen", "not-found")
    }

    /// H-05: a deleted post remains as a record without content.
    @Test(.fileStoreOnly) func deletedPostKeepsNoContent() async throws {
        let fixture = try await SharingStore()
        let photos = "print(db.execute('SELECT count(*) FROM photo').fetchone()[0])"
        let before = Int(try await fixture.runPython(photos).trimmingCharacters(in: .newlines)) ?? 0
        let deleted = try await fixture.expectSuccess(
            "post", "delete", "p-river", "--yes", "--format", "json", as: "pat")
        #expect(deleted.output == "{\"deleted\":\"p-river\"}\n")
        #expect(try await fixture.runPython(photos) == "\(before - 1)\n", "the photo is deleted")
        let row = "SELECT caption, photo_id, geometry, deleted_at FROM post WHERE external_id = 'p-river'"
        #expect(
            try await fixture.runPython("print(db.execute(\"\(row)\").fetchall())")
                == "[(None, None, None, 1795176000000000)]\n")
        let again = try await fixture.expectRefusal("post", "delete", "p-river", "--yes", as: "pat", "post-deleted")
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
    func captionIsLimitedInLength(text: String, slug: String?) async throws {
        let fixture = try await SharingStore()
        let add = ["post", "add", "--id", "pat:new", "--photo", SharingStore.photoPath("tram.png"), "--caption", text]
        let edit = ["post", "edit", "p-river", "--caption", text]
        for (command, id) in [(add, "pat:new"), (edit, "p-river")] {
            if let slug {
                let errors = try await fixture.expectRefusal(command, as: "pat", slug)
                #expect(errors.contains("201"))
                #expect(errors.contains("200"))
            } else {
                #expect(try await fixture.run(command, as: "pat").status == 0)
                let shown = try await fixture.run("post", "show", id, "--format", "csv", "--columns", "caption").output
                #expect(parseCSV(shown).last == [text.isEmpty ? nil : text])
            }
        }
    }

    @Test func operatorChangesCaptionLimit() async throws {
        let fixture = try await SharingStore()
        try await fixture.expectSuccess("setting", "set", "caption-limit", "2")
        try await fixture.expectRefusal("post", "edit", "p-river", "--caption", "abc", as: "pat", "caption-too-long")
        try await fixture.expectSuccess("post", "edit", "p-river", "--caption", "ab", as: "pat")
        try await fixture.expectSuccess("setting", "set", "caption-limit", "201")
        try await fixture.expectSuccess(
            "post", "edit", "p-river", "--caption", String(repeating: "c", count: 201), as: "pat")
        #expect(
            try await fixture.expectSuccess("setting", "get", "caption-limit", "--format", "csv").lines.last
                == "caption-limit,201,200")
        try await fixture.expectRefusal(["setting", "set", "caption-limit", "many"], "parameter-invalid")
        try await fixture.expectRefusal(["setting", "set", "caption-limits", "2"], "parameter-invalid")
    }

    @Test(
        arguments: [
            ([], "photo-invalid"), (["--photo", "text.png"], "photo-invalid"),
            (["--photo", "large.png"], "photo-too-large"),
            (["--photo", "fits.png"], nil),
        ] as [([String], String?)])
    func photoOfPostIsValidated(options: [String], slug: String?) async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write("no picture at all", to: "text.png")
        try fixture.folder.write(TestImage.png(byteCount: 65_535), to: "fits.png")
        try fixture.folder.write(TestImage.png(byteCount: 65_536), to: "large.png")
        if let slug {
            try await fixture.expectRefusal(["post", "add"] + options, as: "pat", slug)
            if !options.isEmpty {
                try await fixture.expectRefusal(["post", "edit", "p-river"] + options, as: "pat", slug)
            }
            let event = try await fixture.run(["event", "add", "--habit", "read"] + options, as: "pat")
            #expect(event.status == (options.isEmpty ? 0 : 65), "\(event.errors)")
        } else {
            for command in [["post", "add"], ["post", "edit", "p-river"], ["event", "add", "--habit", "read"]] {
                let result = try await fixture.run(command + options + ["--format", "json"], as: "pat")
                #expect(result.status == 0, "\(result.errors)")
                #expect(result.output.contains("\"has_photo\":true"))
            }
        }
    }

    /// EXIF data is removed unless the user keeps it, and always from the photo of an item (G-09).
    ///
    /// The position is stored only if requested.
    @Test(arguments: [["post", "add"], ["item", "post", "--name", "Lamp"]])
    func photosLoseEXIFUnlessKept(command: [String]) async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write(TestImage.located, to: "camera.jpg")
        let photo = command[0] == "post" ? ["post", "download"] : ["item", "photo"]
        for (id, options, place, keeps) in [
            ("plain", [], ",", false), ("placed", ["--position", "photo"], "-9.25,38.5", false),
            ("kept", ["--keep-exif"], ",", true),
        ] {
            let add = command + ["--id", "pat:\(id)", "--photo", "camera.jpg", "--format", "csv"] + options
            if keeps, command[0] == "item" {
                try await fixture.expectRefusal(add, as: "pat", "usage")
                continue
            }
            let added = try await fixture.expectSuccess(add, as: "pat")
            #expect(added.lines.last?.hasSuffix(",true,\(place)") == true, "\(added.output)")
            try await fixture.expectSuccess(photo + ["pat:\(id)", "--output", id], as: "pat")
            let stored = try #require(FileManager.default.contents(atPath: fixture.folder.file(id)))
            #expect(stored.contains(Data("Secret".utf8)) == keeps)
            #expect((stored == TestImage.located) == keeps)
        }
        let place = command + ["--photo", SharingStore.photoPath("tram.png"), "--position", "photo"]
        try await fixture.expectRefusal(place, as: "pat", "location-unavailable")
        let large = try fixture.folder.write(TestImage.png(byteCount: 65_536), to: "large.png")
        try await fixture.expectSuccess(command + ["--id", "pat:large", "--photo", large, "--shrink-photo"], as: "pat")
        try await fixture.expectSuccess(photo + ["pat:large", "--output", "small"], as: "pat")
        let small = try #require(FileManager.default.contents(atPath: fixture.folder.file("small")))
        #expect((100..<65_536).contains(small.count))
    }

    @Test func postIsAdded() async throws {
        let fixture = try await SharingStore()
        let add = ["post", "add", "--id", "sam:new", "--photo", SharingStore.photoPath("tram.png"), "--caption", "28"]
        let added = try await fixture.run(add + ["--position", "-33.87,151.21", "--format", "csv"], as: "sam")
        let header = "id,user,caption,posted_at,has_photo,longitude,latitude"
        #expect(added.output == "\(header)\nsam:new,sam,28,\(SharingStore.now),true,151.21,-33.87\n", "\(added.errors)")
        try await fixture.expectRefusal(add, "not-signed-in")
        try await fixture.expectRefusal(add, as: "", "not-signed-in")
        try await fixture.expectRefusal(["post", "add", "--photo", "none.png"], as: "sam", "input-not-found")
    }
}
