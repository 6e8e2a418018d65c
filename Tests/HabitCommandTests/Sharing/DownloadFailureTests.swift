import Foundation
import HabitTestSupport
import Testing

/// Tests of rules H-02 and H-04: a failed download leaves no partial file.
@Suite(.engineIndependent) struct DownloadFailureTests {
    @Test(
        .enabled(if: Privileges.canMount),
        arguments: [("one page is free", 4096), ("nothing is free", 0), ("all but some bytes", 8192)])
    func downloadFailsWithNoSpaceWhenDiskIsFull(name: String, free: Int) async throws {
        let fixture = try await SharingStore()
        let disk = fixture.folder.file("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try #require(Privileges.mount(disk, size: "80k"))
        defer { Privileges.unmount(disk) }
        try await fixture.expectSuccess("post", "edit", "p-river", "--photo", Self.largePhoto(fixture), as: "pat")
        try fixture.folder.write(Data(count: 80 * 1024 - free), to: "disk/filler")
        for output in ["disk", "disk/x.png"] {
            let errors = try await fixture.expectRefusal(DownloadTests.post + [output], as: "pat", "no-space")
            // The command checks the free space before it writes, and reports the size of the photo.
            #expect(errors.contains("the photo has 65535 bytes, but its folder has only "))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["filler"])
        }
        unlink(disk + "/filler")
        #expect(
            try await fixture.run(DownloadTests.post + ["disk"], as: "pat").status == 0,
            "the command succeeds after space is freed")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["p-river.png"])
    }

    private static func largePhoto(_ fixture: SharingStore) throws -> String {
        try fixture.folder.write(TestImage.png(byteCount: 65_535), to: "large.png")
    }

    @Test(
        .fileStoreOnly,
        arguments: [
            "UPDATE photo SET bytes = zeroblob(length(bytes))", "UPDATE photo SET bytes = substr(bytes, 1, 100)",
            "DELETE FROM photo",
            "UPDATE photo SET bytes = CAST(substr(bytes, 1, 99) || x'00' || substr(bytes, 101) AS BLOB)",
        ])
    func downloadFailsWhenPhotoIsDamaged(damage: String) async throws {
        let fixture = try await SharingStore()
        try await fixture.runPython("db.execute('PRAGMA foreign_keys = OFF'); db.execute(\"\(damage)\")")
        for (command, user, _) in DownloadTests.downloads {
            for output in command[0] == "post" ? ["x.png", "-", "."] : [command[0] + ".png"] {
                try await fixture.expectRefusal(command + ["--output", output], as: user, "download-failed")
            }
        }
        #expect(fixture.files.isEmpty)
    }

    /// A killed download leaves the complete file or none.
    ///
    /// A program that is killed between two system calls leaves a file with a temporary name.
    @Test func killedDownloadLeavesCompleteFileOrNothing() async throws {
        let fixture = try await SharingStore()
        let bytes = TestImage.png(byteCount: 65_535)
        try await fixture.expectSuccess("post", "edit", "p-river", "--photo", Self.largePhoto(fixture), as: "pat")
        try FileManager.default.createDirectory(atPath: fixture.folder.file("out"), withIntermediateDirectories: false)
        let scratch = try TemporaryFolder()
        for attempt in 0..<16 {
            let process = try Program.start(
                Program.habitat, DownloadTests.post + ["out", "--force", "--as", "pat"], in: fixture.folder.path,
                scratch: scratch)
            try await Task.sleep(for: .seconds(0.03 + Double(attempt) * 0.005))
            process.send(SIGKILL)
            await process.end()
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.file("out"))
                .filter { name in !name.hasSuffix(".tmp") }
            #expect(names.isEmpty || names == ["p-river.png"], "attempt \(attempt): \(names)")
            if let name = names.first {
                #expect(FileManager.default.contents(atPath: fixture.folder.file("out/\(name)")) == bytes)
            }
        }
        #expect(try await fixture.run(DownloadTests.post + ["out", "--force"], as: "pat").status == 0)
    }

    /// A download to a device does not replace it.
    ///
    /// The test creates its own device.
    @Test(.enabled(if: Privileges.isRoot), arguments: [[], ["--force"]]) func downloadToDeviceKeepsDevice(
        options: [String]
    )
        async throws
    {
        let fixture = try await SharingStore()
        guard mknod(fixture.folder.file("null"), S_IFCHR | 0o666, 1 << 8 | 3) == 0 else { return }
        _ = try await fixture.run(DownloadTests.post + ["null"] + options, as: "pat")
        var status = stat()
        #expect(lstat(fixture.folder.file("null"), &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
    }
}
