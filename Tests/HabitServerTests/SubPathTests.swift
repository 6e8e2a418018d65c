import Foundation
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitPages
@testable import HabitServer

/// Tests of a server whose public URL has a path.
@Suite(.engineIndependent, .serialized) struct SubPathTests {
    @Test(arguments: [
        ("/habits/collections?f=json", "/collections?f=json"), ("/habits", "/"), ("/habits/", "/"),
        ("/habits?f=json", "/?f=json"),
        ("/habitsmore", nil), ("/collections", nil), (nil, nil),
    ])
    func prefixIsRemovedFromPath(path: String?, below: String?) {
        for url in ["https://host.example/habits", "https://host.example/habits/"] {
            #expect(PathPrefix(of: url).path(below: path) == below)
        }
        #expect(PathPrefix(of: "https://host.example").path(below: path) == nil)
        #expect(PathPrefix(of: nil).path(below: path) == nil)
    }

    @Test func linksHavePathOfPublicURL() async throws {
        try await ServerFixture(Scene.friends) { $0.publicURL = "https://host.example/habits/" }.run { client in
            let landing = try await client.send(path: "/")
            #expect(landing.link("data") == "https://host.example/habits/collections", "\(landing)")
            let page = try await client.send(path: "/collections/events/items?limit=1", as: "owner")
            #expect(page.link("next")?.hasPrefix("https://host.example/habits/collections/events/items?") == true)
            #expect(page.headers[.link]?.contains("<https://host.example/habits/collections/events>") == true)
        }
    }

    /// The page works below every path, because all its URLs are relative.
    @Test func mapPageHasOnlyRelativeURLs() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let names = [
                "map.js", "api.js", "calendar.js", "layers.js", "session.js", "popup.js", "markers.js",
            ]
            let files = names.map { name in "/" + WebFiles.all.path(of: name) }
            for name in ["/map"] + files {
                let text = try await client.send(path: name).text
                #expect(!text.isEmpty)
                for start in ["'/", "\"/", "`/"] {
                    for part in text.components(separatedBy: start).dropFirst() {
                        #expect(part.first?.isLetter != true, "\(name): \(start)\(part.prefix(30))")
                    }
                }
            }
        }
    }
}
