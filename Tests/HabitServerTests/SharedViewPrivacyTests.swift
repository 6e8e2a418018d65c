import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that no resource of a shared view contains an exact position, a position in a private place, an ID of the store or
/// a record of another user.
@Suite(.serialized) struct SharedViewPrivacyTests {
    /// A position whose rounded position has other digits.
    private static let exact = Position(longitude: 12.3456789, latitude: 41.9876543)
    /// A position in the private place.
    private static let hidden = Position(longitude: 20.1234567, latitude: 30.7654321)

    private static let records: [Record] = [
        .event("run", "2026-11-15", id: "owner:exact", comment: "visible", position: exact),
        .event("run", "2026-11-16", id: "owner:hidden", comment: "at home", position: hidden),
        .post("owner:post", of: "owner", caption: "visible post", at: exact),
        .post("owner:home-post", of: "owner", caption: "post at home", at: hidden),
        .item("owner:item", of: "owner", name: "Chair", at: exact),
    ]

    private static let body = #"{"layers":["events","posts","items"],"rounding":"RRR"}"#

    /// Returns a server whose `owner` has a private place, and a client that has created a view.
    private static func run(
        _ rounding: ViewDefinition.Rounding,
        _ test: @escaping @Sendable (ServerClient, SharedViewTests.Created) async throws -> Void
    ) async throws {
        try await ServerFixture(Scene.friends + records).run { client in
            let place = #"{"private_places":"30.7654321,20.1234567 500m home"}"#
            let changed = try await client.send(.patch, path: "/user", as: "owner", place)
            #expect(changed.status == 200, "\(changed)")
            let body = Self.body.replacing("RRR", with: rounding.rawValue)
            let view = try await SharedViewTests.create(client, body)
            try await test(client, view)
        }
    }

    /// The texts that no resource may contain.
    private static func secrets(_ rounding: ViewDefinition.Rounding) throws -> [String] {
        let home = try #require(hidden)
        let center = try #require(rounding.grid.center(of: home))
        // The drawing of a page has short numbers, which can equal a latitude by chance.
        let positions = ["12.3456", "41.9876", "20.1234", "30.7654", "\(center.longitude)"]
        let ids = ["owner:", "r17", "r18", "x18", "p1", "p2", "\"lamp\"", "stranger", "theirs", "Sofa"]
        return positions + ids
    }

    @Test(arguments: ViewDefinition.Rounding.allCases) func textsContainNoSecret(
        rounding: ViewDefinition.Rounding
    ) async throws {
        let secrets = try Self.secrets(rounding)
        try await Self.run(rounding) { client, view in
            for path in view.paths {
                let response = try await client.send(path: path)
                #expect(response.status == 200, "\(path)")
                // A secret of a view is random and can contain short texts.
                let text = response.text.replacing(view.secret, with: "")
                for secret in secrets {
                    #expect(!text.contains(secret), "\(path): \(secret)")
                }
            }
            let events = try await client.send(path: "\(view.path)/events.csv")
            #expect(events.text.contains("visible"), "\(events)")
            let home = events.text.split(separator: "\n").first { line in line.contains("at home") }
            #expect(home?.hasSuffix(",,") == true, "\(events)")
        }
    }

    /// The statistics and the metadata of a file describe all of its positions.
    @Test(arguments: ViewDefinition.Rounding.allCases) func parquetContainsNoSecret(
        rounding: ViewDefinition.Rounding
    ) async throws {
        let secrets = try Self.secrets(rounding)
        try await Self.run(rounding) { client, view in
            let folder = try TemporaryFolder()
            for layer in ["events", "posts", "items"] {
                let response = try await client.send(path: "\(view.path)/\(layer).parquet")
                let path = folder.file("\(layer).parquet")
                try Data(response.body).write(to: URL(filePath: path))
                let texts = [
                    try await ParquetText.text(of: path),
                    try await ParquetText.query("FROM parquet_metadata('\(path)')"),
                    try await ParquetText.query("SELECT decode(value) FROM parquet_kv_metadata('\(path)')"),
                ]
                for text in texts {
                    for secret in secrets {
                        #expect(!text.replacing(folder.path, with: "").contains(secret), "\(layer): \(secret)")
                    }
                }
            }
        }
    }

    @Test(arguments: ViewDefinition.Rounding.allCases) func tilesContainOnlyRoundedPositions(
        rounding: ViewDefinition.Rounding
    ) async throws {
        let exact = try #require(Self.exact)
        let hidden = try #require(Self.hidden)
        let center = try #require(rounding.grid.center(of: exact))
        let home = try #require(rounding.grid.center(of: hidden))
        try await Self.run(rounding) { client, view in
            for zoom in [0, 10, 18] {
                let tile = MapPoint(center).tile(at: zoom)
                let response = try await client.send(path: "\(view.path)/\(zoom)/\(tile.column)/\(tile.row).mvt")
                let offset = tile.offset(of: MapPoint(center), bits: 12)
                let layer = try VectorTile(Array(response.body)).layers.first { layer in layer.name == "events" }
                let points = try #require(layer).points.filter { point in point.properties["day"] == "2026-11-15" }
                #expect(points.map(\.x) == [offset.x], "\(zoom)")
                #expect(points.map(\.y) == [offset.y], "\(zoom)")
            }
            for position in [hidden, home] {
                let tile = MapPoint(position).tile(at: 12)
                let response = try await client.send(path: "\(view.path)/12/\(tile.column)/\(tile.row).mvt")
                #expect(response.body.isEmpty)
            }
        }
    }
}
