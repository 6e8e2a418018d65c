import Foundation
import HabitModel
import Testing

@testable import HabitReport
@testable import Rendering

/// Tests that runs are complete, named by their date, and that `latest` links to the newest.
@Suite struct NightlyArchiveTests {
    @Test func runHasFilesManifestAndLatestLink() throws {
        let world = try NightWorld()
        #expect(try world.nights.nights == [])
        try world.publish("2026-11-20")
        #expect(world.visible == ["2026-11-20", "latest"])
        #expect(world.latest == "2026-11-20")
        #expect(world.read("latest/events.csv") == "id\n1\n")
        #expect(world.read("latest/summary.txt") == "ID\n1\n")
        let manifest = try NightlyManifest(inFolder: world.file("latest"))
        #expect(manifest.date == (try date("2026-11-20")))
        #expect(manifest.files.map(\.name) == ["events.csv", "summary.txt"])
        #expect(manifest.files.map(\.bytes) == [5, 5])
        #expect(manifest.files.map(\.rows) == [1, 1])
        #expect(try NightlyManifest.verify(world.file("2026-11-20")) == [])
    }

    @Test func equalFilesProduceEqualFolders() throws {
        let (first, second) = (try NightWorld(), try NightWorld())
        for world in [first, second] { try world.publish("2026-11-20", "id\nü\n") }
        try second.publish("2026-11-20", "id\nü\n")
        #expect(first.everything == second.everything)
        #expect(first.everything.count == 5)
    }

    @Test func latestIsNewestRunInAnyOrder() throws {
        let world = try NightWorld()
        for (day, latest) in [("2026-11-20", "20"), ("2026-11-18", "20"), ("2026-11-21", "21"), ("2026-11-21", "21")] {
            try world.publish(day)
            #expect(world.latest == "2026-11-" + latest)
        }
        #expect(try world.nights.nights.map(\.description) == ["2026-11-18", "2026-11-20", "2026-11-21"])
        let missing = try world.nights.missing(since: date("2026-11-17"), through: date("2026-11-21"))
        #expect(missing.map(\.description) == ["2026-11-17", "2026-11-19"])
        #expect(try world.nights.missing(since: date("2026-11-22"), through: date("2026-11-21")) == [])
    }

    @Test(arguments: ["../elsewhere", "nowhere", "2026-11-01", "/tmp"])
    func latestLinkToOtherTargetIsReplacedAndNotFollowed(target: String) throws {
        let world = try NightWorld()
        mkdir(world.top + "/elsewhere", 0o777)
        symlink(target, world.file("latest"))
        try world.publish("2026-11-20")
        #expect(world.latest == "2026-11-20")
        #expect(world.visible == ["2026-11-20", "latest"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: world.top + "/elsewhere") == [])
    }

    @Test(arguments: [true, false])
    func latestThatIsNotLinkIsKept(isFolder: Bool) throws {
        let world = try NightWorld()
        try world.write("mine", to: isFolder ? "latest/file" : "latest")
        let error = failure { try world.publish("2026-11-20") }
        #expect(error?.code == .outputExists && error?.message.contains(world.file("latest")) == true)
        #expect(world.visible == ["latest"])
        #expect(world.read(isFolder ? "latest/file" : "latest") == "mine")
    }

    @Test func folderWithNameOfRunIsKeptWhenItIsNotRun() throws {
        let world = try NightWorld()
        try world.write("mine", to: "2026-11-20/file")
        try world.write("mine", to: "2026-11-21")
        try world.write("{}", to: "other/manifest.json")
        symlink("other", world.file("2026-11-22"))
        let before = world.everything
        for day in ["2026-11-20", "2026-11-21", "2026-11-22"] {
            #expect(failure { try world.publish(day) }?.code == .outputExists)
        }
        #expect(world.everything == before)
        #expect(try world.nights.nights == [])
    }

