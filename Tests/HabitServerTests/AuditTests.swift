import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of the audit log of follows.
///
/// ``SignInTests`` covers accounts and tokens.
@Suite(.engineIndependent, .serialized) struct AuditTests {
    @Test func changesOfFollowsAreAudited() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in options.audit = { lines.add($0) } }
        try await fixture.run { client in
            let list = "/collections/follows/items"
            let path = list + "/stranger%2Fowner"
            let accepted = #"{"status":"accepted","share":"latest"}"#
            let event = #"{"habit":"run","comment":"audited?"}"#
            var statuses: [Int] = []
            for (method, path, user, body) in [
                (.post, list, "stranger", #"{"followee":"owner"}"#),
                (.post, list, "stranger", #"{"followee":"owner"}"#),
                (.patch, path, "owner", accepted), (.delete, path, "stranger", nil),
                (.post, "/collections/events/items", "owner", event),
            ] as [(HTTPRequest.Method, String, String, String?)] {
                statuses.append(try await client.send(method, path: path, as: user, body).status)
            }
            #expect(statuses == [201, 409, 200, 204, 201])
        }
        let entries = lines.entries
        #expect(
            entries.map { $0["action"] as? String } == ["follow.create", "follow.update", "follow.delete"],
            "\(lines.all)")
        #expect(entries.map { $0["user"] as? String } == ["stranger", "owner", "stranger"])
        #expect(entries.allSatisfy { $0["follow"] as? String == "stranger/owner" })
        #expect(entries.allSatisfy { $0["log"] as? String == "audit" })
        try #require(entries[1]["status"] as? String == "accepted")
        #expect(entries[1]["share"] as? String == "latest")
    }
}
