import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreEngine
import Synchronization

/// The route of a stream of changes as server-sent events (HTML, section 9.2).
///
/// A stream is not subject to the deadline of requests. Between two changes it occupies no thread and no connection to
/// the store.
extension HabitatServer {
    /// The interval at which a stream looks for changes, also of other programs, and at which it sends a comment.
    private static let interval: Duration = .seconds(1)
    private static let heartbeat: Duration = .seconds(15)

    func streamChanges(_ request: Request, _ context: HabitContext) async throws -> Response {
        let caller = try await authenticator.caller(of: request)
        let viewer = try caller.viewer()
        let parameters = try RequestParameters(request, known: [Self.since])
        let field = request.headers[.lastEventID] == nil ? Self.since : HTTPField.Name.lastEventID.rawName
        let text = request.headers[.lastEventID] ?? parameters[Self.since]
        let clock = options.clock()
        let token = try await pool.read(for: Requester(viewer)) { session in
            var token = try Self.token(text, field: field, at: clock, in: session)
            // A client that sends no token wants only the changes from now on.
            if text == nil { token.after = try ChangeFeed.last(in: session) }
            return token
        }
        let headers: HTTPFields = [
            .contentType: MediaType.eventStream.text, .cacheControl: "no-store", .vary: "Authorization",
        ]
        if request.method == .head { return Response(status: .ok, headers: headers) }
        let place = try streams.open(for: viewer.name)
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { [self] writer in
                var stream = ChangeStream(server: self, viewer: viewer, token: token, channel: context.channel)
                while !Task.isShuttingDownGracefully, context.channel.isActive,
                    (try? await authenticator.caller(of: request)) == caller
                {
                    try await stream.sendChanges(to: &writer)
                    if stream.isQuiet(for: Self.heartbeat) { try await stream.send(": no change\n\n", to: &writer) }
                    try await Task.sleep(for: Self.interval)
                }
                try await writer.finish(nil)
                withExtendedLifetime(place) {}
            })
    }
}

/// The state of one stream.
private struct ChangeStream {
    let server: HabitatServer
    let viewer: Viewer
    var token: ChangeToken
    let channel: any Channel
    /// The state of the store at the last look; `nil` before the first.
    private var seen: StoreState?
    private var lastSent: ContinuousClock.Instant?

    init(server: HabitatServer, viewer: Viewer, token: ChangeToken, channel: any Channel) {
        (self.server, self.viewer, self.token, self.channel) = (server, viewer, token, channel)
    }

    func isQuiet(for time: Duration) -> Bool { lastSent.map { $0.duration(to: .now) >= time } ?? true }

    /// Sends what has changed since the last call.
    ///
    /// If the store is busy, the next call tries again.
    mutating func sendChanges(to writer: inout any ResponseBodyWriter) async throws {
        let state = try server.pool.state()
        guard state != seen else { return }
        do {
            repeat {
                let (token, clock) = (token, server.options.clock())
                let viewer = viewer
                let page = try await server.pool.read(for: Requester(viewer)) { session in
                    try ChangePage(after: token, for: viewer, limit: 100, clock: clock, in: session)
                }
                try await send(page, to: &writer)
                self.token = page.token
            } while token.rest != nil
            seen = state
        } catch is OverloadError {
        } catch let error as HabitError where [.timeout, .busy].contains(error.code) {
        }
    }

    /// Sends one event for each entry. The last event has the token as its ID, from which the client resumes.
    private mutating func send(_ page: ChangePage, to writer: inout any ResponseBodyWriter) async throws {
        guard !page.entries.isEmpty else { return }
        var text: [UInt8] = []
        for (index, entry) in page.entries.enumerated() {
            text += Array("event: change\ndata: ".utf8) + entry
            if index == page.entries.count - 1 { text += Array("\nid: \(page.token.text)".utf8) }
            text += Array("\n\n".utf8)
        }
        try await send(ByteBuffer(bytes: text), to: &writer)
    }

    mutating func send(_ text: String, to writer: inout any ResponseBodyWriter) async throws {
        try await send(ByteBuffer(string: text), to: &writer)
    }

    /// Writes a block, and closes the connection of a client that does not accept it in time.
    private mutating func send(_ block: ByteBuffer, to writer: inout any ResponseBodyWriter) async throws {
        let channel = channel
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(server.options.patience)) {
            channel.close(promise: nil)
        }
        defer { timer.cancel() }
        try await writer.write(block)
        lastSent = .now
    }
}

/// The open streams of each user.
final class OpenStreams: Sendable {
    /// The maximum number of streams of one user, and of all users.
    private static let userLimit = 8
    private let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(limit: Int) { self.limit = limit }

    /// A stream that is counted until the object is deallocated.
    final class Place: Sendable {
        private let streams: OpenStreams
        private let user: String

        fileprivate init(_ streams: OpenStreams, _ user: String) { (self.streams, self.user) = (streams, user) }

        deinit { streams.close(user) }
    }

    /// Counts a new stream.
    ///
    /// - Throws: ``Problem`` with status 429 if the user has too many streams, and with status 503 if the server has.
    func open(for user: String) throws -> Place {
        try counts.withLock { counts in
            guard counts.values.reduce(0, +) < limit else { throw OverloadError() }
            guard counts[user, default: 0] < Self.userLimit else {
                throw Problem(
                    .tooManyRequests, "too-many-requests",
                    "you have \(Self.userLimit) open streams: close one of them first", headers: [.retryAfter: "15"])
            }
            counts[user, default: 0] += 1
        }
        return Place(self, user)
    }

    private func close(_ user: String) {
        counts.withLock { counts in
            counts[user] = counts[user].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
    }

    /// The number of open streams.
    var count: Int { counts.withLock { $0.values.reduce(0, +) } }
}
