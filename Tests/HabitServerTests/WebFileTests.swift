import Base
import Foundation
import HTTPTypes
import Rendering
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the files that pages load.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct WebFileTests {
    private static let gzip: HTTPFields = [.acceptEncoding: "gzip, br"]
    private static let missing = [
        "none.css", "map.html", "leaflet.js", "leaflet%2Fleaflet.css", "%2e%2e%2Fmap.js", "world-none.js", "",
    ]

    private static func path(_ name: String) -> String { "/" + WebFiles.all.path(of: name) }

    @Test(arguments: [
        ("map.js", "text/javascript; charset=utf-8"),
        ("markers.css", "text/css; charset=utf-8"),
        ("leaflet.min.js", "text/javascript; charset=utf-8"),
        ("leaflet.markercluster.min.js", "text/javascript; charset=utf-8"),
        ("leaflet.css", "text/css; charset=utf-8"),
        ("MarkerCluster.css", "text/css; charset=utf-8"),
        ("sign-in.js", "text/javascript; charset=utf-8"),
        ("sign-out.js", "text/javascript; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
    ])
    func fileIsKeptByBrowsersAndCompressed(name: String, type: String) async throws {
        try await ServerFixture.shared.run { client in
            let packed = try await client.send(path: Self.path(name), headers: Self.gzip)
            #expect(packed.status == 200, "\(packed)")
            #expect(packed.type == type)
            #expect(packed.headers[.contentEncoding] == "gzip")
            #expect(packed.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(packed.headers[.vary] == "Accept-Encoding")
            let plain = try await client.send(path: Self.path(name))
            #expect(plain.status == 200)
            #expect(plain.type == type)
            #expect(plain.headers[.contentEncoding] == nil)
            #expect(plain.headers[.vary] == "Accept-Encoding")
            #expect(plain.tag != packed.tag)
            #expect(packed.body.count < plain.body.count)
            let unpacked = try await Gzip.unpack(packed.body)
            #expect(unpacked == plain.body)
        }
    }

    @Test func styleSheetIsThatOfReports() async throws {
        try await ServerFixture.shared.run { client in
            let sheet = try await client.send(path: Self.path("tokens.css"))
            #expect(sheet.text == StyleSheet.tokens.text)
        }
    }

    @Test(arguments: ["coarse", "fine"])
    func baseMapIsServedAsModule(level: String) async throws {
        try await ServerFixture.shared.run { client in
            let file = try await client.send(path: Self.path("world-\(level).js"))
            #expect(file.status == 200)
            #expect(file.type?.hasPrefix("text/javascript") == true)
            let text = try #require(file.text.wholeMatch(of: #/export default (\{.*\})/#)).output.1
            let world = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect((world["land"] as? [String] ?? []).count > 100)
            #expect((world["cities"] as? [[Any]] ?? []).count >= 60)
        }
    }

    @Test(arguments: [[:], gzip]) func unchangedFileIsNotSentAgain(headers: HTTPFields) async throws {
        try await ServerFixture.shared.run { client in
            let path = Self.path("map.js")
            let first = try await client.send(path: path, headers: headers)
            let again = try await client.send(path: path, headers: headers.merging([.ifNoneMatch: first.tag]))
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            #expect(again.headers[.cacheControl] == first.headers[.cacheControl])
        }
    }

    @Test(arguments: missing) func unknownFileIsNotFound(name: String) async throws {
        try await ServerFixture.shared.run { client in
            for version in [WebFiles.all.digest, "0123456789abcdef"] {
                let response = try await client.send(path: "/static/\(version)/\(name)")
                #expect(response.status == 404, "\(version): \(response)")
            }
        }
    }

    @Test(arguments: ["/map/map.js", "/map/leaflet/leaflet.css", "/map/world-fine.js", "/static/map.js", "/static"])
    func fileHasNoOtherAddress(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: path)
            #expect(response.status == 404, "\(response)")
        }
    }

    /// A page that was loaded before an upgrade still finds the files that it loads later.
    @Test func addressOfEarlierVersionLeadsToCurrentFile() async throws {
        try await ServerFixture(Scene.friends) { options in
            options.publicURL = "https://host.example/habits"
        }.run { client in
            let earlier = try await client.send(path: "/static/0123456789abcdef/world-fine.js")
            #expect(earlier.status == 302)
            #expect(earlier.headers[.location] == "/habits" + Self.path("world-fine.js"))
            #expect(earlier.headers[.cacheControl] == "no-store")
        }
    }

    @Test func versionIsDigestOfAllFiles() {
        #expect(WebFiles.all.digest.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    }

    @Test func everyPageLinksIcon() async throws {
        try await ServerFixture.shared.run { client in
            let icon = WebFiles.all.path(of: "icon.svg")
            for path in ["/", "/map", "/sign-in", "/nothing", "/collections/events/items"] {
                let page = try await client.send(path: path, as: "owner", headers: [.accept: "text/html"])
                let link = page.text.firstMatch(of: /<link rel="icon" href="\/?([^"]*)" type="image\/svg\+xml">/)
                #expect(link?.output.1 == icon[...], "\(path): \(page)")
            }
        }
    }

    @Test func iconIsFoundWithoutLink() async throws {
        try await ServerFixture.shared.run { client in
            let icon = try await client.send(path: "/favicon.ico")
            #expect(icon.status == 200)
            #expect(icon.type == "image/svg+xml")
            #expect(icon.headers[.cacheControl] == "public, max-age=86400")
            #expect(icon.text.contains("#1f6f4a"))
            let linked = try await client.send(path: Self.path("icon.svg"))
            #expect(icon.body == linked.body)
        }
    }

    @Test(arguments: [[], [0], Array("habit".utf8), Array(repeating: 7, count: 1_000_000)])
    func compressionIsReversed(bytes: [UInt8]) async throws {
        let compressed = try bytes.gzipped()
        #expect(try compressed.gunzipped() == bytes)
        let damaged = compressed.dropLast(5)
        #expect(throws: HabitError.self) { try Array(damaged).gunzipped() }
    }
}
