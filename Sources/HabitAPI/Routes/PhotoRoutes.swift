import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Photos
import StoreEngine

/// The routes of the photo of an event, an item or a post.
package struct PhotoRoutes: RouteGroup {
    let store: StorePool
    let bodies: RequestBodies
    let pictures: PictureDecoder
    let links: PhotoLinkKey
    let publicCollections: Set<String>

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - pictures: Decodes photos.
    ///   - links: Verifies the links of photos.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    package init(
        store: StorePool,
        bodies: RequestBodies,
        pictures: PictureDecoder,
        links: PhotoLinkKey,
        publicCollections: Set<String>
    ) {
        self.store = store
        self.bodies = bodies
        self.pictures = pictures
        self.links = links
        self.publicCollections = publicCollections
    }

    /// Maximum size of an uploaded photo that the server shrinks, in bytes.
    static let uploadLimit = 16 << 20
    /// The name of the parameter that keeps the EXIF data of a photo.
    fileprivate static let keepEXIF = "keep-exif"
    private static let path = "/collections/{collection}/items/{featureId}/photo"

    package var routes: [Route] {
        [
            .ofCollections(
                .get,
                Self.path,
                requiring: Self.requirePhotos,
                operation: Self.reading,
                handler: photo),
            .ofWritableCollections(
                .put,
                Self.path,
                requiring: Self.requirePhotos,
                operation: Self.change,
                handler: put),
            .ofWritableCollections(
                .delete,
                Self.path,
                requiring: Self.requirePhotos,
                operation: Self.removal,
                handler: delete),
        ]
    }

    /// Checks that the features of a collection have photos.
    ///
    /// - Throws: `not-found`.
    @Sendable private static func requirePhotos(_ collection: FeatureCollection) throws {
        _ = try collection.photographed
    }

    // MARK: Operations

    private static let image: JSON = ["image/*": ["schema": ["type": "string", "format": "binary"]]]

    private static func reading(_ collection: FeatureCollection) -> RouteOperation? {
        guard collection.hasPhotos else { return nil }
        return RouteOperation(
            "\(collection.id).photo",
            summary: "Get the photo of \(collection.noun)",
            description:
                "Returns the image file. The signature in a 'photo_url' replaces the token until it expires. If the request has a token, the server ignores the signature.",
            permission: .photoReaders(collection: collection.id),
            pathParameters: [.featureID],
            query: [
                QueryParameter("signature", document: nil),
                QueryParameter(
                    "download",
                    "Whether a browser saves the photo as a file instead of showing it. Without a value, it does.",
                    schema: ["type": "string", "enum": ["true", "false", ""], "default": "false"]),
            ],
            content: image)
    }

    private static func change(_ collection: FeatureCollection, _ writes: FeatureWrites) -> RouteOperation? {
        guard writes.photo != .none else { return nil }
        let exif = QueryParameter.flag(keepEXIF, "Whether the server keeps the EXIF data of the photo.")
        // The metadata of the photo of an item is always removed.
        let query = collection.object == .item ? [QueryParameter.shrink] : [.shrink, exif]
        return RouteOperation(
            "\(collection.id).setPhoto",
            summary: "Set the photo of \(collection.noun)",
            description: "The body is a JPEG, PNG, WebP or GIF image of less than 65,536 bytes. Returns 204.",
            permission: .changers,
            pathParameters: [.featureID],
            query: query,
            headers: Preconditions.parameters,
            body: ["required": true, "content": image],
            status: "204")
    }

    private static func removal(_ collection: FeatureCollection, _ writes: FeatureWrites) -> RouteOperation? {
        guard writes.photo == .optional else { return nil }
        return RouteOperation(
            "\(collection.id).removePhoto",
            summary: "Remove the photo of \(collection.noun)",
            description: "Returns 204.",
            permission: .changers,
            pathParameters: [.featureID],
            query: [
                // A client may send the parameters of PUT, which have no effect.
                QueryParameter(QueryParameter.shrink.name, document: nil),
                QueryParameter(keepEXIF, document: nil),
            ],
            headers: Preconditions.parameters,
            status: "204")
    }

    // MARK: Reading

    /// A photo that a request may read.
    private struct FoundPhoto: Sendable {
        var mediaType: String
        var tag: EntityTag
        /// The file; `nil` if the client already has it.
        var bytes: [UInt8]?
    }

    @Sendable private func photo(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        let kind = try collection.photographed
        let id = try call.pathParameter("featureId")
        let access = try access(to: id, of: collection, call)
        let isDownload = try Self.isDownload(call.parameters)
        let condition = call.request.headers[.ifNoneMatch]
        let found = try await store.read(for: access.requester) { session in
            let feature = SingleFeature(view: try access.view(session), id: id)
            let query = try feature.photo(of: kind, in: session)
            let key = try query.find(in: session)
            let stored = try PhotoQuery.describe(key, in: session)
            let tag = EntityTag(ofPhoto: stored.sha256, of: kind)
            // The bytes are not read if the client already has the photo.
            guard !tag.matches(ifNoneMatch: condition) else {
                return FoundPhoto(mediaType: stored.mediaType, tag: tag)
            }
            let photo = try query.photo(key, sha256: stored.sha256, in: session)
            return FoundPhoto(mediaType: photo.mediaType, tag: tag, bytes: photo.bytes)
        }
        var headers = access.caching.merging([.eTag: found.tag.text])
        guard let bytes = found.bytes else { return Response(status: .notModified, headers: headers) }
        let name = PhotoFileName.name(of: id, mediaType: found.mediaType)
        headers[.contentType] = found.mediaType
        headers[.contentDisposition] = Self.disposition(isDownload ? "attachment" : "inline", encoded: name)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns the header Content-Disposition (RFC 6266).
    ///
    /// - Parameters:
    ///   - type: `inline` or `attachment`.
    ///   - name: The file name in percent-encoding, which has the form of `filename*` (RFC 8187).
    /// - Returns: The value with the file name. Clients that do not support `filename*` see `_` for each character that
    ///   is not plain ASCII.
    static func disposition(_ type: String, encoded name: String) -> String {
        let plain = name.replacing(/(?:%[0-9A-F]{2})+/, with: "_")
        let encoded = plain == name ? "" : "; filename*=UTF-8''\(name)"
        return "\(type); filename=\"\(plain)\"\(encoded)"
    }

    /// Whether the request contains `download` or `download=true`.
    private static func isDownload(_ parameters: RequestParameters) throws -> Bool {
        if parameters["download"] == "" { return true }
        return try parameters.choice("download", Flag.self) == .true
    }

    /// Returns the right of a request to read the photo of a feature.
    ///
    /// If a request has a token and a signature, the server ignores the signature.
    ///
    /// - Throws: 401 `not-signed-in` if the signature is invalid.
    private func access(to id: String, of collection: FeatureCollection, _ call: Call) throws -> PhotoAccess {
        let usesSignature = call.request.headers[.authorization] == nil && call.request.hasSignature
        guard usesSignature, let signature = call.parameters["signature"] else {
            let view = try call.view(of: collection)
            return PhotoAccess(requester: call.requester, lifetime: nil) { _ in view }
        }
        let link = try links.link(
            signature,
            collection: collection.id,
            feature: id,
            now: call.clock.now)
        let isPublic = publicCollections.contains(collection.id)
        return PhotoAccess(
            requester: Requester(link.caller, client: call.client),
            lifetime: link.remainingSeconds(at: call.clock.now)
        ) { session in
            if link.caller == .nobody, !isPublic { throw Problem.notSignedIn }
            return FeatureView(
                collection: collection,
                viewer: try link.viewer(in: session),
                isPublic: link.caller == .nobody,
                clock: call.clock,
                base: call.base)
        }
    }

    // MARK: Changes

    /// Stores the photo in the body.
    @Sendable private func put(
        _ call: Call,
        in collection: FeatureCollection,
        with writes: FeatureWrites
    ) async throws -> Response {
        let change = try PhotoChange(call, in: collection, with: writes)
        // Checks before the body is read that the feature exists and that the user may change its photo.
        try await store.read(for: call.requester) { session in try change.requirePermission(in: session) }
        guard call.request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true else {
            let error = HabitError(.photoInvalid, "the body is a form: send the bytes of the file as the body")
            throw change.kind == .item ? error.ofItem : error
        }
        let shrinks = change.shrinks
        let limit = Self.uploadLimit
        return try await bodies.withBody(
            of: call.request,
            for: change.feature.view.viewer.name,
            limit: shrinks ? limit : Photo.sizeLimit - 1,
            remedy: shrinks
                ? "send a smaller photo" : "add ?shrink=true, which accepts up to \(limit) bytes"
        ) { body in
            let photo = try await pictures.decoding(for: call.requester) {
                try change.photo(in: body)
            }
            return try await store(change, .value(photo), for: call.requester)
        }
    }

    /// Removes the photo.
    @Sendable private func delete(
        _ call: Call,
        in collection: FeatureCollection,
        with writes: FeatureWrites
    ) async throws -> Response {
        let change = try PhotoChange(call, in: collection, with: writes)
        return try await store(change, .null, for: call.requester)
    }

    private func store(
        _ change: PhotoChange,
        _ photo: FieldInput<Photo>,
        for requester: Requester
    ) async throws -> Response {
        let tag = try await store.write(for: requester) { session in try change.write(photo, in: session) }
        var headers: HTTPFields = [:]
        headers[.eTag] = tag?.text
        return Response(status: .noContent, headers: headers)
    }
}

