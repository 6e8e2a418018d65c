import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of the pages that describe the fields of a collection and the conditions of its filters.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct SchemaPageTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

    @Test(arguments: FeatureCollection.all.map(\.id), ["schema", "queryables"])
    func pageDescribesEveryProperty(collection: String, name: String) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/\(collection)/\(name)"
            let schema = try await client.send(path: path, as: "owner")
            let properties = try #require(schema.properties as? [String: [String: Any]])
            let page = try await client.send(path: path, as: "owner", headers: Self.browser)
            #expect(page.status == 200, "\(page)")
            #expect(page.type == "text/html; charset=utf-8", "\(page)")
            #expect(page.text.matches(of: /<dt>/).count == properties.count)
            for (property, description) in properties {
                #expect(page.text.contains("<dd><code>\(property)</code>\n"), "\(property)")
                let title = description["title"] as? String ?? ""
                #expect(page.text.contains("<dt>\(title)</dt>"), "\(title)")
            }
        }
    }

    @Test func pageHasPropertiesInOrderWithRemarks() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/habits/schema?f=html", as: "owner").text
            let names = page.matches(of: /<dd><code>(\w+)<\/code>/).map { match in String(match.1) }
            #expect(names.first == "id")
            #expect(page.contains("<code>title</code>\nText. Every record has it.</dd>"), "\(page)")
            #expect(page.contains("Whole number. At least 1."))
            #expect(page.contains("Only the server sets it."))
        }
    }

    @Test(arguments: [("schema", "Fields"), ("queryables", "Conditions")])
    func pageLeadsBackToCollectionAndList(name: String, crumb: String) async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/events/\(name)?f=html", as: "owner").text
            #expect(page.contains(#"<li><a href="/collections/events">Habit events</a></li>"#), "\(page)")
            #expect(page.contains("<li aria-current=\"page\">\(crumb)</li>"))
            #expect(page.contains(#"<a href="/collections/events/items">"#))
            #expect(page.contains("href=\"/collections/events/\(name)?f=json\""))
        }
    }

    @Test func listLeadsToDescriptions() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/events/items?f=html", as: "owner").text
            for path in ["", "/schema", "/queryables"] {
                #expect(page.contains("<a href=\"/collections/events\(path)\">"), "\(path)")
            }
        }
    }

    @Test func collectionPageLeadsToPagesOfSchemas() async throws {
        try await ServerFixture.shared.run { client in
            let page = try await client.send(path: "/collections/events?f=html", as: "owner").text
            #expect(page.contains(#"<li><a href="/collections/events/schema">Schema</a></li>"#), "\(page)")
            #expect(page.contains(#"<li><a href="/collections/events/queryables">Properties for filters</a></li>"#))
        }
    }
}
