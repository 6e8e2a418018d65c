import Foundation
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of the base map in the map style: its layers exist in the tiles, and points are above it.
@Suite(.engineIndependent, .server(Scene.friends)) struct BaseMapStyleTests {
    private typealias Object = [String: Any]

    private static func layers(of style: ServerResponse) -> [Object] { style.json["layers"] as? [Object] ?? [] }

    private static func sources(of style: ServerResponse) -> [String: Object] {
        style.json["sources"] as? [String: Object] ?? [:]
    }

    private static func names(_ key: String, in layers: [Object]) -> [String] {
        layers.compactMap { layer in layer[key] as? String }
    }

    @Test(arguments: StyleTheme.allCases) func landAndCitiesAreBelowPoints(theme: StyleTheme) async throws {
        try await ServerFixture.shared.run { client in
            let style = try await client.send(path: "/style.json?theme=\(theme.rawValue)", as: "owner")
            let ids = Self.names("id", in: Self.layers(of: style))
            #expect(ids.starts(with: ["background", "world-land", "world-borders", "world-cities", "events-points"]))
            let world = try #require(Self.sources(of: style)["world"])
            #expect(world["maxzoom"] as? Int == 8)
            #expect((world["tiles"] as? [String])?.first?.hasSuffix("/basemap/{z}/{x}/{y}") == true)
            #expect(Self.sources(of: style).keys.sorted() == ["habitat", "world"])
            #expect(style.text.contains(theme.water))
            #expect(style.text.contains(theme.land))
        }
    }

    @Test func layersOfTheWorldAreInItsTiles() async throws {
        try await ServerFixture.shared.run { client in
            let style = try await client.send(path: "/style.json")
            let world = Self.layers(of: style).filter { layer in layer["source"] as? String == "world" }
            let tile = try await client.send(path: "/basemap/0/0/0")
            let names = try VectorTile(tile.body).layers.map(\.name)
            #expect(Self.names("source-layer", in: world) == names)
        }
    }

    /// The layers of the schemas that a style reads.
    private static let schemas = [
        ["water", "waterway", "landcover", "building", "transportation", "transportation_name", "place"],
        ["ocean", "water_polygons", "water_lines", "land", "buildings", "streets", "street_labels", "place_labels"],
    ]

    @Test(arguments: schemas) func streetsOfFileAreBetweenLandAndPoints(schema: [String]) async throws {
        var file = TestTileFile()
        file.layers = schema
        try await file.server().run { client in
            let style = try await client.send(path: "/style.json", as: "owner")
            let layers = Self.layers(of: style)
            let streets = layers.filter { layer in layer["source"] as? String == "streets" }
            #expect(Set(Self.names("source-layer", in: streets)) == Set(schema))
            // Some clients accept only a list as the filter.
            #expect(layers.allSatisfy { layer in layer["filter"] == nil || layer["filter"] is [Any] })
            let ids = Self.names("id", in: layers)
            #expect(Set(ids).count == layers.count)
            let land = try #require(ids.firstIndex(of: "world-land"))
            let area = try #require(ids.firstIndex(of: "streets-area"))
            let street = try #require(ids.firstIndex(of: "streets-main-streets"))
            let towns = try #require(ids.firstIndex(of: "streets-towns"))
            let points = try #require(ids.firstIndex(of: "events-points"))
            #expect([land, area, street, towns, points] == [land, area, street, towns, points].sorted())
        }
    }

    @Test func sourceOfFileHasItsZoomsAndArea() async throws {
        try await TestTileFile().server().run { client in
            let sources = try await Self.sources(of: client.send(path: "/style.json"))
            let streets = try #require(sources["streets"])
            #expect(streets["minzoom"] as? Int == 9)
            #expect(streets["maxzoom"] as? Int == 14)
            #expect(streets["bounds"] as? [Double] == [-9.3, 38.6, -9, 38.9])
            #expect((streets["attribution"] as? String)?.contains("OpenStreetMap") == true)
            #expect(sources["streets-area"]?["type"] as? String == "geojson")
            #expect(sources["world"]?["maxzoom"] as? Int == 8)
        }
    }

    /// Names are legible on land and on water (WCAG 2.2, criterion 1.4.3).
    @Test(arguments: StyleTheme.allCases) func namesHaveContrast(theme: StyleTheme) {
        for surface in [theme.land, theme.water, theme.halo, theme.park, theme.building] {
            #expect(Self.contrast(theme.names, surface) >= 4.5, "\(surface)")
        }
    }

    private static func contrast(_ first: String, _ second: String) -> Double {
        let luminances = [luminance(first), luminance(second)].sorted()
        return (luminances[1] + 0.05) / (luminances[0] + 0.05)
    }

    /// Returns the relative luminance of a color such as `#1b211d`.
    private static func luminance(_ color: String) -> Double {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        let parts = [16, 8, 0].map { shift in
            let part = Double(number >> shift & 255) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
}
