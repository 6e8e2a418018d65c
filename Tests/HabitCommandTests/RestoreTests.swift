import Foundation
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests that a restore replaces the complete store, keeps the old store, and changes nothing if it fails.
@Suite(.fileStoreOnly) struct RestoreTests {
    private static let now = "2026-11-21T09:00:00.5Z"
    private static let oldName = "habitat.db.before-restore-20261121T090000Z"

    /// Creates a folder with a store, and a backup of an earlier state of it.
    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: try await SampleData.folder().file("habitat.db"), toPath: folder.file("habitat.db"))
        #expect(try await Program.habitat("backup", "backup.db", "--quiet", in: folder).status == 0)
        #expect(try await change(folder).status == 0)
        return folder
    }

    /// Changes the store after the backup.
    @discardableResult
    private static func change(_ folder: TemporaryFolder) async throws -> ProgramResult {
        try await Program.habitat("setting", "set", "message-limit", "77", "--quiet", in: folder)
    }

    private static func restore(_ arguments: String..., in folder: TemporaryFolder) async throws -> ProgramResult {
        try await Program.habitat(["restore"] + arguments + ["--now", now, "--wait", "200ms"], in: folder)
    }

    private static func limit(_ store: String, in folder: TemporaryFolder) async throws -> String? {
        try await Program.habitat(
            "setting", "get", "message-limit", "--store", store, "--format", "csv", "--columns", "value", in: folder
        ).lines.last
    }

    @Test func backupReplacesStoreAndOldStoreRemains() async throws {
        let folder = try await Self.folder()
        let backup = folder.contents("backup.db")
        let result = try await Self.restore("backup.db", "--format", "csv", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let size = try #require(folder.contents("habitat.db")).count
        #expect(
            parseCSV(result.output) == [["path", "bytes", "old_store"], ["habitat.db", "\(size)", "\(Self.oldName)"]])
        #expect(folder.names.sorted() == ["backup.db", "habitat.db", Self.oldName].sorted(), "\(folder.names)")
        #expect(try await Self.limit("habitat.db", in: folder) == "2000")
        #expect(try await Self.limit(Self.oldName, in: folder) == "77")
        for store in ["habitat.db", Self.oldName] {
            #expect(try await Program.habitat("doctor", "--store", store, in: folder).status == 0)
        }
        #expect(try await RawStore.records(folder.file("habitat.db")) == RawStore.records(folder.file("backup.db")))
        #expect(folder.contents("backup.db") == backup)
        // The store accepts changes.
        #expect(try await Self.change(folder).status == 0)
        #expect(try await Self.limit("habitat.db", in: folder) == "77")
    }

    @Test func restoredStoreIsPrivateAndBelongsToOwnerOfOldStore() async throws {
        let folder = try await Self.folder()
        chmod(folder.file("habitat.db"), 0o644)
        let isRoot = geteuid() == 0
        if isRoot { #expect(chown(folder.file("habitat.db"), 12_345, 23_456) == 0) }
        #expect(try await Self.restore("backup.db", in: folder).status == 0)
        #expect(try folder.permissions("habitat.db") == 0o600)
        var status = stat()
        #expect(stat(folder.file("habitat.db"), &status) == 0)
        if isRoot {
            #expect(status.st_uid == 12_345)
            #expect(status.st_gid == 23_456)
        }
    }

    @Test func secondRestoreAtSameTimeKeepsBothOldStores() async throws {
        let folder = try await Self.folder()
        #expect(try await Self.restore("backup.db", in: folder).status == 0)
        let second = try await Self.restore(Self.oldName, "--columns", "old_store", "--format", "csv", in: folder)
        #expect(second.lines == ["old_store", "\(Self.oldName)-2"], "\(second)")
        #expect(try await Self.limit("habitat.db", in: folder) == "77")
    }

    @Test func missingStoreIsCreated() async throws {
        let folder = try await Self.folder()
        let result = try await Self.restore(
            "backup.db", "--store", "new.db", "--format", "csv", "--columns", "old_store", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.lines == ["old_store"], "\(result)")
        #expect(try folder.permissions("new.db") == 0o600)
        #expect(try await Self.limit("new.db", in: folder) == "2000")
        // SQLite would add this journal to the new store.
        try folder.write("stale", to: "other.db-journal")
        let refused = try await Self.restore("backup.db", "--store", "other.db", in: folder)
        #expect(refused.status == 73, "\(refused)")
        #expect(refused.errors.contains("other.db-journal"), "\(refused)")
        #expect(!folder.names.contains("other.db"))
    }

    @Test func targetOfSymbolicLinkIsReplaced() async throws {
        let folder = try await Self.folder()
        try FileManager.default.createSymbolicLink(atPath: folder.file("link.db"), withDestinationPath: "habitat.db")
        #expect(try await Self.restore("backup.db", "--store", "link.db", in: folder).status == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("link.db")) == "habitat.db")
        #expect(try await Self.limit("habitat.db", in: folder) == "2000")
        #expect(folder.names.contains(Self.oldName))
    }

    // MARK: Use by other processes

    /// The server has no transaction, but its connections are open.
    @Test func storeOfIdleServerIsNotReplaced() async throws {
        let folder = try await Self.folder()
        let scratch = try TemporaryFolder()
        let server = try Program.start(
            Program.habitat, ["serve", "--port", "0", "--quiet"], in: folder.path, scratch: scratch)
        defer { server.terminate() }
        try await waitUntil("the server listens") { try scratch.read("stdout").contains("listens on") }
        let names = Set(folder.namesWithoutWAL)
        let refused = try await Self.restore("backup.db", in: folder)
        #expect(refused.status == 75, "\(refused)")
        #expect(refused.errors.hasPrefix("error[busy]: "), "\(refused)")
        #expect(refused.errors.contains("stop the server"), "\(refused)")
        #expect(Set(folder.namesWithoutWAL) == names)
        #expect(try await Self.limit("habitat.db", in: folder) == "77")
        server.terminate()
        await server.end()
        #expect(try await Self.restore("backup.db", in: folder).status == 0)
        #expect(try await Self.limit("habitat.db", in: folder) == "2000")
    }

    /// A process that reads or writes with SQLite's own tools.
    @Test(arguments: ["BEGIN; SELECT count(*) FROM event", "BEGIN IMMEDIATE", "SELECT count(*) FROM event"])
    func storeOfOtherProcessIsNotReplaced(sql: String) async throws {
        let folder = try await Self.folder()
        let scratch = try TemporaryFolder()
        let script = """
            import signal, sqlite3, sys
            db = sqlite3.connect(sys.argv[1], isolation_level=None)
            for statement in sys.argv[2].split(";"): db.execute(statement).fetchall()
            print("open", flush=True)
            signal.pause()
            """
        let other = try Program.start(
            "/usr/bin/python3", ["-c", script, folder.file("habitat.db"), sql], in: folder.path, scratch: scratch)
        defer { other.terminate() }
        try await waitUntil("the other process has opened the store") { try scratch.read("stdout").contains("open") }
        let refused = try await Self.restore("backup.db", in: folder)
        #expect(refused.status == 75, "\(refused)")
        #expect(refused.errors.hasPrefix("error[busy]: "), "\(refused)")
        #expect(try await Self.limit("habitat.db", in: folder) == "77")
        #expect(!folder.names.contains { $0.contains("before-restore") || $0.hasSuffix(".tmp") }, "\(folder.names)")
        let patient = try Program.start(
            Program.habitat, ["restore", "backup.db", "--now", Self.now, "--wait", "600s"], in: folder.path,
            scratch: TemporaryFolder())
        try await waitUntil("the restore has opened the store") {
            patient.hasOpen(folder.file("habitat.db")) || !patient.isRunning
        }
        other.terminate()
        #expect(await patient.end() == .exit(0))
        #expect(try await Self.limit("habitat.db", in: folder) == "2000")
    }

    // MARK: Backups that cannot be used

    @Test func refusedRestoreChangesNothing() async throws {
        let folder = try await Self.folder()
        try folder.write("not a database", to: "text.db")
        try folder.write(String(repeating: "not a database at all. ", count: 100), to: "long.db")
        try await RawStore.execute(folder.file("foreign.db"), ["CREATE TABLE t (a)"])
        try folder.write("", to: "empty.db")
        try FileManager.default.createDirectory(atPath: folder.file("stores"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "habitat.db")
        let names = Set(folder.namesWithoutWAL)
        for (arguments, status, slug) in [
            (["none.db"], 69, "store-unavailable"), (["text.db"], 65, "store-not-habitat"),
            (["empty.db"], 65, "store-not-habitat"), (["backup.db", "--store", "stores"], 65, "store-not-habitat"),
            (["long.db"], 65, "store-not-habitat"), (["foreign.db"], 65, "store-not-habitat"),
            (["habitat.db"], 64, "usage"), (["link"], 64, "usage"), ([folder.path], 65, "store-not-habitat"),
            (["backup.db", "--as", "alice"], 77, "operator-only"), (["backup.db", "--explain"], 64, "usage"),
            (["backup.db", "--output", "habitat.db"], 73, "output-exists"),
            (["backup.db", "--output", "backup.db"], 73, "output-exists"),
            (["backup.db", "--store", "none/habitat.db"], 73, "output-not-writable"),
            (["backup.db", "--store", "foreign.db"], 65, "store-not-habitat"),
            (["backup.db", "--store", "postgresql://localhost/none"], 64, "usage"),
        ] as [([String], Int32, String)] {
            let result = try await Program.habitat(["restore"] + arguments + ["--now", Self.now], in: folder)
            #expect(result.status == status, "\(arguments): \(result)")
            #expect(result.errors.hasPrefix("error[\(slug)]: "), "\(arguments): \(result)")
            #expect(Set(folder.namesWithoutWAL) == names, "\(arguments): \(folder.names)")
        }
        #expect(try await Self.limit("habitat.db", in: folder) == "77")
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
    }

    /// The remedies concern the backup.
    ///
    /// A missing backup does not create a store.
    @Test(arguments: [
        ("none.db", "the backup 'none.db' cannot be read: No such file or directory; check the path"),
        ("empty.db", "the backup 'empty.db' is empty: choose another backup"),
        ("text.db", "'text.db' is not a backup of a Habitat store: choose another file"),
        (".", "'.' is not a file: name the file of a backup"),
    ])
    func refusalSaysWhatIsWrongWithBackup(name: String, text: String) async throws {
        let folder = try await Self.folder()
        try folder.write("", to: "empty.db")
        try folder.write("not a database", to: "text.db")
        let result = try await Self.restore(name, in: folder)
        #expect(result.errors.contains(text), "\(result)")
        #expect(!result.errors.contains("habitat init"), "\(result)")
    }

    /// Triggers and virtual tables of a file from elsewhere would run with the rights of the program (S-12).
    @Test func backupWithForeignSQLIsRefused() async throws {
        let folder = try await Self.folder()
        let statements = [
            "PRAGMA writable_schema = 1",
            "INSERT INTO sqlite_schema VALUES ('table', 'pw', 'pw', 0, 'CREATE VIRTUAL TABLE pw USING VirtualText(''/etc/passwd'', ''UTF-8'', 0, POINT, NONE, '':'')')",
            "CREATE TABLE loot (x)",
            "CREATE TRIGGER ev AFTER INSERT ON event BEGIN INSERT INTO loot SELECT group_concat(col001) FROM pw; END",
        ]
        try await RawStore.execute(folder.file("backup.db"), statements)
        let refused = try await Self.restore("backup.db", in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.hasPrefix("error[store-damaged]: "), "\(refused)")
        #expect(refused.errors.contains("trigger ev"), "\(refused)")
        #expect(refused.errors.contains("table pw"), "\(refused)")
        #expect(try await Self.limit("habitat.db", in: folder) == "77")
        let copy = try await Program.habitat("copy", "--from", "backup.db", "--to", "copy.db", in: folder)
        #expect(copy.status == 65, "\(copy)")
        #expect(copy.errors.contains("trigger ev"), "\(copy)")
        #expect(try await Program.habitat("user", "list", "--store", "backup.db", in: folder).status == 65)
        let doctor = try await Program.habitat("doctor", "--store", "backup.db", "--format", "csv", in: folder)
        let schema = parseCSV(doctor.output).first { $0[0] == "schema" }
        try #require(doctor.status == 65, "\(doctor)")
        try #require(schema?[1] == "damaged", "\(doctor)")
        #expect(schema?[2] == "2", "\(doctor)")
        #expect(schema?[3] == "not created by Habitat: table pw, trigger ev; other objects: table loot", "\(doctor)")
    }

    @Test func damagedBackupIsRefusedWithNamesOfChecks() async throws {
        let folder = try await Self.folder()
        try FileManager.default.copyItem(atPath: folder.file("backup.db"), toPath: folder.file("damaged.db"))
        try await RawStore.damage(folder.file("damaged.db"), ["UPDATE event SET unplanned = 1 - unplanned"])
        let derived = try await Self.restore("damaged.db", in: folder)
        #expect(derived.status == 65, "\(derived)")
        #expect(derived.errors.hasPrefix("error[store-damaged]: "), "\(derived)")
        #expect(derived.errors.contains("unplanned"), "\(derived)")
        #expect(derived.errors.contains("'damaged.db'"), "\(derived)")
        // Overwrites pages in the middle of the file.
        var bytes = try #require(folder.contents("backup.db"))
        for offset in stride(from: 8192 * 20, to: bytes.count - 8192, by: 8192 * 3) {
            bytes.replaceSubrange(offset..<offset + 4096, with: Data(repeating: 0xA5, count: 4096))
        }
        try folder.write(bytes, to: "pages.db")
        try folder.write(try #require(folder.contents("backup.db")).prefix(8192 * 30), to: "short.db")
        for name in ["pages.db", "short.db"] {
            let result = try await Self.restore(name, in: folder)
            #expect(result.status == 65, "\(name): \(result)")
            #expect(result.errors.hasPrefix("error[store-damaged]: "), "\(name): \(result)")
            #expect(
                result.errors.contains("'\(name)' is damaged (integrity)"),
                "\(result)")
            #expect(
                !result.errors.contains(".tmp"),
                "\(result)")
        }
        #expect(!folder.names.contains { $0.contains("before-restore") || $0.hasSuffix(".tmp") }, "\(folder.names)")
        #expect(try await Self.limit("habitat.db", in: folder) == "77")
    }

    // MARK: Damaged and earlier stores

    /// A damaged store is the reason for a restore.
    @Test(arguments: [false, true]) func damagedStoreIsReplacedAndKept(hasSchema: Bool) async throws {
        let folder = try await Self.folder()
        var bytes = try #require(folder.contents("habitat.db"))
        for offset in stride(from: 8192, to: bytes.count - 8192, by: 8192) {
            bytes.replaceSubrange(offset..<offset + 4096, with: Data(repeating: 0xA5, count: 4096))
        }
        // Only the signature of the file remains without the schema.
        let first = hasSchema ? 100 : 16
        bytes.replaceSubrange(first..<4096, with: Data(repeating: 0xA5, count: 4096 - first))
        try folder.write(bytes, to: "habitat.db")
        try folder.write("log", to: "habitat.db-wal")
        let result = try await Self.restore("backup.db", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.contents(Self.oldName) == bytes)
        #expect(!folder.names.contains("habitat.db-wal"), "\(folder.names)")
        #expect(try await Self.limit("habitat.db", in: folder) == "2000")
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
    }

    @Test func otherFileIsNotReplaced() async throws {
        let folder = try await Self.folder()
        try folder.write("127.0.0.1 localhost\n", to: "hosts")
        let result = try await Self.restore("backup.db", "--store", "hosts", in: folder)
        #expect(result.status == 65, "\(result)")
        #expect(result.errors.contains("'hosts' is not a store: move the file"), "\(result)")
        #expect(try folder.read("hosts") == "127.0.0.1 localhost\n")
    }

    @Test(arguments: EarlierStore.versions) func backupOfEarlierVersionIsMigrated(version: Int) async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        try await EarlierStore.create(version, at: folder.file("earlier.db"))
        let result = try await Self.restore("earlier.db", in: folder)
        #expect(result.status == 0, "version \(version): \(result)")
        let events = try await Program.habitat("history", "--format", "csv", "--columns", "id", in: folder)
        #expect(events.lines == ["id", "e1"], "version \(version): \(events)")
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
        #expect(!folder.names.contains { $0.hasSuffix(".tmp") || $0.contains(".tmp-") }, "\(folder.names)")
        let script =
            "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version').fetchone()[0])"
        let backup = try await Program.run("/usr/bin/python3", ["-c", script, folder.file("earlier.db")], in: "/")
        #expect(backup.output == "\(version)\n")
    }

    // MARK: Interruption

    @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
    func stoppedRestoreLeavesOneCompleteStore(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: try await LargeStore.folder().file("habitat.db"), toPath: folder.file("habitat.db"))
        #expect(try await Program.habitat("backup", "backup.db", "--quiet", in: folder).status == 0)
        #expect(try await Self.change(folder).status == 0)
        let process = try Program.startInterruptible(
            ["restore", "backup.db", "--now", Self.now], in: folder, scratch: scratch)
        try await folder.waitForTemporaryName(of: process)
        process.send(signal)
        await process.end()
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
        let isRestored = try await Self.limit("habitat.db", in: folder) == "2000"
        if isRestored {
            #expect(try await Self.limit(Self.oldName, in: folder) == "77")
        } else {
            #expect(try await Self.limit("habitat.db", in: folder) == "77")
        }
        // The next restore removes the temporary file of a killed one.
        let next = try await Program.habitat("restore", "backup.db", "--now", "2027-01-01T00:00:00Z", in: folder)
        #expect(next.status == 0, "\(next)")
        #expect(folder.temporaryNames.isEmpty, "\(folder.names)")
    }

    /// Uses a small file system, if the test can mount one.
    @Test func fullDiskLeavesStoreUnchanged() async throws {
        let folder = try await Self.folder()
        let small = folder.file("small")
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: false)
        guard Privileges.mount(small, size: "3m") else { return }
        defer { Privileges.unmount(small) }
        #expect(try await Program.habitat("init", "--store", "small/habitat.db", "--quiet", in: folder).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: small).filter {
            !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
        }
        let result = try await Self.restore("backup.db", "--store", "small/habitat.db", in: folder)
        #expect(result.status == 73, "\(result)")
        #expect(result.errors.hasPrefix("error[no-space]: "), "\(result)")
        let left = try FileManager.default.contentsOfDirectory(atPath: small)
        #expect(left == names, "\(left) \(result)")
        #expect(try await Program.habitat("doctor", "--store", "small/habitat.db", in: folder).status == 0)
    }
}
