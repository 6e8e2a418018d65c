import Base
import Crypto
import Foundation
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import Synchronization

/// The identity for which a request acts.
package enum Caller: Sendable, Equatable {
    case nobody
    case viewer(Viewer)

    /// A text that identifies the caller.
    ///
    /// Equal callers have equal names.
    var name: String {
        switch self {
        case .nobody: "nobody"
        case .viewer(let viewer): viewer.name
        }
    }

    /// Returns the viewer.
    ///
    /// - Throws: `not-signed-in` if the request has no token.
    func viewer() throws -> Viewer {
        guard case .viewer(let viewer) = self else { throw Problem.notSignedIn }
        return viewer
    }
}

extension Viewer {
    /// A text that identifies the viewer.
    ///
    /// No other viewer has the same name.
    var name: String {
        switch self {
        case .operator: "operator"
        case .user(_, let id): "user \(id)"
        }
    }
}

/// A secret with which a request acts for a user or for the operator.
enum Credential: Sendable, Equatable {
    /// The token in the header `Authorization`.
    case bearer(String)
    /// The secret of the cookie of a browser's session.
    case session(String)
    /// A cookie that cannot name a session.
    case invalidSession

    /// The secret, or `nil` for a cookie that cannot name a session.
    var secret: String? {
        switch self {
        case .bearer(let secret), .session(let secret): secret
        case .invalidSession: nil
        }
    }
}

