import Base
import HTTPServing
import HabitModel
import HabitStore
import Hummingbird

/// A request that is permitted, with its caller and its query parameters.
package struct Call: Sendable {
    package let request: Request
    package let context: ServerContext
    /// The caller; `nobody` if the operation does not read the token.
    package let caller: Caller
    /// The query parameters, all of which the operation knows.
    package let parameters: RequestParameters
    /// The IP address of the client, or `-` if it is unknown.
    package let client: String
    /// The prefix of links.
    package let base: String
    /// The time of the request.
    package let clock: Clock
    /// The IDs of the collections that everyone may read.
    let publicCollections: Set<String>
    /// The versions of photos.
    let photoVersions: PhotoVersions

    /// The viewer of an operation that requires a token.
    ///
    /// - Throws: `not-signed-in` if the request has no token.
    package var viewer: Viewer { get throws { try caller.viewer() } }

    /// Checks that a page of this server has sent a request that sets a cookie, or the form of a page.
    ///
    /// - Throws: 403 `cross-site`.
    package func requireOwnPage() throws {
        guard RequestOrigin(of: request).isTrusted(at: base) else { throw Problem.crossSite }
    }

    /// The party in whose queue the request waits.
    package var requester: Requester { Requester(caller, client: client) }

    /// Returns a percent-decoded parameter of the path.
    ///
    /// - Throws: `not-found` if the value is not valid.
    package func pathParameter(_ name: String) throws -> String { try context.parameter(name) }

    /// Returns whether the caller can read the list of a collection.
    func canRead(_ collection: FeatureCollection) -> Bool {
        let readable = FeatureCollection.readable(by: caller, publicCollections: publicCollections)
        return readable.contains { other in other.id == collection.id }
    }

    /// Returns a collection for the caller.
    ///
    /// - Throws: `not-signed-in` if the request has no token and the collection is not public.
    func view(of collection: FeatureCollection) throws -> FeatureView {
        let isPublic = caller == .nobody && publicCollections.contains(collection.id)
        return FeatureView(
            collection: collection,
            viewer: isPublic ? .operator : try viewer,
            isPublic: isPublic,
            clock: clock,
            base: base,
            photoVersions: photoVersions)
    }

    /// Returns the signer of the URLs of photos, or `nil` if they are not signed.
    ///
    /// They are signed if the request contains `photo-links=signed`, and in a page whose request has a token, because a
    /// page cannot send it. A browser with a session sends its cookie with the photos too, and so their URLs last.
    ///
    /// - Parameters:
    ///   - links: The key of the links.
    ///   - isPage: Whether the response is a page with photos that need a token.
    /// - Returns: The signer.
    /// - Throws: `parameter-invalid`.
    func photoSigner(_ links: PhotoLinkKey, isPage: Bool) throws -> PhotoLinkSigner? {
        let form = try parameters.choice(FeatureParameter.photoLinks.rawValue, PhotoLinkForm.self)
        let hasToken = request.headers[.authorization] != nil
        guard form == .signed || isPage && hasToken else { return nil }
        return links.signer(for: caller, at: clock)
    }
}
