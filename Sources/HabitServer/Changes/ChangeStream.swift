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
        let start = try await streamStart(request, for: viewer)
        let headers: HTTPFields = [
            .contentType: MediaType.eventStream.text,
            .cacheControl: "no-store",
            .vary: "Authorization",
        ]
        if request.method == .head { return Response(status: .ok, headers: headers) }
        let place = try streams.open(for: viewer.name)
        let end = StreamEnd { [streams] in streams.close(place, of: viewer.name) }
        let body = ResponseBody { [self] writer in
            var stream = ChangeStream(server: self, viewer: viewer, token: start.token, channel: context.channel)
            // A client that disconnects before the first change can resume.
            try await stream.send("id: \(start.text)\n\n", to: &writer)
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
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The position at which a stream begins.
    private struct StreamStart: Sendable {
        var token: ChangeToken
        /// The text of the token.
        var text: String
    }

    /// Returns the position of the client, or the newest change if the client sends no token.
    private func streamStart(_ request: Request, for viewer: Viewer) async throws -> StreamStart {
        let parameters = try RequestParameters(request, known: [Self.since])
        var text = parameters[Self.since]
        var field = Self.since
        // An empty ID stands for no ID.
        if let header = request.headers[.lastEventID], !header.isEmpty {
            text = header
            field = HTTPField.Name.lastEventID.rawName
        }
        let clock = options.clock()
        return try await pool.read(for: Requester(viewer)) { [text, field] session in
            var token = try Self.token(text, field: field, for: viewer, at: clock, in: session)
            let state = try LogState(of: .viewer(viewer), in: session)
            // A client that sends no token wants only the changes from now on.
            if text == nil { token.finish(at: state.recent) }
            return StreamStart(token: token, text: TokenKey(state, viewer).text(of: token))
        }
    }
}

/// The state of one stream.
private struct ChangeStream {
    let server: HabitatServer
    let viewer: Viewer
    var token: ChangeToken
    let channel: any Channel
    /// The version of the store at the last look; `nil` before the first.
    private var seen: Int64?
    private var lastSent: ContinuousClock.Instant?

    init(server: HabitatServer, viewer: Viewer, token: ChangeToken, channel: any Channel) {
        self.server = server
        self.viewer = viewer
        self.token = token
        self.channel = channel
    }

    /// Whether the stream has sent nothing for some time.
    func isQuiet(for time: Duration) -> Bool {
        guard let lastSent else { return true }
        return lastSent.duration(to: .now) >= time
    }

    /// Sends the changes since the last call.
    ///
    /// After an error, the next call tries again.
    mutating func sendChanges(to writer: inout any ResponseBodyWriter) async throws {
        let version = try server.pool.recentVersion()
        guard version != seen else { return }
        repeat {
            let clock = server.options.clock()
            let token = token
            let viewer = viewer
            let page = try await server.pool.read(for: Requester(viewer), on: .changes) { session in
                try ChangePage(after: token, for: viewer, limit: 100, clock: clock, in: session)
            }
            try await send(page, to: &writer)
            self.token = page.token
        } while token.rest != nil
        seen = version
    }

    /// Sends one event for each entry.
    ///
    /// The last event has the token as its ID, from which the client resumes.
    private mutating func send(_ page: ChangePage, to writer: inout any ResponseBodyWriter) async throws {
        guard !page.entries.isEmpty else { return }
        var text: [UInt8] = []
        for (index, entry) in page.entries.enumerated() {
            text += Array("event: change\ndata: ".utf8) + entry
            if index == page.entries.count - 1 {
                text += Array("\nid: \(page.tokenText)".utf8)
            }
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
            let count = places.values.reduce(0) { sum, places in sum + places.count }
            guard count < limit else { throw OverloadError() }
            var own = places[user] ?? []
            while own.count >= Self.userLimit {
                own.removeFirst().end()
            }
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
