import Crypto
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird

/// The photo of an event, an item or a post: a resource of its own.
extension HabitatServer {
    func addPhotos(to router: Router<HabitContext>) {
        router.route(
            "collections/:collection/items/:feature/photo", [.get: photo, .put: changePhoto, .delete: changePhoto])
    }

    /// Larger files than a photo may be are taken where they are to be made smaller.
    private static let uploadLimit = 16 << 20

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
        _ = try RequestParameters(request, known: [])
        let viewer = try await reading(collection, request).viewer
        let condition = request.headers[.ifNoneMatch]
        let (mediaType, tag, bytes) = try await pool.read { session in
            let key = try PhotoQuery(kind, id, viewer: viewer).find(in: session)
            let (mediaType, _, sha256) = try PhotoQuery.describe(key, in: session)
            let tag = EntityTag(ofPhoto: sha256)
            // The bytes of what the client has already stay where they are.
            if tag.matches(ifNoneMatch: condition) { return (mediaType, tag, nil as [UInt8]?) }
            let bytes = try PhotoQuery.bytes(key, in: session)
            guard Array(SHA256.hash(data: bytes)) == sha256 else {
                throw HabitError(.downloadFailed, "the photo is damaged in the store")
            }
            return (mediaType, tag, bytes)
        }
        guard let bytes else { return notModified(tag) }
        let name = PhotoFileName.name(of: id, mediaType: mediaType)
        return Response(
            status: .ok,
            headers: Self.caching.merging([
                .contentType: mediaType, .eTag: tag.text, .contentDisposition: "inline; filename=\"\(name)\"",
            ]), body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// PUT stores the photo in the body, DELETE takes it away.
    private func changePhoto(_ request: Request, _ context: HabitContext) async throws -> Response {
        let (collection, kind) = try photographed(context)
        guard let writes = collection.writes?.photo else { throw Problem.notAllowed("GET, HEAD") }
        let parameters = try RequestParameters(request, known: ["shrink", "keep-exif"])
        let shrinks = try parameters.choice("shrink", Flag.self) == .true
        let keepsEXIF = try parameters.choice("keep-exif", Flag.self) == .true
        let viewer = try await callers.caller(of: request).viewer()
        var photo = Given<Photo>.null
        if request.method == .put {
            let bytes = try await body(
                request, limit: shrinks ? Self.uploadLimit : Photo.sizeLimit,
                remedy: shrinks
                    ? "make the photo smaller" : "?shrink=true makes a photo of \(Self.uploadLimit) bytes fit")
            photo = .value(
                try await darkroom.runIfActive {
                    try PhotoFile(bytes).photo(keepingEXIF: keepsEXIF, shrinking: shrinks)
                })
        }
        let (given, clock, id) = (photo, options.clock(), try context.parameter("feature"))
        let condition = request.headers[.ifMatch]
        let tag = try await pool.write { session in
            let query = PhotoQuery(kind, id, viewer: viewer)
            try EntityTag.require(stored: try EntityTag(of: query, in: session), for: condition)
            try writes(id, given, try ActingUser(viewer, clock: clock, in: session))
            return try EntityTag(of: query, in: session)
        }
        return Response(status: .noContent, headers: tag.map { [.eTag: $0.text] } ?? [:])
    }
}

extension EntityTag {
    init(ofPhoto sha256: [UInt8]) { self.init(of: [sha256.map { "\($0)" }.joined(separator: " ")]) }

    /// That of the photo which there is; nil where there is none. Throws where the viewer may not see it.
    fileprivate init?(of photo: PhotoQuery, in session: any Session) throws {
        try Things(viewer: photo.viewer, in: session).require(.view, photo.kind, photo.id)
        guard let key = try? photo.find(in: session) else { return nil }
        self.init(ofPhoto: try PhotoQuery.describe(key, in: session).sha256)
    }
}

enum Flag: String, CaseIterable {
    case `true`, `false`
}
