import Foundation
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rule C-31 over HTTP: a client can choose only UUIDs and IDs that begin with the user's ID and a colon.
@Suite(.engineIndependent, .serialized) struct ClientIDTests {
    /// The fields of valid records, without the ID.
    private static let bodies = [
        ("habits", #""title":"Swim","days":"mon""#),
        ("events", #""habit":"run""#),
        ("items", #""name":"Vase","photo":"\#(photo)""#),
        ("posts", #""photo":"\#(photo)""#),
    ]

    private static let photo: String = {
        let path = Program.repository + "/sample-data/photos/lamp.png"
        return FileManager.default.contents(atPath: path)?.base64EncodedString() ?? ""
    }()

    @Test(arguments: bodies) func chosenIDIsUUIDOrHasPrefixOfUserID(collection: String, fields: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/\(collection)/items"
            // Free IDs, IDs of records of this and other users, and IDs that only resemble the prefix.
            let wrong = [
                "free", "run", "other", "x18", "sofa", "p2", "all:run", "owner", "owner-run", "Owner:run",
                "owner\u{FF1A}x", "owner:", "owner:b:yoga",
                "0b4e9a52-5f0e-4c3e-9d0a-5d3f2c1b0a9", "{0b4e9a52-5f0e-4c3e-9d0a-5d3f2c1b0a99}",
            ]
            for id in wrong {
                let refused = try await client.send(.post, path: path, as: "owner", #"{"id":"\#(id)",\#(fields)}"#)
                #expect(refused.status == 422, "\(id): \(refused)")
                #expect(refused.slug == "id-invalid", "\(id): \(refused)")
                #expect(refused.field == "id", "\(refused)")
                #expect(refused.text.contains("'\(id)'"), "\(refused)")
            }
            let own = try await client.send(.post, path: path, as: "owner", #"{"id":"owner:new",\#(fields)}"#)
            #expect(own.status == 201, "\(own)")
            #expect(own.json["id"] as? String == "owner:new", "\(own)")
            if collection == "events" {
                let path = "/collections/events/items/owner%3Anew"
                #expect(try await client.send(.delete, path: path, as: "owner").status == 204)
            } else {
                let again = try await client.send(.post, path: path, as: "owner", #"{"id":"owner:new",\#(fields)}"#)
                #expect(again.status == 422, "\(again)")
                #expect(again.slug == "duplicate-key", "\(again)")
            }
            let uuid = UUID().uuidString.lowercased()
            let made = try await client.send(.post, path: path, as: "owner", #"{"id":"\#(uuid)",\#(fields)}"#)
            #expect(made.status == 201, "\(made)")
            #expect(made.json["id"] as? String == uuid, "\(made)")
        }
    }

    /// The error is the same whether or not a record with the ID exists, and for any owner.
    @Test func refusalOfIDRevealsNothing() async throws {
        try await ServerFixture(Scene.friends).run { client in
            func refuse(_ id: String) async throws -> String {
                var responses = ""
                for (collection, body) in [
                    ("habits", #"{"id":"\#(id)","title":"Swim","days":"mon"}"#),
                    ("events", #"{"id":"\#(id)","habit":"nothing"}"#),
                ] {
                    let response = try await client.send(
                        .post, path: "/collections/\(collection)/items", as: "stranger", body)
                    #expect(response.slug == "id-invalid", "\(response)")
                    responses += response.text.replacing(id, with: "ID")
                }
                return responses
            }
            let free = try await refuse("nowhere")
            for id in ["run", "r17", "other", "x18"] { #expect(try await refuse(id) == free) }
        }
    }

    /// PUT changes only features that the user can see and never creates one.
    @Test func putToUnknownIDIsNotFound() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for id in ["free", "owner:free", "r17"] {
                let path = "/collections/events/items/\(id.urlEncoded)"
                let put = try await client.send(.put, path: path, as: "stranger", #"{"habit":"other"}"#)
                #expect(put.status == 404, "\(put)")
                #expect(put.slug == "not-found", "\(put)")
            }
            #expect(try await client.send(path: "/collections/events/items/owner%3Afree", as: "operator").status == 404)
        }
    }

    /// An event that replaces a skipped day keeps the ID of the skip.
    @Test func eventInPlaceOfSkipKeepsItsID() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items"
            let skip = try await client.send(
                .post, path: path, as: "owner", #"{"habit":"run","id":"owner:skip","outcome":"skipped"}"#)
            #expect(skip.status == 201, "\(skip)")
            #expect(skip.json["id"] as? String == "owner:skip", "\(skip)")
            let done = try await client.send(.post, path: path, as: "owner", #"{"habit":"run","id":"owner:done"}"#)
            #expect(done.status == 201, "\(done)")
            #expect(done.json["id"] as? String == "owner:skip", "\(done)")
        }
    }
}
