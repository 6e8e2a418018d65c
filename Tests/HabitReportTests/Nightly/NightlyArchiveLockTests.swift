import Foundation
import HabitModel
import Testing

@testable import HabitReport

/// Tests that only one run is active, that leftovers of killed runs are removed, and that old runs are removed
/// completely.
@Suite struct NightlyArchiveLockTests {
    private func start(_ arguments: String...) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flock")
        process.arguments = arguments
        try process.run()
        return process
    }

    @Test func lockIsBusyWhileAnotherProcessHoldsIt() throws {
        let world = try NightWorld()
        try world.publish("2026-11-20")
        let other = try start("--no-fork", world.file(".lock"), "sleep", "60")
        defer { other.terminate() }
        var error: HabitError?
        for _ in 0..<500 where error == nil {
            error = failure { try world.nights.lock() }
            usleep(10_000)
        }
        #expect(error?.code == .busy && error?.code.exitStatus == 75)
        #expect(error?.message.contains("wait until it has ended") == true)
        // A reader does not wait for the lock.
        #expect(try world.nights.nights.count == 1)
        kill(other.processIdentifier, SIGKILL)
        other.waitUntilExit()
        try world.publish("2026-11-21")
        #expect(world.latest == "2026-11-21")
    }

    @Test func lockIsHeldUntilWriterIsReleased() throws {
        let world = try NightWorld()
        func status() throws -> Int32 {
            let process = try start("--nonblock", world.file(".lock"), "true")
            process.waitUntilExit()
            return process.terminationStatus
        }
        do {
            let writer = try world.nights.lock()
            #expect(try status() == 1)
            #expect(failure { try world.nights.lock() }?.code == .busy)
            try writer.publish("id\n", on: "2026-11-20")
            #expect(try status() == 1)
        }
        #expect(try status() == 0)
    }

    @Test func refusedLockLeavesNoDescriptorOpen() throws {
        let world = try NightWorld()
        let writer = try world.nights.lock()
        for _ in 0..<10 { #expect(failure { try world.nights.lock() }?.code == .busy) }
        let lock = (world.file(".lock") as NSString).resolvingSymlinksInPath
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) == lock
        }
        #expect(open.count == 1)
        try writer.publish("id\n", on: "2026-11-20")
    }

    @Test func linkOrPipeIsRefusedOrAcceptedAsLock() throws {
        let world = try NightWorld()
        symlink("elsewhere", world.file(".lock"))
        #expect(failure { try world.nights.lock() }?.code == .outputNotWritable)
        #expect(world.names == [".lock"])
        unlink(world.file(".lock"))
        mkfifo(world.file(".lock"), 0o600)
        try world.publish("2026-11-20")
    }

    @Test func onlyLeftoversOfKilledRunsAreRemoved() throws {
        let world = try NightWorld()
        try world.publish("2026-11-20")
        let kept = [
            ".2026-11-20.abcdef.tmp2/x", ".2026-13-20.abcdef.tmp/x", ".other.abcdef.tmp/x", ".latest.abcde.tmp/x",
        ]
        for name in kept { try world.write("mine", to: name) }
        try world.write("mine", to: ".2026-11-20.aaaaaa.tmp")
        symlink("2026-11-20", world.file(".2026-11-20.bbbbbb.tmp"))
        let before = world.everything
        try world.write("half", to: ".2026-11-21.k3j2h1.tmp/events.csv")
        symlink(world.file("2026-11-20"), world.file(".2026-11-21.k3j2h1.tmp/link"))
        try world.write("old", to: ".2026-11-20.k3j2h1.old/manifest.json")
        symlink("2026-11-20", world.file(".latest.k3j2h1.tmp"))
        _ = try world.nights.lock()
        #expect(world.everything == before)
    }

    @Test func replacedRunIsRestoredWhenNewRunIsMissing() throws {
        let world = try NightWorld()
        try world.publish("2026-11-19")
        try world.publish("2026-11-20")
        let before = world.everything
        rename(world.file("2026-11-20"), world.file(".2026-11-20.abcdef.old"))
        try world.write("half", to: ".2026-11-20.abcdef.tmp/events.csv")
        _ = try world.nights.lock()
        #expect(world.everything == before)
    }

    @Test func linkNotMovedByKilledRunIsMoved() throws {
        let world = try NightWorld()
        try world.publish("2026-11-19")
        try world.publish("2026-11-20")
        unlink(world.file("latest"))
        symlink("2026-11-19", world.file("latest"))
        _ = try world.nights.lock()
        #expect(world.latest == "2026-11-20")
    }

    @Test(arguments: [(1, 4), (2, 3), (5, 0), (9, 0)]) func newestRunsAreKept(count: Int, removed: Int) throws {
        let world = try NightWorld()
        let days = (1...5).map { "2026-11-0\($0)" }
        for day in days.shuffled() { try world.publish(day) }
        try world.write("mine", to: "2026-10-01/file")
        try world.write("mine", to: "2026-10-02")
        try world.write("{}", to: "other/manifest.json")
        symlink("other", world.file("2026-10-03"))
        symlink("2026-11-05", world.file("2026-10-04"))
        let writer = try world.nights.lock()
        #expect(try writer.keep(count).map(\.description) == Array(days.prefix(removed)))
        let foreign = ["2026-10-01", "2026-10-02", "2026-10-03", "2026-10-04"]
        #expect(world.visible == foreign + days.dropFirst(removed) + ["latest", "other"])
        #expect(world.read("other/manifest.json") == "{}" && world.read("2026-10-01/file") == "mine")
        #expect(world.latest == "2026-11-05" && world.read("latest/events.csv") == "id\n1\n")
    }

    @Test func linkInOldRunIsNotFollowed() throws {
        let world = try NightWorld()
        try world.publish("2026-11-19")
        try world.publish("2026-11-20")
        try world.write("mine", to: "other/file")
        // The link replaces a file of the run, because a run with foreign files is kept.
        unlink(world.file("2026-11-19/events.csv"))
        symlink("../../other", world.file("2026-11-19/events.csv"))
        try world.nights.lock().keep(1)
        #expect(world.visible == ["2026-11-20", "latest", "other"])
        #expect(world.read("other/file") == "mine")
    }

    @Test(arguments: [0, -1, Int.min]) func invalidNumberOfRunsToKeepIsRefused(count: Int) throws {
        let world = try NightWorld()
        try world.publish("2026-11-20")
        #expect(failure { try world.nights.lock().keep(count) }?.code == .parameterInvalid)
        #expect(world.visible == ["2026-11-20", "latest"])
    }
}
