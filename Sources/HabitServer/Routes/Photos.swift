import Base
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Photos
import StoreEngine

/// Routes of the photo of an event, an item or a post.
extension HabitatServer {
    func addPhotos(to router: Router<HabitContext>) {
        router.route(
            "collections/:collection/items/:feature/photo", [.get: photo, .put: changePhoto, .delete: changePhoto]
        ) {
            try self.photographed($0).0.methods(of: .photo)
        }
    }

    /// Maximum size of an uploaded photo that the server shrinks, in bytes.
    static let uploadLimit = 16 << 20
    /// The name of the parameter that lets the server shrink a photo.
    static let shrink = "shrink"

    private func photographed(_ context: HabitContext) throws -> (FeatureCollection, AccessObject.Kind) {
        let collection = try collection(context)
        guard collection.hasPhotos, let kind = collection.object else {
            throw HabitError(.notFound, "the features of '\(collection.id)' have no photos", field: "collection")
        }
        return (collection, kind)
    }

    private func photo(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (collection, kind) = try photographed(context)
        let id = try context.parameter("feature")
        let access = try await photoAccess(collection, id, request, context)
        let isDownload = try Self.isDownload(try RequestParameters(request, known: Self.photoParameters))
        let condition = request.headers[.ifNoneMatch]
        let (mediaType, tag, bytes) = try await pool.read(for: access.requester) { session in
            let feature = SingleFeature(view: try access.view(session), id: id)
            let query = try feature.photo(of: kind, in: session)
            let key = try query.find(in: session)
            let (mediaType, _, sha256) = try PhotoQuery.describe(key, in: session)
            let tag = EntityTag(ofPhoto: sha256, of: kind)
            // The bytes are not read if the client already has the photo.
            if tag.matches(ifNoneMatch: condition) { return (mediaType, tag, nil as [UInt8]?) }
            let photo = try query.photo(key, sha256: sha256, in: session)
            return (photo.mediaType, tag, photo.bytes)
        }
        let headers = access.caching.merging([.eTag: tag.text])
        guard let bytes else { return Response(status: .notModified, headers: headers) }
        let name = PhotoFileName.name(of: id, mediaType: mediaType)
        return Response(
            status: .ok,
            headers: headers.merging([
                .contentType: mediaType,
                .contentDisposition: Self.disposition(isDownload ? "attachment" : "inline", encoded: name),
            ]), body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
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
        return "\(type); filename=\"\(plain)\"" + (plain == name ? "" : "; filename*=UTF-8''\(name)")
    }

    /// Whether the request contains `download` or `download=true`.
    private static func isDownload(_ parameters: RequestParameters) throws -> Bool {
        if parameters["download"] == "" { return true }
        return try parameters.choice("download", Flag.self) == .true
    }

    /// Stores the photo in the body (PUT) or removes the photo (DELETE).
    private func changePhoto(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (collection, kind) = try photographed(context)
        guard let writes = collection.writes?.photo else { throw Problem.notAllowed("GET, HEAD") }
        let view = try await acting(on: collection, request)
        // The metadata of the photo of an item is always removed.
        let known = kind == .item ? [Self.shrink] : [Self.shrink, "keep-exif"]
        let parameters = try RequestParameters(request, known: known)
        let shrinks = try parameters.choice(Self.shrink, Flag.self) == .true
        let keepsEXIF = try parameters.choice("keep-exif", Flag.self) == .true
        let feature = SingleFeature(view: view, id: try context.parameter("feature"))
        let condition = Preconditions(request.headers)
        let store = { @Sendable [pool] (photo: FieldInput<Photo>) in
            let tag = try await pool.write(for: Requester(view.viewer)) { session in
                let query = try feature.photo(of: kind, in: session)
                let user = try query.requireEditable(view.clock, if: condition, in: session)
                try writes(feature.id, photo, user)
                return try EntityTag(of: query, in: session)
            }
            return Response(status: .noContent, headers: tag.map { [.eTag: $0.text] } ?? [:])
        }
        guard request.method == .put else { return try await store(.null) }
        // Checks before the body is read that the feature exists and that the user may change its photo.
        try await pool.read(for: Requester(view.viewer)) { session in
            _ = try feature.photo(of: kind, in: session).requireEditable(view.clock, if: condition, in: session)
        }
        guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true else {
            let error = HabitError(.photoInvalid, "the body is a form: send the bytes of the file as the body")
            throw kind == .item ? error.ofItem : error
        }
        return try await withBody(
            of: request, for: view.viewer.name, limit: shrinks ? Self.uploadLimit : Photo.sizeLimit - 1,
            remedy: shrinks ? "send a smaller photo" : "add ?shrink=true, which accepts up to \(Self.uploadLimit) bytes"
        ) { body in
            let photo = try await decoding(for: Requester(view.viewer)) {
                do throws(HabitError) {
                    return try HabitError.ofPhoto { () throws(PhotoError) in
                        try PhotoFile(body).photo(keepingEXIF: keepsEXIF, shrinking: shrinks)
                    }
                } catch {
                    throw kind == .item ? error.ofItem : error
                }
            }
            return try await store(.value(photo))
        }
    }

    /// Runs `body` on the thread that decodes images, in the requester's turn.
    ///
    /// - Parameters:
    ///   - requester: The party that sent the images.
    ///   - body: Decodes images.
    /// - Returns: The result of `body`.
    /// - Throws: `timeout` if `body` waits for its turn longer than the deadline of a request, `too-many-requests` if the
    ///   requester already waits, and the errors of `body`.
    func decoding<Result: Sendable>(
        for requester: Requester, _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await pictures.run(for: requester, until: .now + options.deadline, body)
    }
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
        _ clock: Clock, if preconditions: Preconditions, in session: any Session
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
        let digest = sha256.map { "\($0)" }.joined(separator: " ")
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
