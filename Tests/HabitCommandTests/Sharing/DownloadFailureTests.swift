import Foundation
import HabitTestSupport
import Testing

/// Tests of rules H-02 and H-04: a failed download leaves no partial file.
@Suite struct DownloadFailureTests {
    @Test(
        .enabled(if: Privileges.canMount),
        arguments: [("one page is free", 4096), ("nothing is free", 0), ("all but some bytes", 8192)])
    func downloadFailsWithNoSpaceWhenDiskIsFull(name: String, free: Int) throws {
        let world = try SharingWorld()
        let disk = world.folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try #require(try Privileges.mount(disk, size: "80k"))
        defer { Privileges.unmount(disk) }
        try world.done("post", "edit", "p-river", "--photo", Self.largePhoto(world), as: "pat")
        try world.folder.write(Data(count: 80 * 1024 - free), to: "disk/filler")
        for output in ["disk", "disk/x.png"] {
            let errors = try world.refused(DownloadTests.post + [output], as: "pat", "no-space")
            // The command checks the free space before it writes, and reports both sizes.
            #expect(errors.contains("needs 69631 bytes, but only "))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["filler"])
        }
        unlink(disk + "/filler")
        #expect(try world.run(DownloadTests.post + ["disk"], as: "pat").status == 0, "with space again it works")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["p-river.png"])
    }

    private static func largePhoto(_ world: SharingWorld) throws -> String {
        try world.folder.write(TestPicture.png(byteCount: 65_535), to: "large.png")
    }

    @Test(
        .onFilesAlone,
        arguments: [
            "UPDATE photo SET bytes = zeroblob(length(bytes))", "UPDATE photo SET bytes = substr(bytes, 1, 100)",
            "DELETE FROM photo",
            "UPDATE photo SET bytes = CAST(substr(bytes, 1, 99) || x'00' || substr(bytes, 101) AS BLOB)",
        ])
    func downloadFailsWhenPhotoIsDamaged(damage: String) throws {
        let world = try SharingWorld()
        try world.python("db.execute('PRAGMA foreign_keys = OFF'); db.execute(\"\(damage)\")")
        for (command, user, _) in DownloadTests.downloads {
            for output in command[0] == "post" ? ["x.png", "-", "."] : [command[0] + ".png"] {
                try world.refused(command + ["--output", output], as: user, "download-failed")
            }
        }
        #expect(world.files.isEmpty)
    }

    /// A killed download leaves the complete file or none.
    @Test func killedDownloadLeavesCompleteFileOrNothing() throws {
        let world = try SharingWorld()
        let bytes = TestPicture.png(byteCount: 65_535)
        try world.done("post", "edit", "p-river", "--photo", Self.largePhoto(world), as: "pat")
        try FileManager.default.createDirectory(atPath: world.folder.file("out"), withIntermediateDirectories: false)
        let scratch = try TemporaryFolder()
        for attempt in 0..<16 {
            let process = try Program.start(
                Program.habitat, DownloadTests.post + ["out", "--force", "--as", "pat"], in: world.folder.path,
                scratch: scratch)
            Thread.sleep(forTimeInterval: 0.03 + Double(attempt) * 0.005)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.file("out"))
            #expect(names.isEmpty || names == ["p-river.png"], "attempt \(attempt)")
            if let name = names.first {
                #expect(FileManager.default.contents(atPath: world.folder.file("out/\(name)")) == bytes)
            }
        }
        #expect(try world.run(DownloadTests.post + ["out", "--force"], as: "pat").status == 0)
    }

    /// A download to a device does not replace it.
    ///
    /// The test creates its own device.
    @Test(.enabled(if: Privileges.isRoot), arguments: [[], ["--force"]]) func downloadToDeviceKeepsDevice(options: [String])
        throws
    {
        let world = try SharingWorld()
        guard mknod(world.folder.file("null"), S_IFCHR | 0o666, 1 << 8 | 3) == 0 else { return }
        _ = try world.run(DownloadTests.post + ["null"] + options, as: "pat")
        var status = stat()
        #expect(lstat(world.folder.file("null"), &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }
}
