import Base
import HTTPServing
import HTTPTypes
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Responses with a body that is written from one snapshot of the store.
package struct StoreResponses: Sendable {
    /// Writes a response.
    ///
    /// `begin` starts the response with the given header fields and its tag, and returns the buffer of its body.
    typealias Writer = @Sendable (any Session, _ begin: (HTTPFields) throws -> OutputBuffer) throws -> Void

    private let store: StorePool
    private let deadline: Duration
    private let patience: Duration
    private let errors: ErrorLogger

    /// Creates the responses of a store.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - deadline: Maximum time for reading the store and for sending a response.
    ///   - patience: Maximum time in which a client must accept the next block of a response.
    ///   - errors: The log of errors that occur after a response has begun.
    package init(_ store: StorePool, deadline: Duration, patience: Duration, errors: ErrorLogger) {
        self.store = store
        self.deadline = deadline
        self.patience = patience
        self.errors = errors
    }

    /// Runs `write` on one snapshot of the store and responds with the body that it writes.
    ///
    /// A body that fits into one block has a content length. A longer body is streamed.
    ///
    /// - Parameters:
    ///   - call: The request, in whose requester's queue the response waits.
    ///   - encoding: The content encoding of the response.
    ///   - requester: The party in whose queue the response waits; `nil` for the party of `call`.
    ///   - lane: The connections that `write` uses. On `responses`, the rendering thread waits for the client. Otherwise
    ///     the complete body is held in memory.
    ///   - scope: The viewer of the user-supplied SQL that `write` runs; `nil` if it runs none.
    ///   - responseTag: The tag of the response, or `nil` for a response without one.
    ///   - write: Writes the response.
    /// - Returns: The response with status 200, or 304 if the client already has it.
    /// - Throws: An error that occurs before the first block is full. A later error is logged and closes the
    ///   connection.
    func response(
        to call: Call,
        encoding: ContentEncoding,
        for requester: Requester? = nil,
        on lane: StorePool.ReadLane,
        as scope: AnalysisScope? = nil,
        tagged responseTag: ResponseTag? = nil,
        _ write: @escaping Writer
    ) async throws -> Response {
        let requester = requester ?? call.requester
        let context = call.context
        let pipe = BodyPipe(deadline: deadline, patience: patience, isStream: lane == .responses)
        Task {
            do {
                // Only the program reads the log, and not the session of user-supplied SQL. A change between the two
                // reads makes the tag older than the response, so that the client reads the response again.
                let earlierTag =
                    scope == nil
                    ? nil
                    : try await store.read(for: requester) { session in try responseTag?.value(in: session) }
                try await store.read(for: requester, on: lane, as: scope) { session in
                    let tag = try (earlierTag ?? responseTag?.value(in: session))?.encoded(encoding)
                    if let tag { try responseTag?.requireNew(tag) }
                    var output: OutputBuffer?
                    try write(session) { headers in
                        var headers = headers
                        headers[.eTag] = tag?.text ?? headers[.eTag]
                        pipe.setHead(headers)
                        let buffer = OutputBuffer(encoding == .gzip ? try DeflateSink(into: pipe, .gzip) : pipe)
                        output = buffer
                        return buffer
                    }
                    try output?.close()
                }
            } catch {
                // An error before the first block becomes the response and is logged with the response.
                if pipe.hasBegun, !(error is BrokenPipeError) { errors.write(error, at: context.route) }
                pipe.fail(error)
            }
        }
        let body: ResponseBody
        do {
            body = try await pipe.body(closing: context.channel)
        } catch let known as NotModified {
            return .notModified(known.tag)
        }
        var headers = HTTPFields.revalidated.merging(pipe.head)
        if encoding == .gzip { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: body)
    }
}

extension HTTPFields {
    /// Header fields that allow clients to store a response and require its revalidation before each use.
    static let revalidated: HTTPFields = [
        .cacheControl: "private, no-cache", .vary: "Accept, Accept-Encoding, Authorization, Cookie",
    ]

    /// Header fields that forbid clients to store a response.
    package static let notStored: HTTPFields = [.cacheControl: "no-store"]
}

extension Response {
    /// Returns the response to a client that already has the response with a tag.
    static func notModified(_ tag: EntityTag) -> Response {
        Response(status: .notModified, headers: HTTPFields.revalidated.merging([.eTag: tag.text]))
    }

    /// The response with header fields that forbid a shared cache, because the body depends on the token.
    var forOneViewer: Response {
        var response = self
        response.headers = response.headers.merging(.revalidated)
        return response
    }
}
