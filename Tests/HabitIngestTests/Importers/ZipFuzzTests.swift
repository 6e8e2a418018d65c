import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests that no archive ends the program: every changed archive is read, or is `archive-unreadable`.
@Suite(.engineIndependent) struct ZipFuzzTests {
    /// The bytes that a test reads of an entry.
    private static let limit = 1 << 20

    private static func archives() async throws -> [[UInt8]] {
        let folder = try TemporaryFolder()
        let script = """
            import zipfile
            with zipfile.ZipFile('a.zip', 'w', zipfile.ZIP_DEFLATED) as z:
                z.writestr('a.csv', 'id,day\\n' * 100)
                z.writestr(zipfile.ZipInfo('folder/b.txt'), 'stored')
                z.writestr('empty', '')
            with zipfile.ZipFile('b.zip', 'w', zipfile.ZIP_DEFLATED) as z:
                with z.open('large', 'w', force_zip64=True) as f: f.write(b'x' * 5000)
                z.comment = b'a comment'
            """
        let run = try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path)
        try #require(run.status == 0, "\(run)")
        return try ["a.zip", "b.zip"].map { Array(try Data(contentsOf: URL(fileURLWithPath: folder.file($0)))) }
    }

    @Test func changedArchivesAreReadOrRefused() async throws {
        var run = FuzzRun("ZIP archives", rounds: 1500)
        let archives = try await Self.archives()
        let folder = try TemporaryFolder()
        let words = ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{7}"]
        for round in 0..<run.rounds {
            var bytes = archives[round % archives.count]
            for _ in 0...Int.random(in: 0..<3, using: &run.random) { run.mutate(&bytes, inserting: words) }
            let path = try folder.write(Data(bytes), to: "changed.zip")
            do {
                let file = try RandomAccessFile(path: path, name: "changed.zip", onlyRegularFile: false)
                for entry in try ZipArchive(file).entries { try Self.read(entry, file) }
            } catch let error as HabitError {
                #expect(error.code == .archiveUnreadable, "seed \(run.seed), round \(round): \(error)")
            }
        }
    }

    private static func read(_ entry: ZipArchive.Entry, _ file: RandomAccessFile) throws {
        let reader = try ZipEntryReader(entry, in: file)
        var block = [UInt8](repeating: 0, count: 4096)
        var total = 0
        while total < limit {
            let count = try block.withMutableBytes { try reader.read(into: &$0) }
            if count == 0 { return }
            total += count
        }
    }
}
