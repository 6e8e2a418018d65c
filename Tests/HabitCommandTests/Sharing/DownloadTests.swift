import Foundation
import HabitTestSupport
import Testing

/// Tests of rules H-01, H-03 and H-05 to H-07: downloading photos.
@Suite(.engineIndependent) struct DownloadTests {
    /// One permitted download of each kind, with the user and the expected photo.
    static let downloads: [(command: [String], user: String?, photo: String)] = [
        (["post", "download", "p-river"], "fay", "river.png"), (["item", "photo", "i-claimed"], "sam", "chair.png"),
        (["event", "photo", "e-new"], "lou", "tram.png"),
    ]
    static let post = ["post", "download", "p-river", "--output"]

    static func photo(_ name: String) -> Data? {
        FileManager.default.contents(atPath: SharingStore.photoPath(name))
    }

    // MARK: H-01

    @Test(arguments: downloads.indices) func downloadWritesPhotoToFileAndStandardOutput(index: Int) async throws {
        let command = Self.downloads[index].command
        let user = Self.downloads[index].user
        let fixture = try await SharingStore()
        let bytes = try #require(Self.photo(Self.downloads[index].photo))
        let text = try await fixture.run(command + ["--output", "a.png"], as: user)
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("a.png"), "the command prints path and size")
        #expect(text.output.contains(/\d k?B\n/), "the command prints path and size")
        let json = try await fixture.run(command + ["--output", "b.png", "--format", "json"], as: user)
        #expect(json.output == "{\"path\":\"b.png\",\"bytes\":\(bytes.count)}\n")
        let csv = try await fixture.run(command + ["--output", "c.png", "--format", "csv"], as: user)
        #expect(csv.output == "path,bytes\nc.png,\(bytes.count)\n")
        for name in ["a.png", "b.png", "c.png"] {
            #expect(FileManager.default.contents(atPath: fixture.folder.file(name)) == bytes)
        }
        #expect(fixture.files == ["a.png", "b.png", "c.png"])
        let piped = try await fixture.run(command + ["--output", "-", "--format", "json"], as: user)
        #expect(piped.output == String(decoding: bytes, as: UTF8.self), "standard output contains only the photo")
        #expect(piped.errors.isEmpty)
    }

    /// The file name in a folder is derived from any id and never leaves the folder.
    @Test func downloadToFolderDerivesNameFromID() async throws {
        let fixture = try await SharingStore()
        let long = String(repeating: ItemRuleTests.familyEmoji, count: 63)
        let ids = [
            "a/b", "..", ".", "../../up", "-", "x.png", "🦊", long + "1", long + "2",
            "C:\\x", "a b'\"$&", "%2e", "café",
        ]
        try FileManager.default.createDirectory(atPath: fixture.folder.file("out"), withIntermediateDirectories: false)
        // Only loads by the operator may contain ids of any form.
        let photo = try #require(Self.photo("lamp.png")).base64EncodedString()
        let records = try ids.map { id in
            try JSONSerialization.data(withJSONObject: ["id": id, "user": "sam", "photo": photo])
        }
        let loaded = try await Program.habitat(
            ["ingest", "-", "--kind", "posts", "--from", "ndjson", "--quiet"], in: fixture.folder,
            input: Data(records.joined(separator: Data("\n".utf8))))
        #expect(loaded.status == 0, "\(loaded)")
        var paths: Set<String> = []
        for id in ids {
            for output in paths.count % 2 == 0 ? ["out"] : ["out/"] {
                let result = try await fixture.expectSuccess(
                    "post", "download", "--output", output, "--format", "json", "--", id, as: "sam")
                guard result.status == 0 else { continue }
                let summary = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
                let path = try #require(summary?["path"] as? String)
                #expect(path.hasPrefix("out/"))
                #expect(path.hasSuffix(".png"))
                #expect(path.dropFirst(4).firstIndex(of: "/") == nil)
                #expect(path.utf8.count < 256)
                #expect(FileManager.default.contents(atPath: fixture.folder.file(path)) == Self.photo("lamp.png"))
                #expect(paths.insert(path).inserted, "two ids have the same file name: \(path)")
            }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("out"))
        #expect(Set(names.map { "out/\($0)" }) == paths, "the folder has no other files")
        #expect(fixture.files == ["out"])
    }

    // MARK: H-03

    @Test func downloadKeepsExistingFileUnlessForced() async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write("mine", to: "river.png")
        try fixture.folder.write("mine", to: "out/p-river.png")
        for output in ["river.png", "out", "out/p-river.png"] {
            let errors = try await fixture.expectRefusal(Self.post + [output], as: "pat", "output-exists")
            #expect(errors.contains("--force"))
        }
        #expect(try fixture.folder.read("river.png") == "mine")
        #expect(try fixture.folder.read("out/p-river.png") == "mine")
        for (output, name) in [("river.png", "river.png"), ("out", "out/p-river.png")] {
            #expect(try await fixture.run(Self.post + [output, "--force"], as: "pat").status == 0)
            #expect(FileManager.default.contents(atPath: fixture.folder.file(name)) == Self.photo("river.png"))
        }
    }

    @Test(.fileStoreOnly) func downloadNeverOverwritesStore() async throws {
        let fixture = try await SharingStore()
        for output in ["habitat.db", "./habitat.db", "habitat.db-wal"] {
            try await fixture.expectRefusal(Self.post + [output, "--force"], as: "pat", "output-exists")
        }
    }

    @Test(arguments: ["missing/x.png", "missing/", "", "file/x.png", "dangling.png"])
    func downloadIsRefusedWhenOutputCannotBeCreated(output: String) async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write("a file", to: "file")
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.file("dangling.png"), withDestinationPath: "missing/x.png")
        let files = fixture.files
        let errors = try await fixture.expectRefusal(Self.post + [output], as: "pat", "output-not-writable")
        #expect(output.isEmpty || errors.contains(output.hasPrefix("dangling") ? output : String(output.prefix(4))))
        #expect(fixture.files == files)
    }

    @Test(.fileStoreOnly) func downloadIsRefusedWhenFolderIsNotWritable() async throws {
        let fixture = try await SharingStore()
        let program = try fixture.folder.write(
            try Data(contentsOf: URL(fileURLWithPath: Program.habitat)), to: "habitat")
        try FileManager.default.createDirectory(
            atPath: fixture.folder.file("closed"), withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o555])
        for (name, mode) in [("habitat.db", 0o666), ("habitat", 0o755), (".", 0o777)] {
            chmod(fixture.folder.file(name), mode_t(mode))
        }
        for output in ["closed", "closed/x.png"] {
            let result = try await Privileges.runAsNobody(
                program, Self.post + [output, "--as", "pat"], in: fixture.folder.path)
            #expect(result.status == 73, "\(result.errors)")
            #expect(result.errors.hasPrefix("error[output-not-writable]: "))
            #expect(
                result.errors.contains("closed"),
                "the error names the folder and the reason")
            #expect(
                result.errors.contains("not writable"),
                "the error names the folder and the reason")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("closed")).isEmpty)
    }

    /// The command checks first the permission, then the output, then the photo.
    @Test(.fileStoreOnly) func downloadChecksPermissionBeforeOutputAndPhoto() async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write("mine", to: "x.png")
        let outputs = [("missing/x.png", "output-not-writable"), ("x.png", "output-exists")]
        try await fixture.runPython("db.execute('UPDATE photo SET bytes = zeroblob(length(bytes))')")
        for (output, slug) in outputs {
            try await fixture.expectRefusal(Self.post + [output], as: "sam", "not-found")
            try await fixture.expectRefusal(
                ["post", "download", "p-gone", "--output", output], as: "fay", "post-deleted")
            try await fixture.expectRefusal(["event", "photo", "e-old", "--output", output], as: "lou", "not-found")
            try await fixture.expectRefusal(["item", "photo", "i-given", "--output", output], as: "", "not-signed-in")
            for (command, user, _) in Self.downloads {
                try await fixture.expectRefusal(command + ["--output", output], as: user, slug)
            }
        }
    }

    // MARK: H-07

    /// The benchmarks measure the time of H-07 with 100,000 posts.
    @Test func postAmongManyIsDownloaded() async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        let result = try await Program.habitat(
            Self.downloads[0].command.dropLast() + ["post-0131", "--store", store, "--output", "x.png"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(folder.names == ["x.png"])
    }

    // MARK: H-05, H-06

    private static let allUsers: [String?] = ["pat", "fay", "lou", "rej", "sam", nil]

    @Test(
        arguments: [
            (["event", "photo", "e-old"], ["pat", "fay", nil]),
            (["event", "photo", "e-new"], ["pat", "fay", "lou", nil]),
            (["event", "photo", "e-bare"], []),
            (["event", "photo", "never"], []),
            (["item", "photo", "never"], []),
            (["item", "photo", "i-withdrawn"], allUsers),
            (["post", "download", "never"], []),
            (["post", "download", "p-river"], ["pat", "fay", "lou", nil]),
        ] as [([String], [String?])])
    func downloadIsRefusedForUsersWithoutAccess(command: [String], permitted: [String?]) async throws {
        let fixture = try await SharingStore()
        for user in Self.allUsers {
            if permitted.contains(user) {
                #expect(
                    try await fixture.run(command + ["--output", "\(user ?? "operator").png"], as: user).status == 0)
            } else {
                let errors = try await fixture.expectRefusal(command + ["--output", "x.png"], as: user, "not-found")
                // A user with access to the event learns that it has no photo. Other users do not learn that the event
                // exists.
                if user == "sam" {
                    let never = try await fixture.expectRefusal(
                        [command[0], command[1], "nothing", "--output", "x.png"], as: user, "not-found")
                    #expect(errors.replacing(command[2], with: "?") == never.replacing("nothing", with: "?"))
                }
            }
        }
        try await fixture.expectRefusal(command + ["--output", "x.png"], as: "", "not-signed-in")
        #expect(fixture.files.count == permitted.count)
    }
}
