import Foundation
import HabitTestSupport
import JWTKit
import StoreEngine
import Testing

@testable import HabitServer

private let chromedriver = "/usr/bin/chromedriver"

/// Tests of the map in a real browser with the server program.
///
/// `Browser/map_test.py` names each check.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: chromedriver), "chromedriver is not installed"),
    .serialized)
struct MapTests {
    private static let client = "test.apps.googleusercontent.com"
    private static let hostile = "<img src onerror=x>"

    /// Creates a store.
    ///
    /// `me` has 30 events on a line to the east, about one kilometer apart, and follows `friend`, who has two habits.
    private static func makeStore(in folder: TemporaryFolder) async throws {
        var lines = """
            {"kind":"users","id":"me","email":"me@example.org"}
            {"kind":"users","id":"friend"}
            {"kind":"habits","id":"walk","user":"me","title":"Walk","days":"1111111","start":"2026-10-01"}
            {"kind":"habits","id":"swim","user":"me","title":"<b>Swim</b>","days":"sat sun","start":"2026-10-01"}
            {"kind":"habits","id":"walk-2","user":"me","title":"Walk","days":"sun","start":"2026-10-01"}
            {"kind":"habits","id":"run","user":"friend","title":"Run","days":"1111111","start":"2026-10-01"}
            {"kind":"habits","id":"row","user":"friend","title":"Row","days":"1111111","start":"2026-10-01"}
            {"kind":"follows","follower":"me","followee":"friend","status":"accepted"}
            {"kind":"items","id":"lamp","user":"friend","name":"Lamp","description":"<script>alert(1)</script>","longitude":10,"latitude":50}
            {"kind":"posts","id":"post","user":"friend","caption":"Sunset","longitude":10.01,"latitude":50}
            {"kind":"posts","id":"bare","user":"friend","posted_at":"2026-11-18T09:30:00Z","longitude":10.02,"latitude":50}
            {"kind":"events","id":"far","habit":"swim","day":"2026-11-15","comment":"\(hostile)","longitude":179.9,"latitude":-17}
            {"kind":"events","id":"none","habit":"swim","day":"2026-11-14","comment":"no place"}

            """
        for day in 1...19 {
            let (text, longitude) = (day < 10 ? "0\(day)" : "\(day)", 10 + Double(day) * 0.014)
            let comment = day % 5 == 0 ? "Café stop" : "round \(day)"
            lines += """
                {"kind":"events","id":"w\(day)","habit":"walk","day":"2026-11-\(text)","comment":"\(comment)","longitude":\(longitude),"latitude":50}
                {"kind":"events","habit":"run","day":"2026-11-\(text)","longitude":\(longitude),"latitude":50.01}
                {"kind":"events","habit":"row","day":"2026-11-\(text)","longitude":\(longitude),"latitude":50.02}

                """
        }
        try folder.write(lines, to: "all.ndjson")
        let load = try await Program.habitat("ingest", "all.ndjson", in: folder)
        try #require(load.status == 0, "\(load)")
    }

    /// Creates the key of an issuer and returns an ID token of `me` signed with it.
    private static func identity(in folder: TemporaryFolder) async throws -> String {
        let key = ES256PrivateKey()
        let parameters = try #require(key.publicKey.parameters)
        func url(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        try folder.write(
            #"{"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","kid":"one","x":"\#(url(parameters.x))","y":"\#(url(parameters.y))"}]}"#,
            to: "keys.json")
        var token = IDToken(
            iss: "https://accounts.google.com", sub: "me", aud: AudienceClaim(value: [client]),
            exp: .init(value: Date.now.addingTimeInterval(3600)))
        (token.email, token.emailVerified, token.name, token.nonce) = (
            "me@example.org", true, "Me", "nonce-of-the-test"
        )
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key, kid: "one")
        return try await keys.sign(token, kid: "one")
    }

    @Test func mapPassesBrowserChecks() async throws {
        let folder = try TemporaryFolder()
        try await Self.makeStore(in: folder)
        let identity = try await Self.identity(in: folder)
        let server = try await LiveTests.RunningServer(
            in: folder, "--google-client-id", Self.client, "--jwks", "keys.json", "--rate", "0", "--sign-up",
            "anyone")
        let made = try await Program.habitat(
            "token", "create", "--user", "me", "--format", "csv", "--columns", "token", in: folder)
        let token = try #require(made.lines.last, "\(made)")
        // The fifth event is at the fifth kilometer, because a degree of longitude is 71.7 km there.
        try folder.write(
            """
            {"mine": 20, "friends": 2, "comment": {"text": "CAFÉ", "count": 3}, "habit": {"id": "walk", "count": 19},
             "dates": {"from": "2026-11-10", "to": "2026-11-12", "count": 3},
             "near": {"lon": 10, "lat": 50, "radius_km": 5, "count": 4}, "hostile": {"text": "\(Self.hostile)"},
             "antimeridian": {"lon": -179.95, "lat": -17, "count": 1},
             "empty_center": true, "untitled_post": "Post at 09:30"}
            """, to: "expect.json")
        let script = Program.repository + "/Tests/HabitServerTests/Browser/map_test.py"
        var arguments = ["300", "/usr/bin/python3", "-B", script, server.base, "--token", token]
        arguments += ["--expect", folder.file("expect.json"), "--id-token", identity]
        if let screenshots = ProcessInfo.processInfo.environment["HABITAT_SCREENSHOTS"] {
            arguments += ["--screenshots", screenshots]
        }
        let result = try await Program.run("/usr/bin/timeout", arguments, in: folder.path)
        #expect(result.status == 0, "\(result.output)\n\(result.errors.suffix(2000))")
        #expect(result.lines.count >= 10, "\(result.output)")
        #expect(result.lines.allSatisfy { $0.hasPrefix("ok ") }, "\(result.output)")
    }
}