    /// A folder that only resembles a run, or a foreign file in a run, is never removed.
    @Test(arguments: [("{}", "manifest.json"), ("mine", "mine.txt"), ("", ".hidden")])
    func foreignFilesAreNeverRemoved(text: String, name: String) throws {
        let world = try NightWorld()
        for day in ["2026-11-18", "2026-11-19"] { try world.publish(day) }
        try world.write(text, to: "2026-11-18/\(name)")
        try world.write("{}", to: "2027-05-05/manifest.json")
        try world.write("mine", to: "2027-05-05/mine.txt")
        let before = world.everything
        #expect(failure { try world.publish("2026-11-18", "id\n2\n") }?.code == .outputExists)
        #expect(failure { try world.publish("2027-05-05") }?.code == .outputExists)
        #expect(world.latest == "2026-11-19")
        let isNight = name != "manifest.json"
        #expect(failure { _ = try world.nights.lock().keep(1) }?.code == (isNight ? .outputExists : nil))
        #expect(world.everything == before)
        #expect(world.nights.holds(try #require(Day("2026-11-18"))) == isNight)
    }

    @Test func archiveCreatesOnlyItsOwnFolder() throws {
        let world = try NightWorld()
        #expect(try NightlyArchive(world.top + "/new//").path == world.top + "/new")
        #expect(FileManager.default.fileExists(atPath: world.top + "/new"))
        #expect(
            failure { try NightlyArchive(world.top + "/no/new") }?.message
                == "the folder '\(world.top)/no' does not exist: create it first")
        try world.write("x", to: "file")
        for path in ["", world.file("file"), world.file("file/new"), "/sys/nights"] {
            #expect(failure { try NightlyArchive(path) }?.code == .outputNotWritable, "\(path)")
        }
    }

    @Test(
        arguments: [
            (OutputSharing.owner, 0o000, 0o700), (.owner, 0o022, 0o700), (.umask, 0o022, 0o755), (.umask, 0o077, 0o700),
        ] as [(OutputSharing, mode_t, mode_t)])
    func runsAreReadableOnlyByOwnerUnlessShared(sharing: OutputSharing, mask: mode_t, expected: mode_t) throws {
        let world = try NightWorld()
        try withUmask(mask) {
            let folder = world.top + "/masked"
            let nights = try NightlyArchive(folder, sharing: sharing)
            try nights.lock().publish("id\n1\n", on: "2026-11-20")
            try nights.lock().publish("id\n2\n", on: "2026-11-20")
            let export = try AtomicFolder(folder + "/export")
            try export.open("file").commit()
            try export.commit()
        }
        #expect(world.permissions("../masked") == expected)
        #expect(world.permissions("../masked/2026-11-20") == expected)
        for name in [".lock", "2026-11-20/events.csv", "2026-11-20/manifest.json"] {
            #expect(world.permissions("../masked/" + name) == expected & 0o666, "\(name)")
        }
        #expect(world.permissions("../masked/export") == 0o700)
        #expect(world.permissions("../masked/export/file") == 0o600)
    }

    @Test func archiveWithWiderPermissionsKeepsThem() throws {
        let world = try NightWorld()
        try withUmask(0o022) {
            let folder = world.top + "/old"
            try NightlyArchive(folder, sharing: .umask).lock().publish("id\n1\n", on: "2026-11-19")
            try NightlyArchive(folder).lock().publish("id\n1\n", on: "2026-11-20")
        }
        #expect(world.permissions("../old") == 0o755)
        #expect(world.permissions("../old/2026-11-19") == 0o755)
        #expect(world.permissions("../old/2026-11-20") == 0o700)
        #expect(try NightlyArchive(world.top + "/old").nights.count == 2)
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
    func unwritableFolderIsRefused() throws {
        let world = try NightWorld()
        try world.publish("2026-11-20")
        let before = world.everything
        chmod(world.path, 0o500)
        defer { chmod(world.path, 0o700) }
        #expect(failure { try world.publish("2026-11-21") }?.code == .outputNotWritable)
        #expect(failure { try world.publish("2026-11-20") }?.code == .outputNotWritable)
        #expect(world.everything == before)
    }
}
