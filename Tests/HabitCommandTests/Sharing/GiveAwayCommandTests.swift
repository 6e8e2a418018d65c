import Foundation
import HabitTestSupport
import Testing

/// Tests of rules G-06 and G-08: the pictures of items, and the list of blocked words.
@Suite(.engineIndependent) struct GiveAwayCommandTests {
    private static func send(_ text: String) -> [String] {
        ["message", "send", "--item", "i-claimed", "--text", text]
    }

    // MARK: G-06

    /// A picture in a file of the command, in a file of a load and in base64 has the same error.
    @Test(arguments: ["text", "half", "empty"]) func pictureThatDoesNotDecodeIsRefused(content: String) async throws {
        let fixture = try await SharingStore()
        let picture = try Data(contentsOf: URL(fileURLWithPath: SharingStore.photoPath("lamp.png")))
        let bytes =
            switch content {
            case "text": Data("this is text and no picture at all".utf8)
            case "half": picture.prefix(picture.count / 2)
            default: Data()
            }
        try fixture.folder.write(bytes, to: "vase.png")
        let file = ["--photo", "vase.png"]
        try await fixture.expectRefusal(["item", "post", "--name", "Vase"] + file, as: "pat", "picture-invalid")
        try await fixture.expectRefusal(["item", "edit", "i-available"] + file, as: "pat", "picture-invalid")
        var photos = ["vase.png"]
        if content != "empty" { photos.append("data:image/png;base64," + bytes.base64EncodedString()) }
        for photo in photos {
            let item = #"{"id":"vase","user":"pat","name":"Vase","photo":"\#(photo)"}"#
            try fixture.folder.write(item + "\n", to: "items.ndjson")
            let load = try await fixture.run("ingest", "items.ndjson")
            #expect(load.status == 65, "\(content) \(photo): \(load)")
            #expect(load.errors.contains("(picture-invalid)"), "\(content) \(photo): \(load)")
            #expect(try await fixture.rows("SELECT id FROM items WHERE id = 'vase'").isEmpty)
        }
    }

    @Test func descriptionMayBeEmpty() async throws {
        let fixture = try await SharingStore()
        let posted = try await fixture.expectSuccess(
            "item", "post", "--name", "Vase", "--description", "", "--photo", SharingStore.photoPath("lamp.png"),
            "--columns", "description", "--format", "json", as: "pat")
        #expect(posted.output.contains(#""description":null"#), "\(posted.output)")
    }

    // MARK: G-08

    @Test(arguments: [
        ("well, SHIT.", "shit"), ("you f*ck", "fuck"), ("F.U.C.K. off", "fuck"), ("son of a b!tch", "son of a bitch"),
        ("Que merda!", "merda"), ("お前はバカ野郎だ", "バカ野郎"), ("ＳＨＩＴ", "shit"),
    ])
    func messageWithBlockedWordIsRefused(text: String, word: String) async throws {
        let fixture = try await SharingStore()
        let errors = try await fixture.expectRefusal(Self.send(text), as: "cleo", "message-word-not-allowed")
        #expect(errors.contains("'\(word)'"))
        #expect(try await fixture.rows("SELECT * FROM messages").isEmpty)
    }

