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

/// Finds the owners of bearer tokens and of the addresses of calendars.
///
/// A cached owner is valid only until the store changes, so that a revoked token is refused immediately.
package final class TokenAuthenticator: Sendable {
    private let pool: StorePool
    private let operatorDigest: [UInt8]?
    private let clock: @Sendable () -> Clock
    private let known = Mutex<[[UInt8]: CachedToken]>([:])
    /// Maximum number of cached owners.
    ///
    /// The cache is emptied when it is full.
    private static let limit = 10_000

    private struct CachedToken {
        var owner: Token.Owner
        /// The version of the store before the token was read: see ``StorePool/version()``.
        var version: Int64
    }

    package init(
        _ pool: StorePool,
        operatorToken: String?,
        clock: @escaping @Sendable () -> Clock
    ) {
        self.pool = pool
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

    /// Returns the caller of a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - lane: The connections that read a token that is not cached.
    /// - Returns: The caller, `nobody` if the request has no token.
    /// - Throws: 401 `not-signed-in` if the token is invalid, expired or revoked, and the errors of
    ///   ``StorePool/read(for:on:_:)``.
    func caller(of request: Request, on lane: StorePool.ReadLane = .requests) async throws -> Caller {
        guard let token = try Self.token(of: request) else { return .nobody }
        let owner = try await owner(of: token, on: lane)
        return .viewer(owner.viewer)
    }

    /// Returns the cached owner of a request's token for the logs, or `nil` if the token is not cached.
    ///
    /// The method does not read the store, so that a revoked token may still have an owner here.
    func lastViewer(of request: Request) -> Viewer? {
        guard let token = try? Self.token(of: request) else { return nil }
        let digest = Token.digest(of: token)
        if digest == operatorDigest { return .operator }
        guard let owner = cached(digest)?.owner else { return nil }
        return Token.Kind.bearers.contains(owner.kind) ? owner.viewer : nil
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

    /// Returns the owner of a secret, or `nil` if the secret is not valid for the purpose.
    ///
    /// Only this method decides whether a secret grants access: a bearer token opens no calendar, and the address of a
    /// calendar opens only the calendar.
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
        guard let owner = try await findOwner(of: secret, on: lane) else { return nil }
        return kinds.contains(owner.kind) ? owner : nil
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
