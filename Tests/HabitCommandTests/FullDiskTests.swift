import Foundation
import HabitTestSupport
import Testing

/// Every output reports `no-space` if the disk, a quota or a limit is exhausted.
@Suite(.fileStoreOnly) struct FullDiskTests {
    private static func store() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for arguments in [
            ["init"], ["user", "add", "u"],
            ["habit", "add", "--as", "u", "--id", "u:h", "--title", "Run", "--days", "mon"],
        ] {
            let made = try await Program.habitat(arguments, in: folder)
            try #require(made.status == 0, "\(made.errors)")
        }
        return folder
    }

    /// Runs the program with a limit on the size of files, in units of 512 bytes.
    private static func habitat(
        fileLimit: Int, _ arguments: String..., in folder: TemporaryFolder
    ) async throws -> ProgramResult {
        try await Program.run(
            "/bin/sh", ["-c", "ulimit -f \(fileLimit); exec \"$@\"", "sh", Program.habitat] + arguments, in: folder.path
        )
    }

    @Test(arguments: [1, 16]) func changeFailsWithNoSpaceWhenFileSizeLimitIsReached(limit: Int) async throws {
        let folder = try await Self.store()
        let before = folder.contents("habitat.db")
        let result = try await Self.habitat(fileLimit: limit, "user", "add", "second", "--quiet", in: folder)
        #expect(result.status == 73, "\(result)")
        #expect(!result.signalled, "\(result)")
        #expect(result.errors.hasPrefix("error[no-space]: "), "\(result)")
        #expect(folder.contents("habitat.db") == before)
        #expect(try await Program.habitat("user", "add", "second", in: folder).status == 0)
    }

    /// The limit leaves enough space for the store's shared memory file.
    @Test(arguments: [
        ["ingest", "users.csv"], ["backup", "copy.db"],
        ["query", "SELECT printf('%.*c', 100000, 'x') AS a", "--format", "csv", "--output", "large.csv"],
    ])
    func outputFailsWithNoSpaceWhenFileSizeLimitIsReached(arguments: [String]) async throws {
        let folder = try await Self.store()
        try folder.write("id\n" + (0..<9000).map { "user-\($0)\n" }.joined(), to: "users.csv")
        let result = try await Program.run(
            "/bin/sh", ["-c", "ulimit -f 80; exec \"$@\"", "sh", Program.habitat] + arguments, in: folder.path)
        #expect(result.status == 73, "\(result)")
        #expect(!result.signalled, "\(result)")
        #expect(result.errors.hasPrefix("error[no-space]: "), "\(result)")
        #expect(folder.namesWithoutWAL == ["habitat.db", "users.csv"])
        let users = try await Program.habitat("user", "list", "--format", "csv", in: folder)
        #expect(users.lines.count == 2, "\(users)")
    }

    /// The free space is too small for the shared memory file, the write-ahead log or the change itself.
    @Test(.enabled(if: Privileges.canMount), arguments: [0, 4, 8, 16, 32, 40])
    func changeFailsWithNoSpaceWhenDiskIsFull(freeKibibytes: Int) async throws {
        let folder = try await Self.store()
        let disk = folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try #require(Privileges.mount(disk, size: "8m"))
        defer { Privileges.unmount(disk) }
        try FileManager.default.copyItem(atPath: folder.file("habitat.db"), toPath: disk + "/habitat.db")
        let before = folder.contents("disk/habitat.db")
        let used = ((before?.count ?? 0) + 4095) / 4096 * 4096 + freeKibibytes * 1024
        try folder.write(Data(count: 8 * 1024 * 1024 - used), to: "disk/filler")
        let add = ["user", "add", "second", "--store", "disk/habitat.db"]
        let result = try await Program.habitat(add, in: folder)
        #expect(result.status == 73, "\(result)")
        #expect(result.errors.hasPrefix("error[no-space]: "), "\(result)")
        unlink(disk + "/filler")
        #expect(folder.contents("disk/habitat.db") == before)
        #expect(try await Program.habitat(add, in: folder).status == 0, "the command succeeds after space is freed")
    }
}
