import Base
import Foundation
import Geo
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Hummingbird
import HummingbirdTesting
import NIOCore
import StoreEngine
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// A server with its own store, on Friday, 2026-11-20, at noon in UTC.
final class ServerFixture: Sendable {
    static let clock = Clock(now: OffsetInstant("2026-11-20T12:00:00Z").map(\.instant) ?? .now)
    static let operatorToken = String(repeating: "0f", count: 32)
    /// A year, so that tests can set the clock forward.
    private static let tokenLifetime = Duration.seconds(365 * 86_400)

    let store: TestStore
    let server: HabitatServer
    let tokens: [String: String]
    private let permit: Permit

    /// Creates a server whose store has the records of a ``Scene`` and of the test.
    convenience init(
        _ records: [Record], permits: Permits = .servers, _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws {
        let permit = await permits.permit()
        let store = try TestStore()
        try store.write(records)
        try self.init(store, users: Scene.users, permit: permit, change)
    }

    /// Creates a server with a copy of the store on which the command line is tested.
    convenience init(
        _ template: StoreTemplate, permits: Permits = .servers, _ change: (inout ServerOptions) -> Void = { _ in }
    ) async throws {
        let permit = await permits.permit()
        try await self.init(TestStore(copyOf: template), users: template.users, permit: permit, change)
    }

    private init(
        _ store: TestStore, users: [String], permit: Permit, _ change: (inout ServerOptions) -> Void
    ) throws {
        self.store = store
        self.permit = permit
        var options = Self.options
        change(&options)
        server = try Self.server(of: store, options)
        tokens = try store.engine.write { session in
            let actions = TokenActions(clock: options.clock(), in: session)
            var tokens = ["operator": Self.operatorToken]
            for user in users {
                let owner = try Viewer.user(named: user, in: session)
                tokens[user] = try actions.create(for: owner, label: "test", lifetime: Self.tokenLifetime).secret
            }
            return tokens
        }
    }

    private static var options: ServerOptions {
        var options = ServerOptions()
        options.operatorToken = operatorToken
        // One reader per server limits open files, because tests run in parallel.
        options.requestsPerSecond = nil
        options.readers = 1
        // A busy machine may need longer for a request than the usual deadline.
        options.deadline = .seconds(3600)
        options.clock = { clock }
        // The limits on refused credentials do not end during a test, even on a slow machine.
        options.steadyClock = { [now = ContinuousClock.now] in now }
        return options
    }

    private static func server(of store: TestStore, _ options: ServerOptions) throws -> HabitatServer {
        let location = store.location
        return try HabitatServer(options) { writes in
            try location.open(writes ? .write : .read, wait: .seconds(5))
        }
    }

    /// Creates another server of the same store.
    ///
    /// - Parameter opened: A closure that receives each connection of the server before its first request.
    /// - Returns: The server.
    /// - Throws: The error thrown by `opened`, or an error of the engine.
    func copy(_ opened: (any Engine) throws -> Void) throws -> HabitatServer {
        let location = store.location
        return try HabitatServer(Self.options) { writes in
            let engine = try location.open(writes ? .write : .read, wait: .seconds(5))
            try opened(engine)
            return engine
        }
    }

    /// Returns a server without records and users, for tests of its document.
    static func emptyServer() throws -> HabitatServer { try server(of: TestStore(), options) }

    /// Runs `test` with a client of the server, or of another of its routers.
    func run(
        _ router: Router<ServerContext>? = nil, _ test: @escaping @Sendable (ServerClient) async throws -> Void
    ) async throws {
        let tokens = tokens
        let server = server
        try await Application(router: router ?? server.router()).test(.router) { client in
            try await test(ServerClient(client: client, tokens: tokens, server: server))
        }
    }
}

/// A client of a server under test.
struct ServerClient: Sendable {
    let client: any TestClientProtocol
    let tokens: [String: String]
    /// The server, whose document contains the names that errors may mention; `nil` for the default document.
    var server: HabitatServer?

    /// Sends a request.
    ///
    /// `user` is a name of ``Scene/users``, `operator` or a token; `nil` sends no token.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method = .get, path: String, as user: String? = nil, _ body: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> ServerResponse {
        try await send(method, path: path, as: user, bytes: body.map { Array($0.utf8) }, headers: headers)
    }

