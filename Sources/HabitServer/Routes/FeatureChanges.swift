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
        let view = try await acting(on: collection, request)
        let record = try SentRecord(
            try await body(request), kind: collection.kind, replaces: true, ignored: collection.ignored)
        let (feature, found) = try await pool.write { [options] session in
            let user = try ActingUser(view.viewer, clock: view.clock, in: session)
            try Self.requireOwn(record, collection.kind, of: user)
            let id = try writes.create(record, user, options.words)
            let feature = SingleFeature(view: view, id: id)
            return (feature, try feature.find(in: session))
        }
        return try answer(found, feature, request, status: .created)
    }

    func change(_ request: Request, _ context: HabitContext, replaces: Bool) async throws -> Response {
        let (collection, writes) = try writable(context)
        guard let update = writes.update else { throw Problem.notAllowed("GET, HEAD") }
        let feature = try await named(request, context, collection)
        let record = try SentRecord(
            try await body(request), kind: collection.kind, replaces: replaces, ignored: collection.ignored)
        let condition = request.headers[.ifMatch]
        let found = try await pool.write { session in
            let user = try ActingUser(feature.view.viewer, clock: feature.view.clock, in: session)
            try EntityTag.require(stored: try feature.find(in: session).tag, for: condition)
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
            let user = try ActingUser(feature.view.viewer, clock: feature.view.clock, in: session)
            try EntityTag.require(stored: try feature.find(in: session).tag, for: condition)
            try writes.delete(feature.id, user)
        }
        return Response(status: .noContent)
    }

    /// Throws `not-yours` where a record says that it is somebody else's.
    private static func requireOwn(_ record: SentRecord, _ kind: RecordKind, of user: ActingUser) throws {
        for field in [Field.user, .follower, .sender] where kind.fields.contains(field) {
            guard let named = try record.optional(field), named != user.id else { continue }
            throw HabitError(
                .notYours, "you are '\(user.id)', and nobody makes a record of '\(named)' for them",
                field: field.rawValue)
        }
    }

    private func named(
        _ request: Request, _ context: HabitContext, _ collection: FeatureCollection
    ) async throws -> SingleFeature {
        _ = try RequestParameters(request, known: [])
        return SingleFeature(view: try await acting(on: collection, request), id: try context.parameter("feature"))
    }

    /// A collection for whoever does something in it: nobody does without having said who they are.
    private func acting(on collection: FeatureCollection, _ request: Request) async throws -> FeatureView {
        let viewer = try await callers.caller(of: request).viewer()
        guard viewer != .operator else {
            throw Problem(
                .forbidden, ErrorCode.notSignedIn.slug,
                "this is done in a user's name, and the operator is none: take a token of a user's")
        }
        return FeatureView(collection: collection, viewer: viewer, clock: options.clock(), base: base(of: request))
    }

    private func writable(_ context: HabitContext) throws -> (FeatureCollection, FeatureWrites) {
        let collection = try collection(context)
        guard let writes = collection.writes else { throw Problem.notAllowed("GET, HEAD") }
        return (collection, writes)
    }

    /// The body, read no further than it may be long; `remedy` is what helps where it is longer.
    func body(_ request: Request, limit: Int = bodyLimit, remedy: String = "send less") async throws -> [UInt8] {
        let buffer = try await withThrowingTaskGroup(of: ByteBuffer.self) { [options] group in
            group.addTask {
                do {
                    return try await request.body.collect(upTo: limit)
                } catch let error where Problem(error).status == .contentTooLarge {
                    throw Problem(
                        .contentTooLarge, "body-too-large",
                        "the body is larger than the \(limit) bytes that are taken here: \(remedy)")
                }
            }
            group.addTask {
                try await Task.sleep(for: options.deadline)
                throw Problem(
                    .requestTimeout, ErrorCode.timeout.slug, "the body did not come in time",
                    headers: [.connection: "close"])
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ByteBuffer()
        }
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
            "completion_rate", "streak_current", "streak_longest", "score", "poster", "name",
        ]
    }
}
