import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import NIOCore
import ServiceLifecycle
import StoreEngine

/// The route of a stream of changes as server-sent events (HTML, section 9.2).
///
/// A stream is not subject to the deadline of requests. Between two changes it occupies no thread and no connection to
/// the store.
package struct ChangeStreamRoute: RouteGroup {
    let store: StorePool
    let callers: TokenAuthenticator
    let streams: OpenStreams
    let patience: Duration
    let clock: @Sendable () -> Clock

    /// Creates the route.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - callers: Finds the owners of tokens. A stream ends with the token of its request.
    ///   - streams: The open streams of all users.
    ///   - patience: Maximum time in which a client must accept an event.
    ///   - clock: Returns the current time.
    package init(
        store: StorePool,
        callers: TokenAuthenticator,
        streams: OpenStreams,
        patience: Duration,
        clock: @escaping @Sendable () -> Clock
    ) {
        self.store = store
        self.callers = callers
        self.streams = streams
        self.patience = patience
        self.clock = clock
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/changes/stream",
                operation: RouteOperation(
                    "changes.stream",
                    summary: "Stream changes",
                    description:
                        "Sends changes as server-sent events until the client disconnects or the token of the request ends. The data of an event 'change' is a change of the list of changes. To resume, send the ID of the last event as 'Last-Event-ID' or 'since'. 'collections', 'from', 'near' and 'within' select records as in the list of changes.",
                    permission: .viewers,
                    query: [ChangeToken.queryParameter] + SyncFilter.queryParameters,
                    headers: [Self.lastEventID],
                    content: .content(.eventStream, schema: ["type": "string"])),
                handler: stream)
        ]
    }

    private static let lastEventID: JSON = [
        "name": "Last-Event-ID",
        "in": "header",
        "required": false,
        "schema": ["type": "string"],
        "description": "The ID of the last event. It has precedence over 'since'.",
    ]

    /// The interval at which a stream looks for changes, also of other programs.
    private static let interval: Duration = .seconds(1)
    /// The time without an event after which a stream sends a comment.
    private static let heartbeat: Duration = .seconds(15)

    @Sendable private func stream(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let start = try await start(of: call, for: viewer)
        let headers: HTTPFields = [
            .contentType: ContentType.eventStream.text,
            .cacheControl: "no-store",
            .vary: "Authorization, Cookie",
        ]
        if call.request.method == .head { return Response(status: .ok, headers: headers) }
        let openStream = try streams.open(for: viewer.name)
        let end = StreamEnd { [streams] in streams.close(openStream, of: viewer.name) }
        let channel = call.context.channel
        let body = ResponseBody { [self] writer in
            var stream = ChangeStream(
                store: store,
                viewer: viewer,
                token: start.token,
                channel: channel,
                patience: patience,
                clock: clock)
            // A client that disconnects before the first change can resume.
            try await stream.send("id: \(start.text)\n\n", to: &writer)
            while !Task.isShuttingDownGracefully, channel.isActive, !openStream.isEnded {
                do {
                    guard try await callers.caller(of: call.request, on: .changes) == call.caller else { break }
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
    private struct Start: Sendable {
        var token: ChangeToken
        /// The text of the token.
        var text: String
    }

    /// Returns the position of the client, or the newest change if the client sends no token.
    private func start(of call: Call, for viewer: Viewer) async throws -> Start {
        var text = call.parameters[ChangeToken.parameter]
        var field = ChangeToken.parameter
        // An empty ID stands for no ID.
        if let header = call.request.headers[.lastEventID], !header.isEmpty {
            text = header
            field = HTTPField.Name.lastEventID.rawName
        }
        let filter = try SyncFilter.read(call.parameters)
        return try await store.read(for: call.requester) { [text, field] session in
            var token = try ChangeToken.read(
                text,
                field: field,
                filter: filter,
                for: viewer,
                at: call.clock,
                in: session)
            let state = try LogState(of: .viewer(viewer), in: session)
            // A client that sends no token wants only the changes from now on.
            if text == nil { token.position.finish(at: state.recent) }
            return Start(token: token, text: TokenKey(state, viewer).text(of: token))
        }
    }
}

/// The state of one stream.
private struct ChangeStream {
    let store: StorePool
    let viewer: Viewer
    var token: ChangeToken
    let channel: any Channel
    let patience: Duration
    let clock: @Sendable () -> Clock
    /// The version of the store at the last look; `nil` before the first.
    private var seen: Int64?
    private var lastSent: ContinuousClock.Instant?

    /// Creates a stream that has sent nothing.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - viewer: The viewer of the changes.
    ///   - token: The position of the client.
    ///   - channel: The connection to the client.
    ///   - patience: Maximum time in which the client must accept an event.
    ///   - clock: Returns the current time.
    init(
        store: StorePool,
        viewer: Viewer,
        token: ChangeToken,
        channel: any Channel,
        patience: Duration,
        clock: @escaping @Sendable () -> Clock
    ) {
        self.store = store
        self.viewer = viewer
        self.token = token
        self.channel = channel
        self.patience = patience
        self.clock = clock
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
        let version = try store.recentVersion()
        guard version != seen else { return }
        repeat {
            let clock = clock()
            let token = token
            let viewer = viewer
            let page = try await store.read(for: Requester(viewer), on: .changes) { session in
                try ChangePage(after: token, for: viewer, limit: 100, clock: clock, in: session)
            }
            try await send(page, to: &writer)
            self.token = page.token
        } while token.position.rest != nil
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
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(patience)) {
            channel.close(promise: nil)
        }
        defer { timer.cancel() }
        try await writer.write(block)
        lastSent = .now
    }
}

/// Ends the count of a stream when the response is deallocated, also if its body is never written.
private final class StreamEnd: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    deinit { end() }
}
