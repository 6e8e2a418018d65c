import Base
import HTTPServing
import HTTPTypes
import HabitIngest
import HabitModel
import HabitStore
import Hummingbird
import Photos

/// The routes that create, change and delete features (OGC API - Features, Part 4), with the rules of the command line.
package struct FeatureChangeRoutes: RouteGroup {
    let store: StorePool
    let bodies: RequestBodies
    let pictures: PictureDecoder
    let audit: AuditLog

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - pictures: Decodes the photos of records.
    ///   - audit: The audit log.
    package init(store: StorePool, bodies: RequestBodies, pictures: PictureDecoder, audit: AuditLog) {
        self.store = store
        self.bodies = bodies
        self.pictures = pictures
        self.audit = audit
    }

    private static let list = "/collections/{collection}/items"
    private static let item = "/collections/{collection}/items/{featureId}"

    package var routes: [Route] {
        [
            .ofWritableCollections(.post, Self.list, operation: Self.creation, handler: create),
            .ofWritableCollections(.put, Self.item, operation: Self.replacement) { call, collection, writes in
                try await change(call, in: collection, with: writes, replacing: true)
            },
            .ofWritableCollections(.patch, Self.item, operation: Self.update) { call, collection, writes in
                try await change(call, in: collection, with: writes, replacing: false)
            },
            .ofWritableCollections(.delete, Self.item, operation: Self.deletion, handler: delete),
        ]
    }

    // MARK: Operations

    private static func creation(_ collection: FeatureCollection, _ writes: FeatureWrites) -> RouteOperation {
        RouteOperation(
            "\(collection.id).create",
            summary: "Create \(collection.noun)",
            description: "Returns 201 with the new feature. The header Location contains its URL.",
            permission: .changers,
            query: collection.hasPhotos ? [.shrink] : [],
            body: RecordBody.ofNewRecord(in: collection),
            status: "201",
            content: .feature)
    }

    private static func replacement(_ collection: FeatureCollection, _ writes: FeatureWrites) -> RouteOperation? {
        guard writes.canUpdate else { return nil }
        return RouteOperation(
            "\(collection.id).replace",
            summary: "Replace \(collection.noun)",
            description:
                "Clears every omitted member except the photo, the state and the members that identify the feature. Returns the updated feature.",
            permission: .changers,
            pathParameters: [.featureID],
            headers: Preconditions.parameters,
            body: RecordBody.ofChangedRecord(in: collection),
            content: .feature)
    }

    private static func update(_ collection: FeatureCollection, _ writes: FeatureWrites) -> RouteOperation? {
        guard writes.canUpdate else { return nil }
        return RouteOperation(
            "\(collection.id).update",
            summary: "Update \(collection.noun)",
            description: "Changes the members in the request and keeps all others. Returns the updated feature.",
            permission: .changers,
            pathParameters: [.featureID],
            headers: Preconditions.parameters,
            body: RecordBody.ofChangedRecord(in: collection),
            content: .feature)
    }

    private static func deletion(_ collection: FeatureCollection, _ writes: FeatureWrites) -> RouteOperation {
        RouteOperation(
            "\(collection.id).delete",
            summary: "Delete \(collection.noun)",
            description: deletions[collection.id] ?? "Returns 204.",
            permission: .changers,
            pathParameters: [.featureID],
            headers: Preconditions.parameters,
            status: "204")
    }

    /// Descriptions of DELETE by collection ID, for collections in which it has another effect than deleting a record.
    private static let deletions: [String: String] = [
        "claims": "Releases the claim, so that the item is available again. Returns 204.",
        "follows": "Stops following the user, cancels your request or removes the follower. Returns 204.",
    ]

    // MARK: Handlers

    @Sendable private func create(
        _ call: Call,
        in collection: FeatureCollection,
        with writes: FeatureWrites
    ) async throws -> Response {
        let view = try call.view(of: collection)
        let shrinks = try call.parameters.choice(QueryParameter.shrink.name, Flag.self) == .true
        let boundary = try RecordUpload.boundary(of: call.request.headers[.contentType], for: collection)
        let photoLimit = try await photoLimit(of: collection, for: call.requester)
        let bodyLimit = RequestBodies.recordLimit(photoLimit: photoLimit)
        let uploadLimit = PhotoRoutes.uploadLimit
        let asksToShrink = collection.hasPhotos && !shrinks
        return try await bodies.withBody(
            of: call.request,
            for: view.viewer.name,
            limit: shrinks ? bodyLimit + uploadLimit : bodyLimit,
            remedy: asksToShrink
                ? "add ?shrink=true, which accepts a photo of up to \(uploadLimit) bytes" : "send a smaller body"
        ) { body in
            let sent = try RecordUpload(body, boundary: boundary)
            let form = PhotoForm(limit: photoLimit, shrinks: shrinks)
            let record = try await record(sent, of: collection, as: form, for: call.requester)
            let request = call.request
            let created = try await store.write(for: call.requester) { session in
                let user = try ActingUser(view.viewer, clock: view.clock, in: session)
                let id = try Self.create(record, user, isForm: boundary != nil)
                let feature = SingleFeature(view: view, id: id)
                let document = try feature.find(tagged: feature.tag(of: request), in: session)
                return CreatedFeature(feature: feature, document: document)
            }
            audit.recordChange(of: created.feature, "create", to: record, for: call)
            return try created.feature.response(
                created.document,
                to: call.request,
                status: .created)
        }
    }

    private struct CreatedFeature: Sendable {
        let feature: SingleFeature
        let document: SingleFeature.LoadedFeature
    }

    /// Creates a record and returns its ID.
    private static func create(
        _ record: RecordChange,
        _ user: ActingUser,
        isForm: Bool
    ) throws -> String {
        do {
            return try RecordActions(user).create(record)
        } catch let error as HabitError where isForm {
            throw error.ofForm
        }
    }

    private func change(
        _ call: Call,
        in collection: FeatureCollection,
        with writes: FeatureWrites,
        replacing: Bool
    ) async throws -> Response {
        guard writes.canUpdate else { throw HabitError(.internal, "the features cannot be changed") }
        let view = try call.view(of: collection)
        let feature = SingleFeature(view: view, id: try call.pathParameter("featureId"))
        let condition = Preconditions(call.request.headers)
        try RecordUpload.refuseForm(call.request.headers[.contentType], for: collection)
        // Checks before the body is read that the feature exists and that the user may change it.
        let settings = try await store.read(for: call.requester) { session in
            try feature.require(.edit, if: condition, in: session)
            return try StoreSettings.read(in: session)
        }
        let form = PhotoForm(limit: settings.photoLimit(of: collection.kind), shrinks: false)
        return try await bodies.withBody(
            of: call.request,
            for: view.viewer.name,
            limit: RequestBodies.recordLimit(photoLimit: form.limit)
        ) { body in
            let record = try await record(
                body,
                of: collection,
                replaces: replacing,
                as: form,
                for: call.requester)
            let tag = feature.tag(of: call.request)
            let found = try await store.write(for: call.requester) { session in
                let user = try ActingUser(view.viewer, clock: view.clock, in: session)
                // The update checks the permission again, with the values that it changes.
                if !condition.isEmpty || collection.object == nil {
                    try feature.require(.edit, if: condition, in: session)
                }
                try RecordActions(user).update(feature.id, with: record)
                return try feature.find(tagged: tag, in: session)
            }
            audit.recordChange(of: feature, "update", to: record, for: call)
            return try feature.response(found, to: call.request)
        }
    }

    @Sendable private func delete(
        _ call: Call,
        in collection: FeatureCollection,
        with writes: FeatureWrites
    ) async throws -> Response {
        let view = try call.view(of: collection)
        let feature = SingleFeature(view: view, id: try call.pathParameter("featureId"))
        let condition = Preconditions(call.request.headers)
        try await store.write(for: call.requester) { session in
            let user = try ActingUser(view.viewer, clock: view.clock, in: session)
            try feature.require(.delete, if: condition, in: session)
            try RecordActions(user).delete(collection.kind, id: feature.id)
        }
        audit.recordChange(of: feature, "delete", to: nil, for: call)
        return Response(status: .noContent)
    }

    /// The form in which the photo of a record is stored.
    private struct PhotoForm: Sendable {
        /// The maximum size in bytes.
        let limit: Int
        /// Whether a photo that is too large is converted to a smaller JPEG.
        let shrinks: Bool
    }

    /// Returns the maximum size of the photo of a new record, in bytes.
    private func photoLimit(
        of collection: FeatureCollection,
        for requester: Requester
    ) async throws -> Int {
        guard collection.hasPhotos else { return Photo.standardLimit }
        let settings = try await store.read(for: requester) { session in
            try StoreSettings.read(in: session)
        }
        return settings.photoLimit(of: collection.kind)
    }

    /// Parses a new record and decodes its photo.
    private func record(
        _ sent: RecordUpload,
        of collection: FeatureCollection,
        as form: PhotoForm,
        for requester: Requester
    ) async throws -> RecordChange {
        let payload = try RecordPayload(
            sent.record,
            kind: collection.kind,
            replaces: true,
            ignored: collection.ignored)
        guard payload.hasPhoto || sent.photo != nil else { return try payload.change() }
        let decoded = try await pictures.decoding(for: requester) {
            try payload.decodingPhoto(sent.photo, limit: form.limit, shrinking: form.shrinks)
        }
        return try decoded.change()
    }

    /// Parses the record in a body and decodes its photo.
    private func record(
        _ body: [UInt8],
        of collection: FeatureCollection,
        replaces: Bool,
        as form: PhotoForm,
        for requester: Requester
    ) async throws -> RecordChange {
        let payload = try RecordPayload(
            body,
            kind: collection.kind,
            replaces: replaces,
            ignored: collection.ignored)
        guard payload.hasPhoto else { return try payload.change() }
        let decoded = try await pictures.decoding(for: requester) {
            try payload.decodingPhoto(limit: form.limit)
        }
        return try decoded.change()
    }
}