/// The right of a request to read a photo.
private struct PhotoAccess: Sendable {
    let requester: Requester
    /// The seconds for which a client may use the photo without a request; `nil` if it must revalidate the photo.
    let lifetime: Int64?
    /// Returns the view of the photo's collection.
    ///
    /// The view is decided in the session that reads the photo.
    let view: @Sendable (any Session) throws -> FeatureView

    /// The header fields for caches.
    var caching: HTTPFields {
        guard let lifetime else { return .revalidated }
        return [.cacheControl: "private, max-age=\(lifetime)", .vary: "Authorization, Cookie"]
    }
}

/// A change of the photo of a feature.
private struct PhotoChange: Sendable {
    let feature: SingleFeature
    let kind: AccessObject.Kind
    /// Whether the server converts a photo that is too large to a smaller JPEG.
    let shrinks: Bool
    private let keepsEXIF: Bool
    private let condition: Preconditions

    /// Reads the change of a request, without its body.
    init(
        _ call: Call,
        in collection: FeatureCollection,
        with writes: FeatureWrites
    ) throws {
        guard writes.photo != .none else { throw HabitError(.internal, "the photo cannot be changed") }
        kind = try collection.photographed
        shrinks = try call.parameters.choice(QueryParameter.shrink.name, Flag.self) == .true
        keepsEXIF = try call.parameters.choice(PhotoRoutes.keepEXIF, Flag.self) == .true
        feature = SingleFeature(
            view: try call.view(of: collection),
            id: try call.pathParameter("featureId"))
        condition = Preconditions(call.request.headers)
    }

