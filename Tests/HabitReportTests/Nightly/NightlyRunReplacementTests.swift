import Foundation
import HabitModel
import Testing

@testable import HabitReport
@testable import Rendering

/// Tests that a failed run keeps the previous one and that a replaced run exists at every moment.
@Suite struct NightlyRunReplacementTests {
    @Test func readerAlwaysFindsRunDuringReplacement() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20", "id\n0\n")
        let started = DispatchSemaphore(value: 0)
        let hasReadOften = DispatchSemaphore(value: 0)
        let done = DispatchSemaphore(value: 0)
        let stop = fixture.top + "/stop"
        nonisolated(unsafe) var reads = 0
        nonisolated(unsafe) var misses = 0
        nonisolated(unsafe) var halves = 0
        Thread.detachNewThread {
            while access(stop, F_OK) != 0 {
                let file = open(fixture.file("latest/manifest.json"), O_RDONLY)
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = file < 0 ? 0 : read(file, &bytes, bytes.count)
                if file < 0 { misses += 1 } else { close(file) }
                if file >= 0, !bytes[..<max(0, count)].ends(with: "\n}\n") { halves += 1 }
                reads += 1
                if reads == 1 { started.signal() }
                if reads == 201 { hasReadOften.signal() }
            }
            done.signal()
        }
        started.wait()
        let writer = try fixture.archive.lock()
        var number = 0
        // A busy machine can delay the reader, so the run is replaced until the reader has read often.
        repeat {
            number += 1
            try writer.publish("id\n\(number)\n", on: "2026-11-20")
        } while number < 200 || hasReadOften.wait(timeout: .now()) == .timedOut
        try Data().write(to: URL(fileURLWithPath: stop))
        done.wait()
        #expect(misses == 0, "\(misses), \(halves) of \(reads)")
        #expect(halves == 0, "\(misses), \(halves) of \(reads)")
        #expect(reads > 200, "\(misses), \(halves) of \(reads)")
        #expect(fixture.read("latest/events.csv") == "id\n\(number)\n")
        #expect(fixture.visible == ["2026-11-20", "latest"])
    }

    @Test func openFileOfReplacedRunStaysReadable() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20", "id\nold\n")
        let file = try #require(FileHandle(forReadingAtPath: fixture.file("latest/events.csv")))
        try fixture.publish("2026-11-20", "id\nnew\n")
        #expect(String(decoding: file.readDataToEndOfFile(), as: UTF8.self) == "id\nold\n")
    }

    /// Fails at each step of writing the files.
    @Test(arguments: 0..<8, ["2026-11-20", "2026-11-21"])
    func failedRunLeavesNothing(step: Int, day: String) throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        let before = fixture.allContents
        let writer = try fixture.archive.lock()
        var steps = 0
        func next() throws {
            if steps == step { throw Stop() }
            steps += 1
        }
        #expect(throws: Stop.self) {
            try writer.publish(date(day)) { draft in
                try next()
                for name in ["a.csv", "b.csv"] {
                    try draft.write(NightlyManifest.File(name, format: "csv")) { buffer in
                        try next()
                        buffer.append(String(repeating: "x\n", count: 100_000))
                        try buffer.flush()
                        try next()
                        return nil
                    }
                    try next()
                }
                try next()
                try next()
            }
        }
        #expect(fixture.allContents == before)
        try writer.publish("id\n3\n", on: day)
        #expect(fixture.read("latest/events.csv") == "id\n3\n")
    }

    @Test func incompleteFileIsNotPublished() throws {
        let fixture = try TemporaryArchive()
        let error = failure {
            try fixture.archive.lock().publish(date("2026-11-20")) { draft in
                try? draft.write(NightlyManifest.File("a.csv", format: "csv")) { _ in throw Stop() }
                try draft.write("b.csv", "id\n")
            }
        }
        #expect(error?.code == .internal)
        #expect(fixture.visible == [])
    }

    @Test(arguments: ["", ".", "..", ".hidden", "a/b", "../a", "/tmp/a", "manifest.json", "a\nb", "a\0b"])
    func invalidFileNameIsRefused(name: String) throws {
        let fixture = try TemporaryArchive()
        let error = failure { try fixture.archive.lock().publish(date("2026-11-20")) { try $0.write(name, "x") } }
        #expect(error?.code == .internal)
        #expect(fixture.visible == [])
    }

    @Test func duplicateFileNameIsRefused() throws {
        let fixture = try TemporaryArchive()
        let error = failure {
            try fixture.archive.lock().publish(date("2026-11-20")) { draft in
                for _ in 1...2 { try draft.write("a.csv", "id\n") }
            }
        }
        #expect(error?.code == .outputNotWritable)
        #expect(fixture.visible == [])
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signalKeepsPreviousRun(number: Int32) throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        let before = fixture.allContents
        let usual = signal(number) { _ in }
        defer { signal(number, usual) }
        try onThread {
            let writer = try fixture.archive.lock()
            let error = failure {
                try writer.publish(date("2026-11-20")) { draft in
                    try draft.write("a.csv", "id\n1\n")
                    pthread_kill(pthread_self(), number)
                    try draft.write("b.csv", "id\n1\n")
                }
            }
            #expect(error?.code == .writeFailed)
        }
        #expect(fixture.allContents == before)
    }

    /// The error codes with which a file system refuses to exchange two names.
    @Test(arguments: [EINVAL, ENOSYS, EOPNOTSUPP, EIO]) func replacementFallsBackWhenExchangeIsUnsupported(
        number: Int32
    ) throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        let before = fixture.allContents
        let folder = try AtomicFolder(fixture.file("2026-11-20"), sharing: .umask, replaces: true)
        folder.exchange = { _, _ in number }
        let file = try folder.open("new")
        try file.commit()
        if number == EIO {
            #expect(failure { try folder.commit() }?.code == .outputNotWritable)
            #expect(fixture.allContents == before)
        } else {
            try folder.commit()
            #expect(fixture.allContents == ["2026-11-20": "/", "2026-11-20/new": "", "latest": "2026-11-20"])
        }
    }

    @Test func fileOrLinkCreatedMeanwhileIsNotReplaced() throws {
        let fixture = try TemporaryArchive()
        let folder = try AtomicFolder(fixture.file("name"), replaces: true, followsLinks: false)
        try fixture.write("mine", to: "name")
        #expect(failure { try folder.commit() }?.code == .outputExists)
        #expect(fixture.allContents == ["name": "mine"])
    }
}

extension Collection<UInt8> {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
