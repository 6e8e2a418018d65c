import Base
import Foundation
import HabitModel
import Testing

@testable import HabitReport
@testable import Rendering

/// Tests that runs are complete, named by their date, and that `latest` links to the newest.
@Suite struct NightlyArchiveTests {
    @Test func runHasFilesManifestAndLatestLink() throws {
        let fixture = try TemporaryArchive()
        #expect(try fixture.archive.runDays == [])
        try fixture.publish("2026-11-20")
        #expect(fixture.visible == ["2026-11-20", "latest"])
        #expect(fixture.latest == "2026-11-20")
        #expect(fixture.read("latest/events.csv") == "id\n1\n")
        #expect(fixture.read("latest/summary.txt") == "ID\n1\n")
        let manifest = try NightlyManifest(inFolder: fixture.file("latest"))
        #expect(manifest.date == (try date("2026-11-20")))
        #expect(manifest.files.map(\.name) == ["events.csv", "summary.txt"])
        #expect(manifest.files.map(\.bytes) == [5, 5])
        #expect(manifest.files.map(\.rows) == [1, 1])
        #expect(try NightlyManifest.verify(fixture.file("2026-11-20")) == [])
    }

    @Test func equalFilesProduceEqualFolders() throws {
        let first = try TemporaryArchive()
        let second = try TemporaryArchive()
        for fixture in [first, second] { try fixture.publish("2026-11-20", "id\nü\n") }
        try second.publish("2026-11-20", "id\nü\n")
        #expect(first.allContents == second.allContents)
        #expect(first.allContents.count == 5)
    }

    @Test func latestIsNewestRunInAnyOrder() throws {
        let fixture = try TemporaryArchive()
        let runs = [
            ("2026-11-20", "20"),
            ("2026-11-18", "20"),
            ("2026-11-21", "21"),
            ("2026-11-21", "21"),
        ]
        for (day, latest) in runs {
            try fixture.publish(day)
            #expect(fixture.latest == "2026-11-" + latest)
        }
        #expect(try fixture.archive.runDays.map(\.description) == ["2026-11-18", "2026-11-20", "2026-11-21"])
    }

    @Test(arguments: ["../elsewhere", "nowhere", "2026-11-01", "/tmp"])
    func latestLinkToOtherTargetIsReplacedAndNotFollowed(target: String) throws {
        let fixture = try TemporaryArchive()
        mkdir(fixture.top + "/elsewhere", 0o777)
        symlink(target, fixture.file("latest"))
        try fixture.publish("2026-11-20")
        #expect(fixture.latest == "2026-11-20")
        #expect(fixture.visible == ["2026-11-20", "latest"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.top + "/elsewhere") == [])
    }

    @Test(arguments: [true, false])
    func latestThatIsNotLinkIsKept(isFolder: Bool) throws {
        let fixture = try TemporaryArchive()
        try fixture.write("mine", to: isFolder ? "latest/file" : "latest")
        let error = failure { try fixture.publish("2026-11-20") }
        #expect(error?.code == .outputExists)
        #expect(error?.message.contains(fixture.file("latest")) == true)
        #expect(fixture.visible == ["latest"])
        #expect(fixture.read(isFolder ? "latest/file" : "latest") == "mine")
    }

    @Test func folderWithNameOfRunIsKeptWhenItIsNotRun() throws {
        let fixture = try TemporaryArchive()
        try fixture.write("mine", to: "2026-11-20/file")
        try fixture.write("mine", to: "2026-11-21")
        try fixture.write("{}", to: "other/manifest.json")
        symlink("other", fixture.file("2026-11-22"))
        let before = fixture.allContents
        for day in ["2026-11-20", "2026-11-21", "2026-11-22"] {
            #expect(failure { try fixture.publish(day) }?.code == .outputExists)
        }
        #expect(fixture.allContents == before)
        #expect(try fixture.archive.runDays == [])
    }