extension Route {
    /// Creates a route that changes features.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The pattern of the path, with the parameter `{collection}`.
    ///   - requirement: Checks that the collection of a request has such a resource.
    ///   - operation: Returns the operation on a collection that can be changed, or `nil` if it does not have the method.
    ///   - handler: Responds to a request.
    /// - Returns: The route.
    static func ofWritableCollections(
        _ method: HTTPRequest.Method,
        _ path: String,
        requiring requirement: @escaping @Sendable (FeatureCollection) throws -> Void = { _ in },
        operation: (FeatureCollection, FeatureWrites) -> RouteOperation?,
        handler: @escaping @Sendable (Call, FeatureCollection, FeatureWrites) async throws -> Response
    ) -> Route {
        ofCollections(
            method,
            path,
            requiring: requirement,
            operation: { collection in
                collection.writes.flatMap { writes in operation(collection, writes) }
            },
            handler: { call, collection in
                guard let writes = collection.writes else {
                    throw HabitError(.internal, "the collection cannot be changed")
                }
                return try await handler(call, collection, writes)
            })
    }
}

extension RouteOperation.Permission {
    /// Callers with the token of a user, for changes of features.
    static let changers = RouteOperation.Permission.users(
        refusal: "the operator cannot change features: send the token of a user")
}

extension FeatureCollection {
    /// Derived members, which a client may send back with a feature that it has read.
    ///
    /// The server ignores them.
    var ignored: Set<String> {
        // A Feature has an ID, even if the records of its kind have no ID.
        let members = kind.listColumns
            .union(publicColumns ?? [])
            .union(SingleFeature.derived)
            .union(["id", "links"])
        return members.subtracting(kind.fields.map(\.name))
    }
}
