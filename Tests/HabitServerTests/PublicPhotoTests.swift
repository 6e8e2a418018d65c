import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that the photo of a feature is visible exactly if the feature is.
@Suite(.serialized) struct PublicPhotoTests {
    private static func store(_ client: ServerClient, collection: String, id: String) async throws {
        let photo = try Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/lamp.png"))
        let path = "/collections/\(collection)/items/\(id.urlEncoded)/photo"
        let put = try await client.send(.put, path: path, as: "owner", bytes: Array(photo))
        #expect(put.status == 204, "\(put)")
    }

    @Test func photoOfFeatureOutsidePublicCollectionIsNotFound() async throws {
        try await ServerFixture(Scene.friends) { $0.publicCollections = ["located-events"] }.run { client in
            for id in ["r17", "r19"] { try await Self.store(client, collection: "events", id: id) }
            for (id, status) in [("r17", 200), ("r19", 404), ("nothing", 404)] {
                let path = "/collections/located-events/items/\(id)"
                for address in [path, path + "/photo"] {
                    let get = try await client.send(path: address)
                    #expect(get.status == status, "\(address): \(get)")
                    #expect(try await client.send(.head, path: address).status == status, "\(address)")
                    let known = try await client.send(path: address, headers: [.ifNoneMatch: "*"])
                    #expect(known.status == (status == 200 ? 304 : status), "\(address): \(known)")
                }
                #expect(try await client.send(path: "/collections/events/items/\(id)/photo").status == 401)
            }
        }
    }

    @Test func photoURLOfPublicFeatureCanBeRead() async throws {
        try await ServerFixture(Scene.friends) { $0.publicCollections = ["located-events", "items"] }.run { client in
            try await Self.store(client, collection: "events", id: "r17")
            try await Self.store(client, collection: "items", id: "lamp")
            for (collection, id) in [("located-events", "r17"), ("items", "lamp")] {
                let feature = try await client.send(path: "/collections/\(collection)/items/\(id)")
                let url = try #require(feature.properties["photo_url"] as? String, "\(feature)")
                let photo = try await client.send(path: try #require(URLComponents(string: url)).percentEncodedPath)
                #expect(photo.status == 200, "\(url): \(photo)")
                #expect(photo.type == "image/png", "\(url): \(photo)")
            }
        }
    }

    /// A signed-in user who sees an event does not get the photo through a collection that does not contain the event.
    @Test func featureAndPhotoHaveSameStatusForEveryUser() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for id in ["r17", "r19"] { try await Self.store(client, collection: "events", id: id) }
            for user in Scene.users + ["operator"] {
                for collection in ["events", "located-events"] {
                    for id in ["r17", "r19"] {
                        let path = "/collections/\(collection)/items/\(id)"
                        let feature = try await client.send(path: path, as: user)
                        let photo = try await client.send(path: path + "/photo", as: user)
                        #expect(feature.status == photo.status, "\(user) \(path): \(photo)")
                    }
                }
            }
            let put = try await client.send(
                .put, path: "/collections/events/items/r17/photo", as: "operator", bytes: [1])
            #expect(put.status == 403, "\(put)")
            #expect(put.slug == "not-signed-in", "\(put)")
        }
    }
}
