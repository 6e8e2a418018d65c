import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import JWTKit
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of ID tokens with the signature of an issuer and with claims that are not valid.
@Suite(.engineIndependent) struct IdentityClaimsTests {
    private static let now = ServerFixture.clock.now

    private static let nonce = "the nonce"

    /// An issuer that signs any payload, and the verifier of a server.
    private struct Signer {
        let keys = JWTKeyCollection()
        let verifier: IdentityVerifier

        init() async throws {
            let key = ES256PrivateKey()
            let json = try TestIssuer.keySet(key, kid: "one")
            await keys.add(ecdsa: key, kid: "one")
            let issuer = try Issuer.google(clientID: TestIssuer.client, clientSecret: "secret")
            let published = CachedDocument(SignInOptions(issuers: [issuer])) { try SigningKeys(json: json) }
            verifier = IdentityVerifier(issuer, keys: published)
        }

        /// Returns whether the verifier accepts a token with this payload.
        func accepts(_ payload: String, header: String = #"{"alg":"ES256","kid":"one"}"#) async throws -> Bool {
            let text = "\(Data(header.utf8).base64URLEncoded).\(Data(payload.utf8).base64URLEncoded)"
            let signature = try await keys.getKey(for: "one").sign(Data(text.utf8))
            let token = "\(text).\(Data(signature).base64URLEncoded)"
            do {
                _ = try await verifier.verify(
                    token, nonce: IdentityClaimsTests.nonce, accessToken: nil, now: IdentityClaimsTests.now)
                return true
            } catch let problem as Problem {
                #expect(problem.status == .unauthorized, "\(payload): \(problem)")
                return false
            }
        }
    }

    /// The claims of a valid token, as JSON values.
    private static let valid: [String: String] = {
        let seconds = now.microseconds / 1_000_000
        return [
            "iss": #""https://accounts.google.com""#, "sub": #""1234""#, "aud": "\"\(TestIssuer.client)\"",
            "exp": "\(seconds + 600)", "iat": "\(seconds)", "nbf": "\(seconds).5", "email": #""olga@example.org""#,
            "email_verified": "true", "name": #""Olga""#, "nonce": "\"\(nonce)\"",
        ]
    }()

    private static func payload(_ changes: [String: String?] = [:], adding: String = "") -> String {
        var claims = valid
        for (name, value) in changes { claims[name] = value }
        let sorted = claims.sorted { first, second in first.key < second.key }
        let members = sorted.map { claim in "\"\(claim.key)\":\(claim.value)" }
        return "{" + members.joined(separator: ",") + adding + "}"
    }

