import Base
import Foundation
import HabitModel
import Testing

@testable import HabitReport
@testable import Rendering

@Suite struct OutputDestinationTests {
    /// Runs `body` with a temporary folder and then removes the folder.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = NSTemporaryDirectory() + "habitat-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func write(_ text: String, to path: String, close: Bool = true) throws {
        let output = try OutputBuffer(to: .file(path))
        output.append(text)
        try close ? output.close() : output.flush()
    }

    private func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private func content(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    private func error(_ body: () throws -> Void) -> HabitError? {
        do {
            try body()
            return nil
        } catch {
            return error as? HabitError
        }
    }

    @Test func dashIsStandardOutput() {
        #expect(OutputDestination(nil) == .standardOutput)
        #expect(OutputDestination("-") == .standardOutput)
        #expect(OutputDestination("a") == .file("a"))
    }

    @Test func fileAppearsCompleteAndReplacesOldFile() throws {
        try withFolder { folder in
            let path = folder + "/out.csv"
            try write("old", to: path)
            #expect(content(path) == "old")
            let output = try OutputBuffer(to: .file(path))
            for _ in 0..<100_000 {
                output.append("0123456789")
                try output.flushIfFull()
            }
            #expect(content(path) == "old")
            #expect(try names(in: folder) == ["out.csv"], "an incomplete file has no name")
            try output.close()
            #expect(content(path)?.utf8.count == 1_000_000)
            #expect(try names(in: folder) == ["out.csv"])
        }
    }

    @Test func completeBlocksAreWrittenBeforeRemainingBytes() throws {
        final class Blocks: OutputSink {
            var sizes: [Int] = []
            var bytes: [UInt8] = []

            func write(_ bytes: RawSpan) {
                sizes.append(bytes.byteCount)
                bytes.withUnsafeBytes { self.bytes += $0 }
            }

            func commit() {}
        }
        let sink = Blocks()
        let output = OutputBuffer(sink)
        var all: [UInt8] = []
        for size in [10, 65_525, 1, 70_000, 0, 200_000, 3, 65_536, 99] {
            let row = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ size) }
            all += row
            output.append(row)
            try output.flushIfFull()
            #expect(output.contents.count < OutputBuffer.flushSize)
        }
        try output.close()
        #expect(sink.bytes == all)
        #expect(sink.sizes.dropLast().allSatisfy { $0 > 0 }, "\(sink.sizes)")
        #expect(sink.sizes.dropLast().allSatisfy { $0 % OutputBuffer.flushSize == 0 }, "\(sink.sizes)")
        #expect(sink.sizes.last == all.count % OutputBuffer.flushSize)
    }

    @Test func oldFileIsKeptWithoutClose() throws {
        try withFolder { folder in
            let path = folder + "/out.csv"
            try write("old", to: path)
            try write("new", to: path, close: false)
            #expect(content(path) == "old")
            #expect(try names(in: folder) == ["out.csv"])
            let file = try AtomicFile(path)
            try file.write("new".utf8.span.bytes)
            file.discard()
            #expect(error { try file.commit() }?.code == .writeFailed)
            #expect(content(path) == "old")
        }
    }

    @Test func fileIsReadableOnlyByOwnerUnlessShared() throws {
        try withFolder { folder in
            try write("a", to: folder + "/a")
            try AtomicFile(folder + "/b", sharing: .umask).commit()
            let mask = umask(0)
            umask(mask)
            for (name, expected) in [("a", 0o600), ("b", 0o666 & ~mask)] {
                var status = stat()
                #expect(stat(folder + "/" + name, &status) == 0)
                #expect(status.st_mode & 0o777 == expected)
            }
        }
    }

    @Test func invalidOutputFolderIsRefused() throws {
        try withFolder { folder in
            try write("x", to: folder + "/file")
            let cases = [
                (folder + "/none/out", "the folder '\(folder)/none' does not exist: create it first"),
                (folder + "/file/out", "the folder '\(folder)/file' is not a folder: choose another path"),
                ("/proc/out", "the folder '/proc' does not accept new files: choose another folder"),
                (folder, "'\(folder)' is a folder: add a file name"),
                (folder + "/", "'\(folder)/' is a folder: add a file name"),
                ("..", "'..' is a folder: add a file name"),
                ("", "the output path is empty: enter a path"),
            ]
            for (path, message) in cases {
                let error = error { try write("x", to: path) }
                #expect(error?.code == .outputNotWritable)
                #expect(error?.message == message)
            }
            #expect(try names(in: folder) == ["file"])
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root can write to every folder"))
    func unwritableFolderIsRefused() throws {
        try withFolder { folder in
            chmod(folder, 0o500)
            defer { chmod(folder, 0o700) }
            let error = error { try write("x", to: folder + "/out") }
            #expect(error?.message == "the folder '\(folder)' is not writable: choose another folder")
        }
    }

    @Test func linkIsFollowedOrReplacedOnRequest() throws {
        try withFolder { folder in
            try write("old", to: folder + "/file")
            #expect(symlink("file", folder + "/link") == 0)
            try write("new", to: folder + "/link")
            #expect(content(folder + "/file") == "new")

            let sink = try OutputDestination.file(folder + "/link").open(followsLinks: false)
            try sink.write("other".utf8.span.bytes)
            try sink.commit()
            #expect(content(folder + "/file") == "new")
            #expect(content(folder + "/link") == "other")

            #expect(symlink("none", folder + "/dangling") == 0)
            #expect(error { try write("x", to: folder + "/dangling") }?.code == .outputNotWritable)
        }
    }

    @Test func longNameIsAccepted() throws {
        try withFolder { folder in
            let name = String(repeating: "ü", count: 127)
            try write("x", to: folder + "/" + name)
            #expect(content(folder + "/" + name) == "x")
            #expect(error { try write("x", to: folder + "/" + name + name) }?.code == .outputNotWritable)
            #expect(try names(in: folder).count == 1)
        }
    }

    @Test func devicesAndPipesAreWrittenDirectly() throws {
        try write("x", to: "/dev/null")
        let full = error { try write("x", to: "/dev/full") }
        #expect(full?.code == .noSpace)
        #expect(full?.message == "no space is left to write /dev/full: free some space or choose another folder")

        try withFolder { folder in
            let path = folder + "/pipe"
            #expect(mkfifo(path, 0o600) == 0)
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            try write("through", to: path)
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = read(reader, &bytes, 100)
            #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "through")

            signal(SIGPIPE, SIG_IGN)
            let output = try OutputBuffer(to: .file(path))
            close(reader)
            output.append("lost")
            #expect(throws: BrokenPipeError.self) { try output.flush() }
            #expect(try names(in: folder) == ["pipe"])
        }
    }
}
