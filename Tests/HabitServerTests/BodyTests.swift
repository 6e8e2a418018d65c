import HTTPTypes
import HabitStore
import HabitTestSupport
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of which request bodies the server reads and how much memory they use.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct BodyTests {
    /// A body that throws if it is read.
    ///
    /// The server then returns 500.
    private struct UnreadableBody: AsyncSequence, Sendable {
        struct WasRead: Error {}

        struct AsyncIterator: AsyncIteratorProtocol {
            mutating func next() async throws -> ByteBuffer? { throw WasRead() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    private struct RefusedRequest: CustomTestStringConvertible, Sendable {
        var status: Int
        var method: HTTPRequest.Method
        var path: String
        var user: String?
        var fields: HTTPFields = [:]
        var testDescription: String { "\(status) \(method) \(path) \(user ?? "-") \(fields)" }
    }

    private static let old: HTTPFields = [.ifMatch: "\"old\""]

    private static let refused: [RefusedRequest] = [
        RefusedRequest(status: 404, method: .put, path: "events/items/nothing/photo?shrink=true", user: "owner"),
        RefusedRequest(status: 404, method: .put, path: "events/items/x18/photo", user: "owner"),
        RefusedRequest(status: 404, method: .put, path: "habits/items/run/photo", user: "owner"),
        RefusedRequest(status: 403, method: .put, path: "events/items/r17/photo", user: "all"),
        RefusedRequest(status: 412, method: .put, path: "events/items/r17/photo", user: "owner", fields: old),
        RefusedRequest(status: 401, method: .put, path: "events/items/r17/photo"),
        RefusedRequest(status: 403, method: .put, path: "events/items/r17/photo", user: "operator"),
        RefusedRequest(status: 404, method: .patch, path: "events/items/nothing", user: "owner"),
        RefusedRequest(status: 403, method: .put, path: "events/items/r17", user: "all"),
        RefusedRequest(status: 412, method: .patch, path: "events/items/r17", user: "owner", fields: old),
        RefusedRequest(status: 412, method: .patch, path: "follows/items/all%2Fowner", user: "owner", fields: old),
        RefusedRequest(status: 404, method: .patch, path: "follows/items/all%2Fowner", user: "stranger"),
        RefusedRequest(status: 401, method: .post, path: "events/items"),
        RefusedRequest(status: 403, method: .post, path: "events/items", user: "operator"),
        RefusedRequest(status: 405, method: .post, path: "located-events/items", user: "owner"),
        RefusedRequest(status: 404, method: .post, path: "nothing/items", user: "owner"),
        RefusedRequest(
            status: 413, method: .put, path: "events/items/r17/photo", user: "owner",
            fields: [.contentLength: "65537"]),
    ]

    private func response(_ request: RefusedRequest, _ fixture: ServerFixture) async throws -> Response {
        var fields = request.fields
        if let user = request.user { fields[.authorization] = "Bearer \(fixture.tokens[user] ?? user)" }
        let head = HTTPRequest(
            method: request.method, scheme: "http", authority: "localhost", path: "/collections/\(request.path)",
            headerFields: fields)
        let context = ServerContext(
            source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: Logger(label: "test")))
        return try await fixture.server.router().buildResponder().respond(
            to: Request(head: head, body: RequestBody(asyncSequence: UnreadableBody())), context: context)
    }

    @Test(arguments: refused) private func refusedRequestKeepsBodyUnread(_ request: RefusedRequest) async throws {
        #expect(try await response(request, ServerFixture.shared).status.code == request.status)
    }

    @Test func permittedRequestHasBodyRead() async throws {
        let request = RefusedRequest(status: 500, method: .put, path: "events/items/r17/photo", user: "owner")
        #expect(try await response(request, ServerFixture(Scene.friends)).status.code == request.status)
    }

    @Test(arguments: [(100, 1 << 20, 503), (1 << 20, 100, 429)])
    func bodyAboveMemoryLimitIsRefusedUnread(all: Int, each: Int, status: Int) async throws {
        let fixture = try await ServerFixture(Scene.friends) {
            ($0.bodyMemory, $0.bodyMemoryPerUser) = (all, each)
        }
        for declared in ["150", nil] {
            var request = RefusedRequest(status: status, method: .put, path: "events/items/r17/photo", user: "owner")
            request.fields[.contentLength] = declared
            let response = try await response(request, fixture)
            #expect(response.status.code == status, "\(response.headers)")
            #expect(response.headers[.retryAfter] == "1", "\(response.headers)")
        }
        #expect(fixture.server.services.bodies.records.reserved == 0)
    }

    @Test func recordsAreStoredWhileUploadsUseAllTheirMemory() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        let server = fixture.server
        let memory = server.options.bodyMemoryPerUser
        try await server.services.bodies.uploads.reserving(memory, for: Viewer.user(key: 0, id: "owner").name) {
            try await fixture.run { client in
                let body = #"{"title":"Swim","days":"mon"}"#
                let response = try await client.send(.post, path: "/collections/habits/items", as: "owner", body)
                #expect(response.status == 201, "\(response)")
            }
        }
    }

    @Test func memoryIsSharedAndReleased() async throws {
        let budget = BodyBudget(limit: 10, requesterLimit: 6)
        func status(_ count: Int, _ holder: String) async throws -> Int {
            do {
                return try await budget.reserving(count, for: holder) { 200 }
            } catch let problem as Problem {
                return problem.status.code
            }
        }
        let statuses = try await budget.reserving(6, for: "a") {
            [try await status(1, "a"), try await status(5, "b"), try await status(4, "b")]
        }
        #expect(statuses == [429, 503, 200])
        #expect(budget.reserved == 0)
        await #expect(throws: UnreadableBody.WasRead.self) {
            try await budget.reserving(6, for: "a") { throw UnreadableBody.WasRead() }
        }
        #expect(try await status(6, "a") == 200)
    }
}
