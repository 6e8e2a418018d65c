import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitServer

@Suite(.serialized) struct DatetimeTests {
    /// Messages are listed oldest first, as on the command line; a page that is newest first has the reverse order.
    @Test func messageListIsSortedAndLimitedToParticipants() async throws {
        var records = Scene.friends
        records.append(.item("chair", of: "stranger", name: "Chair", at: nil))
        for (id, item, instant) in [
            ("b", "sofa", "2026-11-02T10:00:00Z"), ("a", "chair", "2026-11-03T10:00:00Z"),
            ("c", "sofa", "2026-11-01T10:00:00Z"), ("d", "sofa", nil),
        ] {
            var message = MessageRecord(item: item, sender: "all", recipient: "stranger", text: "hello")
            message.id = id
            message.sentAt = instant.flatMap { OffsetInstant($0) }.map { .value($0) } ?? .absent
            records.append(.message(message))
        }
        try await ServerFixture(records).run { client in
            let path = "/collections/messages/items"
            #expect(try await client.send(path: path, as: "all").ids == ["d", "c", "b", "a"])
            #expect(try await client.send(path: path + "?sortby=%2Btime", as: "all").ids == ["d", "c", "b", "a"])
            #expect(try await client.send(path: path + "?sortby=-time", as: "all").ids == ["a", "b", "c", "d"])
            #expect(try await client.send(path: path + "?item=sofa", as: "all").ids == ["d", "c", "b"])
            var ids: [String] = []
            var next: String? = path + "?limit=1"
            while let page = next, ids.count < 9 {
                let response = try await client.send(path: page, as: "all")
                ids += response.ids
                next = response.link("next").flatMap { URLComponents(string: $0) }.map {
                    $0.path + "?" + ($0.percentEncodedQuery ?? "")
                }
            }
            #expect(ids == ["d", "c", "b", "a"], "pages have the same order")
            for query in ["", "?item=sofa", "?user=stranger"] {
                #expect(try await client.send(path: path + query, as: "latest").ids.isEmpty, "\(query)")
            }
        }
    }

    @Test func followsAreFilteredByStatus() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/follows/items?status="
            let pending = try await client.send(path: path + "pending", as: "owner")
            #expect(pending.ids == ["pending/owner"], "\(pending)")
            #expect(try await client.send(path: path + "accepted", as: "owner").ids == ["all/owner", "latest/owner"])
            #expect(try await client.send(path: path + "lost", as: "owner").field == "status")
        }
    }

    /// An item or a post without an instant matches, in lists, clusters and near a position (rule R-10).
    @Test(arguments: ["items", "posts"]) func datetimeSelectsRecordsWithoutInstant(collection: String) async throws {
        let place = try #require(Position(longitude: 10, latitude: 50))
        var records = Scene.friends
        for (id, instant) in [("in", "2026-11-15T10:00:00Z"), ("out", "2026-11-16T10:00:00Z"), ("timeless", nil)] {
            let at = instant.flatMap { OffsetInstant($0) }.map { FieldInput.value($0) } ?? .absent
            var item = ItemRecord(id: id, user: "owner", name: id)
            item.postedAt = at
            item.position = .value(place)
            var post = PostRecord(id: id, user: "owner")
            post.postedAt = at
            post.position = .value(place)
            records.append(collection == "items" ? .item(item) : .post(post))
        }
        try await ServerFixture(records).run { client in
            let list = "/collections/\(collection)/items"
            for query in ["2026-11-15", "2026-11-15T00:00:00Z/2026-11-16T00:00:00Z"] {
                let found = try await client.send(path: "\(list)?datetime=\(query)", as: "owner")
                #expect(Set(found.ids) == ["in", "timeless"], "\(query): \(found)")
                #expect(found.json["numberMatched"] as? Int == 2)
                let near = try await client.send(
                    path: "/near?near=10,50&within=10m&kind=\(collection)&datetime=\(query)", as: "owner")
                #expect(Set(near.ids) == ["in", "timeless"], "\(query): \(near)")
                let clusters = try await client.send(path: "\(list)?cluster=20&datetime=\(query)", as: "owner")
                let counts = clusters.features.compactMap { ($0["properties"] as? [String: Any])?["count"] as? Int }
                #expect(counts.reduce(0, +) == 2, "\(query): \(clusters)")
            }
        }
    }

    /// Instants are compared with `datetime`.
    ///
    /// A record without an instant matches (OGC API - Features, 7.15.4).
    @Test func datetimeSelectsFollowsClaimsAndMessages() async throws {
        func at(_ text: String) -> FieldInput<OffsetInstant> { OffsetInstant(text).map { .value($0) } ?? .absent }
        var records = Scene.friends
        for (user, instant) in [("all", "2026-11-01T10:00:00Z"), ("latest", "2026-11-02T10:00:00Z")] {
            var follow = FollowRecord(follower: user, followee: "stranger")
            follow.requestedAt = at(instant)
            records.append(.follow(follow))
            let item = "\(user)-item"
            records.append(.item(item, of: "stranger", name: item, at: nil))
            var claim = ClaimRecord(item: item, user: user)
            claim.claimedAt = at(instant)
            records.append(.claim(claim))
            var message = MessageRecord(item: item, sender: user, recipient: "stranger", text: "hello")
            message.id = "\(user)-message"
            message.sentAt = at(instant)
            records.append(.message(message))
        }
        records.append(.item("timeless-item", of: "stranger", name: "Chair", at: nil))
        records.append(.claim(ClaimRecord(item: "timeless-item", user: "all")))
        try await ServerFixture(records).run { client in
            for (query, count) in [
                ("2026-11-01T10:00:00Z", 1), ("2026-11-01T10:00:01Z", 0), ("2026-11-02T00:00:00Z/..", 1),
                ("../2026-11-02T10:00:00Z", 2), ("2026-11-02", 1), ("2026-11-01T/2026-11-02T", 2), ("../..", 2),
            ] {
                for (collection, timeless) in [("follows", 0), ("claims", 1), ("messages", 0)] {
                    let path = "/collections/\(collection)/items?datetime=\(query)"
                    let response = try await client.send(path: path, as: "stranger")
                    #expect(response.ids.count == count + timeless, "\(path): \(response)")
                    #expect(response.json["numberMatched"] as? Int == count + timeless, "\(path)")
                }
            }
        }
    }
}
