import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Routes that read features (OGC API - Features, Part 1, sections 7.15 and 7.16).
extension HabitatServer {
    func addFeatures(to router: Router<HabitContext>) {
        let items: RouterPath = "collections/:collection/items"
        let item: RouterPath = "collections/:collection/items/:feature"
        router.route(items, [.get: list, .post: create]) { try self.collection($0).methods(of: .list) }
        router.route(
            item,
            [
                .get: one, .put: { try await self.change($0, $1, replaces: true) },
                .patch: { try await self.change($0, $1, replaces: false) }, .delete: delete,
            ]
        ) {
            try self.collection($0).methods(of: .feature)
        }
    }

    func collection(_ context: HabitContext) throws -> FeatureCollection {
        let id = try context.parameter("collection")
        guard let collection = FeatureCollection.named(id) else {
            throw HabitError(
                .notFound, "unknown collection '\(id)': see /collections", field: "collection")
        }
        return collection
    }

    /// Returns a collection for the viewer of a request.
    ///
    /// - Throws: `not-signed-in` if the token is invalid, or if the request has no token and the collection is not
    ///   public.
    func reading(_ collection: FeatureCollection, _ request: Request) async throws -> FeatureView {
        let caller = try await authenticator.caller(of: request)
        let isPublic = caller == .nobody && options.publicCollections.contains(collection.id)
        return FeatureView(
            collection: collection, viewer: isPublic ? .operator : try caller.viewer(), isPublic: isPublic,
            clock: options.clock(), base: base(of: request))
    }

    private func list(_ request: Request, _ context: HabitContext) async throws -> Response {
        let collection = try collection(context)
        var view = try await reading(collection, request)
        let parameters = try RequestParameters(
            request, known: collection.parameters.map(\.rawValue), repeatable: FeatureParameter.repeatable)
        var list = try FeatureRequest(parameters, sorts: collection.sorts, accept: request.headers[.accept])
        // Clusters have no page.
        if parameters[.cluster] != nil, parameters[.f] == nil, list.form == .html { list.form = .geojson }
        if list.form == .html { list.page.limit = min(list.page.limit, FeaturePage.htmlLimit) }
        try prepare(&view, request, parameters, isPage: list.form == .html)
        let page = FeaturePage(view: view, request: list, parameters: parameters)
        // A client without a token has no events of its own and follows no user.
        if view.isPublic, page.request.scope ?? .all != .all { throw Problem.notSignedIn }
        let clusters = try ClusterPage(view: view, request: page.request, parameters: parameters)
        let encoding = ContentEncoding(for: request)
        let tag = view.tag(of: request, [view.address, parameters.canonical, page.request.form.rawValue])
        return try await respond(
            encoding, context, for: view.requester(client(of: request, context)),
            on: clusters == nil && page.isStreamed ? .responses : .requests, tagged: tag
        ) { session, begin in
            var head = HTTPFields()
            head[.contentType] = page.request.form.mediaType.text
            if let clusters { return try clusters.write(in: session, head, begin) }
            try page.write(in: session, head, begin)
        }
    }

    func notModified(_ tag: EntityTag) -> Response {
        Response(status: .notModified, headers: Self.caching.merging([.eTag: tag.text]))
    }

    /// Header fields that allow clients to store a response and require its revalidation before each use.
    static let caching: HTTPFields = [
        .cacheControl: "private, no-cache", .vary: "Accept, Accept-Encoding, Authorization",
    ]