    /// Checks that the feature exists, and that the user may change its photo.
    ///
    /// - Throws: `not-found`, `post-deleted`, `changed-meanwhile`, `not-yours`.
    func requirePermission(in session: any Session) throws {
        let query = try feature.photo(of: kind, in: session)
        _ = try query.requireEditable(feature.view.clock, if: condition, in: session)
    }

    /// Decodes a file.
    ///
    /// - Throws: `photo-invalid` and other errors of photos.
    func photo(in body: [UInt8]) throws -> Photo {
        do throws(HabitError) {
            return try HabitError.ofPhoto { () throws(PhotoError) in
                try PhotoFile(body).photo(keepingEXIF: keepsEXIF, shrinking: shrinks)
            }
        } catch {
            throw kind == .item ? error.ofItem : error
        }
    }

    /// Stores or removes the photo and returns its tag; `nil` if the record has no photo.
    func write(_ photo: FieldInput<Photo>, in session: any Session) throws -> EntityTag? {
        let query = try feature.photo(of: kind, in: session)
        let user = try query.requireEditable(feature.view.clock, if: condition, in: session)
        try RecordActions(user).setPhoto(photo, of: feature.view.collection.kind, id: feature.id)
        return try EntityTag(of: query, in: session)
    }
}

extension FeatureCollection {
    /// The kind of the features, which have photos.
    ///
    /// - Throws: `not-found` if the features have no photos.
    fileprivate var photographed: AccessObject.Kind {
        get throws {
            guard hasPhotos, let object else {
                throw HabitError(.notFound, "the features of '\(id)' have no photos", field: "collection")
            }
            return object
        }
    }
}

extension QueryParameter {
    /// The parameter that lets the server shrink a photo.
    static let shrink = flag(
        "shrink",
        "Whether the server converts a photo that is too large to a smaller JPEG. The upload may then have 16 MiB.")
}

extension PhotoQuery {
    /// Checks that the viewer may change the photo and that the photo meets the preconditions.
    ///
    /// - Parameters:
    ///   - clock: The current time.
    ///   - preconditions: The preconditions of the request.
    ///   - session: The session in which the photo is read.
    /// - Returns: The user who changes the photo.
    /// - Throws: `not-found`, `post-deleted`, `changed-meanwhile`, `not-signed-in` for the operator, `not-yours`.
    fileprivate func requireEditable(
        _ clock: Clock,
        if preconditions: Preconditions,
        in session: any Session
    ) throws -> ActingUser {
        let user = try ActingUser(viewer, clock: clock, in: session)
        try AccessChecker(viewer: viewer, in: session).require(.edit, on: kind, id: id)
        try preconditions.check(stored: try EntityTag(of: self, in: session))
        return user
    }
}

extension EntityTag {
    /// Creates the tag of a photo from its digest and the kind of its record.
    ///
    /// The photo of an item is delivered without metadata. Earlier versions delivered the stored bytes.
    init(ofPhoto sha256: [UInt8], of kind: AccessObject.Kind) {
        let digest = sha256.map(\.description).joined(separator: " ")
        self.init(of: kind == .item ? [digest, "without metadata"] : [digest])
    }

    /// Creates the tag of a photo of a record that the viewer can see, or returns `nil` if the record has no photo.
    fileprivate init?(of photo: PhotoQuery, in session: any Session) throws {
        guard let digest = try photo.digestOfVisible(in: session) else { return nil }
        self.init(ofPhoto: digest, of: photo.kind)
    }
}

/// The value of a query parameter that is on or off.
enum Flag: String, CaseIterable {
    case `true`, `false`
}