    @Test func wordListOfStoreReplacesBuiltInList() async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write("# ours\nteapot\nbig deal\n+ big deal breaker\n", to: "words.txt")
        try await fixture.expectSuccess("setting", "set", "word-list", "words.txt")
        for (text, word) in [("a Teapot", "teapot"), ("no BIG deal", "big deal"), ("t*apot", "teapot")] {
            let errors = try await fixture.expectRefusal(Self.send(text), as: "cleo", "message-word-not-allowed")
            #expect(errors.contains("'\(word)'"))
        }
        for text in ["teapots", "a big deal breaker", "shit"] {
            #expect(try await fixture.run(Self.send(text), as: "cleo").status == 0)
        }
        try await fixture.expectSuccess("setting", "set", "word-list", "built-in")
        try await fixture.expectSuccess(Self.send("a teapot"), as: "cleo")
        try await fixture.expectRefusal(Self.send("shit"), as: "cleo", "message-word-not-allowed")
        #expect(try await fixture.rows("SELECT count(*) FROM messages") == ["4"])
    }

    /// The file is read once: the list belongs to the store, not to the file or the sender.
    @Test func wordListIsSetOnlyByOperator() async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write("teapot\n", to: "words.txt")
        try await fixture.expectRefusal("setting", "set", "word-list", "words.txt", as: "pat", "operator-only")
        try await fixture.expectRefusal(Self.send("x") + ["--word-list", "words.txt"], as: "cleo", "usage")
        try await fixture.expectSuccess("setting", "set", "word-list", "words.txt")
        try FileManager.default.removeItem(atPath: fixture.folder.file("words.txt"))
        try await fixture.expectRefusal(Self.send("a teapot"), as: "cleo", "message-word-not-allowed")
    }

    @Test func wordListIsShownByOperator() async throws {
        let fixture = try await SharingStore()
        func shown(_ command: String...) async throws -> String? {
            try await fixture.expectSuccess(["setting"] + command + ["--format", "json"]).output
                .split(separator: "\n").first { $0.contains("word-list") }.map(String.init)
        }
        let standard = #"{"name":"word-list","value":"built-in","default":"built-in"}"#
        #expect(try await shown("get", "word-list") == standard)
        #expect(try await shown("list")?.contains(standard) == true)
        // The text is stored in NFC, with line feeds and without a byte order mark.
        try fixture.folder.write("\u{feff}cafe\u{301}\r\nteapot", to: "words.txt")
        let custom = #"{"name":"word-list","value":"café\nteapot\n","default":"built-in"}"#
        #expect(try await shown("set", "word-list", "words.txt") == custom)
        #expect(try await shown("get", "word-list") == custom)
        try await fixture.expectRefusal(Self.send("CAFE\u{301}"), as: "cleo", "message-word-not-allowed")
    }

    @Test(
        arguments: [
            ("ok\n+\n", "2"), ("a\u{0}b\n", "1"), (String(repeating: "é", count: 201), "1"),
            (String(repeating: "teapot\n", count: 40_000), "262144"),
        ])
    func invalidWordListIsRefused(list: String, named: String) async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write(list, to: "words.txt")
        let errors = try await fixture.expectRefusal(["setting", "set", "word-list", "words.txt"], "parameter-invalid")
        #expect(errors.contains("words.txt"), "\(errors)")
        #expect(errors.contains(named), "\(errors)")
        try await fixture.expectRefusal(["setting", "set", "word-list", "none.txt"], "input-not-found")
        try await fixture.expectRefusal(["setting", "set", "word-list", ""], "input-not-found")
        try await fixture.expectRefusal(["setting", "set", "word-lists", "words.txt"], "parameter-invalid")
    }

    /// The file of settings in an export contains the list.
    @Test func wordListSurvivesExportAndLoad() async throws {
        let fixture = try await SharingStore()
        try fixture.folder.write("# \"ours\", é\n\n  teapot\n+ a, teapot\n", to: "words.txt")
        try await fixture.expectSuccess("setting", "set", "word-list", "words.txt")
        let list = try await fixture.expectSuccess("setting", "get", "word-list", "--format", "json").output
        for format in ["csv", "ndjson"] {
            try await fixture.expectSuccess("export", format, "--format", format)
            let copy = ["--store", "\(format).db"]
            try await fixture.expectSuccess(["ingest", format] + copy)
            let copied = try await fixture.expectSuccess(["setting", "get", "word-list", "--format", "json"] + copy)
            #expect(copied.output == list)
        }
        try fixture.folder.write("name,value\nword-list,\"ok\n+\"\n", to: "settings.csv")
        let load = try await fixture.run("ingest", "settings.csv")
        #expect(load.status == 65, "\(load)")
        #expect(load.errors.contains("line 2 of the word list"), "\(load)")
        #expect(load.errors.contains("(parameter-invalid)"), "\(load)")
        #expect(load.errors.contains("settings.csv:2"), "\(load)")
    }
}
