import Base
import Foundation
import Geo
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Rendering
import Testing

@testable import HabitAPI
@testable import HabitServer

extension Scene {
    /// The records of the fixture, and events around the world: at the poles, on the antimeridian and at one position.
    fileprivate static func worldwide() -> [Record] {
        var random = SeededGenerator(seed: 9)
        var records = friends
        let day = Day("2026-01-01") ?? .first
        let edges = [
            (180.0, 10.0),
            (-180, 10),
            (0, 90),
            (20, -90),
            (179.9999999, 85.06),
        ]
        for (habit, count) in [("run", 60), ("read", 20), ("other", 40), ("mine", 40)] {
            for number in 0..<count {
                let near = number % 2 == 0
                let place =
                    number < edges.count
                    ? edges[number]
                    : near
                        ? (
                            10 + .random(in: -0.01...0.01, using: &random),
                            50 + .random(in: -0.01...0.01, using: &random)
                        )
                        : (.random(in: -180...180, using: &random), .random(in: -90...90, using: &random))
                let position = number % 7 == 6 ? nil : Position(longitude: place.0, latitude: place.1)
                records.append(
                    .event(
                        habit, "\(day.advanced(by: number))", id: "\(habit)-\(number)",
                        comment: number % 3 == 0 ? "third" : nil, position: position))
            }
        }
        return records
    }
}

