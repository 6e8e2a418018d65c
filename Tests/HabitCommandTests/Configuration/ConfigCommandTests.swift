import Foundation
import HabitTestSupport
import Testing

/// Tests of `config`, and of commands that use the configuration file.
@Suite(.engineIndependent, .fileStoreOnly) struct ConfigCommandTests {
    private static func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["HABITAT_CONFIG": folder.file("config.toml")]
    }

    @Test func commandsPrintSameBytesWithFileThatNamesSameStoreAndUser() async throws {
        let folder = try await SampleData.folder()
        let other = try TemporaryFolder()
        try other.write(
            "store = \"\(folder.file("habitat.db"))\"\nuser = \"alice\"\n", to: "config.toml")
        let commands = [["history"], ["todo"], ["habit", "list"], ["inbox"], ["user", "list"]]
        for command in commands {
            for format in ["csv", "json", "ndjson", "geojson"] {
                let options = ["--format", format, "--now", "2026-11-20T12:00:00Z"]
                let named = try await Program.habitat(command + options + ["--as", "alice"], in: folder)
                let configured = try await Program.habitat(
                    command + options, in: other, environment: Self.environment(other))
                #expect(named == configured, "\(command) \(format)")
            }
        }
    }

    @Test func brokenFileFailsCommandsExceptHelpVersionAndConfig() async throws {
        let folder = try TemporaryFolder()
        try folder.write("user = \"a\"\nusr = \"b\"\n", to: "config.toml")
        let environment = Self.environment(folder)
        let path = folder.file("config.toml")
        let failed = try await Program.habitat("history", in: folder, environment: environment)
        #expect(failed.status == 78)
        #expect(failed.errors == "error[config-invalid]: \(path):2:1: unknown key 'usr': did you mean 'user'?\n")
        for arguments in [
            ["--version"], ["--help"], ["help", "init"], ["init", "--help"], ["config"], ["help", "environment"],
            ["--generate-completion-script", "bash"],
        ] {
            let result = try await Program.habitat(arguments, in: folder, environment: environment)
            #expect(result.status == 0, "\(arguments): \(result.errors)")
        }
        let fixed = try await Program.habitat("config", "unset", "usr", in: folder, environment: environment)
        #expect(fixed.status == 0, "\(fixed)")
        #expect(try folder.read("config.toml") == "user = \"a\"\n")
    }

    @Test func listNamesSourceOfEachValue() async throws {
        let folder = try TemporaryFolder()
        try folder.write("user = \"ana\"\n[places]\nhome = \"1,2\"\n", to: "config.toml")
        let environment = Self.environment(folder).merging(["HABITAT_STORE": "v.db"]) { _, new in new }
        let result = try await Program.habitat(
            "config", "--format", "csv", "--as", "bob", in: folder, environment: environment)
        #expect(result.lines.contains("store,v.db,HABITAT_STORE"), "\(result)")
        #expect(result.lines.contains("user,bob,option"))
        #expect(result.lines.contains("color,auto,default"))
        #expect(result.lines.contains("public-url,http://localhost:8080,default"))
        #expect(result.lines.contains("places.home,\"1,2\",\(folder.file("config.toml"))"))
    }

    @Test func operatorCommandIgnoresDefaultUser() async throws {
        let folder = try await SampleData.folder()
        for environment in [["HABITAT_USER": "alice"], ["HABITAT_USER": ""]] {
            let result = try await Program.habitat("stats", in: folder, environment: environment)
            #expect(result.status == 0, "\(result)")
        }
        let refused = try await Program.habitat("stats", "--as", "alice", in: folder)
        #expect(refused.errors == "error[operator-only]: only the operator can run 'stats': omit --as\n")
    }

    @Test func missingDefaultStoreIsReportedInOneLine() async throws {
        let result = try await Program.habitat("history", in: try TemporaryFolder())
        #expect(result.status == 69)
        #expect(result.errors == "error[store-unavailable]: there is no store yet: run 'habitat init'\n")
    }

    @Test func initSetsUpPersonWithoutQuestions() async throws {
        let folder = try TemporaryFolder()
        let environment = [
            "HABITAT_CONFIG": folder.file("conf/config.toml"), "HOME": folder.path,
            "XDG_DATA_HOME": folder.file("data"),
        ]
        let arguments = ["init", "--user", "zoe", "--name", "Zoe", "--time-zone", "Europe/Lisbon"]
        let result = try await Program.habitat(arguments, in: folder, environment: environment)
        #expect(result.status == 0, "\(result)")
        #expect(try folder.read("conf/config.toml") == "store = \"~/data/habitat/habitat.db\"\nuser = \"zoe\"\n")
        let shown = try await Program.habitat(
            "user", "show", "--format", "ndjson", in: folder, environment: environment)
        #expect(shown.output.contains("\"name\":\"Zoe\""), "\(shown)")
        let again = try await Program.habitat(arguments, in: folder, environment: environment)
        #expect(again.status == 64)
    }

    @Test func concurrentChangesAreKept() async throws {
        let folder = try TemporaryFolder()
        let environment = Self.environment(folder)
        try await withThrowingTaskGroup(of: ProgramResult.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await Program.habitat(
                        "config", "set", "places.p\(number)", "\(number),2", in: folder, environment: environment)
                }
            }
            for try await result in group { #expect(result.status == 0, "\(result)") }
        }
        let text = try folder.read("config.toml")
        #expect(text.split(separator: "\n").count == 9, "\(text)")
    }

    @Test(arguments: ["lisbon", "europe/LISBON", "Nowhere\neurope/lisbon"])
    func initRepeatsQuestionUntilReplyIsTimeZone(reply: String) async throws {
        let folder = try TemporaryFolder()
        let environment = [
            "HABITAT_CONFIG": folder.file("conf/config.toml"), "HOME": folder.path,
            "XDG_DATA_HOME": folder.file("data"), "LANG": "C.UTF-8",
        ]
        let result = try await Program.onTerminal(
            ["init"], columns: 100, in: folder, environment: environment, typed: "Zoe\n\(reply)\n")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("(Zoe, Europe/Lisbon)"), "\(result)")
        #expect(result.output.contains("'Nowhere' is not a time zone") == reply.hasPrefix("Nowhere"), "\(result)")
    }

    @Test(arguments: ["me", "Me", "a\u{202E}b", "a\u{7}b"]) func misleadingIDOfAccountIsRefused(id: String) async throws
    {
        try await RuleStore().expectRefusal(Refusal(nil, "user add \(id)", status: 65, slug: "id-invalid"))
    }

    @Test(arguments: [("alice", true), ("bob", false)])
    func missingDefaultUserIsNamed(user: String, exists: Bool) async throws {
        let folder = try await SampleData.folder()
        let file = try TemporaryFolder()
        let result = try await Program.habitat(
            "config", "set", "user", user, in: folder, environment: ["HABITAT_CONFIG": file.file("config.toml")])
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("The store has no user 'bob'") == !exists, "\(result)")
    }
}
