import Base
import Foundation
import HabitTestSupport
import Testing

@testable import HabitReport

/// Tests that only one run is active, that leftovers of killed runs are removed, and that old runs are removed
/// completely.
@Suite struct NightlyArchiveLockTests {
    private static let flock = "/usr/bin/flock"

    @Test func lockIsBusyWhileAnotherProcessHoldsIt() async throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        let scratch = try TemporaryFolder()
        let other = try Program.start(
            Self.flock, ["--no-fork", fixture.file(".lock"), "sleep", "600"], in: scratch.path, scratch: scratch)
        defer { other.terminate() }
        var error: HabitError?
        try await waitUntil("the other process holds the lock") {
            error = failure { try fixture.archive.lock() }
            return error != nil
        }
        #expect(error?.code == .busy)
        #expect(error?.code.exitStatus == 75)
        #expect(error?.message.contains("wait until it has ended") == true)
        // A reader does not wait for the lock.
        #expect(try fixture.archive.runDays.count == 1)
        other.send(SIGKILL)
        await other.end()
        try fixture.publish("2026-11-21")
        #expect(fixture.latest == "2026-11-21")
    }

    @Test func lockIsHeldUntilWriterIsReleased() async throws {
        let fixture = try TemporaryArchive()
        func status() async throws -> Int32 {
            try await Program.run(Self.flock, ["--nonblock", fixture.file(".lock"), "true"], in: "/").status
        }
        do {
            let writer = try fixture.archive.lock()
            #expect(try await status() == 1)
            #expect(failure { try fixture.archive.lock() }?.code == .busy)
            try writer.publish("id\n", on: "2026-11-20")
            #expect(try await status() == 1)
        }
        #expect(try await status() == 0)
    }

    @Test func refusedLockLeavesNoDescriptorOpen() throws {
        let fixture = try TemporaryArchive()
        let writer = try fixture.archive.lock()
        for _ in 0..<10 { #expect(failure { try fixture.archive.lock() }?.code == .busy) }
        let lock = (fixture.file(".lock") as NSString).resolvingSymlinksInPath
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == lock
        }
        #expect(open.count == 1)
        try writer.publish("id\n", on: "2026-11-20")
    }

    @Test func linkOrPipeIsRefusedOrAcceptedAsLock() throws {
        let fixture = try TemporaryArchive()
        symlink("elsewhere", fixture.file(".lock"))
        #expect(failure { try fixture.archive.lock() }?.code == .outputNotWritable)
        #expect(fixture.names == [".lock"])
        unlink(fixture.file(".lock"))
        mkfifo(fixture.file(".lock"), 0o600)
        try fixture.publish("2026-11-20")
    }

    @Test func onlyLeftoversOfKilledRunsAreRemoved() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        let kept = [
            ".2026-11-20.abcdef.tmp2/x", ".2026-13-20.abcdef.tmp/x", ".other.abcdef.tmp/x", ".latest.abcde.tmp/x",
        ]
        for name in kept { try fixture.write("mine", to: name) }
        try fixture.write("mine", to: ".2026-11-20.aaaaaa.tmp")
        symlink("2026-11-20", fixture.file(".2026-11-20.bbbbbb.tmp"))
        let before = fixture.allContents
        try fixture.write("half", to: ".2026-11-21.k3j2h1.tmp/events.csv")
        symlink(fixture.file("2026-11-20"), fixture.file(".2026-11-21.k3j2h1.tmp/link"))
        try fixture.write("old", to: ".2026-11-20.k3j2h1.old/manifest.json")
        symlink("2026-11-20", fixture.file(".latest.k3j2h1.tmp"))
        _ = try fixture.archive.lock()
        #expect(fixture.allContents == before)
    }

    @Test func replacedRunIsRestoredWhenNewRunIsMissing() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-19")
        try fixture.publish("2026-11-20")
        let before = fixture.allContents
        rename(fixture.file("2026-11-20"), fixture.file(".2026-11-20.abcdef.old"))
        try fixture.write("half", to: ".2026-11-20.abcdef.tmp/events.csv")
        _ = try fixture.archive.lock()
        #expect(fixture.allContents == before)
    }

    @Test func linkNotMovedByKilledRunIsMoved() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-19")
        try fixture.publish("2026-11-20")
        unlink(fixture.file("latest"))
        symlink("2026-11-19", fixture.file("latest"))
        _ = try fixture.archive.lock()
        #expect(fixture.latest == "2026-11-20")
    }

    @Test(arguments: [(1, 4), (2, 3), (5, 0), (9, 0)])
    func newestRunsAreKept(count: Int, removed: Int) throws {
        let fixture = try TemporaryArchive()
        let days = (1...5).map { "2026-11-0\($0)" }
        for day in days.shuffled() { try fixture.publish(day) }
        try fixture.write("mine", to: "2026-10-01/file")
        try fixture.write("mine", to: "2026-10-02")
        try fixture.write("{}", to: "other/manifest.json")
        symlink("other", fixture.file("2026-10-03"))
        symlink("2026-11-05", fixture.file("2026-10-04"))
        let writer = try fixture.archive.lock()
        #expect(try writer.keep(count).map(\.description) == Array(days.prefix(removed)))
        let foreign = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"]
        #expect(fixture.visible == foreign + days.dropFirst(removed) + ["latest", "other"])
        #expect(fixture.read("other/manifest.json") == "{}")
        #expect(fixture.read("2026-10-01/file") == "mine")
        #expect(fixture.latest == "2026-11-05")
        #expect(fixture.read("latest/events.csv") == "id\n1\n")
    }

    @Test func linkInOldRunIsNotFollowed() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-19")
        try fixture.publish("2026-11-20")
        try fixture.write("mine", to: "other/file")
        // The link replaces a file of the run, because a run with foreign files is kept.
        unlink(fixture.file("2026-11-19/events.csv"))
        symlink("../../other", fixture.file("2026-11-19/events.csv"))
        try fixture.archive.lock().keep(1)
        #expect(fixture.visible == ["2026-11-20", "latest", "other"])
        #expect(fixture.read("other/file") == "mine")
    }

    @Test(arguments: [0, -1, Int.min]) func invalidNumberOfRunsToKeepIsRefused(count: Int) throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        #expect(failure { try fixture.archive.lock().keep(count) }?.code == .parameterInvalid)
        #expect(fixture.visible == ["2026-11-20", "latest"])
    }
}
