import Foundation
import HabitTestSupport
import Testing

/// Tests that a backup is complete, self-contained and private.
@Suite(.fileStoreOnly) struct BackupTests {
    @Test func backupIsOneFileThatOpensWithoutOthers() async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        let result = try await Program.habitat("backup", "copy.db", "--store", store, "--format", "csv", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let bytes = try #require(folder.contents("copy.db"))
        #expect(parseCSV(result.output) == [["path", "bytes"], ["copy.db", "\(bytes.count)"]])
        #expect(folder.names == ["copy.db"])
        #expect(try folder.permissions("copy.db") == 0o600)
        // SQLite, "Database File Format", 1.3: 1 for a file that needs no write-ahead log, 2 for one that does.
        #expect(Array(bytes[18...19]) == [1, 1])
        #expect(try await Program.habitat("doctor", "--store", "copy.db", in: folder).status == 0)
        #expect(folder.names == ["copy.db"])
        #expect(try await RawStore.records(folder.file("copy.db")) == RawStore.records(store))
    }

    /// A backup can replace the store, and then its readers do not wait for writers.
    @Test func firstWriteToBackupEnablesWriteAheadLog() async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        #expect(try await Program.habitat("backup", "habitat.db", "--store", store, in: folder).status == 0)
        #expect(try await Program.habitat("setting", "set", "message-limit", "5", in: folder).status == 0)
        #expect(folder.contents("habitat.db").map { Array($0[18...19]) } == [2, 2])
    }

    @Test func backupIsConsistentWhileAnotherProcessLoads() async throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        try await FileManager.default.copyItem(
            atPath: try LargeStore.folder().file("habitat.db"), toPath: folder.file("habitat.db"))
        try folder.write(LargeStore.events(in: 2021), to: "events.csv")
        let load = try Program.start(Program.habitat, ["ingest", "events.csv"], in: folder.path, scratch: scratch)
        var count = 0
        var isLast = false
        while !isLast {
            isLast = !load.isRunning
            let name = "copy\(count).db"
            let result = try await Program.habitat("backup", name, in: folder)
            #expect(result.status == 0, "\(result.errors)")
            let doctor = try await Program.habitat("doctor", "--store", name, in: folder)
            #expect(doctor.status == 0, "\(doctor.output)\(doctor.errors)")
            let rows = parseCSV(
                try await Program.habitat("stats", "--store", name, "--format", "csv", in: folder).output)
            let number: String? = rows.first { $0[0] == "events" }?[1] ?? nil
            let events = number.flatMap { Int($0) } ?? 0
            #expect(events == LargeStore.eventCount * (isLast ? 2 : 1) || events == LargeStore.eventCount * 2)
            count += 1
        }
        #expect(await load.end() == .exit(0))
        #expect(count > 1)
    }

    @Test func backupKeepsExistingFilesUnlessForced() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        try folder.write("mine", to: "file")
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "habitat.db")
        let before = folder.namesWithoutWAL
        let store = folder.contents("habitat.db")
        for (arguments, status, slug) in [
            (["file"], 73, "output-exists"), (["habitat.db", "--force"], 73, "output-exists"),
            (["./habitat.db-wal", "--force"], 73, "output-exists"), (["link", "--force"], 73, "output-exists"),
            (["habitat.db-shm", "--force"], 73, "output-exists"),
            (["folder", "--force"], 73, "output-not-writable"), (["none/copy.db"], 73, "output-not-writable"),
            (["", "--force"], 73, "output-not-writable"), (["copy.db", "--as", "ann"], 77, "operator-only"),
            (["copy.db", "--store", "none.db"], 69, "store-unavailable"),
        ] as [([String], Int32, String)] {
            let result = try await Program.habitat(["backup"] + arguments, in: folder)
            #expect(
                result.status == status, "\(arguments): \(result.errors)"
            )
            #expect(
                result.errors.hasPrefix("error[\(slug)]: "), "\(arguments): \(result.errors)"
            )
            #expect(folder.namesWithoutWAL == before, "\(arguments)")
        }
        #expect(try folder.read("file") == "mine")
        #expect(folder.contents("habitat.db") == store)
        #expect(try await Program.habitat("backup", "file", "--force", in: folder).status == 0)
        #expect(try await Program.habitat("doctor", "--store", "file", in: folder).status == 0)
        #expect(folder.namesWithoutWAL == before)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func stoppedBackupLeavesCompleteCopyOrNothing(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let store = try await LargeStore.folder().file("habitat.db")
        // The signal arrives during the backup or just after it. The result is a complete copy or no file.
        let process = try Program.startInterruptible(
            ["backup", "copy.db", "--store", store], in: folder, scratch: scratch)
        try await folder.waitForTemporaryName(of: process)
        process.send(signal)
        await process.end()
        #expect(folder.temporaryNames.isEmpty)
        if folder.names.contains("copy.db") {
            #expect(try await Program.habitat("doctor", "--store", "copy.db", in: folder).status == 0)
        }
    }

    /// Uses a small file system, if the test can mount one.
    @Test func backupAndExportFailWithNoSpaceWhenDiskIsFull() async throws {
        let folder = try TemporaryFolder()
        let small = folder.file("small")
        try FileManager.default.createDirectory(atPath: small, withIntermediateDirectories: false)
        guard Privileges.mount(small, size: "512k") else { return }
        defer { Privileges.unmount(small) }
        let store = try await SampleData.folder().file("habitat.db")
        for arguments in [["backup", "small/copy.db"], ["export", "small/out"]] {
            let result = try await Program.habitat(["--store", store] + arguments, in: folder)
            #expect(result.status == 73, "\(result.errors)")
            #expect(result.errors.hasPrefix("error[no-space]: "), "\(result.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: small).isEmpty)
        }
    }
}
