import Foundation
import HabitTestSupport
import Testing

/// The log shows the causes of errors, without bound values, and only on request.
@Suite(.engineIndependent) struct CommandLogTests {
    /// Creates a store with a missing table, so that queries fail.
    private func brokenStore() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = try await Program.habitat("init", in: folder)
        try await RawStore.execute(folder.file("habitat.db"), ["DROP TABLE claim"])
        return folder
    }

    private static let arguments = ["item", "list", "--near", "10.123456,50.654321"]

    @Test(.fileStoreOnly, arguments: [(["--verbose"], [:]), ([], ["HABITAT_LOG": "debug"])])
    func causeIsLoggedWhenRequested(options: [String], environment: [String: String]) async throws {
        let folder = try await brokenStore()
        for arguments in [Self.arguments + options, options + Self.arguments] {
            let result = try await Program.habitat(arguments, in: folder, environment: environment)
            let lines = result.errors.split(separator: "\n")
            try #require(result.status == 1, "\(result.errors)")
            try #require(lines.count == 2, "\(result.errors)")
            #expect(lines[0].hasPrefix("error[internal]: "))
            #expect(lines[1].hasPrefix("debug: cause of the error cause=SQLite error 1: no such table"), "\(lines[1])")
            for secret in ["10.123456", "50.654321", "SELECT"] { #expect(!lines[1].contains(secret)) }
        }
    }

    @Test(.fileStoreOnly) func causeIsObjectWhenErrorsAreJSON() async throws {
        let folder = try await brokenStore()
        let result = try await Program.habitat(Self.arguments + ["--verbose", "--errors", "json"], in: folder)
        let objects = try result.errors.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["error"] as? String } == ["internal", nil])
        #expect((objects.last?["cause"] as? String)?.contains("claim") == true, "\(result.errors)")
    }

    @Test(.fileStoreOnly, arguments: [[:], ["HABITAT_LOG": "info"], ["HABITAT_LOG": ""]])
    func causeIsNotLoggedUnlessRequested(environment: [String: String]) async throws {
        let result = try await Program.habitat(Self.arguments, in: try brokenStore(), environment: environment)
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(!result.errors.contains("claim"), "\(result.errors)")
    }

    @Test func unknownLogLevelIsRefused() async throws {
        let result = try await Program.habitat("stats", in: try TemporaryFolder(), environment: ["HABITAT_LOG": "loud"])
        #expect(result.status == 64)
        #expect(
            result.errors.hasPrefix(
                "error[parameter-invalid]: HABITAT_LOG is 'loud', which is not a log level: set it to one of"),
            "\(result.errors)")
    }
}
