import Foundation
import HabitTestSupport
import Testing

/// Tests of rules S-01 to S-06 for items, messages and posts.
@Suite struct SafetyRuleTests {
    // MARK: S-01

    /// A write on a full disk fails and leaves the store unchanged.
    @Test(.fileStoreOnly, .enabled(if: Privileges.canMount)) func writeFailsWithNoSpaceAndKeepsStoreWhenDiskIsFull()
        async throws
    {
        let fixture = try await SharingStore()
        let disk = fixture.folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try #require(Privileges.mount(disk, size: "8m"))
        defer { Privileges.unmount(disk) }
        try FileManager.default.copyItem(atPath: fixture.folder.file("habitat.db"), toPath: disk + "/habitat.db")
        let store = ["--store", "disk/habitat.db"]
        let large = try fixture.folder.write(TestImage.png(byteCount: 65_535), to: "large.png")
        let before = FileManager.default.contents(atPath: disk + "/habitat.db")
        // The log of a small change fits, but the photo does not.
        let free = 48 * 1024
        let used = (before?.count ?? 0) + free
        try fixture.folder.write(Data(count: 8 * 1024 * 1024 - used), to: "disk/filler")
        let add = ["post", "add", "--id", "pat:new", "--photo", large] + store
        let result = try await fixture.run(add, as: "pat")
        #expect(result.status == 73, "\(result.errors)")
        #expect(result.errors.hasPrefix("error[no-space]: "), "\(result.errors)")
        unlink(disk + "/filler")
        #expect(FileManager.default.contents(atPath: disk + "/habitat.db") == before)
        #expect(try await fixture.run(["post", "show", "pat:new"] + store, as: "pat").status == 66)
        #expect(try await fixture.run(add, as: "pat").status == 0, "the command succeeds after space is freed")
    }

