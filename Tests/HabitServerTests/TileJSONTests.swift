import Base
import Foundation
import Geo
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of TileJSON: it describes the tiles of the caller, and hidden records do not affect it.
@Suite(.serialized, .server(Scene.friends)) struct TileJSONTests {
    private static let world = [-180, -90, 180, 90]
    private static let events = "/collections/events/tiles/WebMercatorQuad?f=tilejson"

    /// Returns the path and the query of the tile 0/0/0 of a TileJSON document.
    private static func worldTile(of document: ServerResponse) throws -> String {
        let template = try #require((document.json["tiles"] as? [String])?.first)
        let address = ["{z}", "{y}", "{x}"].reduce(template) { address, name in address.replacing(name, with: "0") }
        let start = try #require(address.firstMatch(of: #/^http://[^/]+/#))
        return String(address[start.range.upperBound...])
    }

    private static func layers(of document: ServerResponse) -> [[String: Any]] {
        document.json["vector_layers"] as? [[String: Any]] ?? []
    }

    @Test func documentDescribesTilesOfEachCollection() async throws {
        try await ServerFixture.shared.run { client in
            for collection in FeatureCollection.all where collection.hasMap {
                let path = "/collections/\(collection.id)/tiles/WebMercatorQuad"
                let document = try await client.send(path: "\(path)?f=tilejson", as: "owner")
                #expect(document.status == 200, "\(document)")
                #expect(document.type == "application/json")
                #expect(document.json["tilejson"] as? String == "3.0.0")
                #expect(document.json["name"] as? String == collection.title)
                #expect(document.json["minzoom"] as? Int == 0)
                #expect(document.json["maxzoom"] as? Int == 24)
                let layer = try #require(Self.layers(of: document).first)
                #expect(layer["id"] as? String == collection.id)
                let fields = layer["fields"] as? [String: String] ?? [:]
                #expect(fields["count"] == "Number")
                #expect(Set(fields.keys) == Set(collection.tileProperties + ["count"]))
                let tile = try Self.worldTile(of: document)
                #expect(tile == "\(path)/0/0/0")
                #expect(try await client.send(path: tile, as: "owner").status == 200)
                let set = try await client.send(path: path, as: "owner")
                #expect(set.link("describedby")?.hasSuffix("\(path)?f=tilejson") == true, "\(set)")
            }
        }
    }

    @Test func documentOfSeveralCollectionsDescribesTheirLayers() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/tiles/WebMercatorQuad?f=tilejson&collections=items,events&scope=friends&properties=id,title"
            let document = try await client.send(path: path, as: "stranger")
            #expect(document.status == 200, "\(document)")
            let layers = Self.layers(of: document)
            #expect(layers.compactMap { layer in layer["id"] as? String } == ["items", "events"])
            let fields = layers.compactMap { layer in layer["fields"] as? [String: String] }
            #expect(fields.map { names in names.keys.sorted() } == [["count", "id"], ["count", "id", "title"]])
            #expect(document.json["bounds"] as? [Int] == [-180, -17, 11, 51])
            let tile = try Self.worldTile(of: document)
            let query = "collections=items%2Cevents&properties=id%2Ctitle&scope=friends"
            #expect(tile == "/tiles/WebMercatorQuad/0/0/0?\(query)")
            let response = try await client.send(path: tile, as: "stranger")
            #expect(response.status == 200, "\(response)")
            let names = try VectorTile(response.body).layers.map(\.name)
            #expect(names == ["items"])
        }
    }

    @Test func addressOfTilesHasFiltersOfRequest() async throws {
        try await ServerFixture.shared.run { client in
            let filters = "scope=all&habit=run&comment-contains=rain%20100%25&max-points=7&properties=id,title"
            let document = try await client.send(path: "\(Self.events)&\(filters)", as: "owner")
            let tile = try Self.worldTile(of: document)
            let fields = Self.layers(of: document).first?["fields"] as? [String: String] ?? [:]
            #expect(Set(fields.keys) == ["id", "title", "count"])
            #expect(!tile.contains("tilejson"))
            let response = try await client.send(path: tile, as: "owner")
            #expect(response.status == 200, "\(response)")
            let points = try VectorTile(response.body).layers.first?.points ?? []
            #expect(points.map(\.properties) == [["id": "r17", "title": "Run"]])
        }
    }

    @Test func textInFilterCannotChangeTemplate() async throws {
        try await ServerFixture.shared.run { client in
            let document = try await client.send(path: "\(Self.events)&comment=%7Bz%7D%26scope%3Dall", as: "owner")
            let template = try #require((document.json["tiles"] as? [String])?.first)
            #expect(template.hasSuffix("/{z}/{y}/{x}?comment=%7Bz%7D%26scope%3Dall"), "\(template)")
        }
    }

    /// The collections with the bounds of the features that a viewer sees.
    ///
    /// The bounds follow from the records of the scene by hand. Others see a rounded position of the lamp, which is south of
    /// it.
    private static let visibleBounds: [(viewer: String?, collection: String, bounds: [Int])] = [
        ("owner", "events", [-180, -17, 11, 51]),
        ("all", "events", [-180, -17, 11, 51]),
        ("latest", "events", [-180, -17, -179, -15]),
        ("stranger", "events", [10, 49, 11, 51]),
        ("pending", "events", world),
        (nil, "events", world),
        ("owner", "posts", [10, 49, 11, 51]),
        ("pending", "posts", world),
        ("owner", "items", [-180, -17, 11, 51]),
        ("pending", "items", [-180, -17, 11, 50]),
    ]

    @Test(arguments: visibleBounds)
    func boundsContainOnlyVisibleFeatures(viewer: String?, collection: String, bounds: [Int]) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/\(collection)/tiles/WebMercatorQuad?f=tilejson"
            let document = try await client.send(path: path, as: viewer)
            #expect(document.status == 200, "\(document)")
            #expect(document.json["bounds"] as? [Int] == bounds, "\(document)")
        }
    }

    @Test func boundsOmitPrivatePlacesOfOthers() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let place = #"{"private_places":"50.0,10.0 2km home"}"#
            #expect(try await client.send(.patch, path: "/user", as: "owner", place).status == 200)
            let hidden = try await client.send(path: Self.events, as: "all")
            #expect(hidden.json["bounds"] as? [Int] == [-180, -17, -179, -15], "\(hidden)")
            let own = try await client.send(path: Self.events, as: "owner")
            #expect(own.json["bounds"] as? [Int] == [-180, -17, 11, 51], "\(own)")
        }
    }

    /// Positions and the bounds of their tiles.
    private struct BoundsCase: Sendable, CustomTestStringConvertible {
        let positions: [Position]
        let sides: [Int]

        init(_ positions: (longitude: Double, latitude: Double)..., sides: [Int]) {
            self.positions = positions.compactMap { position in
                Position(longitude: position.longitude, latitude: position.latitude)
            }
            self.sides = sides
        }

        var testDescription: String { "\(sides)" }
    }

    private static let boundsCases: [BoundsCase] = [
        BoundsCase((180, 10), sides: [-180, 9, 180, 11]),
        BoundsCase((-180, 10), sides: [-180, 9, -179, 11]),
        BoundsCase((0, 90), sides: [0, 85, 1, 90]),
        BoundsCase((0, -90), sides: [0, -90, 1, -85]),
        BoundsCase((0, 0), sides: [0, -1, 1, 1]),
        BoundsCase((10.5, 50.5), (-0.5, -0.5), sides: [-1, -1, 11, 51]),
        BoundsCase(sides: world),
    ]

    @Test(arguments: boundsCases) private func tilesInBoundsContainEachPosition(bounds: BoundsCase) throws {
        let boxes = bounds.positions.compactMap { position in
            BoundingBox(
                west: position.longitude,
                south: position.latitude,
                east: position.longitude,
                north: position.latitude)
        }
        #expect(TileBounds(around: boxes).sides == bounds.sides)
    }

    @Test(arguments: [
        ("f=tilejson&habits=run", "habits"), ("f=tilejson&limit=1", "limit"), ("f=tilejson&state=given", "state"),
        ("f=tilejson&properties=comment", "properties"), ("f=tilejson&max-points=0", "max-points"),
        ("f=csv", "f"), ("habit=run", "habit"), ("f=json&scope=all", "scope"),
    ])
    func invalidParameterIsRefused(query: String, field: String) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/events/tiles/WebMercatorQuad?\(query)"
            let response = try await client.send(path: path, as: "owner")
            #expect(response.status == 400, "\(response)")
            #expect(response.slug == "parameter-invalid", "\(response)")
            #expect(response.field == field, "\(response)")
        }
    }

    @Test func clientWithTagGets304() async throws {
        try await ServerFixture.shared.run { client in
            let first = try await client.send(path: Self.events, as: "owner")
            #expect(first.headers[.cacheControl] == "private, no-cache")
            #expect(first.headers[.vary]?.contains("Authorization") == true)
            let again = try await client.send(path: Self.events, as: "owner", headers: [.ifNoneMatch: first.tag])
            #expect(again.status == 304)
            let other = try await client.send(path: Self.events, as: "stranger", headers: [.ifNoneMatch: first.tag])
            #expect(other.status == 200)
        }
    }
}
