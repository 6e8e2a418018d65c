import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitServer

@Suite(.serialized) struct DatetimeTests {
    /// Instants are compared with `datetime`.
    ///
    /// A record without an instant matches (OGC API - Features, 7.15.4).
    @Test func datetimeSelectsFollowsClaimsAndMessages() async throws {
        func at(_ text: String) -> FieldInput<OffsetInstant> { OffsetInstant(text).map { .value($0) } ?? .absent }
        var records = ServerFixture.records()
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
            (message.id, message.sentAt) = ("\(user)-message", at(instant))
            records.append(.message(message))
        }
        records.append(.item("timeless-item", of: "stranger", name: "Chair", at: nil))
        records.append(.claim(ClaimRecord(item: "timeless-item", user: "all")))
        try await ServerFixture(records: records).run { client in
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
