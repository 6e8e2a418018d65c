import Base
import Foundation
import Geo
import HTTPTypes
import HabitStore
import HabitTestSupport
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitModel
@testable import HabitServer

/// Tests of the secret addresses of shared views.
@Suite(.serialized) struct SharedViewTests {
    private static let all = #"{"layers":["events","posts","items"]}"#

    /// A view that a test has created.
    struct Created {
        /// The path of the page, without a slash at its end.
        var path: String
        var id: String
        var secret: String { String(path.dropFirst("/shared/".count)) }
        var embed: String { path.replacing("/shared/", with: "/embed/") }

        /// The paths of all resources of the view.
        var paths: [String] {
            let files = ["events", "posts", "items"].flatMap { layer in
                ["geojson", "csv", "parquet"].map { ending in "\(layer).\(ending)" }
            }
            let others = ["tiles.json", "style.json", "0/0/0.mvt", "4/8/5.mvt"]
            return [path, embed] + (files + others).map { file in "\(path)/\(file)" }
        }
    }

    static func create(
        _ client: ServerClient,
        as user: String = "owner",
        _ body: String = all
    ) async throws -> Created {
        let response = try await client.send(.post, path: "/user/views", as: user, body)
        #expect(response.status == 201, "\(response)")
        let url = try #require(response.json["url"] as? String)
        let start = try #require(url.range(of: "/shared/"))
        return Created(
            path: String(url[start.lowerBound...]),
            id: try #require(response.json["id"] as? String))
    }

    private static func center(_ longitude: Double, _ latitude: Double) throws -> [Double] {
        let position = try #require(Position(longitude: longitude, latitude: latitude))
        let center = try #require(PositionGrid.street.center(of: position))
        return [center.longitude, center.latitude]
    }

    // MARK: Content

    @Test func fileContainsOwnRecordsWithRoundedPositions() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            let events = try await client.send(path: "\(view.path)/events.geojson")
            #expect(events.status == 200, "\(events)")
            #expect(events.type == "application/geo+json", "\(events)")
            let properties = events.features.compactMap { feature in feature["properties"] as? [String: Any] }
            #expect(Set(properties.compactMap { $0["title"] as? String }) == ["Run", "Straße"])
            #expect(properties.compactMap { $0["comment"] as? String } == ["Sunny Tag", "<b>&", "rain 100%"])
            #expect(properties.allSatisfy { Set($0.keys).isSubset(of: Self.eventProperties) }, "\(events)")
            let points = events.features.compactMap { feature in
                (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double]
            }
            let expected = [try Self.center(-179.99, -16), try Self.center(10.01, 50), try Self.center(10, 50)]
            #expect(Set(points) == Set(expected), "\(events)")
            let posts = try await client.send(path: "\(view.path)/posts.csv")
            #expect(posts.text.hasPrefix("id,caption,posted_at,longitude,latitude\n"), "\(posts)")
            #expect(posts.text.contains(",first,2026-11-11T10:00:00Z,"), "\(posts)")
            #expect(posts.text.split(separator: "\n").count == 2, "\(posts)")
            let items = try await client.send(path: "\(view.path)/items.geojson")
            #expect(items.features.count == 1, "\(items)")
            #expect(items.text.contains("Lamp"), "\(items)")
            let parquet = try await client.send(path: "\(view.path)/events.parquet")
            #expect(parquet.type == "application/vnd.apache.parquet", "\(parquet)")
            #expect(parquet.body.prefix(4).elementsEqual("PAR1".utf8))
        }
    }

    private static let eventProperties: Set<String> = ["id", "title", "day", "outcome", "comment", "amount", "unit"]

    @Test func tilesContainRecordsOfFiles() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            let tile = try await client.send(path: "\(view.path)/0/0/0.mvt")
            #expect(tile.status == 200, "\(tile)")
            #expect(tile.type == "application/vnd.mapbox-vector-tile", "\(tile)")
            let layers = try VectorTile(Array(tile.body)).layers
            #expect(layers.map(\.name) == ["events", "posts", "items"])
            for layer in layers {
                let file = try await client.send(path: "\(view.path)/\(layer.name).geojson")
                let located = file.features.filter { feature in feature["geometry"] is [String: Any] }
                let ids = located.compactMap { feature in feature["id"] as? String }
                #expect(Set(layer.points.compactMap { $0.properties["id"] }) == Set(ids), "\(layer.name)")
                #expect(layer.points.count == located.count, "\(layer.name)")
            }
            // The column precedes the row.
            let position = try Self.center(10, 50)
            let point = MapPoint(try #require(Position(longitude: position[0], latitude: position[1])))
            let at = point.tile(at: 14)
            let near = try await client.send(path: "\(view.path)/14/\(at.column)/\(at.row).mvt")
            #expect(!near.body.isEmpty)
            let swapped = try await client.send(path: "\(view.path)/14/\(at.row)/\(at.column).mvt")
            #expect(swapped.body.isEmpty)
        }
    }

    // MARK: Status

    @Test func viewWithStatusShowsStatusesOfHabits() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let habits = try await client.send(path: "/collections/habits/items", as: "owner")
            let known = habits.features.compactMap { feature in feature["properties"] as? [String: Any] }
            let pairs = known.compactMap { habit -> (String, String)? in
                guard let title = habit["title"] as? String, let status = habit["status"] as? String else { return nil }
                return (title, status)
            }
            let statuses = Dictionary(pairs) { first, _ in first }
            let view = try await Self.create(client, #"{"layers":["events","posts"],"status":true}"#)
            let events = try await client.send(path: "\(view.path)/events.geojson")
            #expect(!events.features.isEmpty)
            for feature in events.features {
                let properties = try #require(feature["properties"] as? [String: Any])
                let title = try #require(properties["title"] as? String)
                #expect(properties["status"] as? String == statuses[title], "\(title)")
            }
            let table = try await client.send(path: "\(view.path)/events.csv")
            #expect(table.text.hasPrefix("id,title,day,outcome,comment,amount,unit,status,longitude,latitude\n"))
            let tile = try await client.send(path: "\(view.path)/0/0/0.mvt")
            let layer = try #require(try VectorTile(Array(tile.body)).layers.first)
            for point in layer.points {
                let title = try #require(point.properties["title"])
                #expect(point.properties["status"] == statuses[title], "\(title)")
            }
            let page = try await client.send(path: view.path)
            for status in Set(statuses.values) { #expect(page.text.contains(status), "\(status)") }
            let style = try await client.send(path: "\(view.path)/style.json")
            #expect(style.text.contains("\"status\""), "\(style)")
            let posts = try await client.send(path: "\(view.path)/posts.csv")
            #expect(!posts.text.contains("status"), "\(posts)")
        }
    }

    @Test func viewWithoutStatusContainsNone() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            for path in view.paths where !path.hasSuffix(".parquet") {
                let response = try await client.send(path: path)
                #expect(!response.text.lowercased().contains("status"), "\(path)")
                for word in StatusWord.allCases where word != .new {
                    #expect(!response.text.contains(word.rawValue), "\(path): \(word)")
                }
            }
        }
    }

    @Test func styleAndTileJSONNameTilesOfView() async throws {
        try await ServerFixture(Scene.friends) { options in
            options.publicURL = "https://host.example/habits"
        }
        .run { client in
            let view = try await Self.create(client, #"{"layers":["events"],"habits":["run"]}"#)
            let style = try await client.send(path: "\(view.path)/style.json?theme=dark")
            let sources = try #require(style.json["sources"] as? [String: [String: Any]])
            let base = "https://host.example/habits\(view.path)"
            #expect(sources["habitat"]?["url"] as? String == "\(base)/tiles.json", "\(style)")
            let layers = try #require(style.json["layers"] as? [[String: Any]])
            let own = layers.filter { layer in layer["source"] as? String == "habitat" }
            #expect(Set(own.compactMap { layer in layer["source-layer"] as? String }) == ["events"])
            let world = sources["world"]?["tiles"] as? [String]
            #expect(world == ["https://host.example/habits/basemap/{z}/{x}/{y}"], "\(style)")
            let tiles = try await client.send(path: "\(view.path)/tiles.json")
            #expect(tiles.json["tiles"] as? [String] == ["\(base)/{z}/{x}/{y}.mvt"], "\(tiles)")
            let bounds = try #require(tiles.json["bounds"] as? [Double], "\(tiles)")
            for center in [try Self.center(10, 50), try Self.center(10.01, 50)] {
                #expect((bounds[0]...bounds[2]).contains(center[0]), "\(tiles)")
                #expect((bounds[1]...bounds[3]).contains(center[1]), "\(tiles)")
            }
            #expect(bounds[2] - bounds[0] <= 2, "\(tiles)")
        }
    }

    @Test func pageShowsRecordsWithoutScriptAndSession() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            let page = try await client.send(path: view.path)
            #expect(page.status == 200, "\(page)")
            #expect(page.type == "text/html; charset=utf-8", "\(page)")
            #expect(page.text.contains("&lt;b>&amp;") || page.text.contains("&lt;b&gt;&amp;"), "\(page.text)")
            #expect(page.text.contains("<svg"))
            #expect(!page.text.contains("<script"))
            // The day of the post.
            #expect(page.text.contains("2026-11-11"), "\(page.text)")
            #expect(!page.text.contains("sign-in"))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("frame-ancestors 'none'"))
            let embed = try await client.send(path: view.embed)
            #expect(embed.status == 200, "\(embed)")
            #expect(embed.headers[.contentSecurityPolicy]?.contains("frame-ancestors *") == true)
            #expect(embed.text.contains("<svg"))
        }
    }

    @Test func layerThatViewDoesNotHaveIsNotFound() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client, #"{"layers":["posts"]}"#)
            #expect(try await client.send(path: "\(view.path)/posts.geojson").status == 200)
            for file in ["events.geojson", "items.csv", "events.parquet", "habits.geojson", "posts.html", "posts"] {
                let refused = try await client.send(path: "\(view.path)/\(file)")
                #expect(refused.status == 404, "\(file): \(refused)")
            }
            let tile = try await client.send(path: "\(view.path)/0/0/0.mvt")
            #expect(try VectorTile(Array(tile.body)).layers.map(\.name) == ["posts"])
            for tile in ["0/0/1.mvt", "25/0/0.mvt", "0/0/0", "0/0/0.png", "00/0/0.mvt", "0/-1/0.mvt", "0/0/.mvt"] {
                let refused = try await client.send(path: "\(view.path)/\(tile)")
                #expect(refused.status == 404, "\(tile): \(refused)")
            }
        }
    }

    // MARK: Header fields

    @Test func everyOriginReadsViewAndNoCacheKeepsIt() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            for path in view.paths {
                let response = try await client.send(path: path, headers: [.origin: "https://blog.example"])
                #expect(response.status == 200, "\(path): \(response)")
                #expect(response.headers[.accessControlAllowOrigin] == "*", "\(path)")
                #expect(response.headers[.cacheControl] == "private, no-cache", "\(path)")
                #expect(response.headers[.referrerPolicy] == "no-referrer", "\(path)")
                #expect(response.headers[.setCookie] == nil, "\(path)")
                let robots = try #require(HTTPField.Name("X-Robots-Tag"))
                #expect(response.headers[robots] == "noindex, nofollow", "\(path)")
                #expect(response.headers[.vary] == "Accept-Encoding", "\(path)")
            }
        }
    }

    /// A tag depends only on what the view shows.
    @Test func tagChangesOnlyWithShownRecords() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client, #"{"layers":["events"],"habits":["run"]}"#)
            let paths = [view.path, view.embed, "\(view.path)/tiles.json", "\(view.path)/0/0/0.mvt"]
            var tags: [String] = []
            for path in paths { tags.append(try await client.send(path: path).tag) }
            #expect(tags.allSatisfy { tag in !tag.isEmpty })
            let hidden = #"{"habit":"read","comment":"secret"}"#
            #expect(try await client.send(.post, path: "/collections/events/items", as: "owner", hidden).status == 201)
            for (path, tag) in zip(paths, tags) {
                let response = try await client.send(path: path, headers: [.ifNoneMatch: tag])
                #expect(response.status == 304, "\(path): \(response)")
                #expect(response.headers[.accessControlAllowOrigin] == "*", "\(path)")
            }
            let deleted = try await client.send(.delete, path: "/collections/events/items/r18", as: "owner")
            #expect(deleted.status == 204, "\(deleted)")
            for (path, tag) in zip(paths, tags) where !path.hasSuffix("/tiles.json") {
                let response = try await client.send(path: path, headers: [.ifNoneMatch: tag])
                #expect(response.status == 200, "\(path): \(response)")
            }
        }
    }

    // MARK: Access

    @Test func addressOpensOnlyViewAndTokenOpensNoView() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            #expect(try await client.send(path: view.path).status == 200)
            for resource in ["/session", "/user", "/sessions", "/user/views", "/collections/events/items", "/changes"] {
                let refused = try await client.send(path: resource, as: view.secret)
                #expect(refused.status == 401, "\(resource): \(refused)")
                let cookie = try await client.send(path: resource, headers: [.cookie: "habitat=\(view.secret)"])
                #expect(cookie.status == 401, "\(resource): \(cookie)")
            }
            #expect(try await client.send(path: "/calendars/\(view.secret).ics").status == 404)
            for user in ["owner", "operator"] {
                let token = try #require(client.tokens[user])
                #expect(try await client.send(path: "/session", as: user).status == 200)
                let refused = try await client.send(path: "/shared/\(token)")
                #expect(refused.status == 404, "\(user): \(refused)")
            }
        }
    }

    @Test func unknownAddressIsNotFound() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            for secret in ["hbv_AAAA", "hbv_", "%00", "%FF", String(repeating: "a", count: 3000), view.secret + "x"] {
                for path in ["/shared/\(secret)", "/embed/\(secret)", "/shared/\(secret)/events.geojson"] {
                    let response = try await client.send(path: path)
                    #expect(response.status == 404, "\(path): \(response)")
                    #expect(response.slug == "not-found", "\(path): \(response)")
                }
            }
            // A token in the header does not replace the address.
            #expect(try await client.send(path: "/shared/hbv_AAAA", as: "owner").status == 404)
            #expect(try await client.send(.post, path: view.path, "{}").status == 405)
            // Other programs append parameters to a link that a person shares.
            for path in [view.path, view.embed] {
                let shared = try await client.send(path: "\(path)?fbclid=IwAR0&utm_source=mail&%FF")
                #expect(shared.status == 200, "\(path)")
            }
            let refused = try await client.send(path: "\(view.path)/events.csv?bbox=0,0,1,1")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.slug == "parameter-invalid", "\(refused)")
        }
    }

    @Test func revokedViewIsNotFoundImmediately() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client)
            let other = try await Self.create(client)
            var tags: [String: String] = [:]
            for path in view.paths { tags[path] = try await client.send(path: path).tag }
            for user in ["stranger", "all"] {
                #expect(try await client.send(.delete, path: "/user/views/\(view.id)", as: user).status == 404)
            }
            #expect(try await client.send(.delete, path: "/sessions/\(view.id)", as: "owner").status == 404)
            #expect(try await client.send(.delete, path: "/user/calendars/\(view.id)", as: "owner").status == 404)
            #expect(try await client.send(.delete, path: "/user/views/\(view.id)", as: "owner").status == 204)
            for path in view.paths {
                let headers: HTTPFields = [.ifNoneMatch: tags[path] ?? ""]
                #expect(try await client.send(path: path, headers: headers).status == 404, "\(path)")
            }
            for path in other.paths {
                #expect(try await client.send(path: path).status == 200, "\(path)")
            }
            let again = try await client.send(.delete, path: "/user/views/\(view.id)", as: "owner")
            #expect(again.status == 404, "\(again)")
        }
    }

    @Test func viewWithLifetimeExpires() async throws {
        let clock = TestClock()
        try await ServerFixture(Scene.friends) { options in
            options.clock = { clock.now }
        }
        .run { client in
            let endless = try await Self.create(client)
            let view = try await Self.create(client, #"{"layers":["events"],"lifetime_days":1}"#)
            let path = "\(view.path)/events.csv"
            #expect(try await client.send(path: path).status == 200)
            clock.advance(by: 86_401)
            #expect(try await client.send(path: path).status == 404)
            let list = try await client.send(path: "/user/views", as: "owner")
            #expect((list.json["views"] as? [Any])?.count == 1, "\(list)")
            #expect(try await client.send(path: endless.path).status == 200)
        }
    }

    @Test func viewOfDeletedAccountIsNotFound() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let view = try await Self.create(client, as: "stranger")
            #expect(try await client.send(path: view.path).status == 200)
            #expect(try await client.send(.delete, path: "/user", as: "stranger").status == 204)
            #expect(try await client.send(path: view.path).status == 404)
        }
    }

    // MARK: Lists

    @Test func schemaAndManualListMembersOfDefinition() throws {
        let known = Set(ViewDefinition.Member.allCases.map(\.rawValue))
        let schema = try JSONSerialization.jsonObject(with: Data(ViewSchemas.members.text.utf8))
        let members = try #require(schema as? [String: Any])
        #expect(Set(members.keys) == known)
        let manual = try String(contentsOfFile: Program.repository + "/docs/http-api.md", encoding: .utf8)
        let memberTable = /\| member of the body \|[^\n]*\n(?:\|[^\n]*\n)+/
        let table = try #require(manual.firstMatch(of: memberTable)).output
        let rows = table.split(separator: "\n").dropFirst(2)
        let names = rows.flatMap { row -> [String] in
            let member = row.split(separator: "|")[0]
            return member.matches(of: /`([a-z_]+)`/).map { name in String(name.output.1) }
        }
        #expect(Set(names) == known.union(["label", "lifetime_days"]))
    }

    @Test func viewsAreListedWithoutSecrets() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = #"{"layers":["events"],"habits":["run"],"label":"blog ü","lifetime_days":7}"#
            let view = try await Self.create(client, body)
            let list = try await client.send(path: "/user/views", as: "owner")
            let views = try #require(list.json["views"] as? [[String: Any]])
            try #require(views.count == 1, "\(list)")
            #expect(views[0]["label"] as? String == "blog ü", "\(list)")
            #expect(views[0]["expires_at"] as? String == "2026-11-27T12:00:00+00:00", "\(list)")
            let definition = try #require(views[0]["definition"] as? [String: Any])
            #expect(definition["habits"] as? [String] == ["run"], "\(list)")
            #expect(definition["rounding"] as? String == "street", "\(list)")
            #expect(!list.text.contains("hbv_"))
            #expect(list.headers[.cacheControl] == "no-store")
            let one = try await client.send(path: "/user/views/\(view.id)", as: "owner")
            #expect(one.status == 200, "\(one)")
            #expect(try await client.send(path: "/user/views/\(view.id)", as: "all").status == 404)
            let others = try await client.send(path: "/user/views", as: "all")
            #expect((others.json["views"] as? [Any])?.isEmpty == true, "\(others)")
            let sessions = try await client.send(path: "/sessions", as: "owner")
            #expect(!sessions.text.contains(view.id), "\(sessions)")
        }
    }

    @Test(arguments: [
        "[]", "null", "{", "", "{}", #"{"layers":[]}"#, #"{"layers":["events"],"label":1}"#,
        #"{"layers":["events"],"lifetime_days":0}"#, #"{"layers":["events"],"lifetime_days":367}"#,
        #"{"layers":["events"],"lifetime_days":"7"}"#, #"{"layers":["events"],"habits":["other"]}"#,
        #"{"layers":["events"],"user":"stranger"}"#, #"{"layers":["events"],"layers":["events"]}"#,
        #"{"layers":["events"],"label":"\#(String(repeating: "a", count: 51))"}"#,
        #"{"layers":["events"],"label":"a\nb"}"#,
    ])
    func invalidViewIsRefused(body: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let refused = try await client.send(.post, path: "/user/views", as: "owner", body)
            #expect((400..<500).contains(refused.status), "\(refused)")
            let list = try await client.send(path: "/user/views", as: "owner")
            #expect((list.json["views"] as? [Any])?.isEmpty == true, "\(list)")
        }
    }

    @Test func operatorHasNoViews() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for (method, body) in [(.get, nil), (.post, Self.all)] as [(HTTPRequest.Method, String?)] {
                let refused = try await client.send(method, path: "/user/views", as: "operator", body)
                #expect(refused.status == 403, "\(refused)")
                #expect(try await client.send(method, path: "/user/views", as: nil, body).status == 401)
            }
        }
    }

    @Test func hiddenSectionIsRefusedAsLayer() async throws {
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.sections = (try? Sections("habits")) ?? .all
        }
        let secret = try fixture.store.engine.write { session in
            let owner = try Viewer.user(named: "owner", in: session)
            let actions = TokenActions(clock: ServerFixture.clock, in: session)
            let definition = try ViewDefinition(layers: [.events, .posts])
            return try actions.createView(for: owner, definition, label: nil).secret
        }
        try await fixture.run { client in
            let refused = try await client.send(.post, path: "/user/views", as: "owner", #"{"layers":["posts"]}"#)
            #expect(refused.status == 422, "\(refused)")
            #expect(try await client.send(path: "/shared/\(secret)/events.csv").status == 200)
            #expect(try await client.send(path: "/shared/\(secret)/posts.csv").status == 404)
            let page = try await client.send(path: "/shared/\(secret)")
            #expect(!page.text.contains("Posts"), "\(page.text)")
        }
    }

    // MARK: Logs

    @Test func addressReachesNoLogAndNoMetric() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.log = { line in lines.add(line) }
            options.audit = { line in lines.add(line) }
            options.logLevel = .trace
        }
        let used = Mutex<[String]>([])
        try await fixture.run { client in
            let view = try await Self.create(client, #"{"layers":["events"],"label":"blog"}"#)
            used.withLock { secrets in secrets.append(String(view.secret.dropFirst(4).prefix(20))) }
            for path in view.paths + ["\(view.path)x", "\(view.path)?f=json", "\(view.path)/0/0/9.mvt"] {
                try await client.send(path: path)
            }
            #expect(try await client.send(.delete, path: "/user/views/\(view.id)", as: "owner").status == 204)
            #expect(try await client.send(path: view.path).status == 404)
        }
        let secret = try #require(used.withLock { secrets in secrets.first })
        #expect(lines.all.count > 8)
        for line in lines.all {
            #expect(!line.contains(secret), "\(line)")
            #expect(!line.contains("hbv_"), "\(line)")
        }
        let actions = lines.entries.compactMap { entry in entry["action"] as? String }
        #expect(actions == ["view.create", "view.revoke"], "\(actions)")
        #expect(!lines.all.contains { line in line.contains("blog") })
        try await fixture.run(fixture.server.operatorRouter()) { client in
            let metrics = try await client.send(path: "/metrics")
            #expect(metrics.text.contains("viewSecret"))
            #expect(!metrics.text.contains(secret))
        }
    }
}