/// Finds the owners of bearer tokens, of the sessions of browsers and of the addresses of calendars and shared views.
///
/// A cached owner is valid only until the store changes, so that a revoked token is refused immediately.
package final class TokenAuthenticator: Sendable {
    private let pool: StorePool
    private let operatorDigest: [UInt8]?
    private let cookie: SessionCookie
    private let clock: @Sendable () -> Clock
    private let known = Mutex<[[UInt8]: CachedToken]>([:])
    /// The digests of the sessions whose expiry is being moved.
    private let renewed = Mutex<Set<[UInt8]>>([])
    /// Maximum number of cached owners.
    ///
    /// The cache is emptied when it is full.
    private static let limit = 10_000

    private struct CachedToken {
        var owner: Token.Owner
        /// The version of the store before the token was read: see ``StorePool/version()``.
        var version: Int64
    }

    /// Creates the finder of owners.
    ///
    /// - Parameters:
    ///   - pool: The connections to the store.
    ///   - operatorToken: A bearer token of the operator in addition to the tokens in the store.
    ///   - cookie: The cookie of sessions.
    ///   - clock: Returns the current time.
    package init(
        _ pool: StorePool,
        operatorToken: String?,
        cookie: SessionCookie,
        clock: @escaping @Sendable () -> Clock
    ) {
        self.pool = pool
        self.cookie = cookie
        operatorDigest = operatorToken.map(Token.digest)
        self.clock = clock
    }

    /// Returns the bearer token of a request, or `nil` if the request has no Authorization header.
    ///
    /// - Throws: 401 `not-signed-in` if the header is not a bearer token of at most 200 bytes.
    static func token(of request: Request) throws -> String? {
        guard let header = request.headers[.authorization] else { return nil }
        let words = header.split(separator: " ")
        guard words.first?.lowercased() == "bearer" else { throw Problem.notBearer }
        guard words.count == 2 else { throw Problem.tokenInvalid }
        let token = words[1]
        guard token.utf8.count <= 200 else { throw Problem.tokenInvalid }
        return String(token)
    }

    /// Returns the credential of a request: its bearer token, otherwise its cookie.
    ///
    /// - Parameter request: The request.
    /// - Returns: The credential, or `nil` for a request without one.
    /// - Throws: 401 `not-signed-in` if the header `Authorization` is not a bearer token of at most 200 bytes.
    func credential(of request: Request) throws -> Credential? {
        if let token = try Self.token(of: request) { return .bearer(token) }
        switch cookie.value(in: request) {
        case .secret(let secret)?: return .session(secret)
        case .invalid?: return .invalidSession
        case nil: return nil
        }
    }

    /// Returns the caller of a request.
    ///
    /// A cookie that names no session counts as none. A request with a cookie may move the expiry of the session.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - lane: The connections that read a secret that is not cached.
    /// - Returns: The caller, `nobody` if the request has no token and no session.
    /// - Throws: 401 `not-signed-in` if the token is invalid, expired or revoked, and the errors of
    ///   ``StorePool/read(for:on:_:)``.
    func caller(of request: Request, on lane: StorePool.ReadLane = .requests) async throws -> Caller {
        guard let credential = try credential(of: request) else { return .nobody }
        guard let owner = try await owner(of: credential, on: lane) else { return .nobody }
        return .viewer(owner.viewer)
    }

    /// Returns the owner of a credential, or `nil` for a cookie that names no session.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - lane: The connections that read a secret that is not cached.
    /// - Returns: The owner.
    /// - Throws: The errors of ``caller(of:on:)``.
    func owner(
        of credential: Credential,
        on lane: StorePool.ReadLane = .requests
    ) async throws -> Token.Owner? {
        switch credential {
        case .bearer(let token):
            return try await owner(of: token, on: lane)
        case .invalidSession:
            return nil
        case .session(let secret):
            let owner = try await owner(of: secret, as: [.session], on: lane)
            if let owner { renew(secret, of: owner) }
            return owner
        }
    }

    /// Moves the expiry of a session that a request uses.
    ///
    /// The response does not wait for the write, because another process may be writing. If the write fails, a later
    /// request moves the expiry.
    private func renew(_ secret: String, of owner: Token.Owner) {
        let clock = clock()
        guard let expires = owner.renewedExpiry(at: clock.now) else { return }
        let digest = Token.digest(of: secret)
        let isFirst = renewed.withLock { digests in
            digests.insert(digest).inserted
        }
        guard isFirst else { return }
        Task {
            try? await pool.write(for: .server) { session in
                try TokenActions(clock: clock, in: session).renewSession(secret, until: expires)
            }
            renewed.withLock { digests in
                _ = digests.remove(digest)
            }
        }
    }

    /// Returns the cached owner of a request's token for the logs, or `nil` if the token is not cached.
    ///
    /// The method does not read the store, so that a revoked token may still have an owner here.
    package func lastViewer(of request: Request) -> Viewer? {
        guard let credential = try? credential(of: request), let secret = credential.secret else { return nil }
        let digest = Token.digest(of: secret)
        let isBearer = credential == .bearer(secret)
        if isBearer, digest == operatorDigest { return .operator }
        guard let owner = cached(digest)?.owner else { return nil }
        let kinds = isBearer ? Token.Kind.bearers : [.session]
        return kinds.contains(owner.kind) ? owner.viewer : nil
    }

    /// Returns the owner of a bearer token.
    ///
    /// - Parameters:
    ///   - secret: The secret of the token.
    ///   - lane: The connections that read a token that is not cached.
    /// - Returns: The owner of the token.
    /// - Throws: 401 `not-signed-in` if the secret is not a valid bearer token, and the errors of
    ///   ``StorePool/read(for:on:_:)``.
    func owner(of secret: String, on lane: StorePool.ReadLane = .requests) async throws -> Token.Owner {
        guard let owner = try await owner(of: secret, as: Token.Kind.bearers, on: lane) else {
            throw Problem.tokenInvalid
        }
        return owner
    }

    /// Returns the owner of a bearer token in the body of a request, or `nil` if the token is invalid.
    func bearerOwner(of secret: String) async throws -> Token.Owner? {
        try await owner(of: secret, as: Token.Kind.bearers, on: .requests)
    }

    /// Returns the user whose calendar has an address.
    ///
    /// - Parameter secret: The secret part of the address.
    /// - Returns: The user.
    /// - Throws: 404 `not-found` if there is no such address, and the errors of ``StorePool/read(for:on:_:)``.
    func calendarOwner(of secret: String) async throws -> Viewer {
        guard let owner = try await owner(of: secret, as: [.calendar], on: .requests) else {
            throw Problem.calendarNotFound
        }
        return owner.viewer
    }

    /// A shared view that an address opens.
    struct OpenView: Sendable {
        /// The user whose records the view shows.
        let owner: Viewer
        /// The records that it shows.
        let definition: ViewDefinition
    }

    /// Returns the shared view that has an address.
    ///
    /// - Parameter secret: The secret part of the address.
    /// - Returns: The view.
    /// - Throws: 404 `not-found` if there is no such address, and the errors of ``StorePool/read(for:on:_:)``.
    func view(of secret: String) async throws -> OpenView {
        let owner = try await owner(of: secret, as: [.view], on: .requests)
        guard let owner, let definition = owner.view else { throw Problem.viewNotFound }
        return OpenView(owner: owner.viewer, definition: definition)
    }

    /// Returns the owner of a secret, or `nil` if the secret is not valid for the purpose.
    ///
    /// Only this method decides whether a secret grants access: a bearer token opens no calendar, and the address of a
    /// calendar or of a shared view opens only the calendar or the view.
    ///
    /// - Parameters:
    ///   - secret: The secret.
    ///   - kinds: The kinds of secrets that the client may send for its purpose.
    ///   - lane: The connections that read a token that is not cached.
    /// - Returns: The owner.
    /// - Throws: The errors of ``StorePool/read(for:on:_:)``.
    private func owner(
        of secret: String,
        as kinds: Set<Token.Kind>,
        on lane: StorePool.ReadLane
    ) async throws -> Token.Owner? {
        guard let owner = try await findOwner(of: secret, on: lane), kinds.contains(owner.kind) else { return nil }
        // The session of another operator token file has ended.
        guard owner.operatorDigest == nil || owner.operatorDigest == operatorDigest else { return nil }
        return owner
    }

    /// Returns whether a request has the cookie of a session that no access token has opened.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether the request may add a way to sign in.
    /// - Throws: 401 `not-signed-in` for an invalid token, and the errors of the store.
    func isPersonalSession(_ request: Request) async throws -> Bool {
        guard let credential = try credential(of: request), case .session = credential else { return false }
        let owner = try await owner(of: credential)
        return owner.map { owner in !owner.hasSource } ?? false
    }

    /// Checks that a request may add a way to sign in: it has the cookie of a session that no access token has opened.
    ///
    /// A way to sign in would outlive the token, whose lifetime the operator decides.
    ///
    /// - Parameter request: The request.
    /// - Throws: 403 `not-signed-in` for a request with another credential, and the errors of the store.
    func requirePersonalSession(_ request: Request) async throws {
        guard try await isPersonalSession(request) else { throw Problem.personalSessionRequired }
    }

    /// Returns the credential from which the owner of a bearer token opens a session.
    ///
    /// - Parameter token: The bearer token.
    /// - Returns: The source of the session.
    func sessionSource(_ token: String) -> TokenActions.SessionSource {
        let digest = Token.digest(of: token)
        return digest == operatorDigest ? .operatorFile(digest: digest) : .token(secret: token)
    }

    /// Returns the owner of a token of any kind, or `nil` if the token is invalid.
    private func findOwner(of secret: String, on lane: StorePool.ReadLane) async throws -> Token.Owner? {
        let digest = Token.digest(of: secret)
        // The code compares digests, so that the time of a comparison reveals nothing about the token.
        if digest == operatorDigest {
            let never = Instant(microseconds: .max)
            return Token.Owner(viewer: .operator, expires: never)
        }
        let version = try pool.version()
        let clock = clock()
        if let cached = cached(digest),
            cached.version == version,
            cached.owner.expires > clock.now
        {
            return cached.owner
        }
        let owner = try await pool.read(for: .token(digest), on: lane) { session in
            try TokenActions(clock: clock, in: session).owner(of: secret)
        }
        guard let owner else { return nil }
        known.withLock { known in
            if known.count >= Self.limit {
                known.removeAll()
            }
            known[digest] = CachedToken(owner: owner, version: version)
        }
        return owner
    }

    private func cached(_ digest: [UInt8]) -> CachedToken? {
        known.withLock { known in known[digest] }
    }
}
