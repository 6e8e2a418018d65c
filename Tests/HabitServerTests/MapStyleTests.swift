import Base
import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of the map style: its source is the tiles of the caller, and its points have the colors of statuses.
@Suite(.serialized, .server(Scene.friends)) struct MapStyleTests {
    private static func layers(of style: ServerResponse) -> [[String: Any]] {
        style.json["layers"] as? [[String: Any]] ?? []
    }

    /// Returns the address of the TileJSON document without the server.
    private static func source(of style: ServerResponse) throws -> String {
        let sources = style.json["sources"] as? [String: [String: Any]] ?? [:]
        let source = try #require(sources["habitat"])
        #expect(source["type"] as? String == "vector")
        let address = try #require(source["url"] as? String)
        let start = try #require(address.firstMatch(of: #/^http://[^/]+/#))
        return String(address[start.range.upperBound...])
    }

    @Test func styleHasLayersOfItsTiles() async throws {
        try await ServerFixture.shared.run { client in
            let style = try await client.send(path: "/style.json?scope=all", as: "owner")
            #expect(style.status == 200, "\(style)")
            #expect(style.type == "application/json")
            #expect(style.json["version"] as? Int == 8)
            #expect(style.json["glyphs"] == nil)
            #expect(style.json["sprite"] == nil)
            let layers = Self.layers(of: style)
            let ids = layers.compactMap { layer in layer["id"] as? String }
            #expect(ids.first == "background")
            #expect(Set(ids).count == layers.count)
            let source = try Self.source(of: style)
            let document = try await client.send(path: source, as: "owner")
            #expect(document.status == 200, "\(document)")
            let tiles = document.json["vector_layers"] as? [[String: Any]] ?? []
            let names = tiles.compactMap { layer in layer["id"] as? String }
            #expect(names == ["events", "items", "posts"])
            let own = layers.filter { layer in layer["source"] as? String == "habitat" }
            let used = own.compactMap { layer in layer["source-layer"] as? String }
            #expect(Set(used) == Set(names))
            let template = try #require((document.json["tiles"] as? [String])?.first)
            #expect(template.contains("scope=all"))
            #expect(template.contains("max-points=500"))
            let address = ["{z}", "{y}", "{x}"].reduce(template) { address, name in address.replacing(name, with: "0") }
            let path = try #require(address.firstRange(of: "/tiles/")).lowerBound
            let tile = try await client.send(path: String(address[path...]), as: "owner")
            let events = try VectorTile(tile.body).layers.first { layer in layer.name == "events" }
            #expect(events?.points.isEmpty == false)
            for point in events?.points ?? [] {
                let status = try #require(point.properties["status"], "\(point)")
                #expect(StatusWord(rawValue: status) != nil)
            }
        }
    }

    @Test(arguments: StyleTheme.allCases) func pointsHaveColorsAndFormsOfStatuses(theme: StyleTheme) async throws {
        try await ServerFixture.shared.run { client in
            let style = try await client.send(path: "/style.json?layers=events&theme=\(theme.rawValue)", as: "owner")
            #expect(style.status == 200, "\(style)")
            for status in StatusWord.allCases {
                let color = theme == .light ? status.color : status.darkColor
                #expect(style.text.contains("\"\(status.rawValue)\",\"\(color)\""), "\(status)")
            }
            #expect(style.text.contains("\"Near goal\",\"◒\",\"Inactive\",\"◆\""), "\(style)")
            let again = try await client.send(path: "/style.json?theme=\(theme.rawValue)&layers=events", as: "owner")
            #expect(again.body == style.body)
        }
    }

    /// Surfaces have the same colors as in the pages.
    @Test func themesHaveColorsOfStyleSheet() throws {
        let path = Program.repository + "/Sources/Rendering/HTML/Styles/tokens.css"
        let sheet = try String(contentsOfFile: path, encoding: .utf8)
        let dark = try #require(sheet.firstRange(of: "prefers-color-scheme: dark"))
        let sheets: [(StyleTheme, Substring)] = [
            (.light, sheet[..<dark.lowerBound]), (.dark, sheet[dark.upperBound...]),
        ]
        for (theme, sheet) in sheets {
            let colors = [
                "land": theme.land, "ink": theme.ink, "halo": theme.halo, "items": theme.items, "posts": theme.posts,
                "water": theme.water, "border": theme.border, "line": theme.street, "tint": theme.park,
                "sunk": theme.building, "soft": theme.names,
            ]
            for (name, color) in colors {
                #expect(sheet.contains("--\(name): \(color);"), "\(theme) \(name)")
            }
        }
    }

    /// A client without a token sees no statuses, so the style reads only public properties.
    @Test func styleWithoutTokenHasPublicTiles() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["events", "items"] }
        try await fixture.run { client in
            let style = try await client.send(path: "/style.json?layers=items,events")
            let source = try Self.source(of: style)
            #expect(!source.contains("status"), "\(source)")
            let document = try await client.send(path: source)
            #expect(document.status == 200, "\(document)")
            let query = try #require(document.json["tiles"] as? [String]).first?.split(separator: "?").last ?? ""
            let tile = try await client.send(path: "/tiles/WebMercatorQuad/0/0/0?\(query)")
            #expect(tile.status == 200, "\(tile)")
            let names = try VectorTile(tile.body).layers.map(\.name)
            #expect(names == ["items", "events"])
        }
    }

    /// Two users with different records get the same style.
    @Test func styleContainsNoRecords() async throws {
        try await ServerFixture.shared.run { client in
            let own = try await client.send(path: "/style.json", as: "owner")
            let other = try await client.send(path: "/style.json", as: "pending")
            #expect(own.body == other.body)
            #expect(own.headers[.cacheControl] == "private, no-cache")
            let known: HTTPFields = [.ifNoneMatch: own.tag]
            #expect(try await client.send(path: "/style.json", as: "owner", headers: known).status == 304)
            let dark = try await client.send(path: "/style.json?theme=dark", as: "owner", headers: known)
            #expect(dark.status == 200)
        }
    }

    @Test(arguments: [
        ("theme=blue", "theme"), ("scope=everything", "scope"), ("habit=run", "habit"), ("layers=", "layers"),
        ("layers=events,habits", "layers"), ("layers=items,items", "layers"), ("layers=items&scope=all", "scope"),
    ])
    func invalidParameterIsRefused(query: String, field: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/style.json?\(query)", as: "owner")
            #expect(response.status == 400, "\(response)")
            #expect(response.slug == "parameter-invalid", "\(response)")
            #expect(response.field == field, "\(response)")
        }
    }

    @Test func styleHasOnlyCollectionsOfSections() async throws {
        let sections = try Sections("habits")
        let fixture = try await ServerFixture(Scene.friends) { options in options.sections = sections }
        try await fixture.run { client in
            let style = try await client.send(path: "/style.json", as: "owner")
            let source = try Self.source(of: style)
            #expect(source.contains("collections=events&"), "\(source)")
            let hidden = try await client.send(path: "/style.json?layers=items", as: "owner")
            #expect(hidden.field == "layers", "\(hidden)")
        }
    }
}