    @Test func signedTokenWithInvalidClaimsIsRefused() async throws {
        let signer = try await Signer()
        let day = now(after: 86_400)
        for good in [
            Self.payload(),
            Self.payload(["aud": "[\"\(TestIssuer.client)\"]", "name": nil, "nbf": nil, "iat": "null"]),
            Self.payload(["iss": #""accounts.google.com""#]),
            Self.payload(["email_verified": nil]),
            Self.payload(["email_verified": #""true""#]),
            Self.payload(["exp": day]),
            Self.payload(["other": "[{}]"]),
            Self.payload(["aud": "[\"\(TestIssuer.client)\",\"x\"]", "azp": "\"\(TestIssuer.client)\""]),
            // Optional claims of another type count as none.
            Self.payload(["zoneinfo": "1"]),
            Self.payload(["email": "1"]),
            Self.payload(["email_verified": "1"]),
            Self.payload(["name": "{}"]),
            Self.payload(["name": #""\ud800""#]),
            Self.payload(["name": #""a\u200db""#]),
        ] {
            #expect(try await signer.accepts(good), "\(good)")
        }
        for bad in [
            Self.payload(["aud": "[]"]),
            Self.payload(["aud": "[[]]"]),
            Self.payload(["aud": "{}"]),
            Self.payload(["aud": "[\"\(TestIssuer.client)\",1]"]),
            Self.payload(["exp": "1e300"]),
            Self.payload(["exp": "1e400"]),
            Self.payload(["exp": "-1e300"]),
            Self.payload(["exp": now(after: 90_000)]),
            Self.payload(["exp": "\"\(day)\""]),
            Self.payload(["iat": "1e300"]),
            Self.payload(["nbf": "[]"]),
            Self.payload(adding: #","sub":"1234""#),
            Self.payload(adding: #","sub":"5678""#),
            Self.payload(adding: #","\u0073ub":"5678""#),
            Self.payload(adding: #","aud":"x""#),
            Self.payload(["nonce": nil]),
            Self.payload(["nonce": #""other""#]),
            Self.payload(["at_hash": #""x""#]),
            Self.payload(["azp": #""x""#]),
            Self.payload(["sub": nil]),
            Self.payload(["sub": "1234"]),
            Self.payload(["iss": "[]"]),
            Self.payload([
                "aud": "[" + Array(repeating: "\"\(TestIssuer.client)\"", count: 17).joined(separator: ",") + "]"
            ]),
            "[]",
            "1",
            "null",
            "",
            "{",
            "{}",
            "{}{}",
            "{\"sub\"}",
            "\u{FEFF}" + Self.payload(),
        ] {
            #expect(try await !signer.accepts(bad), "\(bad)")
        }
        for header in [
            #"{"alg":"ES256","kid":"one","alg":"ES256"}"#,
            #"{"alg":"ES256","kid":"one","kid":"two"}"#,
            #"{"alg":"ES256","kid":"one","x5c":1}"#,
            #"{"alg":["ES256"],"kid":"one"}"#,
            "[]",
            "{",
        ] {
            _ = try await signer.accepts(Self.payload(), header: header)
        }
        let repeated = #"{"alg":"ES256","kid":"one","kid":"one"}"#
        #expect(try await !signer.accepts(Self.payload(), header: repeated))
    }

    private func now(after seconds: Int64) -> String { "\(Self.now.microseconds / 1_000_000 + seconds)" }

    private static let values = [
        "null", "true", "false", "0", "-1", "1.5", "1e300", "-1e300", "1e400", "9223372036854775808", "\"\"", "\"x\"",
        "\"\\u0000\"", "\"\\ud800\"", "[]", "{}", "[[]]", "[null]", "[1]", "[\"\"]", "[\"a\",\"b\"]", "{\"a\":[]}",
        "\"\(String(repeating: "x", count: 3000))\"",
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
        "01", "tru", "\"", "nan", "+1", "1e", "[1,]",
    ]

    /// No signed payload ends the process or is accepted with another issuer, subject type, audience or expiry.
    @Test func anySignedPayloadIsReadOrRefused() async throws {
        let signer = try await Signer()
        for name in [
            "iss", "sub", "aud", "exp", "iat", "nbf", "azp", "nonce", "email", "email_verified", "name",
            "zoneinfo", "at_hash",
        ] {
            for value in Self.values {
                let isAccepted = try await signer.accepts(Self.payload([name: value]))
                let isChecked = ["iss", "aud", "exp", "nonce"].contains(name)
                #expect(!(isAccepted && isChecked), "\(name): \(value.prefix(40))")
            }
        }
        let seed: UInt64 = 20_261_127
        var random = SeededGenerator(seed: seed)
        let whole = Array(Self.payload().utf8)
        let pieces = (Self.values.prefix(24) + [",", ":", "{", "}", "\"sub\":", "\\u"]).map {
            Array($0.utf8).prefix(40)
        }
        for _ in 0..<600 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
                bytes.replaceSubrange(start..<end, with: pieces.randomElement(using: &random) ?? [])
                if bytes.isEmpty { bytes = whole }
            }
            _ = try await signer.accepts(String(decoding: bytes, as: UTF8.self))
        }
    }
}
