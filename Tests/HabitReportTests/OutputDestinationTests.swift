import Foundation
import HabitModel
import Testing

@testable import HabitReport
@testable import Rendering

@Suite struct OutputDestinationTests {
    /// A folder of its own for each test, removed afterwards.
    private func inFolder(_ body: (String) throws -> Void) throws {
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

    @Test func `a dash is stdout`() {
        #expect(OutputDestination(nil) == .standardOutput)
        #expect(OutputDestination("-") == .standardOutput)
        #expect(OutputDestination("a") == .file("a"))
    }

    @Test func `a file appears complete and replaces the old one`() throws {
        try inFolder { folder in
            let path = folder + "/out.csv"
            try write("old", to: path)
            #expect(content(path) == "old")
            let output = try OutputBuffer(to: .file(path))
            for _ in 0..<100_000 {
                output.append("0123456789")
                try output.flushIfFull()
            }
            #expect(content(path) == "old")
            #expect(try names(in: folder) == ["out.csv"], "what is not complete has no name")
            try output.close()
            #expect(content(path)?.utf8.count == 1_000_000)
            #expect(try names(in: folder) == ["out.csv"])
        }
    }

    @Test func `whole blocks go out, and in the end the rest`() throws {
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
        #expect(sink.sizes.dropLast().allSatisfy { $0 > 0 && $0 % OutputBuffer.flushSize == 0 }, "\(sink.sizes)")
        #expect(sink.sizes.last == all.count % OutputBuffer.flushSize)
    }

    @Test func `without close the old file stays and nothing is left behind`() throws {
        try inFolder { folder in
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
        try inFolder { folder in
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

    @Test func `a folder that is missing, or no folder, or the name of one`() throws {
        try inFolder { folder in
            try write("x", to: folder + "/file")
            let cases = [
                (folder + "/none/out", "The folder \(folder)/none does not exist: create it first."),
                (folder + "/file/out", "The folder \(folder)/file is not a folder."),
                (folder, "\(folder) is a folder: give the name of a file in it."),
                (folder + "/", "\(folder)/ is a folder: give the name of a file in it."),
                ("..", ".. is a folder: give the name of a file in it."),
                ("", "the name of the output is empty: give one"),
            ]
            for (path, message) in cases {
                let error = error { try write("x", to: path) }
                #expect(error?.code == .outputNotWritable)
                #expect(error?.message == message)
            }
            #expect(try names(in: folder) == ["file"])
        }
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
    func `a folder that is not writable`() throws {
        try inFolder { folder in
            chmod(folder, 0o500)
            defer { chmod(folder, 0o700) }
            let error = error { try write("x", to: folder + "/out") }
            #expect(error?.message == "The folder \(folder) is not writable for you: choose another one.")
        }
    }

    @Test func `a link stands for its file, or is replaced on request`() throws {
        try inFolder { folder in
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

    @Test func `a long name fits`() throws {
        try inFolder { folder in
            let name = String(repeating: "ü", count: 127)
            try write("x", to: folder + "/" + name)
            #expect(content(folder + "/" + name) == "x")
            #expect(error { try write("x", to: folder + "/" + name + name) }?.code == .outputNotWritable)
            #expect(try names(in: folder).count == 1)
        }
    }

    @Test func `devices and pipes are written as they come`() throws {
        try write("x", to: "/dev/null")
        let full = error { try write("x", to: "/dev/full") }
        #expect(full?.code == .noSpace)
        #expect(full?.message == "There is no space left to write /dev/full: free some, or choose another folder.")

        try inFolder { folder in
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
            #expect(throws: ClosedPipe.self) { try output.flush() }
            #expect(try names(in: folder) == ["pipe"])
        }
    }
}
