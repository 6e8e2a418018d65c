import Foundation
import HabitTestSupport
import Testing

/// Tests that the server refuses options that have no effect, instead of starting with another configuration than its
/// operator intends.
@Suite(.fileStoreOnly) struct UnusedOptionTests {
    private static func start(_ options: [String]) async throws -> ProgramResult {
        let folder = try TemporaryFolder()
        let program = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"
        return try await Program.run(
            "/usr/bin/timeout", ["20", program, "--store", "none.db", "--port", "0"] + options, in: folder.path)
    }

    @Test(arguments: [
        (["--sign-up", "anyone"], "sign-up", "google-client-id"),
        (["--sign-up", "domain:example.org"], "sign-up", "google-client-id"),
        (["--jwks", "keys.json"], "jwks", "google-client-id"),
        (["--issuer", "https://id.example.org"], "issuer", "google-client-id"),
        (["--trusted-proxy", "10.0.0.0/8"], "trusted-proxy", "behind-proxy"),
        (["--attribution", "me"], "attribution", "tiles"),
    ])
    func optionWithoutEffectIsRefused(options: [String], option: String, other: String) async throws {
        let result = try await Self.start(options)
        #expect(result.status == 64, "\(result)")
        #expect(
            result.errors
                == "error[parameter-invalid]: --\(option) has no effect without --\(other): add --\(other), or omit --\(option)\n"
        )
    }

    @Test(arguments: [["invited", "anyone"], ["anyone", "invited"], ["anyone", "domain:example.org"]])
    func signUpOfAnyoneIsTheOnlyRule(rules: [String]) async throws {
        let result = try await Self.start(["--google-client-id", "x"] + rules.flatMap { ["--sign-up", $0] })
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains("pass only 'anyone'"), "\(result)")
    }

    @Test(arguments: [
        ["--google-client-id", "x", "--sign-up", "anyone"],
        ["--google-client-id", "x", "--sign-up", "invited", "--sign-up", "domain:example.org"],
        ["--google-client-id", "x", "--sign-up", "anyone", "--sign-up", "anyone"],
        ["--today", "today-7"], ["--today", "yesterday"], ["--today", "2026-11-20"],
    ])
    func optionWithEffectIsAccepted(options: [String]) async throws {
        // The server ends because its store does not exist.
        let result = try await Self.start(options)
        #expect(result.status == 69, "\(result)")
        #expect(result.errors.hasPrefix("error[store-unavailable]: "), "\(result)")
    }

    @Test(arguments: [nil, "not JSON", #"{"key": []}"#] as [String?])
    func fileWithoutKeysIsRefused(text: String?) async throws {
        let folder = try TemporaryFolder()
        let keys = folder.file("keys.json")
        if let text { try folder.write(text, to: "keys.json") }
        let result = try await Self.start(["--google-client-id", "x", "--jwks", keys])
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.hasPrefix("error[parameter-invalid]: the keys in '\(keys)' cannot be read"), "\(result)")
    }

    @Test func invalidDateIsRefused() async throws {
        let result = try await Self.start(["--today", "soon"])
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.hasPrefix("error[date-invalid]: 'soon' is not a date"), "\(result)")
    }
}