    /// A change with exit status 0 is kept when the next process is killed.
    @Test(.fileStoreOnly) func committedChangesSurviveKilledProcess() async throws {
        let fixture = try await SharingStore()
        let scratch = try TemporaryFolder()
        for day in 1...5 {
            try await fixture.expectSuccess("event", "add", "--habit", "read", "--day", "2026-11-0\(day)", as: "pat")
            let skip = ["event", "skip", "--habit", "read", "--day", "2026-10-0\(day)", "--as", "pat"]
            let process = try Program.start(Program.habitat, skip, in: fixture.folder.path, scratch: scratch)
            try await Task.sleep(for: .seconds(0.02 + Double(day) * 0.01))
            process.send(SIGKILL)
            await process.end()
            #expect(
                try await fixture.rows("SELECT count(*) FROM events WHERE day <= '2026-11-09' AND outcome = 'done'")
                    == [
                        "\(day)"
                    ])
        }
        let check =
            "print(db.execute('PRAGMA integrity_check').fetchall(), db.execute('PRAGMA foreign_key_check').fetchall())"
        #expect(try await fixture.runPython(check) == "[('ok',)] []\n")
    }

    // MARK: S-02

    /// Only the owner can read the store and its temporary files, with any umask.
    ///
    /// A load has some of the files for a short time, and the server has them until it ends.
    @Test(.fileStoreOnly) func storeFilesAreReadableOnlyByOwner() async throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let users = (0..<40_000).map { "u\($0)\n" }.joined()
        try folder.write("id\n" + users, to: "users.csv")
        let program = "'\(Program.habitat)'"
        let script = "umask 0; \(program) ingest users.csv && touch loaded && exec \(program) serve --port 0 --quiet"
        let process = try Program.start("/bin/sh", ["-c", script], in: folder.path, scratch: scratch)
        defer { process.terminate() }
        var seen: [String: Set<mode_t>] = [:]
        func look() {
            for name in ["habitat.db", "habitat.db-wal", "habitat.db-shm"] {
                var status = stat()
                if lstat(folder.file(name), &status) == 0 { seen[name, default: []].insert(status.st_mode & 0o777) }
            }
        }
        repeat { look() } while process.isRunning && access(folder.file("loaded"), F_OK) != 0
        try await waitUntil("the server has opened the store") {
            look()
            return seen.count == 3 || !process.isRunning
        }
        let errors = try scratch.read("stderr")
        #expect(folder.names.contains("loaded"), "\(errors)")
        #expect(seen == ["habitat.db": [0o600], "habitat.db-wal": [0o600], "habitat.db-shm": [0o600]])
    }

    @Test(arguments: [
        ("022", "", 0o600), ("000", "", 0o600), ("022", " --share-output", 0o644), ("027", " --share-output", 0o640),
        ("077", " --share-output", 0o600),
    ])
    func outputIsReadableOnlyByOwnerUnlessShared(umask: String, option: String, mode: Int) async throws {
        let fixture = try await SharingStore()
        for command in [
            "post download p-river --output x.png", "item list --output x.csv", "history --output x.geojson",
        ] {
            let script = "umask \(umask); exec '\(Program.habitat)' \(command + option) --as pat"
            let result = try await Program.run("/bin/sh", ["-c", script], in: fixture.folder.path)
            #expect(result.status == 0, "\(result.errors)")
            let name = String(command.split(separator: " ").last ?? "")
            let stored = try FileManager.default.attributesOfItem(atPath: fixture.folder.file(name))[.posixPermissions]
            #expect(stored as? Int == mode, "\(name)")
        }
    }

    @Test(arguments: [
        ("022", "", 0o700), ("0177", "", 0o700), ("0117", "", 0o700), ("0777", "", 0o700),
        ("022", " --share-output", 0o755), ("027", " --share-output", 0o750),
    ])
    func foldersAndRejectedRowsAreReadableOnlyByOwnerUnlessShared(umask: String, option: String, mode: Int) async throws
    {
        let fixture = try await SharingStore()
        try fixture.folder.write("id,name\n,x\n", to: "users.csv")
        for command in [
            "export out", "nightly --output nights --date 2026-11-19", "ingest users.csv --rejects bad.csv",
        ] {
            let script = "umask \(umask); exec '\(Program.habitat)' \(command + option) --operator --quiet"
            let result = try await Program.run("/bin/sh", ["-c", script], in: fixture.folder.path)
            #expect(result.status == 0 || command.hasPrefix("ingest"), "\(command): \(result.errors)")
        }
        for (name, isFolder) in [
            ("out", true), ("out/photos", true), ("out/users.csv", false), ("nights", true),
            ("nights/2026-11-19", true),
            ("nights/2026-11-19/summary.txt", false), ("nights/.lock", false), ("bad.csv", false),
        ] {
            let stored = try FileManager.default.attributesOfItem(atPath: fixture.folder.file(name))[.posixPermissions]
            #expect(stored as? Int == (isFolder ? mode : mode & 0o666), "\(name)")
        }
    }

    /// A umask can remove the permissions of the owner from a new store.
    @Test(.fileStoreOnly, arguments: ["0177", "0277", "0777"])
    func newStoreIsUsableUnderEveryUmask(umask: String) async throws {
        let folder = try TemporaryFolder()
        let script = "umask \(umask); exec '\(Program.habitat)' init"
        #expect(try await Program.run("/bin/sh", ["-c", script], in: folder.path).status == 0)
        let stored = try FileManager.default.attributesOfItem(atPath: folder.file("habitat.db"))[.posixPermissions]
        #expect(stored as? Int == 0o600)
    }

    @Test func tokenFileCannotBeShared() async throws {
        let fixture = try await SharingStore()
        let create = ["token", "create", "--user", "pat", "--operator", "--output", "token.csv"]
        let refused = try await Program.habitat(create + ["--share-output"], in: fixture.folder)
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.errors.contains("share-output"), "\(refused)")
        #expect(try await Program.habitat(create, in: fixture.folder).status == 0)
        let stored = try FileManager.default.attributesOfItem(atPath: fixture.folder.file("token.csv"))[
            .posixPermissions]
        #expect(stored as? Int == 0o600)
    }

    // MARK: S-03

    /// No argument crashes the program.
    ///
    /// An invalid argument is refused with an error.
    @Test(arguments: [
        "item list --limit -1", "item list --limit 99999999999999999999", "item list --within 1e999km --near 0,0",
        "item list --near nan,nan", "item list --near 91,0", "item list --near 1,2,3", "item list --bbox 1,2,3",
        "item list --bbox nan,nan,nan,nan", "item list --state ,", "item list --state=", "message list --limit 0",
        "post list --near inf,0", "inbox --limit -9223372036854775808", "item list --today 2026-02-30",
        "item list --now 9999-99-99T99:99:99Z", "item list --wait -1s", "item list --wait 1e400s",
        "item list --wait nan", "item list --wait 5",
        "item list --wait 99999999999999999999s", "item list --width 0",
        "setting set message-limit 9999999999999999999999",
        "item edit i-available --expires 0000-00-00", "item edit i-available --expires 99999-01-01",
        "item edit i-available --position 1e308,1e308", "item show", "item show a b", "post download",
        "item frob",
        "item photo i-given --output - --format pdf", "event add --habit read --at x", "message send", "--wait",
        "item list --wait .",
    ])
    func invalidArgumentIsRefusedWithoutCrash(words: String) async throws {
        let fixture = try await SharingStore()
        let user = words.hasPrefix("setting") ? nil : "pat"
        let before = fixture.storeState
        let result = try await fixture.run(words.split(separator: " ").map(String.init), as: user)
        #expect(!result.signalled, "\(result.status): \(result.errors)")
        #expect([64, 65].contains(result.status), "\(result.status): \(result.errors)")
        #expect(result.errors.hasPrefix("error["), "\(result.errors)")
        #expect(result.output.isEmpty, "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(fixture.storeState == before)
    }

    // MARK: S-04

    @Test(arguments: ["%", "_at", "' OR 1=1 --", "PAT"])
    func specialCharactersAreNotInterpreted(text: String) async throws {
        let fixture = try await SharingStore()
        for command in [
            ["item", "list", "--state", "all", "--user", text], ["post", "list", "--user", text],
            ["message", "list", "--user", text], ["item", "show", text], ["post", "show", text],
            ["follow", "request", text],
            ["message", "send", "--item", "i-claimed", "--to", text, "--text", "x"], ["history", "--user", text],
        ] {
            try await fixture.expectRefusal(command, as: "cleo", "not-found")
        }
        try await fixture.expectRefusal(["item", "list"], as: text, "not-signed-in")
        try await fixture.expectRefusal("item", "list", "--state", text, as: "cleo", "parameter-invalid")
        try await fixture.expectRefusal("item", "list", "--columns", text, as: "cleo", "parameter-invalid")
    }

    // MARK: S-06

    /// Errors contain nothing about other users or SQL.
    @Test func errorsRevealNothingAboutOtherUsersOrSQL() async throws {
        let fixture = try await SharingStore()
        let commands: [([String], String, String)] = [
            (["item", "claim", "i-claimed"], "sam", "item-already-claimed"),
            (["item", "claim", "i-given"], "sam", "item-unavailable"),
            (["item", "give", "i-claimed"], "sam", "not-yours"), (["item", "release", "i-given"], "rex", "not-yours"),
            (["message", "send", "--item", "i-claimed", "--text", "x"], "sam", "message-not-permitted"),
            (["post", "show", "p-river"], "sam", "not-found"), (["post", "show", "p-gone"], "fay", "post-deleted"),
            (["post", "edit", "p-river", "--caption", "x"], "fay", "not-yours"),
            (["event", "photo", "e-old", "--output", "x.png"], "lou", "not-found"),
        ]
        for (command, user, slug) in commands {
            let errors = try await fixture.expectRefusal(command, as: user, slug)
            for secret in ["pat", "cleo", "example.org", "SELECT", "river", "Lamp", "Chair", "38.7", "2026-11"] {
                let shown = command.reduce(errors) { text, word in text.replacing(word, with: "?") }
                #expect(!shown.contains(secret), "\(secret) in \(errors)")
            }
        }
    }

    /// The error of a store with a changed schema contains no SQL.
    @Test(
        .fileStoreOnly,
        arguments: ["DROP TABLE claim", "DROP TABLE setting", "ALTER TABLE item RENAME COLUMN name TO label"])
    func errorOfDamagedStoreContainsNoSQL(damage: String) async throws {
        let fixture = try await SharingStore()
        try await fixture.runPython("db.execute('PRAGMA foreign_keys = OFF')\ndb.execute('\(damage)')")
        for (command, user) in [(["item", "list"], "sam"), (["item", "claim", "i-available"], "sam")] {
            let result = try await fixture.run(command, as: user)
            #expect(!result.signalled)
            let words = ["SELECT", "SQLite", "no such", "claim.", "item."].filter { result.errors.contains($0) }
            #expect(words.isEmpty, "\(result.errors)")
        }
        let result = try await fixture.run(
            "message", "send", "--item", "i-claimed", "--text", "secret words", as: "cleo")
        #expect(!result.errors.contains("secret words"), "\(result.errors)")
        #expect(!result.errors.contains("INSERT"), "\(result.errors)")
    }
}
