import Crypto
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import Synchronization

/// On whose behalf a request comes.
enum Caller: Sendable, Equatable {
    case nobody
    case viewer(Viewer)

    /// The same for the same.
    var name: String {
        switch self {
        case .nobody: "nobody"
        case .viewer(let viewer): viewer.name
        }
    }

    /// Throws `not-signed-in` where nobody has said who they are.
    func viewer() throws -> Viewer {
        guard case .viewer(let viewer) = self else { throw Problem.notSignedIn }
        return viewer
    }
}

extension Viewer {
    /// A name that no other viewer has.
    var name: String {
        switch self {
        case .operator: "operator"
        case .user(_, let id): "user \(id)"
        }
    }
}

/// From tokens to those who hold them.
///
/// What the store has said holds until the store changes: a token that was revoked is refused at once.
final class Callers: Sendable {
    private let pool: StorePool
    private let operatorDigest: [UInt8]?
    private let clock: @Sendable () -> Clock
    private let known = Mutex<[[UInt8]: Known]>([:])
    /// So many holders are remembered; then all are forgotten.
    private static let limit = 10_000

    private struct Known {
        var holder: Token.Holder
        var version: Int64
    }

    init(_ pool: StorePool, operatorToken: String?, clock: @escaping @Sendable () -> Clock) {
        self.pool = pool
        operatorDigest = operatorToken.map(Token.digest)
        self.clock = clock
    }

    /// The token that a request brings; nil where there is none.
    static func token(of request: Request) throws -> String? {
        guard let header = request.headers[.authorization] else { return nil }
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer", words[1].utf8.count <= 200 else {
            throw Problem.tokenInvalid
        }
        return String(words[1])
    }

    /// Throws `not-signed-in` for a token that is no token, or no longer.
    func caller(of request: Request) async throws -> Caller {
        guard let token = try Self.token(of: request) else { return .nobody }
        return .viewer(try await holder(of: token).viewer)
    }

    /// Whose token a request brings, for the logs; `nil` if the token is not cached.
    ///
    /// Reads nothing from the store, so that a token that was revoked may still have a viewer here.
    func lastViewer(of request: Request) -> Viewer? {
        guard let token = try? Self.token(of: request) else { return nil }
        let digest = Token.digest(of: token)
        return digest == operatorDigest ? .operator : known.withLock { $0[digest]?.holder.viewer }
    }

    func holder(of token: String) async throws -> Token.Holder {
        let digest = Token.digest(of: token)
        // Digests are compared, so that the time it takes says nothing of the token.
        if digest == operatorDigest {
            return Token.Holder(viewer: .operator, expires: Instant(microseconds: .max))
        }
        let version = try pool.version()
        let now = clock().now
        if let known = known.withLock({ $0[digest] }), known.version == version, known.holder.expires > now {
            return known.holder
        }
        let clock = clock()
        let (holder, seen) = try await pool.read(for: .token(digest)) { session, version in
            (try TokenActions(clock: clock, in: session).holder(of: token), version)
        }
        guard let holder else { throw Problem.tokenInvalid }
        known.withLock {
            if $0.count >= Self.limit { $0.removeAll() }
            $0[digest] = Known(holder: holder, version: seen)
        }
        return holder
    }
}
