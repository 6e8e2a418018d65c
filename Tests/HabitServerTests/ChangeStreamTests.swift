import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that streams of changes neither refuse nor delay each other.
@Suite struct ChangeStreamTests {
    /// The text that a stream has sent.
    private final class SentText: ResponseBodyWriter, Sendable {
        private let text = Mutex("")

        /// All that the stream has sent, without the comments that it sends after 15 s without a change.
        var events: String {
            text.withLock { text in text.replacing(": no change\n\n", with: "") }
        }

        func contains(_ part: String) -> Bool { text.withLock { $0.contains(part) } }

        func write(_ buffer: ByteBuffer) async throws { text.withLock { $0 += String(buffer: buffer) } }

        func finish(_ trailingHeaders: HTTPFields?) {}
    }

    /// Returns the response of a stream to a connected client.
    private static func openStream(
        of user: String,
        on fixture: ServerFixture,
        query: String = ""
    ) async throws -> Response {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        let context = ServerContext(
            source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test")))
        let head = HTTPRequest(
            method: .get, scheme: "http", authority: "localhost", path: "/changes/stream\(query)",
            headerFields: [.authorization: "Bearer \(fixture.tokens[user] ?? user)"])
        let response = try await fixture.server.router().buildResponder().respond(
            to: Request(head: head, body: RequestBody(buffer: ByteBuffer())), context: context)
        try #require(response.status == .ok)
        return response
    }

    /// More streams than the queue of other requests may contain look for a change at the same time.
    @Test func streamsThatLookAtTheSameTimeAreNotRefused() async throws {
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.queue = 1
            options.deadline = .seconds(3600)
        }
        let pool = fixture.server.store
        let gate = Gate()
        try await withThrowingTaskGroup(of: Void.self) { group in
            var sent: [SentText] = []
            for user in Scene.users {
                for _ in 0..<OpenStreams.userLimit {
                    let response = try await Self.openStream(of: user, on: fixture)
                    let text = SentText()
                    group.addTask { try await response.body.write(text) }
                    try await waitUntil("the stream has begun") { text.contains("id: ") }
                    sent.append(text)
                }
            }
            group.addTask { try await pool.read(for: .server, on: .changes) { _ in gate.wait() } }
            do {
                defer { gate.open() }
                try await gate.reached(by: 1)
                try fixture.store.write([.item("ladder", of: "owner", name: "Ladder", at: nil)])
                try await waitUntil("each stream looks for changes") { pool.load.waiting == sent.count }
            }
            for text in sent {
                try await waitUntil("the change is sent") { text.contains(#""id":"ladder""#) }
            }
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
    }

    /// A user who cannot see the changes of others gets the bytes that the user would get without these changes.
    @Test func streamSendsNothingAboutHiddenChanges() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let owner = try await Self.read(of: "owner", on: fixture, in: &group)
                let stranger = try await Self.read(of: "stranger", on: fixture, in: &group)
                let beginning = stranger.events
                for number in 1...3 {
                    let comment = "private \(number)"
                    let response = try await client.send(
                        .patch,
                        path: "/collections/events/items/r17",
                        as: "owner",
                        #"{"comment":"\#(comment)"}"#)
                    try #require(response.status == 200, "\(response)")
                    // Both streams look at the same time.
                    try await waitUntil("the owner's stream has the change") { owner.contains(comment) }
                }
                #expect(stranger.events == beginning)
                let another = try await Self.read(of: "stranger", on: fixture, in: &group)
                #expect(another.events == beginning)
                try fixture.store.write([.item("ladder", of: "owner", name: "Ladder", at: nil)])
                for stream in [stranger, another] {
                    try await waitUntil("the change is sent") { stream.contains(#""id":"ladder""#) }
                }
                #expect(stranger.events == another.events)
                #expect(stranger.events.components(separatedBy: "event: change").count == 2)
                group.cancelAll()
                while await group.nextResult() != nil {}
            }
        }
    }

    @Test func streamSendsOnlySelectedRecords() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let query = "?collections=events,items&from=2026-11-18"
            let stream = try await Self.read(of: "all", on: fixture, query: query, in: &group)
            try fixture.store.write([.habit("swim", of: "owner")])
            try fixture.store.write([.event("run", "2026-11-17", id: "r17", comment: "earlier")])
            try fixture.store.write([.event("run", "2026-11-18", id: "r18", comment: "same day")])
            try await waitUntil("the event of the first day is sent") { stream.contains("same day") }
            #expect(!stream.contains("earlier"))
            #expect(!stream.contains("swim"))
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
    }

    /// Opens a stream, and reads it until the group is canceled.
    private static func read(
        of user: String,
        on fixture: ServerFixture,
        query: String = "",
        in group: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> SentText {
        let response = try await openStream(of: user, on: fixture, query: query)
        let text = SentText()
        group.addTask { try await response.body.write(text) }
        try await waitUntil("the stream has begun") { text.contains("id: ") }
        return text
    }
}