    func send(
        _ method: HTTPRequest.Method, path: String, as user: String?, bytes: [UInt8]?, headers: HTTPFields = [:]
    ) async throws -> ServerResponse {
        var headers = headers
        if let user { headers[.authorization] = "Bearer \(tokens[user] ?? user)" }
        let response = try await client.execute(
            uri: path, method: method, headers: headers, body: bytes.map { ByteBuffer(bytes: $0) })
        let result = ServerResponse(response)
        if result.status >= 400 {
            var texts = [path, path.removingPercentEncoding ?? ""] + headers.map { "\($0.name): \($0.value)" }
            // The requester knows their own ID.
            if let user { texts.append(user) }
            try checkNames(in: result, to: texts + [String(decoding: bytes ?? [], as: UTF8.self)])
        }
        return result
    }
}

extension ServerClient {
    /// Checks that an error names only parameters and members of the server, or texts of the request.
    private func checkNames(in response: ServerResponse, to request: [String]) throws {
        guard let unknown = try DocumentedNames.shared.get().unknownNames(in: response, to: request).first else {
            return
        }
        // Only the document of the server itself has the parameters of custom reports.
        let isKnown = server.map { DocumentedNames(of: $0).unknownNames(in: response, to: request).isEmpty } ?? false
        #expect(isKnown, "'\(unknown)' is neither documented nor in the request: \(response)")
    }
}

struct ServerResponse: CustomStringConvertible, Sendable {
    let status: Int
    let headers: HTTPFields
    let body: [UInt8]
    /// The body as a JSON object, or an empty dictionary if it is not one.
    nonisolated(unsafe) let json: [String: Any]

    init(_ response: TestResponse) {
        status = response.status.code
        headers = response.headers
        body = Array(response.body.readableBytesView)
        let isJSON = response.headers[.contentType]?.contains("json") == true
        let document = isJSON ? try? JSONSerialization.jsonObject(with: Data(body)) : nil
        json = document as? [String: Any] ?? [:]
    }

    var text: String { String(decoding: body, as: UTF8.self) }
    var description: String { "\(status) \(text.prefix(600))" }
    var type: String? { headers[.contentType] }
    var tag: String { headers[.eTag] ?? "" }

    var slug: String? { json["slug"] as? String }
    var field: String? { json["field"] as? String }
    var features: [[String: Any]] { json["features"] as? [[String: Any]] ?? [] }
    var ids: [String] { features.compactMap { $0["id"] as? String } }
    var properties: [String: Any] { json["properties"] as? [String: Any] ?? [:] }

    func link(_ rel: String) -> String? {
        let links = json["links"] as? [[String: Any]]
        let match = links?.first { link in link["rel"] as? String == rel }
        return match?["href"] as? String
    }
}

extension Record {
    static func event(
        _ habit: String, _ day: String, id: String, at: String? = nil, comment: String? = nil, position: Position? = nil
    ) -> Record {
        var event = EventRecord(habit: habit)
        event.id = id
        event.day = Day(day)
        event.at = at.flatMap { OffsetInstant($0) }.map { .value($0) } ?? .absent
        event.details.comment = comment.map { .value($0) } ?? .absent
        event.details.position = position.map { .value($0) } ?? .absent
        return .event(event)
    }

    static func item(_ id: String, of user: String, name: String, at position: Position?) -> Record {
        var item = ItemRecord(id: id, user: user, name: name)
        item.postedAt = OffsetInstant("2026-11-10T10:00:00Z").map { .value($0) } ?? .absent
        item.position = position.map { .value($0) } ?? .absent
        return .item(item)
    }

    static func post(_ id: String, of user: String, caption: String, at position: Position?) -> Record {
        var post = PostRecord(id: id, user: user)
        post.caption = .value(caption)
        post.postedAt = OffsetInstant("2026-11-11T10:00:00Z").map { .value($0) } ?? .absent
        post.position = position.map { .value($0) } ?? .absent
        return .post(post)
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ text: String = "2026-11-20T12:00:00Z") { instant = Mutex(Self.instant(text)) }

    var now: Clock { Clock(now: instant.withLock { $0 }) }

    func set(_ text: String) { instant.withLock { $0 = Self.instant(text) } }

    func advance(by seconds: Int64) {
        instant.withLock { $0 = Instant(microseconds: $0.microseconds + seconds * 1_000_000) }
    }

    private static func instant(_ text: String) -> Instant { OffsetInstant(text).map(\.instant) ?? .now }
}

/// Collects the lines of a log.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
    var entries: [[String: Any]] {
        all.map { (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) ?? [:] }
    }
}

extension HabitatServer {
    /// The document at `/api` with the shipped and the custom reports.
    var apiDocument: APIDocument {
        APIDocument(
            routes: routes,
            publicCollections: options.publicCollections,
            base: "http://localhost")
    }
}
