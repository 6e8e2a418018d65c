import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the ZIP reader with archives that Python writes.
@Suite(.engineIndependent) struct ZipArchiveTests {
    /// Creates an archive with a Python script, in which `z` is the archive and `io` and `zipfile` are imported.
    private func archive(_ script: String, in folder: TemporaryFolder) async throws -> RandomAccessFile {
        let program = """
            import io, struct, zipfile
            class Stream(io.RawIOBase):
                def __init__(self, path): self.file = open(path, 'wb')
                def writable(self): return True
                def write(self, b): self.file.write(bytes(b)); return len(b)
            def change(data):
                with open('a.zip', 'wb') as f: f.write(data)
            def data(): return bytearray(open('a.zip', 'rb').read())
            """
        let run = try await Program.run("/usr/bin/python3", ["-c", program + "\n" + script], in: folder.path)
        try #require(run.status == 0, "\(run)")
        return try RandomAccessFile(path: folder.file("a.zip"), name: "a.zip", onlyRegularFile: false)
    }

    private func read(_ entry: ZipArchive.Entry, _ file: RandomAccessFile) throws -> String {
        let reader = try ZipEntryReader(entry, in: file)
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 7)
        while true {
            let count = try block.withMutableBytes { try reader.read(into: &$0) }
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += block[..<count]
        }
    }

    private func contents(_ file: RandomAccessFile) throws -> [String: String] {
        var contents: [String: String] = [:]
        for entry in try ZipArchive(file).entries { contents[entry.name] = try read(entry, file) }
        return contents
    }

    private static let simple = """
        with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as z:
            z.writestr('a.txt', 'hello ' * 100)
            z.writestr(zipfile.ZipInfo('folder/'), '')
            z.writestr(zipfile.ZipInfo('folder/ü.txt'), 'stored')
            z.writestr('empty', '')

        """

    @Test func entriesAreReadInOrder() async throws {
        let folder = try TemporaryFolder()
        let file = try await archive(Self.simple, in: folder)
        #expect(try ZipArchive(file).entries.map(\.name) == ["a.txt", "folder/ü.txt", "empty"])
        let contents = try contents(file)
        #expect(contents["a.txt"] == String(repeating: "hello ", count: 100))
        #expect(contents["folder/ü.txt"] == "stored")
        #expect(contents["empty"] == "")
    }

    @Test(
        arguments: [
            // Sizes after the data, as in a stream.
            "z = zipfile.ZipFile(Stream('a.zip'), 'w', zipfile.ZIP_DEFLATED); z.writestr('a', 'x' * 1000); z.close()",
            // Zip64 sizes in the local header and in the directory.
            "z = zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED)\nwith z.open('a', 'w', force_zip64=True) as f: f.write(b'x' * 1000)\nz.close()",
            "zipfile.ZIP64_LIMIT = 10\nz = zipfile.ZipFile('a.zip', 'w'); z.writestr('a', 'x' * 1000); z.close()",
            // A comment after the archive, and data before it.
            "z = zipfile.ZipFile('a.zip', 'w'); z.writestr('a', 'x' * 1000); z.comment = b'PK\\5\\6 comment'; z.close()",
            "z = zipfile.ZipFile('a.zip', 'w'); z.writestr('a', 'x' * 1000); z.close(); change(b'#!/bin/sh\\n' + data())",
        ])
    func otherFormsAreRead(script: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try contents(try await archive(script, in: folder)) == ["a": String(repeating: "x", count: 1000)])
    }

    @Test(
        arguments: [
            // A wrong checksum, damaged data, a truncated file, and an unsupported method.
            "d = data(); d[14] ^= 1; i = d.rfind(b'PK\\1\\2', 0, d.rfind(b'folder/')); d[d.find(b'PK\\1\\2') + 16] ^= 1; change(d)",
            "d = data(); d[45] ^= 255; change(d)",
            "change(data()[:-30])", "change(data()[30:])",
            "d = data(); d[d.find(b'PK\\1\\2') + 10] = 14; change(d)",
            // A flag for encryption.
            "d = data(); d[d.find(b'PK\\1\\2') + 8] |= 1; change(d)",
            // Another size after decompression.
            "d = data(); i = d.find(b'PK\\1\\2') + 24; d[i:i+4] = struct.pack('<I', 10); change(d)",
            "d = data(); i = d.find(b'PK\\1\\2') + 24; d[i:i+4] = struct.pack('<I', 100000); change(d)",
            // Overlapping entries.
            "with zipfile.ZipFile('a.zip', 'w') as z:\n    z.writestr('a', 'x' * 10000); z.filelist.extend(z.filelist * 3)",
            // A Zip64 directory whose size and start have a sum that no integer holds.
            "zipfile.ZIP64_LIMIT = 10\nz = zipfile.ZipFile('a.zip', 'w'); z.writestr('a', 'x' * 1000); z.close()\nd = data(); i = d.find(b'PK\\6\\6') + 40; d[i:i+16] = struct.pack('<QQ', 2**63 - 1, 2**63 - 1); change(d)",
            // An offset after the end.
            "d = data(); i = d.find(b'PK\\1\\2') + 42; d[i:i+4] = struct.pack('<I', 2000000000); change(d)",
        ])
    func damagedArchiveIsUnreadable(script: String) async throws {
        let folder = try TemporaryFolder()
        let file = try await archive(Self.simple + script, in: folder)
        #expect { try contents(file) } throws: { ($0 as? HabitError)?.code == .archiveUnreadable }
    }
}
