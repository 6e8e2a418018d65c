import Base
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// Signed links of photos: their creation in responses and their use.
extension HabitatServer {
    /// Returns the signer of the photo links of a response, or `nil` if the request does not contain
    /// `photo-links=signed`.
    func photoLinks(_ parameters: RequestParameters, for view: FeatureView) throws -> PhotoLinkSigner? {
        let name = FeatureParameter.photoLinks.rawValue
        guard try parameters.choice(name, PhotoLinkForm.self) == .signed else { return nil }
        return signer(for: view.caller, at: view.clock)
    }

    func signer(for caller: Caller, at clock: Clock) -> PhotoLinkSigner {
        PhotoLinkSigner(key: photoLinkKey, link: PhotoLink(for: caller, now: clock.now))
    }

    /// The right of a request to read a photo.
    struct PhotoAccess: Sendable {
        let requester: Requester
        /// The seconds for which a client may use the photo without a request; `nil` if it must revalidate the photo.
        let lifetime: Int64?
        /// Returns the view of the photo's collection.
        ///
        /// The view is decided in the session that reads the photo.
        let view: @Sendable (any Session) throws -> FeatureView

        /// The header fields for caches.
        var caching: HTTPFields {
            guard let lifetime else { return HabitatServer.caching }
            return [.cacheControl: "private, max-age=\(lifetime)", .vary: "Authorization"]
        }
    }

    /// Returns the right of a request to read the photo of a feature.
    ///
    /// If a request has a token and a signature, the server ignores the signature.
    /// - Throws: 401 `not-signed-in` if the token or the signature is invalid, or if the request has neither of them and
    ///   the collection is not public; `parameter-invalid`.
    func photoAccess(
        _ collection: FeatureCollection, _ id: String, _ request: Request, _ context: HabitContext
    ) async throws -> PhotoAccess {
        let client = client(of: request, context)
        guard request.headers[.authorization] == nil, let signature = try Self.signature(of: request) else {
            let view = try await reading(collection, request)
            return PhotoAccess(requester: view.requester(client), lifetime: nil) { _ in view }
        }
        let clock = options.clock()
        let link = try photoLinkKey.link(signature, collection: collection.id, feature: id, now: clock.now)
        let (base, isPublic) = (base(of: request), options.publicCollections.contains(collection.id))
        return PhotoAccess(
            requester: Requester(link.caller, client: client), lifetime: link.remainingSeconds(at: clock.now)
        ) { session in
            if link.caller == .nobody, !isPublic { throw Problem.notSignedIn }
            return FeatureView(
                collection: collection, viewer: try link.viewer(in: session),
                isPublic: link.caller == .nobody, clock: clock, base: base)
        }
    }

    /// Returns the signature of a request, or `nil` if it has no parameter `signature`.
    private static func signature(of request: Request) throws -> String? {
        // The parameters of a request without a signature are checked only after its token.
        guard request.uri.query?.contains("signature=") == true else { return nil }
        return try RequestParameters(request, known: photoParameters)["signature"]
    }

    /// The query parameters of GET for a photo.
    static let photoParameters = ["signature", "download"]
}

extension PhotoLink {
    /// Returns the viewer of the photo if the account still exists.
    ///
    /// - Throws: 401 `not-signed-in` if the user no longer exists, also if a new account has the ID.
    fileprivate func viewer(in session: any Session) throws -> Viewer {
        guard case .viewer(.user(let key, let id)) = caller else { return .operator }
        do {
            let viewer = try Viewer.user(named: id, in: session)
            guard viewer == .user(key: key, id: id) else { throw Problem.photoLinkInvalid }
            return viewer
        } catch let error as HabitError where error.code == .notSignedIn {
            throw Problem.photoLinkInvalid
        }
    }
}

extension PhotoLinkSigner? {
    /// The parts of an entity tag that change when the links change; empty if links are not signed.
    var tagParts: [String] { map { ["photo links \($0.link.expiryStep)"] } ?? [] }
}