    /// A folder that only resembles a run, or a foreign file in a run, is never removed.
    @Test(arguments: [("{}", "manifest.json"), ("mine", "mine.txt"), ("", ".hidden")])
    func foreignFilesAreNeverRemoved(text: String, name: String) throws {
        let fixture = try TemporaryArchive()
        for day in ["2026-11-18", "2026-11-19"] { try fixture.publish(day) }
        try fixture.write(text, to: "2026-11-18/\(name)")
        try fixture.write("{}", to: "2027-05-05/manifest.json")
        try fixture.write("mine", to: "2027-05-05/mine.txt")
        let before = fixture.allContents
        #expect(failure { try fixture.publish("2026-11-18", "id\n2\n") }?.code == .outputExists)
        #expect(failure { try fixture.publish("2027-05-05") }?.code == .outputExists)
        #expect(fixture.latest == "2026-11-19")
        let isNight = name != "manifest.json"
        #expect(failure { _ = try fixture.archive.lock().keep(1) }?.code == (isNight ? .outputExists : nil))
        #expect(fixture.allContents == before)
        #expect(fixture.archive.holds(try #require(Day("2026-11-18"))) == isNight)
    }

    @Test func archiveCreatesOnlyItsOwnFolder() throws {
        let fixture = try TemporaryArchive()
        #expect(try NightlyArchive(fixture.top + "/new//").path == fixture.top + "/new")
        #expect(FileManager.default.fileExists(atPath: fixture.top + "/new"))
        #expect(
            failure { try NightlyArchive(fixture.top + "/no/new") }?.message
                == "the folder '\(fixture.top)/no' does not exist: create it first")
        try fixture.write("x", to: "file")
        for path in ["", fixture.file("file"), fixture.file("file/new"), "/sys/nights"] {
            #expect(failure { try NightlyArchive(path) }?.code == .outputNotWritable, "\(path)")
        }
    }

    @Test(
        arguments: [
            (OutputSharing.owner, 0o000, 0o700), (.owner, 0o022, 0o700), (.umask, 0o022, 0o755), (.umask, 0o077, 0o700),
        ] as [(OutputSharing, mode_t, mode_t)])
    func runsAreReadableOnlyByOwnerUnlessShared(sharing: OutputSharing, mask: mode_t, expected: mode_t) throws {
        let fixture = try TemporaryArchive()
        try withUmask(mask) {
            let folder = fixture.top + "/masked"
            let nights = try NightlyArchive(folder, sharing: sharing)
            try nights.lock().publish("id\n1\n", on: "2026-11-20")
            try nights.lock().publish("id\n2\n", on: "2026-11-20")
            let export = try AtomicFolder(folder + "/export")
            try export.open("file").commit()
            try export.commit()
        }
        #expect(fixture.permissions("../masked") == expected)
        #expect(fixture.permissions("../masked/2026-11-20") == expected)
        for name in [".lock", "2026-11-20/events.csv", "2026-11-20/manifest.json"] {
            #expect(fixture.permissions("../masked/" + name) == expected & 0o666, "\(name)")
        }
        #expect(fixture.permissions("../masked/export") == 0o700)
        #expect(fixture.permissions("../masked/export/file") == 0o600)
    }

    @Test func archiveWithWiderPermissionsKeepsThem() throws {
        let fixture = try TemporaryArchive()
        try withUmask(0o022) {
            let folder = fixture.top + "/old"
            try NightlyArchive(folder, sharing: .umask).lock().publish("id\n1\n", on: "2026-11-19")
            try NightlyArchive(folder).lock().publish("id\n1\n", on: "2026-11-20")
        }
        #expect(fixture.permissions("../old") == 0o755)
        #expect(fixture.permissions("../old/2026-11-19") == 0o755)
        #expect(fixture.permissions("../old/2026-11-20") == 0o700)
        #expect(try NightlyArchive(fixture.top + "/old").runDays.count == 2)
    }

    @Test(.enabled(if: geteuid() != 0, "root can write to every folder"))
    func unwritableFolderIsRefused() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        let before = fixture.allContents
        chmod(fixture.path, 0o500)
        defer { chmod(fixture.path, 0o700) }
        #expect(failure { try fixture.publish("2026-11-21") }?.code == .outputNotWritable)
        #expect(failure { try fixture.publish("2026-11-20") }?.code == .outputNotWritable)
        #expect(fixture.allContents == before)
    }
}
