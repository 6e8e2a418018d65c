import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rule C-33 over HTTP: others see no positions in private places.
@Suite(.serialized) struct PrivatePlacesOverHTTPTests {
    private static let place = #"{"private_places":"50.0,10.0 2km home"}"#

    /// The requests whose responses contain positions of `owner`.
    private static let paths = [
        "/collections/events/items?scope=all", "/collections/events/items?scope=all&near=10,50",
        "/collections/events/items?scope=all&f=csv", "/collections/events/items?scope=all&f=html",
        "/collections/located-events/items?scope=all", "/collections/events/items/r18", "/collections/posts/items",
        "/collections/posts/items/p1", "/near?near=10,50", "/reports/history?f=json",
    ]

    @Test func othersSeeNoPrivatePositions() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let before = try await client.send(path: "/collections/events/items?scope=all", as: "all")
            #expect(before.text.contains("10.01"), "\(before)")
            let changed = try await client.send(.patch, path: "/user", as: "owner", Self.place)
            #expect(changed.status == 200, "\(changed)")
            let places = changed.json["private_places"] as? String
            #expect(places?.hasPrefix("50.0,10.0 2000m home #") == true, "\(changed)")
            for path in Self.paths {
                let hidden = try await client.send(path: path, as: "all")
                #expect(hidden.status == 200, "\(path): \(hidden)")
                #expect(!hidden.text.contains("10.01"), "\(path): \(hidden)")
            }
            let own = try await client.send(path: "/collections/events/items?scope=all", as: "owner")
            #expect(own.text.contains("10.01"), "\(own)")
            let gone = try await client.send(path: "/collections/located-events/items/r18", as: "all")
            #expect(gone.status == 404, "\(gone)")
            let tile = try await client.send(
                path: "/collections/events/tiles/WebMercatorQuad/10/347/540?scope=all", as: "all")
            #expect(tile.status == 204 || tile.body.isEmpty, "\(tile)")
            let several = try await client.send(
                path: "/tiles/WebMercatorQuad/10/347/540?collections=events,posts&scope=all", as: "all")
            #expect(several.status == 200 && several.body.isEmpty, "\(several)")
        }
    }

    /// The metadata of a photo can contain another position than the record.
    @Test func photosOfUserWithPlacesHaveNoMetadataForOthers() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/posts/items/p1/photo"
            let jpeg: HTTPFields = [.contentType: "image/jpeg"]
            let stored = try await client.send(
                .put, path: "\(path)?keep-exif=true", as: "owner", bytes: Array(TestImage.located), headers: jpeg)
            #expect(stored.status == 204, "\(stored)")
            let before = try await client.send(path: path, as: "all")
            #expect(Data(before.body) == TestImage.located)
            _ = try await client.send(.patch, path: "/user", as: "owner", #"{"private_places":"0,0 300m home"}"#)
            let hidden = try await client.send(path: path, as: "all")
            #expect(hidden.status == 200, "\(hidden)")
            #expect(Data(hidden.body) != TestImage.located)
            #expect(hidden.headers[.eTag] != before.headers[.eTag])
            let own = try await client.send(path: path, as: "owner")
            #expect(Data(own.body) == TestImage.located)
            #expect(own.headers[.eTag] == before.headers[.eTag])
            let tag = try #require(hidden.headers[.eTag])
            #expect(try await client.send(path: path, as: "all", headers: [.ifNoneMatch: tag]).status == 304)
        }
    }

    @Test func placesAreRemovedWithNull() async throws {
        try await ServerFixture(Scene.friends).run { client in
            _ = try await client.send(.patch, path: "/user", as: "owner", Self.place)
            let removed = try await client.send(.patch, path: "/user", as: "owner", #"{"private_places":null}"#)
            #expect(removed.json["private_places"] is NSNull, "\(removed)")
            let shown = try await client.send(path: "/collections/events/items/r18", as: "all")
            #expect(shown.text.contains("10.01"), "\(shown)")
        }
    }

    @Test(arguments: [("home", 422), ("50,10 50m home", 400), ("50,10 300m", 422)])
    func invalidPlacesAreRefused(text: String, status: Int) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let refused = try await client.send(
                .patch, path: "/user", as: "owner", #"{"private_places":"\#(text)"}"#)
            #expect(refused.status == status, "\(refused)")
            #expect(refused.field == "private_places", "\(refused)")
        }
    }

    @Test func publicCollectionShowsNoPrivatePositions() async throws {
        try await ServerFixture(Scene.friends) { $0.publicCollections = ["events", "posts"] }.run { client in
            _ = try await client.send(.patch, path: "/user", as: "owner", Self.place)
            for path in ["/collections/events/items", "/collections/events/items/r18", "/collections/posts/items/p1"] {
                let hidden = try await client.send(path: path)
                #expect(hidden.status == 200, "\(path): \(hidden)")
                #expect(!hidden.text.contains("10.01"), "\(path): \(hidden)")
            }
        }
    }
}
