import HTTPTypes
import HabitIngest
import HabitModel
import HabitStore
import Hummingbird

/// Making, changing and deleting features (OGC API - Features, Part 4), by the rules of the command line.
extension HabitatServer {
    /// The largest record that is taken: a photo of the permitted size as base64, and the texts.
    static let bodyLimit = 256 * 1024

    func create(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (collection, writes) = try writable(context)
        _ = try RequestParameters(request, known: [])
        let viewer = try await callers.caller(of: request).viewer()
        let bytes = try await body(request)
        let (clock, base) = (options.clock(), base(of: request))
        let (feature, found) = try await pool.write { [options] session in
            let user = try ActingUser(viewer, clock: clock, in: session)
            let record = try SentRecord(bytes, kind: collection.kind, replaces: true, ignored: collection.ignored)
            let id = try writes.create(record, user, options.words)
            let feature = SingleFeature(
                collection: collection, id: id, viewer: viewer, isPublic: false, clock: clock, base: base)
            return (feature, try feature.find(in: session))
        }
        return try answer(found, feature, request, status: .created)
    }

    func change(_ request: Request, _ context: HabitContext, replaces: Bool) async throws -> Response {
        let (collection, writes) = try writable(context)
        guard let update = writes.update else { throw Self.methodNotAllowed }
        let feature = try await named(request, context, collection)
        let bytes = try await body(request)
        let condition = request.headers[.ifMatch]
        let found = try await pool.write { session in
            let user = try ActingUser(feature.viewer, clock: feature.clock, in: session)
            try EntityTag.require(stored: try feature.find(in: session).tag, for: condition)
            let record = try SentRecord(bytes, kind: collection.kind, replaces: replaces, ignored: collection.ignored)
            try update(feature.id, record, user)
            return try feature.find(in: session)
        }
        return try answer(found, feature, request)
    }

    func delete(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (collection, writes) = try writable(context)
        let feature = try await named(request, context, collection)
        let condition = request.headers[.ifMatch]
        try await pool.write { session in
            let user = try ActingUser(feature.viewer, clock: feature.clock, in: session)
            try EntityTag.require(stored: try feature.find(in: session).tag, for: condition)
            try writes.delete(feature.id, user)
        }
        return Response(status: .noContent)
    }

    private func named(
        _ request: Request, _ context: HabitContext, _ collection: FeatureCollection
    ) async throws -> SingleFeature {
        _ = try RequestParameters(request, known: [])
        return SingleFeature(
            collection: collection, id: try context.parameter("feature"),
            viewer: try await callers.caller(of: request).viewer(), isPublic: false, clock: options.clock(),
            base: base(of: request))
    }

    private func writable(_ context: HabitContext) throws -> (FeatureCollection, FeatureWrites) {
        let collection = try collection(context)
        guard let writes = collection.writes else { throw Self.methodNotAllowed }
        return (collection, writes)
    }

    private static let methodNotAllowed = Problem(
        .methodNotAllowed, "method-not-allowed", "this cannot be changed here: /api tells what can",
        headers: [.allow: "GET, HEAD"])

    /// The body, read no further than it may be long.
    func body(_ request: Request, limit: Int = bodyLimit) async throws -> [UInt8] {
        let buffer = try await request.body.collect(upTo: limit)
        guard buffer.readableBytes > 0 else {
            throw HabitError(.rowInvalid, "the body is empty: send a GeoJSON Feature, or the fields as a JSON object")
        }
        return Array(buffer.readableBytesView)
    }
}

extension FeatureCollection {
    /// What a feature says that is not stored with it: it may be sent back as it was read.
    fileprivate var ignored: Set<String> {
        [
            "links", "photo_url", "has_photo", "status", "color", "distance_m", "title", "unplanned", "claimed_by",
            "completion_rate", "streak_current", "streak_longest", "score", "poster", "name", "at_offset",
        ]
    }
}
