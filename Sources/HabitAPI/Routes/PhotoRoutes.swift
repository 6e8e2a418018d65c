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
    let copies: PhotoCopies
    let links: PhotoLinkKey
    let publicCollections: Set<String>

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - pictures: Decodes photos.
    ///   - copies: The copies of photos with fewer pixels.
    ///   - links: Verifies the links of photos.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    package init(
        store: StorePool,
        bodies: RequestBodies,
        pictures: PictureDecoder,
        copies: PhotoCopies,
        links: PhotoLinkKey,
        publicCollections: Set<String>
    ) {
        self.store = store
        self.bodies = bodies
        self.pictures = pictures
        self.copies = copies
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
                "Returns the image file. The signature in a 'photo_url' replaces the token until it expires. If the request has a token, the server ignores the signature. Add 'width' to a 'photo_url' for a smaller image.",
            permission: .photoReaders(collection: collection.id),
            pathParameters: [.featureID],
            query: [
                QueryParameter(PhotoLinkSigner.parameter, document: nil),
                width,
                version,
                QueryParameter(
                    "download",
                    "Whether a browser saves the photo as a file instead of showing it. Without a value, it does.",
                    schema: ["type": "string", "enum": ["true", "false", ""], "default": "false"]),
            ],
            content: image)
    }

    private static let width = QueryParameter(
        PhotoWidth.parameter,
        "Maximum width in pixels. The server sends a still image without metadata: a JPEG, or a PNG if the photo is transparent. A photo that is not wider keeps its pixels.",
        schema: ["type": "string", "enum": .list(PhotoWidth.allCases.map { width in .text(width.rawValue) })])

    private static let version = QueryParameter(
        PhotoVersions.parameter,
        "The version in a 'photo_url'. If it is the current one, a client can keep the response for a year. An old version returns the current photo, which a client revalidates.",
        schema: ["type": "string"])

    private static func change(_ collection: FeatureCollection, _ writes: FeatureWrites) -> RouteOperation? {
        guard writes.photo != .none else { return nil }
        let exif = QueryParameter.flag(keepEXIF, "Whether the server keeps the EXIF data of the photo.")
        // The metadata of the photo of an item is always removed.
        let ofUpload = collection.object == .item ? [QueryParameter.shrink] : [.shrink, exif]
        // The version in a URL has no effect on a change.
        let query = ofUpload + [QueryParameter(PhotoVersions.parameter, document: nil)]
        return RouteOperation(
            "\(collection.id).setPhoto",
            summary: "Set the photo of \(collection.noun)",
            description: "The body is a JPEG, PNG, WebP or GIF image. \(sizes(of: collection.kind)) Returns 204.",
            permission: .changers,
            pathParameters: [.featureID],
            query: query,
            headers: Preconditions.parameters,
            body: ["required": true, "content": image],
            status: "204")
    }

    /// Returns a sentence with the maximum size of a photo.
    static func sizes(of kind: RecordKind) -> String {
        let setting = Settings.photoSetting(of: kind)
        guard let setting else { return "It has at most 65,535 bytes." }
        return "It has at most 65,535 bytes, unless the operator has changed the setting '\(setting.rawValue)'."
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
                QueryParameter(PhotoVersions.parameter, document: nil),
            ],
            headers: Preconditions.parameters,
            status: "204")
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
        let settings = try await store.read(for: call.requester) { session in
            try change.requirePermission(in: session)
            return try StoreSettings.read(in: session)
        }
        guard call.request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true else {
            let error = HabitError(.photoInvalid, "the body is a form: send the bytes of the file as the body")
            throw change.kind == .item ? error.ofItem : error
        }
        let shrinks = change.shrinks
        let photoLimit = settings.photoLimit(of: collection.kind)
        let uploadLimit = Self.uploadLimit
        return try await bodies.withBody(
            of: call.request,
            for: change.feature.view.viewer.name,
            limit: shrinks ? uploadLimit : photoLimit,
            remedy: shrinks
                ? "send a smaller photo" : "add ?shrink=true, which accepts up to \(uploadLimit) bytes"
        ) { body in
            let photo = try await pictures.decoding(for: call.requester) {
                try change.photo(in: body, limit: photoLimit)
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
    /// - Parameters:
    ///   - body: The file.
    ///   - limit: The maximum size of the photo, in bytes.
    /// - Returns: The photo.
    /// - Throws: `photo-invalid` and other errors of photos.
    func photo(in body: [UInt8], limit: Int) throws -> Photo {
        do throws(HabitError) {
            return try HabitError.ofPhoto { () throws(PhotoError) in
                try PhotoFile(body).photo(keepingEXIF: keepsEXIF, limit: limit, shrinking: shrinks)
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
    var photographed: AccessObject.Kind {
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
    /// Creates the tag of a photo from the digest of the bytes that the viewer receives.
    init(ofPhoto sha256: [UInt8]) {
        self.init(of: [sha256.hexadecimal])
    }

    /// Creates the tag of a photo of a record that the viewer can see, or returns `nil` if the record has no photo.
    fileprivate init?(of photo: PhotoQuery, in session: any Session) throws {
        guard let digest = try photo.digestOfVisible(in: session) else { return nil }
        self.init(ofPhoto: digest)
    }
}

/// The value of a query parameter that is on or off.
enum Flag: String, CaseIterable {
    case `true`, `false`
}
