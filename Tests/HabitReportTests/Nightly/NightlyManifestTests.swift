import Base
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

    private func text(_ manifest: NightlyManifest) throws -> String {
        String(decoding: try manifest.json, as: UTF8.self)
    }

    @Test func manifestIsJSONWithFilesAndMembersSortedByName() throws {
        var first = NightlyManifest.File("b.txt", format: "text", key: ["id"], parameters: ["date": "2026-11-20"])
        var second = NightlyManifest.File("a.csv", format: "csv")
        first.sha256 = Self.digest
        second.sha256 = Self.digest
        second.bytes = 12
        second.rows = 3
        second.report = "a"
        second.key = ["habit", "day"]
        second.parameters = ["within": "5km", "date": "2026-11-20"]
        var manifest = try manifest([first, second])
        manifest.input = ["users": "b", "events": "a"]
        manifest.preliminary = ["west"]
        manifest.period = .week
        manifest.alerts = [
            NightlyAlert(report: "quiet", key: "ann", message: "Ann is quiet", raised: try date("2026-11-19"))
        ]
        #expect(
            try text(manifest) == """
                {
                  "alerts" : [
                    {
                      "key" : "ann",
                      "message" : "Ann is quiet",
                      "raised" : "2026-11-19",
                      "report" : "quiet"
                    }
                  ],
                  "date" : "2026-11-20",
                  "every" : "week",
                  "files" : [
                    {
                      "bytes" : 12,
                      "format" : "csv",
                      "key" : [
                        "habit",
                        "day"
                      ],
                      "name" : "a.csv",
                      "parameters" : {
                        "date" : "2026-11-20",
                        "within" : "5km"
                      },
                      "report" : "a",
                      "rows" : 3,
                      "sha256" : "\(Self.digest)"
                    },
                    {
                      "bytes" : 0,
                      "format" : "text",
                      "key" : [
                        "id"
                      ],
                      "name" : "b.txt",
                      "parameters" : {
                        "date" : "2026-11-20"
                      },
                      "sha256" : "\(Self.digest)"
                    }
                  ],
                  "habitat" : "0.1.0",
                  "input" : {
                    "events" : "a",
                    "users" : "b"
                  },
                  "preliminary" : [
                    "west"
                  ],
                  "time_zone" : "Europe/Lisbon"
                }

                """)
        _ = try parsed(try text(try self.manifest([])))
    }

    @Test func manifestOfEarlierVersionIsRead() throws {
        let fixture = try TemporaryArchive()
        try fixture.write(
            """
            {
            "date":"2026-11-20",
            "time_zone":"Europe/Lisbon",
            "habitat":"0.1.0",
            "files":[
            {"name":"b.txt","sha256":"\(Self.digest)","bytes":0,"rows":null,"report":null,"format":"text",\
            "key":[],"parameters":{}}
            ]
            }

            """, to: "night/manifest.json")
        var file = NightlyManifest.File("b.txt", format: "text")
        file.sha256 = Self.digest
        #expect(try NightlyManifest(inFolder: fixture.file("night")) == manifest([file]))
    }

    @Test func manifestRoundTrips() throws {
        let fixture = try TemporaryArchive()
        let words = ["Zoë", "e\u{301}", "日本語", "👩‍👩‍👧", "a\"b\\c", "tab\tline\nnul\0", "\u{2028}", "'; --", ""]
        var files: [NightlyManifest.File] = []
        for (index, word) in words.enumerated() {
            var file = NightlyManifest.File("\(index) ä\(index)", report: word, format: word, key: words)
            file.sha256 = Self.digest
            file.bytes = Int.max
            file.rows = index
            file.parameters = [word: word, "x": "y"]
            files.append(file)
        }
        let manifest = try manifest(files)
        try fixture.write(try text(manifest), to: "night/manifest.json")
        let back = try NightlyManifest(inFolder: fixture.file("night"))
        #expect(back == manifest)
        #expect(try text(back) == text(manifest))
    }

    @Test func orderOfFilesDoesNotMatter() throws {
        let files = ["b", "a", "Z", "ä", "a.b"].map { NightlyManifest.File($0, format: "csv") }
        #expect(try text(manifest(files)) == text(manifest(files.reversed())))
    }

    /// Replacements that make a valid manifest invalid, and the field that the error names.
    private static let invalidReplacements: [(part: String, by: String, field: String?)] = [
        ("{\n", "[\n", nil),
        ("\"date\" : \"2026-11-20\",", "", "date"),
        ("2026-11-20\"", "2026-02-30\"", "date"),
        ("\"2026-11-20\"", "20261120", "date"),
        ("\"habitat\" : \"0.1.0\"", "\"habitat\" : null", "habitat"),
        ("\"files\" : [", "\"files\" : 7, \"others\" : [", "files"),
        ("\"a.csv\"", "\"../a.csv\"", "name"),
        ("\"a.csv\"", "\"/etc/passwd\"", "name"),
        ("\"a.csv\"", "\".lock\"", "name"),
        ("\"a.csv\"", "\"manifest.json\"", "name"),
        ("\"a.csv\"", "\"a\\u0000.csv\"", "name"),
        ("\"a.csv\"", "\"b.csv\"", "files"),
        ("0a0a", "0A0a", "sha256"),
        ("0a0a", "0a", "sha256"),
        ("\"bytes\" : 1", "\"bytes\" : -1", "bytes"),
        ("\"bytes\" : 1", "\"bytes\" : 1.5", nil),
        ("\"bytes\" : 1", "\"bytes\" : 1e300", nil),
        ("\"bytes\" : 1", "\"bytes\" : true", "bytes"),
        ("\"rows\" : 2", "\"rows\" : -2", "bytes"),
        ("\"rows\" : 2", "\"rows\" : \"2\"", "rows"),
        ("\"k\"", "1", "key"),
        ("\"k\"", String(repeating: "[", count: 100_000), nil),
        ("\"x\"", "{}", "p"),
        ("}\n", "", nil),
        ("}\n", "} x", nil),
    ]

    @Test(arguments: invalidReplacements.indices) func invalidManifestIsRefusedWithItsField(index: Int) throws {
        let fixture = try TemporaryArchive()
        var files = ["a.csv", "b.csv"].map {
            NightlyManifest.File($0, format: "csv", key: ["k"], parameters: ["p": "x"])
        }
        for index in files.indices {
            files[index].sha256 = Self.digest
            files[index].bytes = 1
            files[index].rows = 2
        }
        let whole = try text(try manifest(files))
        let replacement = Self.invalidReplacements[index]
        let range = try #require(
            whole.range(of: replacement.part, options: replacement.part == "}\n" ? .backwards : []),
            "\(replacement.part)")
        try fixture.write(whole, to: "night/manifest.json")
        #expect(failure { try NightlyManifest(inFolder: fixture.file("night")) } == nil)
        try fixture.write(whole.replacingCharacters(in: range, with: replacement.by), to: "night/manifest.json")
        let error = failure { try NightlyManifest(inFolder: fixture.file("night")) }
        #expect(
            error?.code == .fieldInvalid,
            "\(replacement) \(error as Any)")
        #expect(
            replacement.field == nil || replacement.field == error?.field,
            "\(replacement) \(error as Any)")
        #expect(error?.file == fixture.file("night/manifest.json"))
    }

    @Test func manifestThatIsNotRegularFileIsRefused() throws {
        let fixture = try TemporaryArchive()
        let folder = fixture.file("night")
        let file = fixture.file("night/manifest.json")
        mkdir(folder, 0o777)
        func code() -> ErrorCode? { failure { try NightlyManifest(inFolder: folder) }?.code }
        #expect(code() == .inputNotFound)
        mkfifo(file, 0o600)
        #expect(code() == .inputUnreadable)
        unlink(file)
        mkdir(file, 0o700)
        #expect(code() == .inputUnreadable)
        rmdir(file)
        try fixture.write(try text(try manifest([])), to: "other")
        symlink("../other", file)
        #expect(code() == .inputUnreadable)
        unlink(file)
        let contents = [
            Data(),
            Data([0xFF, 0xFE]),
            Data("null".utf8),
            Data(repeating: 0x20, count: 1 << 24 + 1),
        ]
        for content in contents {
            try content.write(to: URL(fileURLWithPath: file))
            #expect(code() == .fieldInvalid, "\(content.count)")
        }
    }

    @Test func verificationFindsMissingChangedAndUnexpectedFiles() throws {
        let fixture = try TemporaryArchive()
        let large = "id\n" + String(repeating: "0123456789\n", count: 300_000)
        try fixture.archive.lock().publish(date("2026-11-20")) { draft in
            for name in ["a", "b", "c", "d", "e", "f"] {
                try draft.write(name, name == "f" ? large : "id\n\(name)\n")
            }
        }
        #expect(try NightlyManifest.verify(fixture.file("latest")) == [])
        try fixture.write("id\nB\n", to: "2026-11-20/b")
        try fixture.write("id\nc\n\n", to: "2026-11-20/c")
        unlink(fixture.file("2026-11-20/d"))
        unlink(fixture.file("2026-11-20/e"))
        symlink("a", fixture.file("2026-11-20/e"))
        try fixture.write(large.dropLast(2) + "x\n", to: "2026-11-20/f")
        try fixture.write("x", to: "2026-11-20/.x")
        try fixture.write("x", to: "2026-11-20/z/y")
        let findings = try NightlyManifest.verify(fixture.file("2026-11-20")).map { "\($0.name) \($0.problem)" }
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
        let fixture = try TemporaryArchive()
        try fixture.archive.lock().publish(date("2026-11-20")) { draft in
            try draft.write(NightlyManifest.File("a", format: "text")) { buffer in
                for _ in 0..<times {
                    buffer.append(text)
                    try buffer.flushIfFull()
                }
                return nil
            }
        }
        let file = try #require(try NightlyManifest(inFolder: fixture.file("latest")).files.first)
        #expect(file.sha256 == digest)
        #expect(file.bytes == text.utf8.count * times)
        #expect(file.rows == nil)
    }
}
