import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

@Suite(.engineIndependent) struct ByteSourceTests {
    private let text = "habit,day\nh1,2026-11-20\n"
    /// `text` compressed by `gzip -9`.
    private let compressed = Array(
        Data(base64Encoded: "H4sIAAAAAAACA8tITMos0UlJrOTKMNQxMjAy0zU01DUy4AIApXejLhgAAAA=") ?? Data())

    private func readText(_ source: ByteSource, atOnce size: Int = 1000) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while true {
            let count = try source.read(into: &buffer)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }

    @Test func fileReportsBytesAndProgress() throws {
        let folder = try TemporaryFolder()
        let source = try ByteSource(path: folder.write(text, to: "events.csv"))
        #expect(source.totalBytes == 24)
        #expect(source.consumedBytes == 0)
        #expect(try readText(source) == text)
        #expect(source.consumedBytes == 24)
    }

    @Test func progressOfGzipCountsFileOnDisk() throws {
        let folder = try TemporaryFolder()
        let source = try ByteSource(path: folder.write(Data(compressed), to: "events.csv.gz"))
        #expect(try readText(source) == text)
        #expect(source.totalBytes == compressed.count)
        #expect(source.consumedBytes == compressed.count)
    }

    @Test func descriptorStaysOpen() throws {
        let folder = try TemporaryFolder()
        let file = try #require(FileHandle(forReadingAtPath: folder.write(text, to: "events.csv")))
        #expect(try readText(ByteSource(fileDescriptor: file.fileDescriptor, name: "standard input")) == text)
        try file.seek(toOffset: 0)
        #expect(try file.readToEnd()?.count == 24)
    }

    @Test func pipeHasNoSize() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: compressed)
        try pipe.fileHandleForWriting.close()
        let source = try ByteSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, name: "standard input")
        #expect(source.totalBytes == nil)
        #expect(try readText(source) == text)
    }

    @Test(arguments: [1, 2, 3, 7, 1000], [1, 2, 3, 7, 1000])
    func gzipMembersAreConcatenated(chunk: Int, size: Int) throws {
        let bytes = compressed + gzipped([]) + gzipped(Array("h2,2026-11-21\n".utf8)) + compressed
        #expect(try readText(source(bytes, chunk: chunk), atOnce: size) == text + "h2,2026-11-21\n" + text)
    }

    @Test(arguments: ["", "a", "\u{1f}", "\u{1f}a", "ab"])
    func uncompressedInputIsUnchanged(text: String) throws {
        #expect(try readText(ByteSource(bytes: Array(text.utf8), name: "input")) == text)
    }

    @Test func everyPrefixOfGzipIsTruncated() {
        for count in 2..<compressed.count {
            let error = failure {
                _ = try readText(ByteSource(bytes: Array(compressed[..<count]), name: "events.csv.gz"))
            }
            #expect(error?.code == .gzipTruncated, "\(count) bytes")
            #expect(error?.file == "events.csv.gz")
        }
    }

    @Test func damagedGzipIsUnreadable() {
        var bytes = compressed
        bytes[bytes.count - 6] ^= 1  // Inverts a bit of the checksum.
        #expect(failure { _ = try readText(ByteSource(bytes: bytes, name: "input")) }?.code == .archiveUnreadable)
    }

    @Test(
        arguments: [
            [0],
            [0x1F],
            [0x1F, 0x8C],
            [0, 0, 0, 0],
            Array("garbage".utf8),
        ] as [[UInt8]])
    func bytesAfterGzipAreUnreadable(rest: [UInt8]) {
        #expect(failure { _ = try readText(source(compressed + rest, chunk: 5)) }?.code == .archiveUnreadable)
    }

    @Test func missingFileIsNotFound() throws {
        let path = try TemporaryFolder().file("none.csv")
        let error = failure { _ = try ByteSource(path: path) }
        #expect(error?.code == .inputNotFound)
        #expect(error?.file == path)
    }

    @Test func folderIsUnreadable() throws {
        let folder = try TemporaryFolder()
        #expect(failure { _ = try ByteSource(path: folder.path, name: "data") }?.code == .inputUnreadable)
        #expect(failure { _ = try ByteSource(path: folder.path, name: "data") }?.file == "data")
    }

    @Test(.enabled(if: getuid() != 0)) func forbiddenFileIsUnreadable() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(text, to: "events.csv")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        #expect(failure { _ = try ByteSource(path: path) }?.code == .inputUnreadable)
    }

    @Test func closedDescriptorIsUnreadable() {
        #expect(failure { _ = try ByteSource(fileDescriptor: 9999, name: "standard input") }?.code == .inputUnreadable)
    }
}
