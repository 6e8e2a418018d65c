import Foundation
import HabitTestSupport
import Testing

/// Tests that the programs warn of a password in their arguments, which the list of processes shows.
@Suite(.fileStoreOnly) struct PasswordWarningTests {
    private static let server =
        URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"

    @Test(arguments: [
        ["stats", "--store", "postgresql://user:s3cret@127.0.0.1:1/x"],
        ["stats", "--store=postgres://user:s3cret@127.0.0.1:1/x"],
        ["--store", "postgresql://127.0.0.1:1/x?user=u&password=s3cret", "stats"],
        ["copy", "--from", "postgresql://user:s3cret@127.0.0.1:1/x", "--to", "postgresql://127.0.0.1:1/y"],
    ])
    func passwordInArgumentsCausesWarning(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.habitat(arguments, in: folder)
        let lines = result.errors.split(separator: "\n")
        #expect(result.status == 69, "\(result)")
        #expect(lines.count == 2, "\(result)")
        let option = arguments.contains("copy") ? "--from" : "--store"
        #expect(
            lines.first?.hasPrefix(
                "warning: other users of this machine can read the password in the URL of \(option) ") == true)
        #expect(!result.errors.contains("s3cret"), "\(result)")
        let quiet = try await Program.habitat(arguments + ["--quiet"], in: folder)
        #expect(!quiet.errors.contains("warning:"), "\(quiet)")
    }

    @Test func serverWarnsOnce() async throws {
        let folder = try TemporaryFolder()
        let url = "postgresql://user:s3cret@127.0.0.1:1/x"
        for (program, arguments) in [(Self.server, []), (Program.habitat, ["serve"])] {
            let result = try await Program.run(program, arguments + ["--store", url, "--port", "0"], in: folder.path)
            #expect(result.errors.components(separatedBy: "warning: other users").count == 2, "\(result)")
            #expect(!result.errors.contains("s3cret"), "\(result)")
        }
    }

    @Test(arguments: ["postgresql://user@127.0.0.1:1/x", "postgresql://127.0.0.1:1/x?sslmode=require", "a:b@c.db"])
    func urlWithoutPasswordCausesNoWarning(store: String) async throws {
        let result = try await Program.habitat("stats", "--store", store, in: try TemporaryFolder())
        #expect(result.status == 69, "\(result)")
        #expect(!result.errors.contains("warning"), "\(result)")
    }
}
