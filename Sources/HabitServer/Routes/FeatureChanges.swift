import Base
import HTTPTypes
import HabitIngest
import HabitModel
import HabitStore
import Hummingbird

/// Routes that create, change and delete features (OGC API - Features, Part 4), with the rules of the command line.
extension HabitatServer {
    func create(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (collection, writes) = try writable(context)
        let view = try await acting(on: collection, request)
        let parameters = try RequestParameters(request, known: collection.hasPhotos ? [Self.shrink] : [])
        let shrinks = try parameters.choice(Self.shrink, Flag.self) == .true
        let boundary = try RecordUpload.boundary(of: request.headers[.contentType], for: collection)
        return try await withBody(
            of: request, for: view.viewer.name, limit: shrinks ? Self.bodyLimit + Self.uploadLimit : Self.bodyLimit,
            remedy: collection.hasPhotos && !shrinks
                ? "add ?shrink=true, which accepts a photo of up to \(Self.uploadLimit) bytes" : "send a smaller body"
        ) { [pool] body in
            let sent = try RecordUpload(body, boundary: boundary)
            let record = try await record(sent, of: collection, shrinks: shrinks, for: Requester(view.viewer))
            let (feature, found) = try await pool.write(for: Requester(view.viewer)) { [request] session in
                let user = try ActingUser(view.viewer, clock: view.clock, in: session)
                try Self.requireOwn(record, collection.kind, of: user)
                let id = try Self.create(record, user, isForm: boundary != nil, with: writes)
                let feature = SingleFeature(view: view, id: id)
                return (feature, try feature.find(tagged: feature.tag(of: request), in: session))
            }
            auditChange(of: feature, "create", record, request, context)
            return try answer(found, feature, request, status: .created)
        }
    }

    /// Creates a record and returns its ID.
    private static func create(
        _ record: RecordPayload, _ user: ActingUser, isForm: Bool, with writes: FeatureWrites
    ) throws -> String {
        do { return try writes.create(record, user) } catch let error as HabitError where isForm {
            throw error.ofForm
        }
    }

    func change(_ request: Request, _ context: HabitContext, replaces: Bool) async throws -> Response {
        let (collection, writes) = try writable(context)
        guard let update = writes.update else { throw Problem.notAllowed("GET, HEAD") }
        let feature = try await named(request, context, collection)
        let condition = Preconditions(request.headers)
        try RecordUpload.refuseForm(request.headers[.contentType], for: collection)
        // Checks before the body is read that the feature exists and that the user may change it.
        try await pool.read(for: Requester(feature.view.viewer)) { session in
            try feature.require(.edit, if: condition, in: session)
        }
        return try await withBody(of: request, for: feature.view.viewer.name) { [pool] body in
            let record = try await record(
                body, of: collection, replaces: replaces, for: Requester(feature.view.viewer))
            let tag = feature.tag(of: request)
            let found = try await pool.write(for: Requester(feature.view.viewer)) { session in
                let user = try ActingUser(feature.view.viewer, clock: feature.view.clock, in: session)
                // The update checks the permission again, with the values that it changes.
                if !condition.isEmpty || collection.object == nil {
                    try feature.require(.edit, if: condition, in: session)
                }
                try update(feature.id, record, user)
                return try feature.find(tagged: tag, in: session)
            }
            auditChange(of: feature, "update", record, request, context)
            return try answer(found, feature, request)
        }
    }

    func delete(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (collection, writes) = try writable(context)
        let feature = try await named(request, context, collection)
        let condition = Preconditions(request.headers)
        try await pool.write(for: Requester(feature.view.viewer)) { session in
            let user = try ActingUser(feature.view.viewer, clock: feature.view.clock, in: session)
            try feature.require(.delete, if: condition, in: session)
            try writes.delete(feature.id, user)
        }
        auditChange(of: feature, "delete", nil, request, context)
        return Response(status: .noContent)
    }

    /// Parses a new record and decodes its photo.
    private func record(
        _ sent: RecordUpload, of collection: FeatureCollection, shrinks: Bool, for requester: Requester
    ) async throws -> RecordPayload {
        let record = try RecordPayload(
            sent.record, kind: collection.kind, replaces: true, ignored: collection.ignored)
        guard record.hasPhoto || sent.photo != nil else { return record }
        return try await decoding(for: requester) { try record.decodingPhoto(sent.photo, shrinking: shrinks) }
    }

    /// Parses the record in a body and decodes its photo.
    private func record(
        _ body: [UInt8], of collection: FeatureCollection, replaces: Bool, for requester: Requester
    ) async throws -> RecordPayload {
        let record = try RecordPayload(body, kind: collection.kind, replaces: replaces, ignored: collection.ignored)
        guard record.hasPhoto else { return record }
        return try await decoding(for: requester) { try record.decodingPhoto() }
    }

    /// Checks that a new record belongs to the user who sends it.
    ///
    /// - Throws: `not-yours` if the record contains another user.
    static func requireOwn(_ record: RecordPayload, _ kind: RecordKind, of user: ActingUser) throws {
        for field in [Field.user, .follower, .sender] where kind.fields.contains(field) {
            guard let named = try record.optional(field), named != user.id else { continue }
            throw HabitError(
                .notYours, "user '\(user.id)' cannot create a record of '\(named)': omit '\(field.name)'",
                field: field.name)
        }
    }

    private func named(
        _ request: Request, _ context: HabitContext, _ collection: FeatureCollection
    ) async throws -> SingleFeature {
        let view = try await acting(on: collection, request)
        _ = try RequestParameters(request, known: [])
        return SingleFeature(view: view, id: try context.parameter("feature"))
    }

    /// Returns a collection for a user who changes it.
    ///
    /// - Throws: 401 `not-signed-in` without a valid token, 403 `not-signed-in` for the operator.
    func acting(on collection: FeatureCollection, _ request: Request) async throws -> FeatureView {
        let viewer = try await authenticator.caller(of: request).viewer()
        guard viewer != .operator else {
            throw Problem.userRequired("the operator cannot change features: send the token of a user")
        }
        return FeatureView(collection: collection, viewer: viewer, clock: options.clock(), base: base(of: request))
    }

    private func writable(_ context: HabitContext) throws -> (FeatureCollection, FeatureWrites) {
        let collection = try collection(context)
        guard let writes = collection.writes else { throw Problem.notAllowed("GET, HEAD") }
        return (collection, writes)
    }
}

extension FeatureCollection {
    /// Derived members, which a client may send back with a feature that it has read.
    ///
    /// The server ignores them.
    var ignored: Set<String> {
        // A Feature has an ID, even if the records of its kind have no ID.
        kind.listColumns.union(publicColumns ?? []).union(SingleFeature.derived).union(["id", "links"])
            .subtracting(kind.fields.map(\.name))
    }
}
