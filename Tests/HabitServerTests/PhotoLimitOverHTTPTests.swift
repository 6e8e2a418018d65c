import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests of the maximum sizes of photos of items and posts over HTTP.
@Suite(.serialized) struct PhotoLimitOverHTTPTests {
    /// A limit above the standard one.
    private static let limit = 100_009
    private static let fits = TestImage.png(byteCount: limit)
    private static let large = TestImage.png(byteCount: limit + 1)

    /// A collection whose photos have a setting.
    struct Door: Sendable, CustomTestStringConvertible {
        var collection: String
        var setting: Setting
        /// The record to change.
        var id: String
        /// The fields of a new record, without the closing brace.
        var record: String

        var testDescription: String { collection }
        var items: String { "/collections/\(collection)/items" }
        var photo: String { "\(items)/\(id)/photo" }
    }

    private static let doors = [
        Door(collection: "items", setting: .itemPhotoLimit, id: "lamp", record: #"{"name":"Lamp""#),
        Door(collection: "posts", setting: .postPhotoLimit, id: "p1", record: #"{"caption":"x""#),
    ]

    /// Starts a server whose store has one setting.
    private static func withServer(
        _ setting: Setting,
        at value: Int,
        _ body: @escaping @Sendable (ServerClient) async throws -> Void
    ) async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try fixture.store.write([.setting(.limit(setting, value))])
        try await fixture.run(nil, body)
    }

    private static func json(_ record: String, _ photo: Data) -> String {
        #"\#(record),"photo":"\#(photo.base64EncodedString())"}"#
    }

    @Test(arguments: doors) func bodyWithPhotoHasLimitOfKind(door: Door) async throws {
        try await Self.withServer(door.setting, at: Self.limit) { client in
            let refused = try await client.send(.put, path: door.photo, as: "owner", bytes: Array(Self.large))
            #expect(refused.status == 413, "\(refused)")
            #expect(refused.text.contains("\(Self.limit) bytes"), "\(refused)")
            #expect(refused.text.contains("?shrink=true"), "\(refused)")
            let stored = try await client.send(.put, path: door.photo, as: "owner", bytes: Array(Self.fits))
            #expect(stored.status == 204, "\(stored)")
            let read = try await client.send(path: door.photo, as: "owner")
            #expect(Data(read.body) == Self.fits)
        }
    }

    @Test(arguments: doors) func newRecordHasLimitOfKind(door: Door) async throws {
        try await Self.withServer(door.setting, at: Self.limit) { client in
            let body = Self.json(door.record, Self.large)
            let refused = try await client.send(.post, path: door.items, as: "owner", body)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == "photo-too-large", "\(refused)")
            #expect(refused.text.contains("at most \(Self.limit) are allowed"), "\(refused)")
            let made = try await client.send(.post, path: door.items, as: "owner", Self.json(door.record, Self.fits))
            #expect(made.status == 201, "\(made)")
        }
    }

    @Test(arguments: doors) func changedRecordHasLimitOfKind(door: Door) async throws {
        try await Self.withServer(door.setting, at: Self.limit) { client in
            let path = "\(door.items)/\(door.id)"
            let body = Self.json(door.record, Self.large)
            let refused = try await client.send(.patch, path: path, as: "owner", body)
            #expect(refused.slug == "photo-too-large", "\(refused)")
            let changed = try await client.send(.patch, path: path, as: "owner", Self.json(door.record, Self.fits))
            #expect(changed.status == 200, "\(changed)")
        }
    }

    @Test(arguments: doors) func sentChangeHasLimitOfKind(door: Door) async throws {
        try await Self.withServer(door.setting, at: Self.limit) { client in
            func send(_ photo: Data, _ id: String) async throws -> ServerResponse {
                let properties = Self.json(door.record, photo)
                let change =
                    #"{"action":"put","collection":"\#(door.collection)","feature":{"id":"\#(id)","properties":\#(properties)}}"#
                return try await client.send(.post, path: "/changes", as: "owner", change)
            }
            let refused = try await send(Self.large, "owner:large")
            #expect(refused.text.contains("photo-too-large"), "\(refused)")
            let made = try await send(Self.fits, "owner:fits")
            #expect(made.text.contains(#""created""#), "\(made)")
        }
    }

    @Test(arguments: doors) func photoIsShrunkToLimitOfKind(door: Door) async throws {
        try await Self.withServer(door.setting, at: 3000) { client in
            let path = "\(door.photo)?shrink=true"
            let stored = try await client.send(.put, path: path, as: "owner", bytes: Array(Self.large))
            #expect(stored.status == 204, "\(stored)")
            let read = try await client.send(path: door.photo, as: "owner")
            #expect((100...3000).contains(read.body.count), "\(read.body.count)")
        }
    }

    /// The limit of items and posts does not apply to events.
    @Test func photoOfEventKeepsStandardLimit() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try fixture.store.write(Self.doors.map { door in .setting(.limit(door.setting, 1_000_000)) })
        try await fixture.run { client in
            let path = "/collections/events/items/r17/photo"
            let large = TestImage.png(byteCount: 65_536)
            let refused = try await client.send(.put, path: path, as: "owner", bytes: Array(large))
            #expect(refused.status == 413, "\(refused)")
            let fits = TestImage.png(byteCount: 65_535)
            let stored = try await client.send(.put, path: path, as: "owner", bytes: Array(fits))
            #expect(stored.status == 204, "\(stored)")
        }
    }

    @Test(arguments: doors) func loweredLimitKeepsStoredPhoto(door: Door) async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try fixture.store.write([.setting(.limit(door.setting, Self.limit))])
        try await fixture.run { client in
            let stored = try await client.send(.put, path: door.photo, as: "owner", bytes: Array(Self.fits))
            #expect(stored.status == 204, "\(stored)")
            try fixture.store.write([.setting(.limit(door.setting, 5000))])
            let read = try await client.send(path: door.photo, as: "owner")
            #expect(Data(read.body) == Self.fits)
            let path = "\(door.items)/\(door.id)"
            let changed = try await client.send(.patch, path: path, as: "owner", door.record + "}")
            #expect(changed.status == 200, "\(changed)")
            let refused = try await client.send(.put, path: door.photo, as: "owner", bytes: Array(Self.fits))
            #expect(refused.status == 413, "\(refused)")
        }
    }
}
