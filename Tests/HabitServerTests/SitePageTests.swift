import Base
import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the parts of every page, and of the pages that describe the server.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct SitePageTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
    private static let described = [
        "/collections", "/collections/events", "/collections/habits", "/conformance", "/api",
        "/collections/items/schema", "/collections/events/queryables",
    ]

    @Test(
        arguments: [
            "/", "/?f=html", "/collections", "/conformance", "/api", "/account", "/sign-in",
            "/collections/events/items",
            "/collections/events/items/r17", "/inbox?f=html", "/reports/todo?f=html", "/nothing",
        ])
    func everyPageHasSkipLinkTopBarAndFoot(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: path, as: "owner", headers: Self.browser)
            #expect(page.type == "text/html; charset=utf-8", "\(page)")
            let body = try #require(page.text.components(separatedBy: "<body>\n").last)
            #expect(body.hasPrefix(##"<a class="skip" href="#content">Skip to content</a>"##), "\(body.prefix(200))")
            #expect(page.text.matches(of: /<main id="content">/).count == 1)
            for link in ["/", "/map", "/reports"] {
                #expect(page.text.contains(" href=\"\(link)\">"), "\(link)")
            }
            let foot = try #require(page.text.components(separatedBy: "<footer class=\"foot\">").last)
            #expect(foot.contains(#"<a href="/?f=html">For developers</a>"#), "\(foot)")
            #expect(foot.contains(#"<a href="/api">API</a>"#), "\(foot)")
            #expect(foot.contains("Habitat \(HabitatVersion.current)"), "\(foot)")
        }
    }

    @Test(arguments: described)
    func documentIsPageInPlainWords(path: String) async throws {
        try await ServerFixture.shared.run { client in
            for user in [nil, "owner", "operator"] {
                let page = try await client.send(path: path, as: user, headers: Self.browser)
                #expect(page.status == 200, "\(page)")
                #expect(page.type == "text/html; charset=utf-8", "\(page)")
                let text = page.text.lowercased()
                for word in ["resource", "representation"] { #expect(!text.contains(word), "\(word)") }
                #expect(page.headers[.vary]?.contains("Accept") == true)
                #expect(page.headers[.vary]?.contains("Cookie") == true)
            }
            let document = try await client.send(path: path, as: "owner")
            #expect(document.type?.contains("json") == true, "\(document)")
            let named = try await client.send(path: path + "?f=json", as: "owner", headers: Self.browser)
            #expect(named.body == document.body)
            #expect(try await client.send(path: path + "?f=pdf", headers: Self.browser).status == 400)
        }
    }

    @Test(arguments: ["/collections", "/conformance", "/api", "/?f=html"])
    func pageWithoutSessionLeadsToSignInAndBack(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: path, headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.text.contains(#"<a class="person" href="/sign-in?to=\#(path.urlEncoded)">"#), "\(page.text)")
        }
    }

    @Test func everyCollectionHasSentence() {
        for collection in FeatureCollection.all {
            #expect(CollectionWords.sentence(about: collection.id) != nil, "\(collection.id)")
        }
    }

    @Test(arguments: ["/collections/events/items?limit=5", "/inbox", "/reports", "/account", "/reports/todo"])
    func privatePageLeadsToSignInAndBack(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: path, headers: Self.browser)
            #expect(page.status == 401, "\(page)")
            let button = #"<a class="button main" href="/sign-in?to=\#(path.urlEncoded)">"#
            #expect(page.text.contains(button), "\(page.text)")
            let form = try await client.send(path: "/sign-in?to=\(path.urlEncoded)", headers: Self.browser)
            #expect(form.text.contains(#"name="to" value="\#(path)""#), "\(form.text)")
        }
    }

    /// The requirement class `html` of OGC API - Features, Part 1.
    @Test func conformancePageHasEveryClass() async throws {
        try await ServerFixture.shared.run { client in
            let document = try await client.send(path: "/conformance")
            let classes = document.json["conformsTo"] as? [String] ?? []
            #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/html"))
            let page = try await client.send(path: "/conformance?f=html")
            for address in classes { #expect(page.text.contains("<code>\(address)</code>"), "\(address)") }
            #expect(!page.text.contains("Other standards"), "each class belongs to a standard with a name")
        }
    }

    @Test func collectionPageHasExtentAndLinksOfDocument() async throws {
        try await ServerFixture.shared.run { client in
            for path in ["/collections/events", "/collections"] {
                let page = try await client.send(path: path, as: "owner", headers: Self.browser)
                #expect(page.text.contains("<dt>Area</dt><dd>From 16° south, "), "\(page.text)")
                #expect(page.text.contains("<dt>Time</dt><dd>From <time datetime=\"2026-11-1"), "\(page.text)")
                #expect(page.text.contains("http://www.opengis.net/def/crs/OGC/1.3/CRS84"))
            }
            let document = try await client.send(path: "/collections/events", as: "owner")
            let page = try await client.send(path: "/collections/events", as: "owner", headers: Self.browser)
            for link in document.json["links"] as? [[String: Any]] ?? [] {
                guard !["self", "alternate"].contains(link["rel"] as? String) else { continue }
                let url = try #require(URLComponents(string: link["href"] as? String ?? ""))
                #expect(page.text.contains("href=\"\(url.path)"), "\(url.path)")
            }
            let visitor = try await client.send(path: "/collections/events", headers: Self.browser)
            #expect(!visitor.text.contains("<dt>Area</dt>"), "the extent of private records is hidden")
        }
    }

    @Test func codeInDescriptionIsMarkedUp() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/api?f=html").text
            #expect(page.contains("<code>f=html</code>"))
            #expect(!page.contains("`"))
        }
    }

    @Test func headerNamesBothFormsOfDocument() async throws {
        try await ServerFixture.shared.run { client in
            for path in ["/conformance", "/api"] {
                let document = try await client.send(path: path)
                let link = document.headers[.link] ?? ""
                #expect(link.contains("\(path)>; rel=\"self\""), "\(link)")
                #expect(link.contains("\(path)?f=html>; rel=\"alternate\"; type=\"text/html"), "\(link)")
            }
        }
    }
}
