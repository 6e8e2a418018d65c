import Base
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
        // An empty ID stands for no ID.
        let header = request.headers[.lastEventID].flatMap { $0.isEmpty ? nil : $0 }
        let field = header == nil ? Self.since : HTTPField.Name.lastEventID.rawName
        let text = header ?? parameters[Self.since]
        let clock = options.clock()
        let token = try await pool.read(for: Requester(viewer)) { session in
            var token = try Self.token(text, field: field, for: viewer, at: clock, in: session)
            // A client that sends no token wants only the changes from now on.
            if text == nil { try token.finish(at: ChangeFeed.last(in: session), in: session) }
            return token
        }
        let headers: HTTPFields = [
            .contentType: MediaType.eventStream.text, .cacheControl: "no-store", .vary: "Authorization",
        ]
        if request.method == .head { return Response(status: .ok, headers: headers) }
        let place = try streams.open(for: viewer.name)
        let end = StreamEnd { [streams] in streams.close(place, of: viewer.name) }
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { [self] writer in
                var stream = ChangeStream(server: self, viewer: viewer, token: token, channel: context.channel)
                // A client that disconnects before the first change can resume.
                try await stream.send("id: \(token.text)\n\n", to: &writer)
                while !Task.isShuttingDownGracefully, context.channel.isActive, !place.isEnded {
                    do {
                        guard try await authenticator.caller(of: request, on: .changes) == caller else { break }
                        try await stream.sendChanges(to: &writer)
                    } catch is Problem {
                        // The token is no longer valid.
                        break
                    } catch let error as HabitError where [.timeout, .busy].contains(error.code) {
                        // The store is busy, so the next look tries again.
                    }
                    if stream.isQuiet(for: Self.heartbeat) { try await stream.send(": no change\n\n", to: &writer) }
                    try await Task.sleep(for: Self.interval)
                }
                withExtendedLifetime(end) {}
                try await writer.finish(nil)
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

    /// Sends the changes since the last call.
    ///
    /// After an error, the next call tries again.
    mutating func sendChanges(to writer: inout any ResponseBodyWriter) async throws {
        let state = try server.pool.recentState()
        guard state != seen else { return }
        repeat {
            let (token, clock) = (token, server.options.clock())
            let viewer = viewer
            let page = try await server.pool.read(for: Requester(viewer), on: .changes) { session in
                try ChangePage(after: token, for: viewer, limit: 100, clock: clock, in: session)
            }
            try await send(page, to: &writer)
            self.token = page.token
        } while token.rest != nil
        seen = state
    }

    /// Sends one event for each entry.
    ///
    /// The last event has the token as its ID, from which the client resumes.
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
    /// The maximum number of streams of one user.
    static let userLimit = 8

    private let limit: Int
    private let places = Mutex<[String: [Place]]>([:])

    /// Creates a register for at most `limit` streams of all users.
    init(limit: Int) { self.limit = limit }

    /// A stream that is counted until it ends.
    final class Place: Sendable {
        private let ended = Atomic(false)

        /// Whether the stream must end, because the user has opened too many others.
        var isEnded: Bool { ended.load(ordering: .relaxed) }

        fileprivate func end() { ended.store(true, ordering: .relaxed) }
    }

    /// Counts a new stream, and ends the oldest stream of a user who has too many.
    ///
    /// The server notices a disconnected client only when it sends the next comment, so the oldest stream may be such.
    ///
    /// - Throws: `OverloadError` if the server has too many streams.
    func open(for user: String) throws -> Place {
        try places.withLock { places in
            guard places.values.reduce(0, { $0 + $1.count }) < limit else { throw OverloadError() }
            var own = places[user] ?? []
            while own.count >= Self.userLimit { own.removeFirst().end() }
            let place = Place()
            places[user] = own + [place]
            return place
        }
    }

    /// Ends the count of a stream.
    func close(_ place: Place, of user: String) {
        places.withLock { places in
            places[user]?.removeAll { $0 === place }
            if places[user]?.isEmpty == true { places[user] = nil }
        }
    }
}

/// Ends the count of a stream when the response is deallocated, also if its body is never written.
private final class StreamEnd: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
