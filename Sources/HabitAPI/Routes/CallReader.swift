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
    private let address: PublicAddress
    private let clients: ClientAddresses
    private let clock: @Sendable () -> Clock

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - callers: Finds the owners of tokens.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    ///   - address: The address under which clients reach the server.
    ///   - clients: Finds the addresses of clients.
    ///   - clock: Returns the current time.
    package init(
        callers: TokenAuthenticator,
        publicCollections: Set<String>,
        address: PublicAddress,
        clients: ClientAddresses,
        clock: @escaping @Sendable () -> Clock
    ) {
        self.callers = callers
        self.publicCollections = publicCollections
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
    /// - Throws: 401 or 403 `not-signed-in` if the caller may not use the operation, and `parameter-invalid` for a
    ///   query parameter that the operation does not know.
    func call(_ request: Request, _ context: ServerContext, for operation: RouteOperation) async throws -> Call {
        let caller = try await caller(of: request, for: operation.permission)
        var parameters = RequestParameters()
        if operation.query != nil {
            parameters = try RequestParameters(
                request,
                known: operation.knownParameters,
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
            publicCollections: publicCollections)
    }

    private func caller(of request: Request, for permission: RouteOperation.Permission) async throws -> Caller {
        if case .everyone = permission { return .nobody }
        // A token has precedence over a signature, which the handler checks.
        if case .photoReaders = permission, request.headers[.authorization] == nil, request.hasSignature {
            return .nobody
        }
        let caller = try await callers.caller(of: request)
        switch permission {
        case .everyone, .anyCaller:
            return caller
        case .readers(let collection), .photoReaders(let collection):
            guard caller == .nobody, !publicCollections.contains(collection) else { return caller }
            throw Problem.notSignedIn
        case .viewers:
            return .viewer(try caller.viewer())
        case .users(let refusal):
            guard try caller.viewer() != .operator else { throw Problem.userRequired(refusal) }
            return caller
        }
    }
}

extension Request {
    /// Whether the URL of a photo contains a signature.
    ///
    /// The query parameters of a request without a signature are checked only after its token.
    var hasSignature: Bool { uri.query?.contains("signature=") == true }
}
