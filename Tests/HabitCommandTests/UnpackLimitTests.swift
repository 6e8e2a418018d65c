import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import habitat

/// Tests of the limit for the bytes that a command unpacks from gzip files and ZIP archives.
@Suite(.engineIndependent) struct UnpackLimitTests {
    /// The size of the bomb: much more than its packed size.
    private static let size = 3_000_000

    private static let store = StoreTemplate([
        "users.csv": "id\nann\n", "habits.csv": "id,user,title,days,start\nh,ann,Run,1111111,2026-01-01\n",
    ])

    /// Files of which each unpacks to ``size`` bytes.
    private static let bombs = Task {
        let folder = try TemporaryFolder()
        let script = """
            import gzip, io, zipfile
            size = \(size)
            gpx = '<gpx version="1.1" creator="t" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"><time>2026-01-02T03:04:05Z</time><name>a</name></wpt>'
            gpx = (gpx + '\\n' * (size - len(gpx) - 6) + '</gpx>').encode()
            assert len(gpx) == size
            with gzip.open('events.csv.gz', 'wb') as file:
                head = b'habit,day\\nh,2026-01-02\\n'
                file.write(head + b'\\n' * (size - len(head)))
            with gzip.open('places.gpx.gz', 'wb') as file: file.write(gpx)
            def archive(name, entries):
                with zipfile.ZipFile(name, 'w', zipfile.ZIP_DEFLATED) as file:
                    for entry, content in entries: file.writestr(entry, content)
            archive('places.zip', [('places.gpx', gpx)])
            archive('two.zip', [('a.gpx', gpx), ('b.gpx', gpx)])
            archive('other.zip', [('a.gpx', gpx[:200] + b'</gpx>'), ('b.bin', b'\\0' * size)])
            archive('nested.zip', [('places.gpx.gz', gzip.compress(gpx))])
            """
        let result = try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path)
        try #require(result.status == 0, "\(result)")
        return folder
    }

    /// Returns a folder with a store and the files of ``bombs``.
    private static func folder() async throws -> TemporaryFolder {
        let folder = try await store.copy()
        let bombs = try await bombs.value
        for name in bombs.names {
            try FileManager.default.copyItem(atPath: bombs.file(name), toPath: folder.file(name))
        }
        return folder
    }

    private static func command(_ words: String, limit: String?) -> [String] {
        words.split(separator: " ").map(String.init) + (limit.map { ["--limit-unpacked", $0] } ?? [])
    }

    @Test(
        arguments: [
            ("ingest events.csv.gz", 3), ("import places.gpx.gz --user ann", 3), ("import places.zip --user ann", 3),
            ("import two.zip --user ann", 6),
            ("habit derive --habit h --position 1,2 --from-track places.zip", 3),
        ])
    func contentLargerThanLimitIsRefused(command: String, megabytes: Int) async throws {
        let folder = try await Self.folder()
        let refused = try await Program.habitat(Self.command(command, limit: "\(megabytes - 1).9MB"), in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.hasPrefix("error[archive-unreadable]: "), "\(refused)")
        #expect(refused.errors.contains("unpacks to more than \(megabytes - 1)900000 bytes"), "\(refused)")
        #expect(refused.errors.contains("--limit-unpacked 20GB"), "\(refused)")
        #expect(try folder.rows("SELECT id FROM events UNION ALL SELECT id FROM posts").isEmpty)
        // Bytes that are read several times count once.
        for limit in ["\(megabytes)MB", nil] {
            let accepted = try await Program.habitat(Self.command(command, limit: limit), in: folder)
            #expect(!accepted.errors.contains("archive-unreadable"), "\(accepted)")
        }
    }

    /// The files that no importer reads are checked for damage.
    @Test func filesThatAreOnlyCheckedCount() async throws {
        let folder = try await Self.folder()
        let refused = try await Program.habitat(Self.command("import other.zip --user ann", limit: "2MB"), in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("unpacks to more than"), "\(refused)")
    }

    /// A gzip file in an archive counts packed and unpacked.
    @Test func gzipFileInArchiveCounts() async throws {
        let folder = try await Self.folder()
        let refused = try await Program.habitat(Self.command("import nested.zip --user ann", limit: "2MB"), in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("unpacks to more than"), "\(refused)")
    }

    @Test(arguments: ["many", "5", "5 GB", "-1GB", "1e9B", "2000TB", "", "nanGB"])
    func invalidSizeIsRefused(size: String) throws {
        let option = try UnpackOption.parse(["--limit-unpacked", size])
        let error = #expect(throws: HabitError.self) { try option.limit }
        #expect(error?.code == .parameterInvalid)
        #expect(error?.message.contains("such as 500MB or 20GB") == true)
    }

    @Test func invalidLimitIsUsageError() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        let refused = try await Program.habitat("ingest", "users.csv", "--limit-unpacked", "-1GB", in: folder)
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.errors.contains("such as 500MB or 20GB"), "\(refused)")
    }

    @Test(arguments: ["2MB", "0.002GB", "2000kb", "2000000B"]) func sizeHasUnit(size: String) throws {
        #expect(try Parse.size(size, option: "limit-unpacked") == 2_000_000)
    }

    /// The bytes from which the format of a file is recognized count, too.
    @Test func smallFilesOfImportCount() async throws {
        let folder = try await Self.store.copy()
        let row = "h,2026-01-02\n"
        for number in 0..<5 {
            try folder.write("habit,day\n" + String(repeating: row, count: 400), to: "\(number).csv")
        }
        let files = (0..<5).map { "\($0).csv" }.joined(separator: " ")
        #expect(try await Program.run("/bin/sh", ["-c", "gzip \(files)"], in: folder.path).status == 0)
        let inputs = (0..<5).map { "\($0).csv.gz" }.joined(separator: " ")
        let refused = try await Program.habitat(Self.command("import \(inputs) --user ann", limit: "6kB"), in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.hasPrefix("error[archive-unreadable]: "), "\(refused)")
    }

    /// A table that cannot be read to its end is damaged, and not of an unknown format.
    @Test(arguments: ["--from csv", ""]) func tableOverLimitOrDamagedIsNamedAsSuch(format: String) async throws {
        let folder = try await Self.store.copy()
        let rows = (0..<20_000).map { "h,2026-01-02,note \($0)\n" }.joined()
        try folder.write("habit,day,comment\n" + rows, to: "big.csv")
        let script = """
            gzip big.csv
            cp big.csv.gz crc.csv.gz
            size=$(stat -c %s crc.csv.gz)
            printf 'XXXX' | dd of=crc.csv.gz bs=1 seek=$((size - 8)) conv=notrunc 2>/dev/null
            """
        #expect(try await Program.run("/bin/sh", ["-c", script], in: folder.path).status == 0)
        for (file, limit) in [("big.csv.gz", "70kB"), ("big.csv.gz", "1kB"), ("crc.csv.gz", nil)] {
            let command = "import \(file) --user ann \(format)"
            let refused = try await Program.habitat(Self.command(command, limit: limit), in: folder)
            #expect(refused.status == 65, "\(command): \(refused)")
            #expect(refused.errors.contains("error[archive-unreadable]: "), "\(command): \(refused)")
        }
    }

    /// The size of files that are not compressed has no limit.
    @Test func plainFilesDoNotCount() async throws {
        let folder = try await Self.store.copy()
        try folder.write("habit,day\nh,2026-01-02\n" + String(repeating: "\n", count: 100_000), to: "events.csv")
        let loaded = try await Program.habitat(Self.command("ingest events.csv", limit: "1kB"), in: folder)
        #expect(loaded.status == 0, "\(loaded)")
    }
}
