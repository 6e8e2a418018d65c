import Foundation
import HabitTestSupport
import Testing

/// Tests that the backup of a store on PostgreSQL can be loaded.
@Suite(.singleServerOnly)
struct PostgreSQLBackupTests {
    @Test func dumpIsLoadedIntoEmptyDatabase() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("ingest", SampleData.path, "--quiet", in: folder).status == 0)
        let script = Program.repository + "/Packaging/scripts/rotate-backups"
        let backup = try await Program.run(
            script, [folder.file("backups")], in: folder.path,
            environment: ["HABITAT": Program.habitat, "HABITAT_STORE": "habitat.db"])
        #expect(backup.status == 0, "\(backup)")
        #expect(backup.output == "", "\(backup)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("backups"))
        let name = try #require(names.first { $0.hasSuffix(".dump") }, "\(names)")
        #expect(names.count == 1)
        #expect(try folder.permissions("backups/\(name)") == 0o600)
        let url = try TestServer.store(at: folder.file("loaded.db"))
        let load = try await Program.run(
            "/usr/bin/pg_restore", ["--dbname=\(url)", folder.file("backups/\(name)")], in: folder.path)
        #expect(load.status == 0, "\(load)")
        #expect(try await Program.habitat("doctor", "--store", "loaded.db", in: folder).status == 0)
        let columns = ["stats", "--columns", "kind,rows,located", "--format", "csv"]
        let loaded = try await Program.habitat(columns + ["--store", "loaded.db"], in: folder)
        let stored = try await Program.habitat(columns, in: folder)
        #expect(loaded.status == 0, "\(loaded)")
        #expect(loaded.output == stored.output, "\(loaded)")
        #expect(stored.output.contains("events,4"), "\(loaded)")
    }
}

/// Tests of the shell scripts that the systemd units run.
@Suite(.engineIndependent, .fileStoreOnly) struct UnitScriptTests {
    private static let folder = Program.repository + "/Packaging/scripts"

    private static let earlierBackups = ["habitat-2026-01-01.db", "habitat-2026-01-02.dump", "habitat-2026-01-03.db"]

    private func rotate(
        in folder: TemporaryFolder, store: String, keep: String? = nil
    ) async throws -> ProgramResult {
        for name in Self.earlierBackups + ["habitat-2026-01-01.db.txt", "other.db"] {
            try folder.write("", to: "backups/\(name)")
        }
        var environment = ["HABITAT": Program.habitat, "HABITAT_STORE": store]
        environment["HABITAT_BACKUP_KEEP"] = keep
        return try await Program.run(
            "\(Self.folder)/rotate-backups", [folder.file("backups")], in: folder.path, environment: environment)
    }

    private func backups(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("backups")).sorted()
    }

    @Test func rotationKeepsNewestBackupsAndOtherFiles() async throws {
        let folder = try TemporaryFolder()
        let result = try await rotate(in: folder, store: SampleData.folder().file("habitat.db"), keep: "2")
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "", "\(result)")
        let left = try backups(in: folder)
        let new = try #require(left.filter { !Self.earlierBackups.contains($0) && $0.hasPrefix("habitat-") }.last)
        #expect(left == ["habitat-2026-01-01.db.txt", "habitat-2026-01-03.db", new, "other.db"])
        #expect(try await Program.habitat("doctor", "--store", "backups/\(new)", in: folder).status == 0)
        #expect(try folder.permissions("backups/\(new)") == 0o600)
    }

    @Test func secondBackupOfDayReplacesFirst() async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        #expect(try await rotate(in: folder, store: store).status == 0)
        let first = try backups(in: folder)
        #expect(try await rotate(in: folder, store: store).status == 0)
        #expect(try backups(in: folder).count == first.count)
    }

    @Test func failedBackupRemovesNothing() async throws {
        let folder = try TemporaryFolder()
        let result = try await rotate(in: folder, store: folder.file("missing.db"), keep: "1")
        #expect(result.status != 0, "\(result)")
        #expect(result.errors.contains("missing.db"), "\(result)")
        #expect(try backups(in: folder).filter { $0.hasPrefix("habitat-2026-01") }.count == 4)
    }

    @Test(arguments: ["0", "-1", "two", "", "07"])
    func invalidNumberOfBackupsIsRejected(keep: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await rotate(in: folder, store: SampleData.folder().file("habitat.db"), keep: keep)
        if keep.isEmpty {
            // An empty setting selects the default.
            #expect(result.status == 0, "\(result)")
        } else {
            #expect(result.status == 64, "\(result)")
            #expect(result.errors.contains("set it to a number from 1"), "\(result)")
        }
    }

    @Test func failureReportGoesToCommand() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "\(Self.folder)/report-failure", ["habitat-nightly.service"], in: folder.path,
            environment: ["HABITAT_FAILURE_COMMAND": "cat >report; echo \"$HABITAT_FAILED_UNIT\" >unit"])
        #expect(result.status == 0, "\(result)")
        #expect(try folder.read("unit") == "habitat-nightly.service\n")
        #expect(try folder.read("report").hasPrefix("habitat-nightly.service failed on "))
    }

    @Test func failureReportFailsIfCommandFails() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "\(Self.folder)/report-failure", ["habitat-nightly.service"], in: folder.path,
            environment: ["HABITAT_FAILURE_COMMAND": "cat >/dev/null; exit 7"])
        #expect(result.status == 7, "\(result)")
    }
}
