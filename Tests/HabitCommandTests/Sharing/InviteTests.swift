import Foundation
import HabitTestSupport
import Testing

/// Tests of the command that invites a person with a one-time link.
@Suite(.engineIndependent) struct InviteTests {
    private static func invite(
        _ arguments: String...,
        in folder: TemporaryFolder,
        environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        try await Program.habitat(["invite"] + arguments, in: folder, environment: environment)
    }

    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("id,time_zone\nann,UTC\n", to: "users.csv")
        let loaded = try await Program.habitat("ingest", "users.csv", in: folder)
        try #require(loaded.status == 0, "\(loaded)")
        return folder
    }

    @Test func newPersonGetsAccountAndLink() async throws {
        let folder = try await Self.folder()
        let invited = try await Self.invite(
            "--name", "Zoe Lima", "--time-zone", "Europe/Lisbon", "--now", "2026-11-20T12:00:00Z", in: folder)
        #expect(invited.status == 0, "\(invited)")
        let link = /http:\/\/localhost:8080\/sign-in\/link#hbl_[A-Za-z0-9_-]{43}\n/
        #expect(invited.output.wholeMatch(of: link) != nil, "\(invited.output)")
        #expect(
            invited.errors
                == "This link signs one person in as 'zoe-lima' once, within 7 days; it is not shown again.\n")
        let shown = try await Program.habitat("user", "show", "zoe-lima", "--format", "json", in: folder)
        #expect(shown.output.contains("Zoe Lima"), "\(shown)")
        #expect(shown.output.contains("Europe/Lisbon"), "\(shown)")
        let list = try await Program.habitat(
            "token", "list", "--format", "csv", "--now", "2026-11-20T12:00:00Z", in: folder)
        #expect(list.output.contains(",zoe-lima,link,invitation,"), "\(list)")
        #expect(list.output.contains(",2026-11-27T12:00:00Z"), "\(list)")
        let id = try #require(list.lines.last?.split(separator: ",").first.map(String.init))
        let revoked = try await Program.habitat("token", "revoke", id, in: folder)
        #expect(revoked.status == 0, "\(revoked)")
    }

    @Test func sameNameIsAnotherPerson() async throws {
        let folder = try await Self.folder()
        let invited = try await Self.invite("--name", "Ann", "--format", "csv", in: folder)
        #expect(invited.status == 0, "\(invited)")
        #expect(invited.lines.first == "url,id,user,expires_at")
        let cells = try #require(invited.lines.last).split(separator: ",")
        #expect(cells[2].wholeMatch(of: /ann-[0-9a-z]{6}/) != nil, "\(invited)")
    }

    @Test func existingUserGetsFurtherLink() async throws {
        let folder = try await Self.folder()
        for _ in 0..<2 {
            let invited = try await Self.invite("--user", "ann", "--quiet", in: folder)
            #expect(invited.status == 0, "\(invited)")
            #expect(invited.output.contains("#hbl_"))
            #expect(invited.errors.isEmpty)
        }
        let list = try await Program.habitat("token", "list", "--format", "csv", "--columns", "kind", in: folder)
        #expect(list.lines == ["kind", "link", "link"])
    }

    @Test func publicURLComesFromOptionVariableOrFile() async throws {
        let folder = try await Self.folder()
        let file = folder.file("config.toml")
        let environment = ["HABITAT_CONFIG": file]
        let set = try await Program.habitat(
            "config", "set", "public-url", "https://file.example/h/", in: folder, environment: environment)
        #expect(set.status == 0, "\(set)")
        let variable = environment.merging(["HABITAT_PUBLIC_URL": "https://variable.example"]) { _, new in new }
        for (arguments, environment, base) in [
            ([], environment, "https://file.example/h"), ([], variable, "https://variable.example"),
            (["--public-url", "http://option.example:81/"], variable, "http://option.example:81"),
        ] {
            let invited = try await Program.habitat(
                ["invite", "--user", "ann"] + arguments, in: folder, environment: environment)
            #expect(invited.output.hasPrefix("\(base)/sign-in/link#hbl_"), "\(invited)")
        }
        let list = try await Program.habitat("config", "--format", "csv", in: folder, environment: environment)
        #expect(list.lines.contains("public-url,https://file.example/h/,\(file)"), "\(list)")
    }

    @Test func invalidURLIsRefused() async throws {
        let folder = try await Self.folder()
        for url in ["host", "ftp://host", "https://", "https://host/?a=b", "https://host/#x", "https://me@host"] {
            let invited = try await Self.invite("--user", "ann", "--public-url", url, in: folder)
            #expect(invited.status == 64, "\(invited)")
            #expect(invited.errors.contains("is not a public URL: write https://HOST or https://HOST/PATH"))
            let set = try await Program.habitat(
                "config", "set", "public-url", url, in: folder,
                environment: ["HABITAT_CONFIG": folder.file("config.toml")])
            #expect(set.status == 64, "\(set)")
        }
        #expect(try await Self.links(in: folder) == 0)
    }

    @Test func invitationNeedsOperatorAndPerson() async throws {
        let folder = try await Self.folder()
        for (arguments, slug) in [
            ([], "usage"), (["--user", "nobody"], "not-found"), (["--user", ""], "not-found"),
            (["--user", "ann", "--name", "Ann"], "user-exists"), (["--name", "a\nb"], "text-invalid"),
            (["--name", "Ann", "--as", "ann"], "operator-only"),
            (["--user", "ann", "--share-output", "--output", "link.txt"], "usage"),
        ] {
            let refused = try await Program.habitat(["invite"] + arguments, in: folder)
            #expect(refused.errors.hasPrefix("error[\(slug)]: "), "\(arguments): \(refused)")
            #expect(refused.output.isEmpty)
        }
        #expect(try await Self.links(in: folder) == 0)
    }

    private static func links(in folder: TemporaryFolder) async throws -> Int {
        let list = try await Program.habitat("token", "list", "--format", "csv", "--quiet", in: folder)
        return list.lines.dropFirst().count
    }
}
