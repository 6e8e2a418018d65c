import Foundation
import HabitTestSupport
import Testing

/// Tests that a load refuses input folders with irregular files before it reads any file.
@Suite struct InputFolderTests {
    /// Runs a shell script, because the test cannot pass arguments that are not UTF-8.
    private func shell(_ script: String, in folder: TemporaryFolder) async throws -> ProgramResult {
        let command = script.replacing("habitat", with: "'\(Program.habitat)'")
        return try await Program.run("/bin/bash", ["-c", command], in: folder.path)
    }

    /// A name in Latin-1 is an argument that is not UTF-8.
    @Test(arguments: [
        "ingest $'caf\\xe9.csv'", "import $'caf\\xe9.csv' --user ann", "history --output $'caf\\xe9.csv'",
    ])
    func argumentThatIsNotUTF8IsNamedAsTyped(command: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await shell("echo id > $'caf\\xe9.csv'; habitat \(command)", in: folder)
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("the argument 'caf\\xE9.csv' is not UTF-8 text"), "\(run)")
        #expect(try await shell("ls | wc -l", in: folder).output == "1\n")
    }

    @Test func storeThatIsNotUTF8IsNamedAsTyped() async throws {
        let folder = try TemporaryFolder()
        let run = try await shell("HABITAT_STORE=$'\\xff.db' habitat init", in: folder)
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("HABITAT_STORE '\\xFF.db' is not UTF-8"), "\(run)")
        #expect(try await shell("HABITAT_STORE=$'\\xff.db' habitat init --store s.db", in: folder).status == 0)
    }

    @Test(arguments: ["ingest in", "import in --user ann"])
    func fileInFolderThatIsNotUTF8IsNamed(command: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await shell(
            "habitat init --quiet; habitat user add ann --quiet > /dev/null; mkdir in; echo id > $'in/users-\\xe9.csv'; habitat \(command)",
            in: folder)
        #expect(run.status == 74, "\(run)")
        #expect(run.errors.contains("'users-\\xE9.csv' in the folder is not UTF-8 text"), "\(run)")
    }

    /// Runs the load with a timeout, because a pipe without a writer would block it forever.
    private static func ingest(_ arguments: String..., in folder: TemporaryFolder) async throws -> ProgramResult {
        try await Program.run("/usr/bin/timeout", ["600", Program.habitat, "ingest"] + arguments, in: folder.path)
    }

    private static func input() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("id\nu\n", to: "in/users.csv")
        return folder
    }

    @Test(.fileStoreOnly, arguments: ["events.csv", "events.geojson", "places.geojson"])
    func pipeInFolderIsRefused(name: String) async throws {
        let folder = try Self.input()
        #expect(mkfifo(folder.file("in/\(name)"), 0o600) == 0)
        let result = try await Self.ingest("in", in: folder)
        #expect(result.status == 74, "\(result)")
        #expect(result.errors.hasPrefix("error[input-unreadable]: in/\(name): "), "\(result)")
        #expect(!folder.names.contains("habitat.db"), "nothing is loaded")
    }

    @Test(.fileStoreOnly, arguments: ["../events.csv", "none", "/dev/zero"])
    func linkInFolderIsRefused(target: String) async throws {
        let folder = try Self.input()
        try folder.write("habit,day\n", to: "events.csv")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("in/events.csv"), withDestinationPath: target)
        let result = try await Self.ingest("in", in: folder)
        #expect(result.status == 74, "\(result)")
        #expect(result.errors.hasPrefix("error[input-unreadable]: in/events.csv: "), "\(result)")
    }

    /// The load reads a pipe or a link if the user names it.
    @Test(.fileStoreOnly) func namedPipeAndLinkAreRead() async throws {
        let folder = try Self.input()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("users-link.csv"), withDestinationPath: "in/users.csv")
        #expect(try await Self.ingest("users-link.csv", in: folder).status == 0)
        #expect(mkfifo(folder.file("users-pipe.csv"), 0o600) == 0)
        let result = try await Program.run(
            "/bin/sh",
            [
                "-c", "cat in/users.csv > users-pipe.csv & exec timeout 600 \"$0\" ingest users-pipe.csv",
                Program.habitat,
            ],
            in: folder.path)
        #expect(result.status == 0, "\(result)")
    }
}
