import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import StoreEngine

/// The response with a photo.
extension PhotoRoutes {
    /// The photo that a request may read, before its bytes are read.
    private struct VisiblePhoto: Sendable {
        var mediaType: String
        /// The digest of the stored photo.
        var digest: [UInt8]
        /// The version in the URL of the photo.
        var version: String
        /// The identity of the requested copy; `nil` if the request is for the photo.
        var copyKey: PhotoCopies.Key?
        /// The copy in the cache.
        var copy: PhotoCopies.Copy?
        /// The photo as the viewer receives it; `nil` if the client already has it, or if a copy was found.
        var delivered: PhotoQuery.DeliveredPhoto?
        /// The tag of the photo as the viewer receives it.
        var tag: EntityTag
    }

    /// A photo or a copy that a client receives.
    private struct FoundPhoto: Sendable {
        var mediaType: String
        var tag: EntityTag
        /// The file; `nil` if the client already has it.
        var bytes: [UInt8]?
    }

    /// Responds with a photo or with a copy of it.
    ///
    /// The visibility of the record is checked first, also for a copy that the cache has.
    @Sendable func photo(_ call: Call, _ collection: FeatureCollection) async throws -> Response {
        let id = try call.pathParameter("featureId")
        let access = try access(to: id, of: collection, call)
        let isDownload = try Self.isDownload(call.parameters)
        let width = try call.parameters.choice(PhotoWidth.parameter, PhotoWidth.self)
        let condition = call.request.headers[.ifNoneMatch]
        let visible = try await visible(id, of: collection, for: access, width: width, call)
        let found: FoundPhoto
        if let key = visible.copyKey {
            found = try await copy(of: visible, key, unless: condition, for: access.requester)
        } else {
            found = FoundPhoto(
                mediaType: visible.mediaType,
                tag: visible.tag,
                bytes: visible.delivered?.bytes)
        }
        let isCurrent = call.parameters[PhotoVersions.parameter] == visible.version
        let caching = access.caching(isCurrent: isCurrent)
        var headers = caching.merging([.eTag: found.tag.text])
        guard let bytes = found.bytes else { return Response(status: .notModified, headers: headers) }
        let name = PhotoFileName.name(of: id, mediaType: found.mediaType)
        headers[.contentType] = found.mediaType
        headers[.contentDisposition] = Self.disposition(isDownload ? "attachment" : "inline", encoded: name)
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    // MARK: The stored photo

    /// Reads the photo of a feature that the request may see.
    ///
    /// - Throws: `not-found`, `post-deleted`, `download-failed`.
    private func visible(
        _ id: String,
        of collection: FeatureCollection,
        for access: PhotoAccess,
        width: PhotoWidth?,
        _ call: Call
    ) async throws -> VisiblePhoto {
        let kind = try collection.photographed
        let condition = call.request.headers[.ifNoneMatch]
        return try await store.read(for: access.requester) { session in
            let feature = SingleFeature(view: try access.view(session), id: id)
            let query = try feature.photo(of: kind, in: session)
            let photo = try query.find(in: session)
            let stored = try PhotoQuery.describe(photo, in: session)
            var visible = VisiblePhoto(
                mediaType: stored.mediaType,
                digest: stored.sha256,
                version: call.photoVersions.version(of: photo, collection: collection.id, feature: id),
                tag: EntityTag(ofPhoto: stored.sha256))
            if let width {
                let key = PhotoCopies.Key(
                    collection: collection.id,
                    feature: id,
                    digest: stored.sha256,
                    width: width)
                visible.copyKey = key
                visible.copy = copies.copy(key)
                guard visible.copy == nil else { return visible }
                visible.delivered = try query.photo(photo, sha256: stored.sha256, in: session)
                return visible
            }
            try Self.addBytes(to: &visible, key: photo, from: query, unless: condition, in: session)
            return visible
        }
    }

    /// Adds the bytes of a photo as the viewer receives it, unless the client has them.
    ///
    /// The tag is the digest of the sent bytes, and so it does not depend on metadata that the viewer does not receive.
    private static func addBytes(
        to visible: inout VisiblePhoto,
        key: Int64,
        from query: PhotoQuery,
        unless condition: String?,
        in session: any Session
    ) throws {
        // The bytes are not read if the client already has the whole photo.
        let isWhole = try !query.omitsMetadata(in: session)
        if isWhole, visible.tag.matches(ifNoneMatch: condition) { return }
        let photo = try query.photo(key, sha256: visible.digest, in: session)
        visible.mediaType = photo.mediaType
        if !isWhole { visible.tag = EntityTag(ofPhoto: photo.bytes.sha256) }
        if !visible.tag.matches(ifNoneMatch: condition) { visible.delivered = photo }
    }

    // MARK: Copies

    /// Returns the copy of a photo from the cache, or makes it in turn with the photos of other requesters.
    ///
    /// The tag depends on the photo without metadata, which no copy has.
    private func copy(
        of visible: VisiblePhoto,
        _ key: PhotoCopies.Key,
        unless condition: String?,
        for requester: Requester
    ) async throws -> FoundPhoto {
        if let known = visible.copy { return Self.found(known, unless: condition) }
        guard let whole = visible.delivered else { throw HabitError(.internal, "the photo was not read") }
        let copies = copies
        return try await pictures.decoding(for: requester, as: .copy) {
            // Another request may have made the copy while this one waited.
            if let known = copies.copy(key) { return Self.found(known, unless: condition) }
            let photo = try whole.withoutMetadata()
            let digest = photo.bytes.sha256.hexadecimal
            let tag = EntityTag(of: ["copy 1", key.width.rawValue, digest])
            guard !tag.matches(ifNoneMatch: condition) else {
                return FoundPhoto(mediaType: photo.mediaType, tag: tag)
            }
            let copy = PhotoCopies.Copy(photo: try photo.copy(width: key.width.pixels), tag: tag)
            copies.add(copy, for: key)
            return Self.found(copy, unless: condition)
        }
    }

    private static func found(_ copy: PhotoCopies.Copy, unless condition: String?) -> FoundPhoto {
        let isKnown = copy.tag.matches(ifNoneMatch: condition)
        return FoundPhoto(
            mediaType: copy.photo.mediaType,
            tag: copy.tag,
            bytes: isKnown ? nil : copy.photo.bytes)
    }

    // MARK: The request

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
        guard usesSignature, let signature = call.parameters[PhotoLinkSigner.parameter] else {
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
                base: call.base,
                photoVersions: call.photoVersions)
        }
    }
}

/// The right of a request to read a photo.
private struct PhotoAccess: Sendable {
    let requester: Requester
    /// The seconds for which a client may use a signed link; `nil` if the request is not signed.
    let lifetime: Int64?
    /// Returns the view of the photo's collection.
    ///
    /// The view is decided in the session that reads the photo.
    let view: @Sendable (any Session) throws -> FeatureView

    /// The seconds of a year, for which a client may keep the photo of a version.
    private static let year = 31_536_000

    /// Returns the header fields for caches.
    ///
    /// A signed link is used until it expires, because its URL then changes.
    ///
    /// - Parameter isCurrent: Whether the URL contains the version of the photo.
    /// - Returns: The fields.
    func caching(isCurrent: Bool) -> HTTPFields {
        let vary = "Authorization, Cookie"
        if let lifetime {
            return [.cacheControl: "private, max-age=\(lifetime)", .vary: vary]
        }
        guard isCurrent else { return .revalidated }
        return [.cacheControl: "private, max-age=\(Self.year), immutable", .vary: vary]
    }
}
