import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of the page of `/near`: the table of records of several kinds, the map and the links to further pages.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct NearHTMLTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

    /// Returns the page of a list.
    private static func page(_ query: String, _ client: ServerClient) async throws -> String {
        let page = try await client.send(path: "/near?\(query)", as: "owner", headers: browser)
        #expect(page.status == 200, "\(page)")
        #expect(page.type == "text/html; charset=utf-8", "\(page)")
        return page.text
    }

    @Test func recordsLeadToTheirCollections() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("near=10,50&within=100km&kind=events,posts", client)
            #expect(page.contains("<h1>Near a position</h1>"), "\(page)")
            #expect(page.contains("Within 100\u{202F}km of 50.00000° N, 10.00000° E."))
            #expect(page.contains(#"<th scope="row"><a href="/collections/events/items/r17">"#))
            #expect(page.contains(#"<th scope="row"><a href="/collections/posts/items/p1">"#))
            #expect(page.contains(#"<th scope="col" class="n">distance</th>"#))
            #expect(page.contains("<figure"), "the page has a map")
            #expect(page.contains(#"<a href="/collections/users/items/owner">"#))
        }
    }

    @Test func recordsOfOneKindLeadToTheirCollection() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("near=10,50&within=100km&kind=posts", client)
            #expect(page.contains(#"<th scope="row"><a href="/collections/posts/items/p1">"#), "\(page)")
            #expect(!page.contains("/collections/events/items/"))
        }
    }

    @Test func linkRemovesEachConditionButNotThePosition() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("near=10,50&within=100km&kind=posts", client)
            #expect(page.contains(#"aria-label="Remove the filter kind: posts">Remove</a>"#), "\(page)")
            #expect(page.contains(#"aria-label="Remove the filter within: 100km">Remove</a>"#))
            #expect(!page.contains("Remove the filter near"))
        }
    }

    @Test func pagesOfListAreLinked() async throws {
        try await ServerFixture.shared.run { client in
            let first = try await Self.page("near=10,50&within=100km&limit=1", client)
            let link = first.firstMatch(of: /<a rel="next" href="\/near\?([^"]*)">Next page<\/a>/)
            let next = try #require(link?.1, "\(first)")
            let second = try await Self.page(String(next).replacing("&amp;", with: "&"), client)
            #expect(second.contains(#"<a rel="first" href="/near?"#), "\(second)")
            #expect(second.matches(of: /<th scope="row">/).count == 1)
        }
    }

    @Test func emptyListStatesThatNothingIsNear() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("near=-100,-60", client)
            let empty = #"<p class="empty">Nothing is near this position. <a href="/map">Map</a></p>"#
            #expect(page.contains(empty), "\(page)")
        }
    }

    @Test func pageHasTheSameDataForPrograms() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await Self.page("near=10,50", client)
            #expect(page.contains(#"<summary>Use this data</summary>"#), "\(page)")
            #expect(page.contains(#"type="text/csv"#))
            #expect(!page.contains("<h2>QGIS</h2>"))
            #expect(!page.contains("<h2>ogr2ogr</h2>"))
        }
    }
}
