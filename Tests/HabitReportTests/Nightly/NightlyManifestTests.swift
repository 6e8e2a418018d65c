import Foundation
import HabitModel
import Testing

@testable import HabitReport
@testable import Rendering

/// Tests that a manifest lists the files of a nightly run and that an invalid manifest is refused.
@Suite struct NightlyManifestTests {
    private static let digest = String(repeating: "0a", count: 32)

    private func manifest(_ files: [NightlyManifest.File]) throws -> NightlyManifest {
        NightlyManifest(date: try date("2026-11-20"), timeZone: "Europe/Lisbon", habitat: "0.1.0", files: files)
    }

    private func text(_ manifest: NightlyManifest) -> String {
        let buffer = OutputBuffer()
        manifest.write(to: buffer)
        return buffer.text
    }

    @Test func manifestIsJSONWithOneLinePerFileSortedByName() throws {
        var (first, second) = (
            NightlyManifest.File("b.txt", format: "text"), NightlyManifest.File("a.csv", format: "csv")
        )
        first.sha256 = Self.digest
        (second.sha256, second.bytes, second.rows, second.report) = (Self.digest, 12, 3, "a")
        (second.key, second.parameters) = (["habit", "day"], ["within": "5km", "date": "2026-11-20"])
        #expect(
            text(try manifest([first, second])) == """
                {
                "date":"2026-11-20",
                "time_zone":"Europe/Lisbon",
                "habitat":"0.1.0",
                "files":[
                {"name":"a.csv","sha256":"\(Self.digest)","bytes":12,"rows":3,"report":"a","format":"csv",\
                "key":["habit","day"],"parameters":{"date":"2026-11-20","within":"5km"}},
                {"name":"b.txt","sha256":"\(Self.digest)","bytes":0,"rows":null,"report":null,"format":"text",\
                "key":[],"parameters":{}}
                ]
                }

                """)
        _ = try parsed(text(try manifest([])))
    }

    @Test func manifestRoundTrips() throws {
        let world = try NightWorld()
        let words = ["Zoë", "e\u{301}", "日本語", "👩‍👩‍👧", "a\"b\\c", "tab\tline\nnul\0", "\u{2028}", "'; --", ""]
        var files: [NightlyManifest.File] = []
        for (index, word) in words.enumerated() {
            var file = NightlyManifest.File("\(index) ä\(index)", report: word, format: word, key: words)
            (file.sha256, file.bytes, file.rows) = (Self.digest, Int.max, index)
            file.parameters = [word: word, "x": "y"]
            files.append(file)
        }
        let manifest = try manifest(files)
        try world.write(text(manifest), to: "night/manifest.json")
        let back = try NightlyManifest(inFolder: world.file("night"))
        #expect(back == manifest)
        #expect(text(back) == text(manifest))
    }

    @Test func orderOfFilesDoesNotMatter() throws {
        let files = ["b", "a", "Z", "ä", "a.b"].map { NightlyManifest.File($0, format: "csv") }
        #expect(text(try manifest(files)) == text(try manifest(files.reversed())))
    }

    /// Replacements that make a valid manifest invalid, and the field that the error names.
    private static let spoilt: [(part: String, by: String, field: String?)] = [
        ("{\n", "[\n", nil),
        ("\"date\":\"2026-11-20\",", "", "date"),
        ("2026-11-20\"", "2026-02-30\"", "date"),
        ("\"2026-11-20\"", "20261120", "date"),
        ("\"habitat\":\"0.1.0\"", "\"habitat\":null", "habitat"),
        ("\"files\":[", "\"files\":7,\"others\":[", "files"),
        ("\"a.csv\"", "\"../a.csv\"", "name"),
        ("\"a.csv\"", "\"/etc/passwd\"", "name"),
        ("\"a.csv\"", "\".lock\"", "name"),
        ("\"a.csv\"", "\"manifest.json\"", "name"),
        ("\"a.csv\"", "\"a\\u0000.csv\"", "name"),
        ("\"a.csv\"", "\"b.csv\"", "files"),
        ("0a0a", "0A0a", "sha256"),
        ("0a0a", "0a", "sha256"),
        ("\"bytes\":1", "\"bytes\":-1", "bytes"),
        ("\"bytes\":1", "\"bytes\":1.5", nil),
        ("\"bytes\":1", "\"bytes\":1e300", nil),
        ("\"bytes\":1", "\"bytes\":true", "bytes"),
        ("\"rows\":null", "\"rows\":-2", "bytes"),
        ("\"rows\":null", "\"rows\":\"2\"", "rows"),
        ("\"key\":[]", "\"key\":[1]", "key"),
        ("\"key\":[]", "\"key\":\(String(repeating: "[", count: 100_000))", nil),
        ("\"parameters\":{}", "\"parameters\":{\"a\":{}}", "a"),
        ("}\n", "", nil),
        ("}\n", "} x", nil),
    ]

    @Test(arguments: spoilt.indices) func invalidManifestIsRefusedWithItsField(index: Int) throws {
        let world = try NightWorld()
        var files = ["a.csv", "b.csv"].map { NightlyManifest.File($0, format: "csv") }
        for index in files.indices { (files[index].sha256, files[index].bytes) = (Self.digest, 1) }
        let whole = text(try manifest(files))
        let spoilt = Self.spoilt[index]
        let range = try #require(
            whole.range(of: spoilt.part, options: spoilt.part == "}\n" ? .backwards : []), "\(spoilt.part)")
        try world.write(whole, to: "night/manifest.json")
        #expect(failure { try NightlyManifest(inFolder: world.file("night")) } == nil)
        try world.write(whole.replacingCharacters(in: range, with: spoilt.by), to: "night/manifest.json")
        let error = failure { try NightlyManifest(inFolder: world.file("night")) }
        #expect(
            error?.code == .fieldInvalid && [nil, error?.field].contains(spoilt.field), "\(spoilt) \(error as Any)")
        #expect(error?.file == world.file("night/manifest.json"))
    }

    @Test func manifestThatIsNotRegularFileIsRefused() throws {
        let world = try NightWorld()
        let (folder, file) = (world.file("night"), world.file("night/manifest.json"))
        mkdir(folder, 0o777)
        func code() -> ErrorCode? { failure { try NightlyManifest(inFolder: folder) }?.code }
        #expect(code() == .inputNotFound)
        mkfifo(file, 0o600)
        #expect(code() == .inputUnreadable)
        unlink(file)
        mkdir(file, 0o700)
        #expect(code() == .inputUnreadable)
        rmdir(file)
        try world.write(text(try manifest([])), to: "other")
        symlink("../other", file)
        #expect(code() == .inputUnreadable)
        unlink(file)
        for content in [Data(), Data([0xFF, 0xFE]), Data("null".utf8), Data(repeating: 0x20, count: 1 << 24 + 1)] {
            try content.write(to: URL(fileURLWithPath: file))
            #expect(code() == .fieldInvalid, "\(content.count)")
        }
    }

    @Test func verificationFindsMissingChangedAndUnexpectedFiles() throws {
        let world = try NightWorld()
        let large = "id\n" + String(repeating: "0123456789\n", count: 300_000)
        try world.nights.lock().publish(date("2026-11-20")) { draft in
            for name in ["a", "b", "c", "d", "e", "f"] { try draft.write(name, name == "f" ? large : "id\n\(name)\n") }
        }
        #expect(try NightlyManifest.verify(world.file("latest")) == [])
        try world.write("id\nB\n", to: "2026-11-20/b")
        try world.write("id\nc\n\n", to: "2026-11-20/c")
        unlink(world.file("2026-11-20/d"))
        unlink(world.file("2026-11-20/e"))
        symlink("a", world.file("2026-11-20/e"))
        try world.write(large.dropLast(2) + "x\n", to: "2026-11-20/f")
        try world.write("x", to: "2026-11-20/.x")
        try world.write("x", to: "2026-11-20/z/y")
        let findings = try NightlyManifest.verify(world.file("2026-11-20")).map { "\($0.name) \($0.problem)" }
        #expect(
            findings == [
                ".x unexpected", "b changed", "c changed", "d missing", "e changed", "f changed", "z unexpected",
            ])
    }

    /// FIPS 180-4, the examples of NIST's "SHA-256": `abc`, the empty message, and a million times `a`.
    @Test(arguments: [
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("aaaaaaaaaa", 100_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func digestIsComputedWhileWriting(text: String, times: Int, digest: String) throws {
        let world = try NightWorld()
        try world.nights.lock().publish(date("2026-11-20")) { draft in
            try draft.write(NightlyManifest.File("a", format: "text")) { buffer in
                for _ in 0..<times {
                    buffer.append(text)
                    try buffer.flushIfFull()
                }
                return nil
            }
        }
        let file = try #require(try NightlyManifest(inFolder: world.file("latest")).files.first)
        #expect(file.sha256 == digest && file.bytes == text.utf8.count * times && file.rows == nil)
    }
}