    /// Runs `write` on one snapshot of the store and responds with the body that it writes.
    ///
    /// A body that fits into one block has a content length. A longer body is streamed.
    /// - Parameters:
    ///   - encoding: The content encoding of the response.
    ///   - context: The context of the request.
    ///   - requester: The party in whose queue the request waits.
    ///   - lane: The connections that `write` uses. On `responses`, the rendering thread waits for the client. Otherwise
    ///     the complete body is held in memory.
    ///   - scope: The viewer of the user-supplied SQL that `write` runs; `nil` if it runs none.
    ///   - responseTag: The tag of the response, or `nil` for a response without one.
    ///   - write: Receives the session and a closure. The closure starts the response with
    ///     the given header fields and the tag, and returns the buffer of its body.
    /// - Returns: The response with status 200, or 304 if the client already has it.
    /// - Throws: An error that occurs before the first block is full. A later error is logged and closes the
    ///   connection.
    func respond(
        _ encoding: ContentEncoding, _ context: HabitContext, for requester: Requester, on lane: StorePool.ReadLane,
        as scope: AnalysisScope? = nil, tagged responseTag: ResponseTag? = nil,
        _ write: @escaping @Sendable (any Session, _ begin: (HTTPFields) throws -> OutputBuffer) throws -> Void
    ) async throws -> Response {
        let pipe = BodyPipe(deadline: options.deadline, patience: options.patience, isStream: lane == .responses)
        let pool = pool
        Task {
            do {
                // Only the program reads the log, and not the session of user-supplied SQL. A change between the two
                // reads makes the tag older than the response, so that the client reads the response again.
                let earlierTag =
                    scope == nil
                    ? nil
                    : try await pool.read(for: requester) { session in try responseTag?.value(in: session) }
                try await pool.read(for: requester, on: lane, as: scope) { session in
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
                if pipe.hasBegun, !(error is BrokenPipeError) { logError(error, at: context.endpointPath ?? "-") }
                pipe.fail(error)
            }
        }
        let body: ResponseBody
        do { body = try await pipe.body(closing: context.channel) } catch let known as NotModified {
            return notModified(known.tag)
        }
        var headers = Self.caching.merging(pipe.head)
        if encoding == .gzip { headers[.contentEncoding] = "gzip" }
        return Response(status: .ok, headers: headers, body: body)
    }

    private func one(_ request: Request, _ context: HabitContext) async throws -> Response {
        let collection = try collection(context)
        let id = try context.parameter("feature")
        var view = try await reading(collection, request)
        let parameters = try RequestParameters(
            request, known: collection.featureParameters.map(\.rawValue))
        let form = try parameters.choice(FeatureParameter.f.rawValue, SingleFeatureForm.self)
        try prepare(&view, request, parameters, isPage: request.wantsPage(form?.rawValue))
        let feature = SingleFeature(view: view, id: id)
        let tag = feature.tag(of: request, parameters)
        let found = try await pool.read(for: feature.view.requester(client(of: request, context))) { session in
            try feature.find(tagged: tag, in: session)
        }
        return try answer(found, feature, request)
    }

    /// Returns the response with a feature, or 304 if the client already has this version of the feature.
    func answer(
        _ found: SingleFeature.LoadedFeature, _ feature: SingleFeature, _ request: Request,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let encoding = ContentEncoding(for: request)
        let tag = found.tag.encoded(encoding)
        if status == .ok, request.method == .get || request.method == .head, tag.matches(ifNoneMatch: request) {
            return notModified(tag)
        }
        var headers = Self.caching.merging([.eTag: tag.text]).merging(found.headers)
        let links = feature.ownLinks(isPage: feature.view.site != nil)
        headers[.link] = links.map { "<\($0.href)>; rel=\"\($0.rel)\"; type=\"\($0.type.text)\"" }
            .joined(separator: ", ")
        if status == .created { headers[.location] = feature.address }
        return try compressed(found.bytes, encoding, status, headers)
    }

    /// Returns the response with a complete body in the given content encoding.
    func compressed(
        _ bytes: [UInt8], _ encoding: ContentEncoding, _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields
    ) throws -> Response {
        var headers = headers
        guard encoding == .gzip else {
            return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        let memory = MemorySink()
        let gzip = try DeflateSink(into: memory, .gzip)
        try gzip.write(bytes.span.bytes)
        try gzip.commit()
        headers[.contentEncoding] = "gzip"
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: memory.bytes)))
    }
}

/// A sink that keeps all bytes in memory.
final class MemorySink: OutputSink {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: RawSpan) { bytes.withUnsafeBytes { self.bytes += $0 } }
    func commit() {}
}

extension HTTPFields {
    func merging(_ others: HTTPFields) -> HTTPFields {
        var all = self
        for field in others { all[field.name] = field.value }
        return all
    }
}

extension Clock {
    /// A text that changes whenever a local day may begin: the fixed date, or the quarter of an hour since the epoch.
    ///
    /// UTC offsets are multiples of 15 minutes.
    var quarter: String { today.map(\.description) ?? "\(now.microseconds / 900_000_000)" }
}
