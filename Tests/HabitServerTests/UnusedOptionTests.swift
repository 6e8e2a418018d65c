import Foundation
import HabitTestSupport
import Testing

/// Tests that the server refuses options that have no effect, instead of starting with another configuration than its
/// operator intends.
@Suite(.fileStoreOnly) struct UnusedOptionTests {
    private static let issuer = [
        "--public-url", "https://habits.example", "--oidc-issuer", "https://id.example.org", "--oidc-client-id", "x",
    ]

    /// Starts the server in a folder that may contain the file `secret`.
    private static func start(_ options: [String], secret: String? = nil) async throws -> ProgramResult {
        let folder = try TemporaryFolder()
        if let secret {
            try folder.write(secret, to: "secret")
            chmod(folder.file("secret"), 0o600)
        }
        let program = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"
        return try await Program.run(
            "/usr/bin/timeout", ["600", program, "--store", "none.db", "--port", "0"] + options, in: folder.path)
    }

    @Test(arguments: [
        (["--sign-up", "anyone"], "sign-up", "oidc-issuer"),
        (["--sign-up", "domain:example.org"], "sign-up", "oidc-issuer"),
        (["--mail-command", "sh -c true"], "mail-command", "public-url"),
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
        let result = try await Self.start(Self.issuer + rules.flatMap { ["--sign-up", $0] })
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains("pass only 'anyone'"), "\(result)")
    }

    @Test(arguments: [
        issuer + ["--sign-up", "anyone"],
        issuer + ["--sign-up", "invited", "--sign-up", "domain:example.org"],
        issuer + ["--sign-up", "anyone", "--sign-up", "anyone"],
        issuer + [
            "--oidc-name", "Test", "--oidc-client-secret-file", "-", "--oidc-trust-email", "https://id.example.org",
        ],
        ["--today", "today-7"], ["--today", "yesterday"], ["--today", "2026-11-20"],
    ])
    func optionWithEffectIsAccepted(options: [String]) async throws {
        // The server ends because its store does not exist.
        let result = try await Self.start(options)
        #expect(result.status == 69, "\(result)")
        #expect(result.errors.hasPrefix("error[store-unavailable]: "), "\(result)")
    }

    @Test(arguments: [
        (["--oidc-client-id", "y"], "--oidc-client-id is given 2 times and --oidc-issuer 1 times"),
        (["--oidc-issuer", "https://b.example"], "--oidc-client-id is given 1 times and --oidc-issuer 2 times"),
        (["--oidc-name", "A", "--oidc-name", "B"], "--oidc-name is given 2 times"),
        (
            ["--oidc-client-secret-file", "-", "--oidc-client-secret-file", "-"],
            "--oidc-client-secret-file is given 2 times"
        ),
        (["--oidc-trust-email", "https://b.example"], "write the URL as there"),
        (["--google-client-id", "x"], "belong together"),
        (["--google-client-secret-file", "secret"], "belong together"),
        (["--google-client-id", "x", "--google-client-secret-file", "none"], "file 'none' does not exist"),
        (["--oidc-client-secret-file", "none"], "file 'none' does not exist"),
        (["--oidc-name", "東京"], "is not a name of an issuer"),
        (["--oidc-name", ""], "is not a name of an issuer"),
    ])
    func issuerNeedsItsOptions(options: [String], message: String) async throws {
        let result = try await Self.start(Self.issuer + options)
        #expect(result.status == 64 || message.hasPrefix("file"), "\(result)")
        #expect(result.status != 69, "\(result)")
        #expect(result.errors.contains(message), "\(result)")
    }

    @Test(arguments: [
        "http://id.example.org", "id.example.org", "https://", "https://id.example.org#x", "https://id.example.org?x",
        "https://u:p@id.example.org", "https://id.example.org\\@evil.example", "ftp://id.example.org", "",
    ])
    func issuerHasSafeURL(url: String) async throws {
        let result = try await Self.start(["--oidc-issuer", url, "--oidc-client-id", "x"])
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains("is not the URL of an issuer"), "\(result)")
    }

    @Test(arguments: [nil, "", "  \n"] as [String?]) func secretOfGoogleIsInFile(secret: String?) async throws {
        let options = [
            "--public-url", "https://habits.example", "--google-client-id", "x", "--google-client-secret-file",
            "secret",
        ]
        let good = try await Self.start(options, secret: "GOCSPX-x\n")
        #expect(good.status == 69, "\(good)")
        let result = try await Self.start(options, secret: secret)
        #expect(result.status != 69, "\(result)")
        #expect(result.errors.contains(secret == nil ? "does not exist" : "is empty"), "\(result)")
    }

    @Test func invalidDateIsRefused() async throws {
        let result = try await Self.start(["--today", "soon"])
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.hasPrefix("error[date-invalid]: 'soon' is not a date"), "\(result)")
    }
}
