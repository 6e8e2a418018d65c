import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Rendering
import Testing

@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the HTML pages of documents and features.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct WebPageTests {
    private static let paths = [
        "/", "/collections", "/collections/events", "/collections/events/items", "/collections/events/items/r17",
        "/collections/follows/items", "/collections/follows/items/all%2Fowner", "/collections/items/items/lamp",
    ]
    /// The header Accept of a browser.
    private static let browser: HTTPFields = [
        .accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
    ]
    private static let hostile = #"</script><script>alert('1')</script><img src=x onerror="alert(2)">&amp;"#
    /// A comment has at most 20 characters.
    private static let hostileComment = "</script><img src=x>"

    /// Returns the path and the query of a URL.
    private static func path(_ url: String) throws -> String {
        let parts = try #require(URLComponents(string: url), "\(url)")
        return parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    /// Returns the values of an attribute in a page, without HTML escapes.
    private static func values(_ name: String, in page: ServerResponse) -> [String] {
        let attribute = /\s([a-z-]+)="([^"]*)"/
        let matches = page.text.matches(of: attribute).filter { match in match.1 == name }
        return matches.map { match in String(match.2).replacing("&amp;", with: "&") }
    }

    @Test(arguments: paths) func pageHasStrictPolicyAndStructure(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: path, as: "owner", headers: Self.browser)
            let named = try await client.send(path: path + "?f=html", as: "owner")
            #expect(page.status == 200, "\(page)")
            #expect(page.type == "text/html; charset=utf-8", "\(page)")
            #expect(named.type == page.type)
            #expect(named.status == 200)
            for part in [#"<html lang="en">"#, #"<meta name="viewport""#, #"<main id="content">"#, "</html>"] {
                #expect(page.text.contains(part), "\(part)")
            }
            #expect(page.text.matches(of: /<h1>/).count == 1)
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            for part in ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"] {
                #expect(policy.contains(part), "\(policy)")
            }
            #expect(!policy.contains("unsafe"))
            #expect(!policy.contains("connect-src"))
            // The page links its style sheets, and the policy permits no others.
            #expect(policy.contains("style-src 'self';"))
            for name in ["tokens.css", "page.css"] {
                let sheet = WebFiles.all.path(of: name)
                #expect(page.text.contains(#"<link rel="stylesheet" href="/\#(sheet)">"#), "\(page)")
            }
            #expect(!page.text.contains("<style"))
            #expect(!page.text.contains(" style="))
            // Scripts are files of the server, or data.
            for script in page.text.matches(of: /<script([^>]*)>/).map({ String($0.1) }) {
                #expect(script.contains(" src=\"/static/") || script.contains("type=\"application/json\""), "\(script)")
            }
            #expect(!page.text.contains(/\son[a-z]+=/))
            #expect(page.headers[.referrerPolicy] == "same-origin")
            #expect(page.headers[.xContentTypeOptions] == "nosniff")
            #expect(page.headers[.vary]?.contains("Accept") == true)
        }
    }

    @Test(arguments: paths) func everyLinkOfPageWorks(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: path, as: "owner", headers: Self.browser)
            let links = Self.values("href", in: page) + Self.values("src", in: page)
            #expect(links.count > 3)
            for link in Set(links) where !link.hasPrefix("data:") && link != "#content" {
                #expect(link.hasPrefix("/"), "\(link)")
                let found = try await client.send(path: link, as: "owner")
                #expect(found.status == 200, "\(link): \(found)")
            }
        }
    }

    @Test(arguments: paths) func documentAndPageLinkToEachOther(path: String) async throws {
        try await ServerFixture.shared.run { client in
            let json = try await client.send(path: path, as: "owner")
            #expect(json.type?.contains("json") == true)
            let links = json.json["links"] as? [[String: Any]] ?? []
            let alternates = links.filter { $0["rel"] as? String == "alternate" }
            let url = try #require(
                alternates.first { ($0["type"] as? String)?.hasPrefix("text/html") == true }?["href"] as? String)
            #expect(json.headers[.link]?.contains("<\(url)>; rel=\"alternate\"; type=\"text/html") == true)
            let page = try await client.send(path: try Self.path(url), as: "owner")
            #expect(page.type?.hasPrefix("text/html") == true, "\(page)")
            let back = try #require(
                page.text.firstMatch(of: /<link rel="alternate" type="application\/[a-z+]*json" href="([^"]*)">/)?.1)
            let header = page.headers[.link] ?? ""
            #expect(header.contains("\(back)>; rel=\"alternate\"; type=\"application/"), "\(header)")
            let again = try await client.send(path: String(back), as: "owner", headers: Self.browser)
            #expect(again.type?.contains("json") == true, "\(again)")
            #expect(again.status == 200, "\(again)")
        }
    }

    @Test func hostileTextsAreEscaped() async throws {
        var records = Scene.friends
        records += [
            .user(Self.hostileUser),
            .follow("owner", Self.hostileUser.id),
            .habit("evil", of: "owner", title: #"<b>"&'</b>"#),
            .habit("theirs", of: Self.hostileUser.id, title: "<b>theirs</b>"),
            .event("evil", "2026-11-18", id: #"e"><b>/1"#, comment: Self.hostileComment),
            .event(
                "evil", "2026-11-19", id: "e2", comment: Self.hostileComment,
                position: .init(longitude: 1, latitude: 2)),
            .item("evil", of: "owner", name: "</title><b>", at: .init(longitude: 1, latitude: 2)),
            .post("evil", of: "owner", caption: Self.hostile, at: .init(longitude: 1, latitude: 2)),
            .message(Self.hostileMessage),
        ]
        let query = "/collections/events/items?comment-contains="
        try await ServerFixture(records).run { client in
            for path in [
                "/collections/events/items", "/collections/events/items/e%22%3E%3Cb%3E%2F1",
                "/collections/events/items/e2", "/collections/items/items", "/collections/items/items/evil",
                "/collections/posts/items", "/collections/habits/items/evil", "/collections/%3Cb%3E%22",
                "/collections/events/items/%3Cb%3E", "/collections/events/items?limit=%3Cb%3E",
                "/near?near=1,2&kind=events,items,posts", "/collections/following/items",
                "/collections/users/items", "/collections/users/items/evil%22%3E%3Cb%3E", "/collections/messages/items",
                "/collections/messages/items/m%3Cb%3E", "/collections/claims/items", "/inbox?f=html",
                query + Self.hostileComment.urlEncoded, query + "%22%20onload%3D%22alert(1)",
                query + "'%3B%20rm%20-r%20'%3Cb%3E",
            ] {
                let page = try await client.send(path: path, as: "owner", headers: Self.browser)
                #expect(page.type == "text/html; charset=utf-8", "\(path): \(page)")
                for markup in ["<script", "<img src=x", "<b>", "</title><b", "\" onload=\"alert"] {
                    #expect(!page.text.contains(markup), "\(path): \(markup)")
                }
                for snippet in page.text.matches(of: /<code>([^<]*)<\/code>/) {
                    #expect(!snippet.1.contains("rm -r"), "\(path): the address is encoded in \(snippet.1)")
                }
            }
            let users = try await client.send(path: "/collections/users/items?f=html", as: "owner")
            #expect(users.text.contains("&lt;b&gt;Eve"), "the name is a text: \(users)")
        }
    }

    private static let hostileUser: UserRecord = {
        var user = UserRecord(id: #"evil"><b>"#)
        user.name = .value(#"<b>Eve" onload="alert(1)"#)
        return user
    }()

    private static let hostileMessage: MessageRecord = {
        var message = MessageRecord(item: "evil", sender: hostileUser.id, recipient: "owner", text: hostile)
        message.id = "m<b>"
        return message
    }()

    @Test func nextLinksLeadThroughAllFeatures() async throws {
        try await ServerFixture.shared.run { client in
            let all = try await client.send(path: "/collections/events/items", as: "owner").ids
            var next: String? = "/collections/events/items?limit=1"
            var ids: [String] = []
            while let path = next, ids.count < 10 {
                let page = try await client.send(path: path, as: "owner", headers: Self.browser)
                #expect(page.text.contains("1 feature<"), "\(page)")
                let id = /<td class="d">(?:<bdi>)?([^<]*)(?:<\/bdi>)?<\/td><\/tr>/
                ids += page.text.matches(of: id).map { match in String(match.1) }
                #expect(page.text.contains(">First page<") == (ids.count > 1))
                next = page.text.firstMatch(of: /rel="next" href="([^"]*)"/).map {
                    String($0.1).replacing("&amp;", with: "&")
                }
            }
            #expect(ids == all)
            // A page of HTML is held in memory, so it has fewer features than a page of GeoJSON.
            let large = try await client.send(path: "/collections/events/items?limit=10000&f=html", as: "owner")
            #expect(large.status == 200)
            #expect(large.text.contains("4 features<"))
        }
    }

    @Test func selectedPropertiesAreColumns() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(
                path: "/collections/events/items?properties=title,day&f=html", as: "owner")
            let heading = /<th scope="col"[^>]*>([^<]*)<\/th>/
            let head = page.text.matches(of: heading).map { match in String(match.1) }
            #expect(head == ["title", "day"], "\(head)")
            #expect(page.text.contains(#"href="/collections/events/items/r17""#))
            let unknown = try await client.send(
                path: "/collections/events/items?properties=nothing", as: "owner", headers: Self.browser)
            #expect(unknown.status == 400, "\(unknown)")
            #expect(unknown.type?.hasPrefix("text/html") == true, "\(unknown)")
        }
    }

    @Test func privatePageAsksForSignIn() async throws {
        try await ServerFixture.shared.run { client in
            for path in ["/collections/events/items", "/collections/events/items/r17", "/user", "/near?near=1,2"] {
                let page = try await client.send(path: path, headers: Self.browser)
                #expect(page.status == 401, "\(path): \(page)")
                #expect(page.type == "text/html; charset=utf-8", "\(path): \(page)")
                #expect(page.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
                #expect(page.headers[.cacheControl] == "no-store")
                #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                #expect(page.text.contains(#"<a href="/map">"#))
                #expect(page.text.contains("<h1>Sign in to see this page</h1>"))
                let problem = try await client.send(path: path)
                #expect(problem.status == 401)
                #expect(problem.type == "application/problem+json")
                let head = try await client.send(.head, path: path, headers: Self.browser)
                #expect(head.status == 401)
                #expect(head.body.isEmpty)
            }
            let named = try await client.send(path: "/collections/events/items?f=html")
            #expect(named.status == 401)
            #expect(named.type?.hasPrefix("text/html") == true)
            for (path, headers) in [
                ("/collections/events/items?f=json", Self.browser), ("/reports/nothing?f=html", [:]),
            ] as [(String, HTTPFields)] {
                let problem = try await client.send(path: path, headers: headers)
                #expect(problem.type == "application/problem+json", "\(path): \(problem)")
            }
            let missing = try await client.send(path: "/nothing", headers: Self.browser)
            #expect(missing.status == 404, "\(missing)")
            #expect(missing.text.contains("<h1>Not found</h1>"), "\(missing)")
            let change = try await client.send(
                .post, path: "/collections/events/items", "{}", headers: Self.browser)
            #expect(change.status == 401, "\(change)")
            #expect(change.type == "application/problem+json", "\(change)")
        }
    }

    @Test func photosOfPagesCanBeShown() async throws {
        let photo = try Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/lamp.png"))
        for open in [[], ["items"]] as [Set<String>] {
            try await ServerFixture(Scene.friends) { $0.publicCollections = open }.run { client in
                let put = try await client.send(
                    .put, path: "/collections/items/items/lamp/photo", as: "owner", bytes: Array(photo))
                #expect(put.status == 204)
                for path in ["/collections/items/items", "/collections/items/items/lamp"] {
                    let page = try await client.send(
                        path: path, as: open.isEmpty ? "stranger" : nil, headers: Self.browser)
                    let image = try #require(
                        page.text.firstMatch(of: /<img src="([^"]*)"[^>]* alt="Photo of Lamp">/)?.1, "\(page)")
                    #expect(image.contains("signature=") == open.isEmpty)
                    let address = String(image.replacing("&amp;", with: "&"))
                    #expect(try await client.send(path: address).status == 200, "\(image)")
                    #expect(page.headers[.referrerPolicy] == "same-origin")
                    #expect(page.headers[.contentSecurityPolicy]?.contains("img-src 'self'") == true)
                }
            }
        }
    }

    @Test func pagesAreConditional() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for path in ["/collections/events/items", "/collections/events/items/r17"] {
                let json = try await client.send(path: path, as: "owner")
                let page = try await client.send(path: path, as: "owner", headers: Self.browser)
                #expect(page.tag != json.tag)
                #expect(!page.tag.isEmpty)
                var known = Self.browser
                known[.ifNoneMatch] = page.tag
                let again = try await client.send(path: path, as: "owner", headers: known)
                #expect(again.status == 304, "\(again)")
                #expect(again.body.isEmpty, "\(again)")
                #expect(
                    try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: page.tag]).status == 200)
                let head = try await client.send(.head, path: path, as: "owner", headers: Self.browser)
                #expect(head.status == 200)
                #expect(head.headers[.contentLength] == "\(page.body.count)")
                #expect(head.tag == page.tag)
                #expect(head.headers[.link] == page.headers[.link])
                var packing = Self.browser
                packing[.acceptEncoding] = "gzip"
                let packed = try await client.send(path: path, as: "owner", headers: packing)
                #expect(try await Gzip.unpack(packed.body) == page.body)
            }
            // A page and a document are representations of the same feature.
            let path = "/collections/events/items/r17"
            let tag = try await client.send(path: path, as: "owner", headers: Self.browser).tag
            let changed = try await client.send(
                .patch, path: path, as: "owner", #"{"comment":"x"}"#, headers: [.ifMatch: tag])
            #expect(changed.status == 200, "\(changed)")
            #expect(changed.type == "application/geo+json", "\(changed)")
        }
    }

    @Test func pagesWorkBelowPath() async throws {
        try await ServerFixture(Scene.friends) {
            ($0.publicURL, $0.tiles) = ("https://host.example/habits/", "https://tile.example.org/{z}/{x}/{y}.png")
        }.run { client in
            for path in Self.paths {
                let page = try await client.send(path: path, as: "owner", headers: Self.browser)
                let links = Self.values("href", in: page) + Self.values("src", in: page)
                for link in links where !link.hasPrefix("data:") && link != "#content" {
                    #expect(link.hasPrefix("/habits/"), "\(path): \(link)")
                }
                #expect(page.headers[.link]?.contains("<https://host.example/habits/") == true)
                let hasMap = page.text.contains("class=\"chart map\"")
                #expect(hasMap == (path.contains("events/items") || path.contains("lamp")), "\(path)")
                let policy = page.headers[.contentSecurityPolicy] ?? ""
                #expect(!policy.contains("https://tile.example.org"), "a drawing has no tiles: \(policy)")
                #expect(!policy.contains("script-src"), "\(policy)")
            }
        }
    }

    private static func site(_ base: String) -> PageSite {
        PageSite(PageVisit(base: base, caller: .nobody, path: "/"))
    }

    @Test func pathsOfSiteBeginWithPathOfBase() {
        let below = Self.site("https://host.example/habits")
        let top = Self.site("http://127.0.0.1:8080")
        #expect(below.path("https://host.example/habits/collections?f=json") == "/habits/collections?f=json")
        #expect(below.path("https://host.example/habits") == "/habits/")
        #expect(below.path("https://host.example/habitsmore") == "https://host.example/habitsmore")
        #expect(top.path("http://127.0.0.1:8080/") == "/")
        #expect(top.path("http://127.0.0.1:80801/") != "/")
        #expect(top.path("https://other.example/") == "https://other.example/")
    }
}
