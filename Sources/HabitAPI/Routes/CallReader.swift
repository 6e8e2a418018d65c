import Base
import HTTPServing
import HabitStore
import Hummingbird

/// Reads the caller and the parameters of a request, and decides whether the caller may use an operation.
///
/// Only this type decides it; handlers check the secrets in URLs and bodies. The token is checked before the query
/// parameters.
package struct CallReader: Sendable {
    private let callers: TokenAuthenticator
    private let publicCollections: Set<String>
    private let photoVersions: PhotoVersions
    private let address: PublicAddress
    private let clients: ClientAddresses
    private let clock: @Sendable () -> Clock

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - callers: Finds the owners of tokens.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    ///   - photoVersions: The versions of photos.
    ///   - address: The address under which clients reach the server.
    ///   - clients: Finds the addresses of clients.
    ///   - clock: Returns the current time.
    package init(
        callers: TokenAuthenticator,
        publicCollections: Set<String>,
        photoVersions: PhotoVersions,
        address: PublicAddress,
        clients: ClientAddresses,
        clock: @escaping @Sendable () -> Clock
    ) {
        self.callers = callers
        self.publicCollections = publicCollections
        self.photoVersions = photoVersions
        self.address = address
        self.clients = clients
        self.clock = clock
    }

    /// Returns the call of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The context of the request.
    ///   - operation: The operation on the resource of the request.
    /// - Returns: The call.
    /// - Throws: 401 or 403 `not-signed-in` if the caller may not use the operation. 403 `cross-site` if a page of
    ///   another site has sent the cookie. 412 `other-user` if the request is for another user. `parameter-invalid` for
    ///   a query parameter that the operation does not know.
    func call(_ request: Request, _ context: ServerContext, for operation: RouteOperation) async throws -> Call {
        let caller = try await caller(of: request, context, for: operation.permission)
        var parameters = RequestParameters()
        if operation.query != nil {
            let fields = request.wantsPage ? operation.formFields : []
            parameters = try RequestParameters(
                request,
                known: operation.knownParameters + fields,
                repeatable: operation.repeatableParameters)
        }
        return Call(
            request: request,
            context: context,
            caller: caller,
            parameters: parameters,
            client: clients.client(of: request, context),
            base: address.base(of: request),
            clock: clock(),
            publicCollections: publicCollections,
            photoVersions: photoVersions)
    }

    private func caller(
        of request: Request,
        _ context: ServerContext,
        for permission: RouteOperation.Permission
    ) async throws -> Caller {
        if case .everyone = permission { return .nobody }
        // A token has precedence over a signature, which the handler checks.
        if case .photoReaders = permission, request.headers[.authorization] == nil, request.hasSignature {
            return .nobody
        }
        let caller = try await knownCaller(of: request, context)
        switch permission {
        case .everyone, .anyCaller, .selectedReaders:
            return caller
        case .readers(let collection), .photoReaders(let collection):
            guard caller == .nobody, !publicCollections.contains(collection) else { return caller }
            throw Problem.notSignedIn
        case .viewers:
            return .viewer(try caller.viewer())
        case .operator:
            guard try caller.viewer() == .operator else { throw Problem.operatorRequired }
            return caller
        case .users(let refusal):
            guard try caller.viewer() != .operator else { throw Problem.userRequired(refusal) }
            return caller
        }
    }
}

extension CallReader {
    /// Reads the session of a request, so that ``TokenAuthenticator/lastViewer(of:)`` finds its person.
    ///
    /// It permits nothing. A request of a page of another site, a bearer token and an error of the store have no effect.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - context: The context of the request, which notes a cookie that names no session.
    func readSession(of request: Request, _ context: ServerContext) async {
        guard request.headers[.authorization] == nil else { return }
        _ = try? await knownCaller(of: request, context)
    }

    /// Returns the caller of a request, and notes a cookie that names no session.
    ///
    /// - Throws: 403 `cross-site` before the cookie is read, 412 `other-user`, and the errors of
    ///   ``TokenAuthenticator/caller(of:on:)``.
    private func knownCaller(of request: Request, _ context: ServerContext) async throws -> Caller {
        let credential = try callers.credential(of: request)
        guard let credential else { return .nobody }
        let isBearer = if case .bearer = credential { true } else { false }
        let isTrusted = RequestOrigin(of: request).isTrusted(at: address.base(of: request))
        guard isBearer || isTrusted else { throw Problem.crossSite }
        guard let owner = try await callers.owner(of: credential) else {
            context.refusedSession.note()
            return .nobody
        }
        try ExpectedUser(of: request).require(owner.viewer)
        return .viewer(owner.viewer)
    }
}

extension Request {
    /// Whether the URL of a photo contains a signature.
    ///
    /// The query parameters of a request without a signature are checked only after its token.
    var hasSignature: Bool { uri.query?.contains("signature=") == true }
}
