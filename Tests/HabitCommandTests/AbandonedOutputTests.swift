import Foundation
import HabitTestSupport
import Testing

/// Tests that the next run of a command removes temporary outputs of killed runs and keeps those of running commands.
@Suite(.fileStoreOnly) struct AbandonedOutputTests {
    @Test func nextBackupRemovesCopyOfKilledRun() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        for name in [".copy.db.a1b2c3.tmp", ".copy.db.a1b2c3.tmp-journal", ".copy.db.d4e5f6.tmp"] {
            try folder.write("left", to: name)
        }
        let kept = [".copy.db.a1b2c.tmp", ".copy.db.A1B2C3.tmp", ".other.db.a1b2c3.tmp", ".copy.db.a1b2c3.tmp2"]
        for name in kept { try folder.write("mine", to: name) }
        // Another process holds the lock of this copy.
        let running = open(folder.file(".copy.db.d4e5f6.tmp"), O_RDONLY)
        defer { close(running) }
        #expect(flock(running, LOCK_EX) == 0)
        let result = try await Program.habitat("backup", "copy.db", in: folder)
        #expect(result.status == 0, "\(result)")
        let hidden = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasPrefix(".copy.db.")
        }
        #expect(Set(hidden + [kept[2]]) == Set(kept + [".copy.db.d4e5f6.tmp"]))
        #expect(folder.names.contains(kept[2]))
    }

    @Test func nextExportRemovesFolderOfKilledRun() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        try folder.write("left", to: ".out.a1b2c3.tmp/photos/left.png")
        try folder.write("mine", to: ".out.a1b2c3.old/users.csv")
        let result = try await Program.habitat("export", "out", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(folder.names.filter { $0.hasPrefix(".out.") } == [".out.a1b2c3.old"])
    }

    /// A link with a temporary name is not followed.
    @Test func linkToOtherFileIsKeptWhenItHasTemporaryName() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        try folder.write("mine", to: "mine")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(".copy.db.a1b2c3.tmp"), withDestinationPath: "mine")
        #expect(try await Program.habitat("backup", "copy.db", in: folder).status == 0)
        #expect(try folder.read("mine") == "mine")
    }
}
