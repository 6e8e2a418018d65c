import Crypto
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird

/// The photo of an event, an item or a post: a resource of its own.
extension HabitatServer {
    func addPhotos(to router: Router<HabitContext>) {
        let photo: RouterPath = "collections/:collection/items/:feature/photo"
        router.get(photo) { try await self.photo($0, $1) }
        router.put(photo) { try await self.changePhoto($0, $1) }
        router.delete(photo) { try await self.changePhoto($0, $1) }
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
        let viewer = try await reader(request, collection).viewer
        let condition = request.headers[.ifNoneMatch]
        let (mediaType, tag, bytes) = try await pool.read { session in
            let key = try PhotoQuery(kind, id, viewer: viewer).find(in: session)
            let (mediaType, _, sha256) = try PhotoQuery.describe(key, in: session)
            let tag = EntityTag(of: [sha256.map { "\($0)" }.joined(separator: " ")])
            // The bytes of what the client has already stay where they are.
            if condition.map({ $0.contains(tag.text) }) == true { return (mediaType, tag, nil as [UInt8]?) }
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
        let (collection, _) = try photographed(context)
        guard let writes = collection.writes?.photo else { throw Self.notHere }
        let parameters = try RequestParameters(request, known: ["shrink", "keep-exif"])
        let shrinks = try parameters.choice("shrink", Flag.self) == .true
        let keepsEXIF = try parameters.choice("keep-exif", Flag.self) == .true
        let viewer = try await callers.caller(of: request).viewer()
        var photo = Given<Photo>.null
        if request.method == .put {
            let bytes = try await body(request, limit: shrinks ? Self.uploadLimit : Photo.sizeLimit)
            photo = .value(try PhotoFile(bytes).photo(keepingEXIF: keepsEXIF, shrinking: shrinks))
        }
        let (given, clock, id) = (photo, options.clock(), try context.parameter("feature"))
        let condition = request.headers[.ifMatch]
        let feature = SingleFeature(
            collection: collection, id: id, viewer: viewer, isPublic: false, clock: clock, base: base(of: request))
        let found = try await pool.write { session in
            try EntityTag.require(stored: try feature.find(in: session).tag, for: condition)
            try writes(id, given, try ActingUser(viewer, clock: clock, in: session))
            return try feature.find(in: session)
        }
        return request.method == .put ? try answer(found, feature, request) : Response(status: .noContent)
    }

    private static let notHere = Problem(
        .methodNotAllowed, "method-not-allowed", "photos are changed where the feature itself is: /api tells where",
        headers: [.allow: "GET, HEAD"])
}

enum Flag: String, CaseIterable {
    case `true`, `false`
}
