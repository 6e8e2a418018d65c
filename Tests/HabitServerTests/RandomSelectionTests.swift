import Base
import Foundation
import Geo
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that a client that follows the changes of a random selection has the records of a new copy of it.
@Suite(.serialized) struct RandomSelectionTests {
    private typealias Copy = ChangeFeedTests.Copy

    private static let viewers = ["owner", "all", "latest", "pending", "stranger", "operator"]

    /// A client that synchronizes after some writes.
    private struct Client {
        var user: String
        var selection: String
        var copy: Copy
    }

    /// Random choices with a reproducible sequence.
    private struct Choices {
        var random: SeededGenerator

        mutating func number(below limit: Int) -> Int {
            Int.random(in: 0..<limit, using: &random)
        }

        mutating func one<Value>(of values: [Value]) -> Value {
            values[number(below: values.count)]
        }

        /// A day from 2026-11-09 to 2026-11-20.
        mutating func day() -> String {
            let date = 9 + number(below: 12)
            return date < 10 ? "2026-11-0\(date)" : "2026-11-\(date)"
        }

        /// A position up to 4 km east of 10, 50.
        mutating func position() -> Position? {
            Position(longitude: 10 + Double(number(below: 50)) / 1000, latitude: 50)
        }

        /// The parameters of a copy.
        mutating func selection() -> String {
            let names = [
                "user", "users", "habits", "pauses", "follows", "events", "items", "claims", "messages", "posts",
            ]
            let chosen = names.filter { _ in number(below: 3) > 0 }
            let selected = chosen.isEmpty ? names : chosen
            var parts = ["collections=" + selected.joined(separator: ",")]
            let hasDays = selected.contains("events") || selected.contains("posts")
            if hasDays, number(below: 4) > 0 {
                parts.append("from=\(day())")
            }
            if selected.contains("items"), number(below: 4) > 0 {
                parts.append("near=10,50&within=\(number(below: 3000))m")
            }
            return parts.joined(separator: "&")
        }
    }

    // MARK: Writes

    /// A record that a load writes.
    private static func record(_ choices: inout Choices) -> Record {
        let number = choices.number(below: 6)
        switch choices.number(below: 5) {
        case 0:
            let habit = choices.one(of: ["run", "read", "other", "mine"])
            return .event(habit, choices.day(), id: "\(habit)-\(number)", at: choices.position())
        case 1:
            let owner = number % 2 == 0 ? "owner" : "stranger"
            return .item("item-\(number)", of: owner, name: "Item", at: choices.position())
        case 2:
            var post = PostRecord(id: "post-\(number)", user: number % 2 == 0 ? "owner" : "stranger")
            // Without a UTC offset, the day of the post depends on the time zone of its owner.
            let instant = OffsetInstant("\(choices.day())T13:00:00Z")
            post.postedAt = instant.map { instant in .value(instant) } ?? .absent
            return .post(post)
        case 3:
            let status = choices.one(of: [FollowStatus.accepted, .pending, .rejected])
            let share = choices.one(of: [Share.all, .latest])
            return .follow(choices.one(of: ["latest", "pending"]), "owner", status: status, share: share)
        default:
            let zone = choices.one(of: ["UTC", "Pacific/Kiritimati", "America/Los_Angeles"])
            return .user(choices.one(of: ["owner", "stranger"]), zone: zone)
        }
    }

    /// A change that a user sends, which the server may refuse.
    private struct SentChange {
        var user: String
        var method: HTTPRequest.Method
        var path: String
        var body: String?
    }

    private static func change(_ choices: inout Choices) -> SentChange {
        let number = choices.number(below: 6)
        switch choices.number(below: 6) {
        case 0:
            return SentChange(user: "owner", method: .delete, path: "/collections/events/items/run-\(number)")
        case 1:
            return SentChange(user: "owner", method: .delete, path: "/collections/posts/items/post-\(number)")
        case 2:
            return SentChange(user: "owner", method: .delete, path: "/collections/items/items/item-\(number)")
        case 3:
            let claim = #"{"item":"item-\#(number)"}"#
            let user = choices.one(of: ["all", "latest"])
            return SentChange(user: user, method: .post, path: "/collections/claims/items", body: claim)
        case 4:
            let path = "/collections/claims/items/item-\(number)%2Fall"
            return SentChange(user: "all", method: .delete, path: path)
        default:
            let places = choices.one(of: [#""50.0,10.0 1km home""#, "null"])
            let body = #"{"name":"Name \#(number)","private_places":\#(places)}"#
            return SentChange(user: "owner", method: .patch, path: "/user", body: body)
        }
    }

    private static func write(
        to fixture: ServerFixture,
        by client: ServerClient,
        _ choices: inout Choices
    ) async throws {
        guard choices.number(below: 3) == 0 else {
            let record = record(&choices)
            // A habit has one event for each day, so that some events cannot move.
            try? fixture.store.write([record])
            return
        }
        let change = change(&choices)
        try await client.send(change.method, path: change.path, as: change.user, change.body)
    }

    // MARK: Copies

    private static func newClient(
        of user: String,
        _ client: ServerClient,
        _ choices: inout Choices
    ) async throws -> Client {
        var copy = Copy()
        copy.selection = choices.selection()
        let limit = 1 + choices.number(below: 9)
        try await copy.synchronize(client, as: user, limit: limit)
        return Client(user: user, selection: copy.selection, copy: copy)
    }

    /// Synchronizes a client and compares its copy with a new one.
    private static func requireSame(
        _ device: inout Client,
        on client: ServerClient,
        _ choices: inout Choices
    ) async throws {
        let limit = 1 + choices.number(below: 9)
        try await device.copy.synchronize(client, as: device.user, limit: limit)
        var copy = Copy()
        copy.selection = device.selection
        try await copy.synchronize(client, as: device.user)
        #expect(device.copy == copy, "\(device.user) \(device.selection)")
        // The next difference is reported for itself.
        device.copy = copy
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func followedChangesLeadToNewCopy(seed: UInt64) async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            var choices = Choices(random: SeededGenerator(seed: seed))
            var devices: [Client] = []
            for user in Self.viewers + Self.viewers {
                devices.append(try await Self.newClient(of: user, client, &choices))
            }
            for _ in 0..<12 {
                for _ in 0..<choices.number(below: 8) {
                    try await Self.write(to: fixture, by: client, &choices)
                }
                for index in devices.indices where choices.number(below: 3) > 0 {
                    try await Self.requireSame(&devices[index], on: client, &choices)
                }
            }
        }
    }
}