/// Tests that tiles and clusters contain exactly the features of the list, for every viewer.
@Suite(.serialized, .server(Scene.worldwide())) struct TileTests {
    private static let viewers = Scene.users + ["operator"]

    /// Returns the scopes that a viewer can select.
    ///
    /// The operator has no follows.
    private static func scopes(of viewer: String) -> [String] {
        viewer == "operator" ? ["mine", "all"] : ["mine", "friends", "all"]
    }

    private struct Listed: Sendable {
        var id: String
        var point: MapPoint
        var properties: [String: String]
    }

    /// Returns the features of a list that have a position.
    private static func list(
        _ client: ServerClient, _ collection: String, query: String, as user: String?
    ) async throws -> [Listed] {
        let response = try await client.send(
            path: "/collections/\(collection)/items?limit=10000&precision=15\(query)", as: user)
        #expect(response.status == 200, "\(response)")
        return response.features.compactMap { feature in
            guard let geometry = feature["geometry"] as? [String: Any], let id = feature["id"] as? String,
                let coordinates = geometry["coordinates"] as? [Double],
                let position = Position(longitude: coordinates[0], latitude: coordinates[1])
            else { return nil }
            let properties = feature["properties"] as? [String: Any] ?? [:]
            return Listed(
                id: id, point: MapPoint(position), properties: properties.compactMapValues { $0 as? String })
        }
    }

    private static func path(_ collection: String, _ tile: MapTile) -> String {
        "/collections/\(collection)/tiles/WebMercatorQuad/\(tile.zoom)/\(tile.row)/\(tile.column)"
    }

    /// Compares every tile of a zoom that has features, and one zoom that can have no features, with the list.
    private static func compare(
        _ client: ServerClient,
        _ collection: String,
        query: String,
        as user: String?,
        zoom: Int,
        properties names: [String]
    ) async throws {
        let listed = try await list(client, collection, query: query, as: user)
        let byTile = Dictionary(grouping: listed) { $0.point.tile(at: zoom) }
        let corner = try #require(MapTile(zoom: zoom, row: 0, column: 0))
        for tile in Set(byTile.keys).union([corner]) {
            let response = try await client.send(path: "\(path(collection, tile))?\(query.dropFirst())", as: user)
            #expect(response.status == 200, "\(response)")
            #expect(response.type == "application/vnd.mapbox-vector-tile", "\(response)")
            let layers = try VectorTile(response.body).layers
            #expect(layers.map(\.name) == (byTile[tile] == nil ? [] : [collection]))
            let points = (layers.first?.points ?? []).sorted { first, second in first.id < second.id }
            let expected = (byTile[tile] ?? []).sorted { first, second in first.id < second.id }
            #expect(points.map(\.id) == expected.map(\.id), "\(tile) \(user ?? "") \(query)")
            for (point, feature) in zip(points, expected) {
                let offset = tile.offset(of: feature.point, bits: VectorTileLayer.bits)
                #expect((point.x, point.y) == offset)
                #expect(point.properties == feature.properties.filter { names.contains($0.key) })
            }
        }
    }

    @Test(arguments: [0, 3, 9]) func tilesContainEachVisibleEventOnce(zoom: Int) async throws {
        try await ServerFixture.shared.run { client in
            for viewer in Self.viewers {
                for scope in Self.scopes(of: viewer) {
                    try await Self.compare(
                        client, "located-events", query: "&scope=\(scope)", as: viewer, zoom: zoom,
                        properties: ["id", "user", "habit", "day"])
                }
            }
        }
    }

    @Test func tilesApplyFiltersOfList() async throws {
        try await ServerFixture.shared.run { client in
            let filters = [
                "&habit=run", "&habit=run,mine", "&habit-title=Walk", "&not-habit=run", "&user=owner,stranger",
                "&comment-contains=THIRD",
                "&datetime=2026-01-10/2026-01-30", "&near=10,50&within=1km", "&comment=third&habit=run",
            ]
            for filter in filters {
                try await Self.compare(
                    client, "events", query: "&scope=all\(filter)", as: "operator", zoom: 2,
                    properties: ["id", "user", "habit", "day"])
            }
        }
    }

    private static let selectedProperties = [
        ["id", "title", "outcome", "at", "status", "color", "user_name"],
        ["status", "habit", "id"],
        ["color", "id"],
        ["at", "id"],
    ]

    @Test func tilesContainSelectedProperties() async throws {
        var owner = UserRecord(id: "owner")
        owner.name = .value("Ondine")
        let fixture = try await ServerFixture(Scene.friends)
        try fixture.store.write([.user(owner)])
        try await fixture.run { client in
            for viewer in ["owner", "all", "latest", "operator"] {
                for scope in Self.scopes(of: viewer) {
                    for names in Self.selectedProperties {
                        let query = "&scope=\(scope)&properties=" + names.joined(separator: ",")
                        try await Self.compare(client, "events", query: query, as: viewer, zoom: 3, properties: names)
                    }
                }
            }
            let named = "&properties=id,user_name"
            try await Self.compare(client, "items", query: named, as: "all", zoom: 3, properties: ["id", "user_name"])
            try await Self.compare(client, "posts", query: named, as: "all", zoom: 3, properties: ["id", "user_name"])
        }
    }

    @Test func tileWithMorePointsThanMaximumContainsClusters() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let tile = "/collections/events/tiles/WebMercatorQuad/0/0/0"
            let full = try await client.send(path: "\(tile)?max-points=3", as: "owner")
            let points = try #require(try VectorTile(full.body).layers.first).points
            #expect(points.count == 3)
            #expect(points.allSatisfy { point in point.properties["count"] == nil })
            let crowded = try await client.send(path: "\(tile)?max-points=2", as: "owner")
            let clusters = try #require(try VectorTile(crowded.body).layers.first).points
            let counts = clusters.compactMap { point in point.properties["count"].flatMap { Int($0) } }
            #expect(counts.reduce(0, +) == 3)
            #expect(counts.count == clusters.count)
            #expect(full.tag != crowded.tag, "the parameters are a part of the tag")
        }
    }

    /// Returns the numbers of the points in a tile by their IDs.
    private static func numbers(
        _ client: ServerClient,
        _ collection: String,
        in tile: MapTile,
        as user: String
    ) async throws -> [String: UInt64] {
        let response = try await client.send(path: "\(path(collection, tile))?scope=all", as: user)
        var numbers: [String: UInt64] = [:]
        for point in try VectorTile(response.body).layers.first?.points ?? [] {
            let number: UInt64 = try #require(point.number, "\(point)")
            numbers[point.id] = number
        }
        return numbers
    }

    @Test func numberOfPointIsTheSameInEveryTile() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let all = try await Self.numbers(client, "events", in: .world, as: "operator")
            #expect(Set(all.keys) == ["b/18 ü", "r17", "r18", "x18"])
            #expect(Set(all.values).count == all.count)
            #expect(all.values.allSatisfy { number in number < 1 << 52 })
            // The first 52 bits of the SHA-256 digest of '6:events3:r17'.
            #expect(all["r17"] == 1_676_814_598_951_421)
            let place = try #require(Position(longitude: 10, latitude: 50))
            for zoom in [1, 8, 24] {
                let tile = MapPoint(place).tile(at: zoom)
                let numbers = try await Self.numbers(client, "events", in: tile, as: "owner")
                #expect(numbers["r17"] == all["r17"], "\(zoom)")
            }
            let located = try await Self.numbers(client, "located-events", in: .world, as: "operator")
            #expect(Set(located.keys) == Set(all.keys))
            #expect(Set(located.values).isDisjoint(with: all.values))
        }
    }

    @Test func clusterHasNoNumber() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let tile = "/collections/events/tiles/WebMercatorQuad/0/0/0?max-points=1"
            let response = try await client.send(path: tile, as: "owner")
            let clusters = try #require(try VectorTile(response.body).layers.first).points
            #expect(clusters.contains { cluster in cluster.properties["count"] == "1" })
            #expect(clusters.allSatisfy { cluster in cluster.number == nil })
        }
    }

    // MARK: Several collections

    private static let several = "/tiles/WebMercatorQuad/0/0/0?collections="

    @Test func tileOfSeveralCollectionsHasTheLayersOfTheirTiles() async throws {
        let permit = ["events", "items"]
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = Set(permit) }
        try await fixture.run { client in
            for viewer in Self.viewers + [nil] {
                let names = viewer == nil ? permit : ["posts", "events", "items", "located-events"]
                for tile in [MapTile.world, MapTile(zoom: 10, row: 347, column: 540)].compactMap(\.self) {
                    var single: [UInt8] = []
                    for name in names {
                        let query = name.hasSuffix("events") ? "?scope=all" : ""
                        single += try await client.send(path: Self.path(name, tile) + query, as: viewer).body
                    }
                    let address = "\(tile.zoom)/\(tile.row)/\(tile.column)"
                    let list = names.joined(separator: ",")
                    let path = "/tiles/WebMercatorQuad/\(address)?collections=\(list)&scope=all"
                    let response = try await client.send(path: path, as: viewer)
                    #expect(response.status == 200, "\(response)")
                    #expect(response.type == "application/vnd.mapbox-vector-tile")
                    #expect(response.body == single, "\(viewer ?? "") \(address)")
                }
            }
        }
    }

    @Test func filterAppliesToTheLayersThatHaveIt() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let query = "events,items&habit=run&state=claimed&properties=id,title,name"
            let response = try await client.send(path: Self.several + query, as: "owner")
            #expect(response.status == 200, "\(response)")
            let layers = try VectorTile(response.body).layers
            #expect(layers.map(\.name) == ["events"])
            let points = layers.first?.points ?? []
            #expect(points.map(\.id).sorted() == ["r17", "r18"])
            #expect(points.allSatisfy { point in Set(point.properties.keys) == ["id", "title"] })
            let all = try await client.send(path: Self.several + "events,items&max-points=2", as: "owner")
            let counts = try VectorTile(all.body).layers.map { layer in
                layer.points.contains { point in point.properties["count"] != nil }
            }
            #expect(counts == [true, false], "the maximum applies to each layer")
        }
    }

    @Test(arguments: [
        ("collections=events,unknown", "collections"), ("collections=events,events", "collections"),
        ("collections=events,,items", "collections"), ("collections=", "collections"), ("", "collections"),
        ("collections=habits", "collections"), ("collections=events&state=given", "state"),
        ("collections=items,posts&habit=run", "habit"), ("collections=items&properties=title", "properties"),
        ("collections=events,items&limit=1", "limit"), ("collections=events&collections=items", "collections"),
    ])
    func invalidSelectionIsRefused(query: String, field: String) async throws {
        try await ServerFixture.shared.run { client in
            for path in ["/tiles/WebMercatorQuad/0/0/0", "/tiles/WebMercatorQuad"] {
                let response = try await client.send(path: "\(path)?\(query)", as: "owner")
                #expect(response.status == 400, "\(response)")
                #expect(response.slug == "parameter-invalid", "\(response)")
                #expect(response.field == field, "\(response)")
            }
        }
    }

    @Test func tileOfSeveralCollectionsNeedsTokenUnlessAllArePublic() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["events", "items"] }
        try await fixture.run { client in
            let requests = [
                ("events,items", 200), ("events,items&scope=mine", 401), ("events,posts", 401),
                ("events,items&properties=user_name", 400),
            ]
            for (query, status) in requests {
                let response = try await client.send(path: Self.several + query)
                #expect(response.status == status, "\(query): \(response)")
            }
            let missing = "/tiles/WebMercatorQuad/0/0/1?collections=events"
            #expect(try await client.send(path: missing, as: "owner").status == 404)
        }
    }

    /// The tag of a client without a token depends on each of the public collections.
    @Test func tagOfSeveralCollectionsDependsOnEachOfThem() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["events", "items"] }
        try await fixture.run { client in
            let changes = [
                ("events/items/r17", #"{"comment":"new"}"#), ("items/items/lamp", #"{"name":"Old lamp"}"#),
            ]
            for (feature, body) in changes {
                for viewer in [nil, "owner"] {
                    let path = Self.several + "events,items"
                    let first = try await client.send(path: path, as: viewer)
                    let known: HTTPFields = [.ifNoneMatch: first.tag]
                    let again = try await client.send(path: path, as: viewer, headers: known)
                    #expect(again.status == 304, "\(again)")
                    #expect(again.headers[.vary]?.contains("Authorization") == true)
                    let word = viewer ?? "public"
                    let text = body.replacing("new", with: word).replacing("Old", with: word)
                    let changed = try await client.send(.patch, path: "/collections/\(feature)", as: "owner", text)
                    #expect(changed.status == 200, "\(changed)")
                    let last = try await client.send(path: path, as: viewer, headers: known)
                    #expect(last.status == 200, "\(feature) \(last)")
                    #expect(last.tag != first.tag, "\(feature)")
                }
            }
        }
    }

    /// Names are not public, and a tile has no other properties than the documented ones.
    @Test(arguments: [
        ("owner", "properties=nothing", "properties"), ("owner", "properties=id,id", "properties"),
        ("owner", "properties=comment", "properties"), ("owner", "max-points=0", "max-points"),
        ("owner", "max-points=10001", "max-points"), ("owner", "max-points=many", "max-points"),
        (nil, "properties=user_name", "properties"), (nil, "properties=status", "properties"),
        (nil, "properties=color", "properties"),
    ])
    func invalidParameterOfTileIsRefused(user: String?, query: String, field: String) async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["events"] }
        try await fixture.run { client in
            let response = try await client.send(
                path: "/collections/events/tiles/WebMercatorQuad/0/0/0?\(query)", as: user)
            #expect(response.status == 400, "\(response)")
            #expect(response.field == field, "\(response)")
        }
    }

    @Test func listHasNoMaximumOfPoints() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let response = try await client.send(path: "/collections/events/items?max-points=5", as: "owner")
            #expect(response.status == 400, "\(response)")
            #expect(response.field == "max-points", "\(response)")
        }
    }

    @Test func tilesOfItemsAndPostsContainVisibleRecords() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for viewer in Self.viewers {
                try await Self.compare(
                    client, "items", query: "", as: viewer, zoom: 4, properties: ["id", "user", "name", "state"])
                try await Self.compare(client, "posts", query: "", as: viewer, zoom: 4, properties: ["id", "user"])
            }
            try await Self.compare(
                client, "items", query: "&state=claimed", as: "owner", zoom: 0,
                properties: ["id", "user", "name", "state"])
        }
    }

    @Test(arguments: [0, 2, 7, 24]) func clustersCountEachVisibleEventOnce(zoom: Int) async throws {
        try await ServerFixture.shared.run { client in
            for viewer in Self.viewers {
                for scope in Self.scopes(of: viewer) {
                    let listed = try await Self.list(client, "located-events", query: "&scope=\(scope)", as: viewer)
                    let response = try await client.send(
                        path: "/collections/located-events/items?cluster=\(zoom)&scope=\(scope)", as: viewer)
                    #expect(response.status == 200, "\(response)")
                    let cells = Dictionary(grouping: listed) { $0.point.tile(at: zoom + 4) }
                    var counts: [String: Int] = [:]
                    for (cell, records) in cells {
                        let id = records.count == 1 ? records[0].id : "\(cell.zoom)/\(cell.row)/\(cell.column)"
                        counts[id] = records.count
                    }
                    let found = response.features.map { feature in
                        let properties = feature["properties"] as? [String: Any] ?? [:]
                        let id = feature["id"] as? String ?? ""
                        let count = properties["count"] as? Int ?? 0
                        #expect(properties["id"] as? String == (count == 1 ? id : nil))
                        return (id, count)
                    }
                    #expect(Dictionary(found, uniquingKeysWith: +) == counts, "\(viewer) \(scope)")
                }
            }
        }
    }

    @Test func boxSelectsCompleteCells() async throws {
        try await ServerFixture.shared.run { client in
            let listed = try await Self.list(client, "events", query: "", as: "operator")
            for box in ["9.9,49.9,10.1,50.1", "170,-90,-170,90", "-180,-90,180,90"] {
                let ranges = MapTileRange.covering(try #require(BoundingBox(box)), at: 9)
                let expected = listed.count { event in ranges.contains { $0.contains(event.point) } }
                let response = try await client.send(
                    path: "/collections/events/items?cluster=5&bbox=\(box)", as: "operator")
                let counts = response.features.compactMap { ($0["properties"] as? [String: Any])?["count"] as? Int }
                #expect(counts.reduce(0, +) == expected, "\(box)")
            }
        }
    }

    @Test func clustersAreAlsoCSV() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let response = try await client.send(path: "/collections/events/items?cluster=0&f=csv", as: "stranger")
            #expect(response.text == "id,count,longitude,latitude\nx18,1,10,50\n")
        }
    }

    @Test func otherTilesAndParametersAreRefused() async throws {
        try await ServerFixture.shared.run { client in
            let tiles = "/collections/events/tiles"
            for path in [
                "0/0/1", "0/1/0", "25/0/0", "1/-1/0", "01/0/0", "1/0/x", "9999999999999999999/0/0", "1/%2B1/0",
            ] {
                let response = try await client.send(path: "\(tiles)/WebMercatorQuad/\(path)", as: "owner")
                #expect(response.status == 404, "\(path) \(response)")
                #expect(response.field == "tileMatrix", "\(path) \(response)")
            }
            let set = try await client.send(path: "\(tiles)/WorldCRS84Quad/0/0/0", as: "owner")
            #expect(set.status == 404)
            #expect(set.field == "tileMatrixSet")
            #expect(try await client.send(path: "/collections/habits/tiles", as: "owner").status == 404)
            for query in ["limit=1", "bbox=0,0,1,1", "sortby=-time", "cluster=1", "f=csv", "state=given"] {
                let response = try await client.send(path: "\(tiles)/WebMercatorQuad/0/0/0?\(query)", as: "owner")
                #expect(response.status == 400, "\(query) \(response)")
                #expect(response.slug == "parameter-invalid", "\(query) \(response)")
            }
            for query in ["cluster=25", "cluster=-1", "cluster=x", "cluster=1&limit=5", "cluster=1&sortby=-time"] {
                let response = try await client.send(path: "/collections/events/items?\(query)", as: "owner")
                #expect(response.status == 400, "\(query) \(response)")
                #expect(response.slug == "parameter-invalid", "\(query) \(response)")
            }
            #expect(try await client.send(path: "/collections/habits/items?cluster=1", as: "owner").status == 400)
            #expect(try await client.send(path: "\(tiles)/WebMercatorQuad/0/0/0").status == 401)
            let unknown = try await client.send(path: "\(tiles)/WebMercatorQuad/0/0/0?habit=nothing", as: "owner")
            #expect(unknown.status == 404)
        }
    }

    @Test func publicTilesContainEventsOfAllUsersWithoutToken() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["located-events"] }
        try await fixture.run { client in
            let tile = "/collections/located-events/tiles/WebMercatorQuad/0/0/0"
            let response = try await client.send(path: tile)
            let points = try #require(try VectorTile(response.body).layers.first).points
            #expect(points.map(\.id).sorted() == ["b/18 ü", "r17", "r18", "x18"])
            #expect(try await client.send(path: tile + "?scope=mine").status == 401)
            #expect(try await client.send(path: "/collections/events/tiles/WebMercatorQuad/0/0/0").status == 401)
        }
    }

    @Test func tileHasTagAndEncodingOfList() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            let tile = "/collections/events/tiles/WebMercatorQuad/0/0/0"
            let first = try await client.send(path: tile, as: "owner")
            #expect(first.headers[.cacheControl] == "private, no-cache")
            #expect(first.headers[.vary] != nil)
            let again = try await client.send(path: tile, as: "owner", headers: [.ifNoneMatch: first.tag])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            let other = try await client.send(path: tile, as: "all", headers: [.ifNoneMatch: first.tag])
            #expect(other.status == 200)
            #expect(other.tag != first.tag)
            let packed = try await client.send(path: tile, as: "owner", headers: [.acceptEncoding: "gzip"])
            #expect(packed.headers[.contentEncoding] == "gzip")
            #expect(packed.body.prefix(2) == [0x1F, 0x8B])
            let head = try await client.send(.head, path: tile, as: "owner")
            #expect(head.status == 200)
            #expect(head.headers[.contentLength] == "\(first.body.count)")
            #expect(try await client.send(.post, path: tile, as: "owner", "{}").status == 405)
            let added = try await client.send(
                .post, path: "/collections/events/items", as: "owner",
                #"{"habit":"read","day":"2026-11-20","longitude":5,"latitude":5}"#)
            #expect(added.status == 201, "\(added)")
            let changed = try await client.send(path: tile, as: "owner", headers: [.ifNoneMatch: first.tag])
            #expect(changed.status == 200)
            #expect(changed.tag != first.tag)
        }
    }

    @Test func documentsDescribeTilesOfEachCollectionWithPositions() async throws {
        try await ServerFixture.shared.run { client in
            let relation = "http://www.opengis.net/def/rel/ogc/1.0/tilesets-vector"
            for collection in FeatureCollection.all {
                let link = try await client.send(path: "/collections/\(collection.id)").link(relation)
                #expect((link != nil) == collection.hasMap, "\(collection.id)")
                guard let link, let path = URL(string: link)?.path else { continue }
                let sets = try await client.send(path: path).json["tilesets"] as? [[String: Any]] ?? []
                try #require(sets.count == 1)
                #expect(sets[0]["dataType"] as? String == "vector")
                let set = try await client.send(path: path + "/WebMercatorQuad")
                let template = try #require(set.link("item"))
                #expect(template.hasSuffix("\(path)/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}"))
                let names = ["{tileMatrix}", "{tileRow}", "{tileCol}"]
                let url = names.reduce(template) { text, name in text.replacing(name, with: "0") }
                let tile = try #require(URL(string: url)?.path)
                #expect(try await client.send(path: tile, as: "owner").status == 200)
            }
            let definition = try await client.send(path: "/tileMatrixSets/WebMercatorQuad")
            let matrices = try #require(definition.json["tileMatrices"] as? [[String: Any]])
            try #require(matrices.count == 25)
            #expect(matrices[0]["scaleDenominator"] as? Double == 559_082_264.0287178)
            #expect(matrices[24]["matrixWidth"] as? Int == 1 << 24)
            #expect(try await client.send(path: "/tileMatrixSets").status == 200)
            #expect(try await client.send(path: "/tileMatrixSets/nothing").status == 404)
            let classes = try await client.send(path: "/conformance").json["conformsTo"] as? [String] ?? []
            #expect(classes.contains("http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/mvt"))
        }
    }
}

extension VectorTile.Point {
    /// The property `id`.
    fileprivate var id: String { properties["id"] ?? "" }
}
