import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of the parts of the server that the operator hides.
@Suite(.engineIndependent, .serialized) struct SectionTests {
    private static func fixture(_ sections: String) async throws -> ServerFixture {
        let shown = try Sections(sections)
        return try await ServerFixture(Scene.friends + Scene.exchange) { options in options.sections = shown }
    }

    // MARK: Names

    @Test(arguments: [
        ("habits", "habits"), ("posts,habits", "habits posts"), (" items , posts ", "items posts"),
        ("items,items", "items"), ("habits,items,posts", "habits items posts"),
    ])
    func namesAreParsedInUsualOrder(text: String, shown: String) throws {
        let sections = try Sections(text)
        #expect(sections.shown.map(\.rawValue).joined(separator: " ") == shown)
    }

    @Test(arguments: ["", ",", "habit", "habits,people", "habits;items", "Habits"])
    func unknownNameIsRefused(text: String) {
        #expect {
            _ = try Sections(text)
        } throws: { error in
            (error as? HabitError)?.code == .parameterInvalid
        }
    }

    @Test func allSectionsAreShownByDefault() {
        #expect(ServerOptions().sections == .all)
        #expect(FeatureCollection.all.allSatisfy { collection in Sections.all.shows(collection) })
    }

    @Test func hiddenCollectionCannotBePublic() async throws {
        let shown = try Sections("habits")
        await #expect(throws: HabitError.self) {
            _ = try await ServerFixture(Scene.friends) { options in
                options.sections = shown
                options.publicCollections = ["items"]
            }
        }
    }

    // MARK: Collections

    /// The collections of each part.
    ///
    /// The others are always shown.
    private static let collections: [String: Set<String>] = [
        "habits": ["events", "located-events", "habits", "pauses", "following"],
        "items": ["items", "claims", "messages", "reads"],
        "posts": ["posts"],
    ]

    @Test func manualListsCollectionsOfSections() throws {
        let manual = try String(contentsOfFile: Program.repository + "/docs/server.md", encoding: .utf8)
        let lines = manual.split(separator: "\n")
        for (section, names) in Self.collections {
            let row = try #require(lines.first { line in line.hasPrefix("| `\(section)` |") }, "\(section)")
            let cell = row.split(separator: "|")[1]
            let listed = cell.matches(of: /`([a-z-]+)`/).map { match in String(match.1) }
            #expect(Set(listed) == names, "\(section)")
        }
    }

    @Test(arguments: ["habits", "items", "posts"]) func onlyCollectionsOfShownSectionsExist(section: String)
        async throws
    {
        let always: Set<String> = ["follows", "users"]
        let shown = always.union(Self.collections[section] ?? [])
        try await Self.fixture(section).run { client in
            let list = try await client.send(path: "/collections", as: "owner")
            let listed = try #require(list.json["collections"] as? [[String: Any]])
            #expect(Set(listed.compactMap { collection in collection["id"] as? String }) == shown)
            for collection in FeatureCollection.all {
                let path = "/collections/\(collection.id)"
                let expected = shown.contains(collection.id) ? 200 : 404
                for path in [path, "\(path)/items", "\(path)/schema", "\(path)/queryables"] {
                    let response = try await client.send(path: path, as: "owner")
                    #expect(response.status == expected, "\(path): \(response)")
                }
            }
        }
    }

    @Test func hiddenCollectionHasErrorOfUnknownCollection() async throws {
        try await Self.fixture("habits").run { client in
            let unknown = try await client.send(path: "/collections/nothing/items", as: "owner")
            let requests: [(HTTPRequest.Method, String, String?)] = [
                (.get, "/collections/items/items", nil), (.get, "/collections/items/items/lamp", nil),
                (.get, "/collections/items/items/lamp/photo", nil), (.post, "/collections/posts/items", "{}"),
                (.patch, "/collections/items/items/lamp", "{}"), (.delete, "/collections/posts/items/p1", nil),
                (.get, "/collections/posts/tiles/WebMercatorQuad/0/0/0", nil),
            ]
            for (method, path, body) in requests {
                let hidden = try await client.send(method, path: path, as: "owner", body)
                #expect(hidden.status == unknown.status, "\(method) \(path): \(hidden)")
                #expect(hidden.slug == "not-found", "\(method) \(path): \(hidden)")
            }
        }
    }

    @Test func tilesOfHiddenCollectionAreRefusedLikeUnknownOnes() async throws {
        try await Self.fixture("habits").run { client in
            let path = "/tiles/WebMercatorQuad/0/0/0?collections="
            let shown = try await client.send(path: path + "events", as: "owner")
            #expect(shown.status == 200, "\(shown)")
            let unknown = try await client.send(path: path + "events,nothing", as: "owner")
            let hidden = try await client.send(path: path + "events,items", as: "owner")
            #expect(hidden.status == 400, "\(hidden)")
            let detail = unknown.json["detail"] as? String
            #expect(hidden.json["detail"] as? String == detail?.replacing("nothing", with: "items"))
            #expect(detail?.contains("posts") == false, "\(unknown)")
        }
    }

    @Test(arguments: [
        ("items", #"{"name":"x"}"#),
        ("messages", #"{"item":"lamp","text":"x"}"#),
    ])
    func sentChangeOfHiddenCollectionIsRefused(collection: String, properties: String) async throws {
        let feature = #"{"id":"owner:new","properties":\#(properties)}"#
        let change = #"{"action":"put","collection":"\#(collection)","feature":\#(feature)}"#
        let deletion = #"{"action":"delete","collection":"\#(collection)","id":"owner:none"}"#
        try await Self.fixture("habits").run { client in
            for line in [change, deletion] {
                let sent = try await client.send(.post, path: "/changes", as: "owner", line)
                let results = try #require(sent.json["results"] as? [[String: Any]], "\(sent)")
                #expect(results.first?["result"] as? String == "refused", "\(sent)")
                #expect(sent.text.contains("is not a collection that you can change"), "\(sent)")
                #expect(!sent.text.contains("claims"), "\(sent)")
            }
        }
    }

    @Test(arguments: [
        ("habits", "Habits and events"), ("items", "Give-away items"),
        ("habits,posts", "Habits, events and photo posts"),
        ("habits,items,posts", "Habits, events, give-away items and photo posts"),
    ])
    func descriptionNamesOnlyShownSections(sections: String, contents: String) async throws {
        #expect(try Sections(sections).contents == contents)
        try await Self.fixture(sections).run { client in
            let landing = try await client.send(path: "/")
            let description = landing.json["description"] as? String
            #expect(description?.hasPrefix("\(contents) as features") == true, "\(landing)")
            let document = try await client.send(path: "/api").json["info"] as? [String: Any]
            let text = document?["description"] as? String
            #expect(text?.hasPrefix("\(contents) as OGC") == true, "\(text ?? "")")
            let visitor = try await client.send(path: "/", headers: [.accept: "text/html"])
            #expect(visitor.text.contains("\(contents), on your own server."), "\(visitor)")
        }
    }

    @Test func documentOfInterfaceHasNoHiddenCollections() async throws {
        try await Self.fixture("habits").run { client in
            let document = try await client.send(path: "/api", as: "owner")
            let paths = try #require(document.json["paths"] as? [String: Any])
            #expect(paths["/collections/habits/items"] != nil)
            #expect(paths["/collections/users/items"] != nil)
            for hidden in ["items", "claims", "messages", "posts"] {
                let found = paths.keys.filter { path in path.hasPrefix("/collections/\(hidden)") }
                #expect(found.isEmpty, "\(found)")
            }
            #expect(paths["/reports/posts"] == nil)
            #expect(paths["/reports/history"] != nil)
        }
    }

    // MARK: Other routes

    @Test func reportsOfHiddenSectionsAreNotFound() async throws {
        try await Self.fixture("items").run { client in
            let list = try await client.send(path: "/reports", as: "owner")
            let reports = try #require(list.json["reports"] as? [[String: Any]])
            let ids = reports.compactMap { report in report["id"] as? String }
            #expect(ids.sorted() == ["claims-open", "items-near"])
            let hidden = try await client.send(path: "/reports/history", as: "owner")
            #expect(hidden.status == 404, "\(hidden)")
            #expect(hidden.slug == "not-found", "\(hidden)")
        }
    }

    @Test func hiddenKindNearPositionIsRefused() async throws {
        try await Self.fixture("habits,posts").run { client in
            let shown = try await client.send(path: "/near?near=10,50&kind=events,posts", as: "owner")
            #expect(shown.status == 200, "\(shown)")
            let hidden = try await client.send(path: "/near?near=10,50&kind=events,items", as: "owner")
            #expect(hidden.status == 400, "\(hidden)")
            #expect(hidden.field == "kind", "\(hidden)")
            #expect(hidden.text.contains("kind=events,posts"), "\(hidden)")
        }
    }

    @Test func inboxWithoutItemsHasOnlyRequests() async throws {
        try await Self.fixture("habits").run { client in
            let inbox = try await client.send(path: "/inbox?f=csv", as: "owner")
            #expect(inbox.status == 200, "\(inbox)")
            #expect(inbox.text.contains("request,pending"), "\(inbox)")
            #expect(!inbox.text.contains("message,"), "\(inbox)")
        }
    }

    @Test func calendarsBelongToHabits() async throws {
        try await Self.fixture("items").run { client in
            #expect(try await client.send(path: "/user/calendars", as: "owner").status == 404)
            #expect(try await client.send(path: "/calendars/hbc_AAAA.ics").status == 404)
            let account = try await client.send(path: "/account", as: "owner")
            #expect(account.status == 200, "\(account)")
            #expect(!account.text.contains("Calendar address"), "\(account)")
        }
    }

    @Test func mapShowsLayersOfShownSections() async throws {
        try await Self.fixture("habits,items").run { client in
            let settings = try await client.send(path: "/map/settings")
            #expect(settings.json["sections"] as? [String] == ["habits", "items"], "\(settings)")
        }
    }

    @Test func settingsNameShownSections() async throws {
        try await Self.fixture("posts,habits").run { client in
            let settings = try await client.send(path: "/settings")
            #expect(settings.json["sections"] as? [String] == ["habits", "posts"], "\(settings)")
        }
    }

    @Test func daysBelongToHabits() async throws {
        try await Self.fixture("posts").run { client in
            let days = try await client.send(path: "/days", as: "owner")
            #expect(days.status == 404, "\(days)")
        }
    }

    // MARK: Pages

    @Test func homePageHasOnlyShownSections() async throws {
        let accept: HTTPFields = [.accept: "text/html"]
        try await Self.fixture("habits").run { client in
            let home = try await client.send(path: "/", as: "owner", headers: accept)
            #expect(home.text.contains("Due today"), "\(home)")
            #expect(home.text.contains("/collections/habits/items"), "\(home)")
            for hidden in ["items", "posts", "messages"] {
                #expect(!home.text.contains("/collections/\(hidden)/items"), "\(hidden): \(home)")
            }
        }
        try await Self.fixture("posts").run { client in
            let home = try await client.send(path: "/", as: "owner", headers: accept)
            #expect(!home.text.contains("Due today"), "\(home)")
            #expect(home.text.contains("/collections/posts/items"), "\(home)")
            let numbers = try await client.send(path: "/", as: "operator", headers: accept)
            #expect(!numbers.text.contains("<dt>Habits</dt>"), "\(numbers)")
            #expect(numbers.text.contains("<dt>Posts</dt>"), "\(numbers)")
        }
    }
}
