import Base
import Foundation
import HabitTestSupport
import Testing

@testable import habitat

/// Tests that invalid files are refused with a position, and that a change keeps all other lines.
@Suite(.engineIndependent) struct ConfigurationFileTests {
    /// A broken text with the position of its problem, as `line:column`.
    private static let broken: [(text: String, position: String)] = [
        ("usr = \"a\"", "1:1"), ("user = 5", "1:8"), ("\n  user = [1]", "2:10"), ("user = ", "1:8"),
        ("user = \"a\"\nuser = \"b\"", "2:8"), ("[places]\nhome = \"x\"", "2:8"), ("places = 3", "1:1"),
        ("[places.x]\na = 1", "2:5"), ("reports = \"x\"", "1:11"), ("reports = [\"a:b\"]", "1:11"),
        ("color = \"red\"", "1:9"), ("user = \"\"", "1:8"), ("[[places]]\na = 1", "1:1"),
        ("store = '''a\nb'''", "1:9"), ("# c\r\nuser = \"a\"\r\nxx = 1\r\n", "3:1"), ("= 1", "1:1"), ("[", "1:1"),
        ("[=]", "1:1"), ("user = \"a", "1:8"), ("reports = [\"a\"}", "1:15"), ("reports = [\u{2029}]", "1:12"),
        ("[\u{301}", "1:1"), ("\u{feff}[[[", "1:2"),
    ]

    @Test(arguments: broken) func brokenFileIsRefusedWithPosition(text: String, position: String) {
        let error = #expect(throws: HabitError.self) { try ConfigurationFile(text, path: "config.toml") }
        #expect(error?.code == .configInvalid)
        #expect(error?.file == "config.toml")
        let found = [error?.line, error?.column].map { number in number.map(String.init) ?? "" }.joined(separator: ":")
        #expect(found == position, "\(text): \(String(describing: error))")
    }

    @Test(arguments: [
        String(repeating: "[", count: 16_000), "a = " + String(repeating: "[", count: 16_000),
        "a = " + String(repeating: "{a=", count: 5_000), "[" + String(repeating: "a.", count: 8_000) + "a]\nb =\n",
    ])
    func deepFileIsRefused(text: String) {
        #expect(throws: HabitError.self) { try ConfigurationFile(text, path: "config.toml") }
    }

    @Test(arguments: [[UInt8](repeating: 65, count: 20_000), [65, 10, 0], [0xff, 0xfe]])
    func unreadableBytesAreRefused(bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(bytes), to: "config.toml")
        let error = #expect(throws: HabitError.self) { try ConfigurationFile.read(folder.file("config.toml")) }
        #expect(error?.code == .configInvalid)
    }

    @Test(arguments: ["/dev/zero", "/tmp"]) func pathOfOtherThanFileIsRefused(path: String) {
        #expect(throws: HabitError.self) { try ConfigurationFile.read(path) }
    }

    @Test func changeKeepsCommentsAndOrder() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("config.toml")
        try folder.write(
            "# mine\nstore = \"a.db\" # where\n\nuser = 'x'   # who\n\n[places] # p\nhome = \"1,2\"\n",
            to: "config.toml")
        try ConfigurationFile.change("user", to: .text("b # \"q\""), in: path)
        try ConfigurationFile.change("color", to: .text("never"), in: path)
        try ConfigurationFile.change("places.my gym", to: .text("3,4"), in: path)
        let expected = """
            # mine
            store = "a.db" # where

            user = "b # \\"q\\""   # who
            color = "never"

            [places] # p
            home = "1,2"
            "my gym" = "3,4"

            """
        #expect(try folder.read("config.toml") == expected)
        try ConfigurationFile.change("color", to: nil, in: path)
        #expect(try folder.read("config.toml") == expected.replacing("color = \"never\"\n", with: ""))
    }

    @Test(arguments: [
        ("reports = [\n \"a\",\n]\n", "reports", ConfigurationValue.list(["b"])),
        ("places = {home = \"1,2\"}\n", "places.gym", .text("1,2")),
    ])
    func lineThatCannotBeChangedIsNamed(text: String, key: String, value: ConfigurationValue) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "config.toml")
        let error = #expect(throws: HabitError.self) {
            try ConfigurationFile.change(key, to: value, in: folder.file("config.toml"))
        }
        #expect(error?.line != nil)
        #expect(try folder.read("config.toml") == text)
    }

    @Test func fileIsCreatedForItsOwnerOnly() throws {
        let folder = try TemporaryFolder()
        try ConfigurationFile.change("user", to: .text("ana"), in: folder.file("new/config.toml"))
        var status = stat()
        #expect(stat(folder.file("new/config.toml"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(stat(folder.file("new"), &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
    }

    @Test func symbolicLinkIsKept() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "real.toml")
        let link = folder.file("config.toml")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.file("real.toml"))
        try ConfigurationFile.change("user", to: .text("ana"), in: link)
        #expect(try folder.read("real.toml") == "user = \"ana\"\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.file("real.toml"))
    }
}
