import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitPages
@testable import HabitServer

/// Tests of the texts, labels and links of HTML pages.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct PageContentTests {
    private static let browser: HTTPFields = [.accept: "text/html,*/*;q=0.8"]

    @Test func listHasTitleOfCollection() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/items/items?f=html", as: "owner")
            #expect(page.text.contains("<h1>Give-away items</h1>"), "\(page)")
            #expect(page.text.contains("<title>Give-away items</title>"))
            #expect(page.text.contains(#"<li aria-current="page">Give-away items</li>"#))
        }
    }

    @Test func listStatesHowManyFeaturesAreMissingOnMap() async throws {
        var records = Scene.friends
        records += [
            .event("run", "2026-11-01", id: "placed", position: .init(longitude: 1, latitude: 2)),
            .event("run", "2026-11-02", id: "nowhere"),
        ]
        try await ServerFixture(records).run { client in
            let document = try await client.send(path: "/collections/events/items", as: "owner")
            let features = document.json["features"] as? [[String: Any]] ?? []
            let missing = features.count { !($0["geometry"] is [String: Any]) }
            #expect(missing > 0)
            #expect(missing < features.count)
            let page = try await client.send(path: "/collections/events/items?f=html", as: "owner")
            let note = page.text.firstMatch(of: /(\d+) features? without a position (?:is|are) not on the map/)
            #expect(note.flatMap { Int($0.1) } == missing, "\(page)")
            let located = try await client.send(path: "/collections/located-events/items?f=html", as: "owner")
            #expect(located.status == 200, "\(located)")
            #expect(!located.text.contains("not on the map"), "\(located)")
            let follows = try await client.send(path: "/collections/follows/items?f=html", as: "owner")
            #expect(!follows.text.contains("not on the map"), "features without a geometry have no map")
        }
    }

    @Test func datesAndIDsAreNotBroken() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/events/items?f=html", as: "owner")
            #expect(page.text.contains(#"<td class="d">r17</td>"#), "\(page)")
            #expect(page.text.contains(/<td class="d"><time datetime="2026-11-17">/))
        }
    }

    @Test func linksOfCollectionNameTheirFormat() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/items?f=html")
            let content = page.text.split(separator: "<main id=\"content\">").last ?? ""
            let link = /<li><a href="([^"]*)">([^<]*)<\/a>([^<]*)/
            let links = content.matches(of: link).map { match in
                (href: String(match.1), text: match.2 + match.3)
            }
            #expect(links.first?.text == "Give-away items as a web page", "\(links)")
            #expect(Set(links.map(\.text)).count == links.count, "each link has its own text")
            let json = try #require(links.first { $0.text == "Give-away items as GeoJSON" })
            let features = try await client.send(path: json.href, as: "owner", headers: Self.browser)
            #expect(features.type == "application/geo+json", "\(features)")
            let landing = try await client.send(path: "/?f=html").text
            for title in ["Collections", "Conformance classes", "Reports", "Map"] {
                #expect(landing.contains("\(title)</a></li>"), "a browser shows a page: \(landing)")
            }
            #expect(landing.contains(#"<a href="/api?f=json">OpenAPI document</a> (JSON)"#), "\(landing)")
        }
    }

    @Test(arguments: [
        ("/collections/foo", "/collections"), ("/collections/habits/tiles", "/collections"),
    ]) func errorPageLinksToResource(path: String, link: String) async throws {
        try await ServerFixture(Scene.friends) { $0.publicURL = "https://host.example/habits" }.run { client in
            let page = try await client.send(path: path, headers: Self.browser)
            #expect(page.status == 404, "\(page)")
            #expect(page.text.contains("see <a href=\"/habits\(link)\">\(link)</a>"), "\(page)")
        }
    }

    @Test func errorPageLinksOnlyToThisServer() async throws {
        try await ServerFixture.shared.run { client in
            for id in ["see%20%2F%2Fhost.example", "see%20%2Fa%22%3E%3Cb%3E", "see%20%2Fa%2F%2Fhost"] {
                let page = try await client.send(path: "/collections/\(id)", headers: Self.browser)
                let links = page.text.matches(of: /href="([^"]*)"/).map { String($0.1) }
                #expect(page.status == 404, "\(links)")
                let addresses = links.filter { link in !link.hasPrefix("/sign-in?to=%2F") }
                let styles = ["tokens", "page", "site", "home"].map { name in "\(name).css" }
                let files = (styles + [WebFiles.icon]).map { name in "/" + WebFiles.all.path(of: name) }
                let pages = ["/", "/days", "/map", "/reports", "/collections", "/?f=html", "/api"]
                let ofServer = Set(["#content"] + pages + files)
                #expect(ofServer.isSuperset(of: addresses), "\(links)")
                #expect(!page.text.contains("<b>"))
            }
        }
    }

    @Test func photosNearPositionAreLinks() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let photo = try Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/lamp.png"))
            let put = try await client.send(
                .put, path: "/collections/events/items/r17/photo", as: "owner", bytes: Array(photo))
            #expect(put.status == 204)
            let page = try await client.send(
                path: "/near?near=10,50&photo-links=signed&f=html", as: "owner")
            let link = try #require(
                page.text.firstMatch(of: /<a href="([^"]*\/photo\?[^"]*)"><img\b/)?.1, "\(page)")
            let url = try #require(URLComponents(string: String(link).replacing("&amp;", with: "&")))
            let query = try #require(url.percentEncodedQuery)
            #expect(try await client.send(path: "\(url.percentEncodedPath)?\(query)").status == 200)
        }
    }

    @Test(arguments: [
        ("alice.png", #"inline; filename="alice.png""#),
        ("a%402026-11-19.png", #"inline; filename="a_2026-11-19.png"; filename*=UTF-8''a%402026-11-19.png"#),
        ("%C3%A9%22.jpg", #"inline; filename="_.jpg"; filename*=UTF-8''%C3%A9%22.jpg"#),
    ]) func fileNameHasBothForms(name: String, header: String) {
        #expect(PhotoRoutes.disposition("inline", encoded: name) == header)
    }

    @Test func mapKnowsPublicCollections() async throws {
        try await ServerFixture(Scene.friends) { $0.publicCollections = ["posts", "items"] }.run { client in
            let settings = try await client.send(path: "/map/settings").json
            #expect(settings["public_collections"] as? [String] == ["items", "posts"])
        }
    }

    // MARK: Texts of errors

    @Test(arguments: [
        (#"title = "Gym""#, "a text is in single quotes"), ("title ILIKE 'gym'", "CASEI"),
        ("title NOT ILIKE 'gym'", "CASEI"),
    ]) func errorOfFilterNamesForm(filter: String, words: String) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/items?filter=\(filter.urlEncoded)"
            let refused = try await client.send(path: path, as: "owner")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == "filter", "\(refused)")
            #expect(refused.text.contains(words), "\(refused)")
        }
    }

    @Test func formIsNotPhoto() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(
                .put, path: "/collections/events/items/r17/photo", as: "owner", "--x\r\n\r\n--x--",
                headers: [.contentType: "multipart/form-data; boundary=x"])
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == "photo-invalid", "\(refused)")
            #expect(refused.text.contains("send the bytes of the file as the body"), "\(refused)")
        }
    }

    @Test func idOfClaimIsExplained() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(path: "/collections/claims/items/lamp", as: "owner")
            #expect(refused.status == 404, "\(refused)")
            #expect(refused.text.contains("the ID is ITEM/USER"), "\(refused)")
        }
    }

    @Test func unknownFieldOfAccountIsExplained() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(.patch, path: "/user", as: "owner", #"{"timezone":"UTC"}"#)
            let detail = refused.json["detail"] as? String
            #expect(refused.status == 422)
            #expect(refused.slug == "field-invalid")
            #expect(refused.field == "timezone")
            #expect(
                detail
                    == "unknown field 'timezone': did you mean 'time_zone'? the fields are name, time_zone, share_location, private_places",
                "\(refused)")
        }
    }

    @Test func otherSchemeOfAuthorizationIsExplained() async throws {
        try await ServerFixture.shared.run { client in
            for header in ["Basic eDp5", "Digest x"] {
                let refused = try await client.send(path: "/user", headers: [.authorization: header])
                #expect(refused.status == 401)
                #expect(refused.text.contains("send 'Authorization: Bearer TOKEN'"))
            }
        }
    }

    @Test func tilesHaveNoPhotoLinks() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/items/tiles/WebMercatorQuad/0/0/0"
            #expect(try await client.send(path: path, as: "owner").status == 200)
            let refused = try await client.send(path: path + "?photo-links=signed", as: "owner")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == "photo-links", "\(refused)")
        }
    }
}
