import Foundation
import HabitTestSupport
import Testing

/// Tests that the snippets of "Use this data" read the features of the page from a real server.
@Suite(.engineIndependent, .serialized) struct DataSnippetTests {
    private struct Fixture {
        let server: LiveTests.RunningServer
        let token: String

        /// Starts a server whose user has three events with a comment about rain, and one other event.
        init(_ options: [String] = []) async throws {
            let folder = try TemporaryFolder()
            try folder.write("id\nu\n", to: "users.csv")
            try folder.write("id,user,title,days\nh,u,H,1111111\n", to: "habits.csv")
            let events = """
                id,habit,day,comment,longitude,latitude
                e1,h,2026-11-16,rain 'n wind,10,50
                e2,h,2026-11-17,rain 'n wind,10,51
                e3,h,2026-11-18,rain 'n wind,,
                e4,h,2026-11-19,sun,10,52

                """
            try folder.write(events, to: "events.csv")
            let load = try await Program.habitat("ingest", "users.csv", "habits.csv", "events.csv", in: folder)
            #expect(load.status == 0, "\(load)")
            token = try await LiveTests.token(["--user", "u"], in: folder)
            server = try await LiveTests.RunningServer(keeping: folder, options)
        }

        /// Returns the snippets of a page by name, with the token of the user in place of the placeholder.
        ///
        /// The characters of HTML are decoded.
        func snippets(_ path: String, isPublic: Bool = false) async throws -> [String: String] {
            let header = isPublic ? "X-None: none" : "Authorization: Bearer \(token)"
            let page = try await server.curl("-H", header, "-H", "Accept: text/html", server.base + path)
            var snippets: [String: String] = [:]
            let snippet = /<pre[^>]* aria-label="([^"]*)"><code>([^<]*)<\/code><\/pre>/
            for match in page.output.matches(of: snippet) {
                let code = String(match.2)
                    .replacing("&lt;", with: "<")
                    .replacing("&gt;", with: ">")
                    .replacing("&quot;", with: "\"")
                    .replacing("&#39;", with: "'")
                    .replacing("&amp;", with: "&")
                #expect(code.contains("Bearer TOKEN") != isPublic, "\(code)")
                snippets[String(match.1)] = code.replacing("TOKEN", with: token)
            }
            #expect(snippets.keys.sorted() == ["JavaScript", "Python", "curl", "ogr2ogr"], "\(page)")
            return snippets
        }

        func run(_ command: String) async throws -> ProgramResult {
            try await Program.run("/bin/sh", ["-c", command], in: server.scratch.path)
        }
    }

    private static let list = "/collections/events/items?comment-contains=rain%20'n&limit=2"

    @Test func curlReadsPage() async throws {
        let fixture = try await Fixture()
        let command = try #require(try await fixture.snippets(Self.list)["curl"])
        let result = try await fixture.run(command)
        #expect(result.status == 0, "\(command): \(result)")
        let document = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        let features = document?["features"] as? [[String: Any]] ?? []
        #expect(features.compactMap { feature in feature["id"] as? String } == ["e3", "e2"], "\(result)")
    }

    @Test func curlReadsPublicPageWithoutToken() async throws {
        let fixture = try await Fixture(["--public-collection", "events"])
        let command = try #require(try await fixture.snippets(Self.list, isPublic: true)["curl"])
        let result = try await fixture.run(command)
        #expect(result.output.contains("\"e3\""), "\(command): \(result)")
    }

    /// The program follows the links to all pages, also from a later page.
    @Test(.enabled(if: TestPython.isInstalled, "the Python packages of the tests are not installed"))
    func pythonReadsAllPages() async throws {
        let fixture = try await Fixture()
        let script = try #require(try await fixture.snippets(Self.list)["Python"])
        let result = try await TestPython.run(script, [])
        #expect(result.status == 0, "\(script): \(result)")
        #expect(result.lines == ["3 features"], "\(result)")
        let single = try #require(try await fixture.snippets("/collections/events/items/e1")["Python"])
        let feature = try await TestPython.run(single, [])
        #expect(feature.output.contains("'id': 'e1'"), "\(single): \(feature)")
    }

    @Test func ogr2ogrReadsPage() async throws {
        let fixture = try await Fixture()
        for (path, layer, count) in [(Self.list, "events", 2), ("/collections/habits/items", "habits", 1)] {
            let command = try #require(try await fixture.snippets(path)["ogr2ogr"])
            let result = try await fixture.run(command)
            #expect(result.status == 0, "\(command): \(result)")
            let info = try await fixture.run("ogrinfo -so '\(layer).gpkg' '\(layer)'")
            #expect(info.output.contains("Feature Count: \(count)"), "\(command): \(info)")
        }
    }
}
