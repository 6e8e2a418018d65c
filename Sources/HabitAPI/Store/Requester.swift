import HabitStore

/// The party for which a request uses the store.
///
/// Each party has its own queue, so that no party delays another.
package enum Requester: Hashable, Sendable {
    case `operator`
    /// A user, by key.
    case user(Int64)
    /// The lookup of the user of a token, by the token's digest.
    case token([UInt8])
    /// A client without a token, by address.
    case client(String)
    /// The server's own work: health checks, sign-in, maintenance.
    case server

    init(_ viewer: Viewer) {
        switch viewer {
        case .operator: self = .operator
        case .user(let key, _): self = .user(key)
        }
    }

    /// Creates the requester of a caller.
    ///
    /// - Parameters:
    ///   - caller: The caller of a request.
    ///   - client: The IP address of the client, which identifies callers without a token.
    init(_ caller: Caller, client: String) {
        switch caller {
        case .nobody: self = .client(client)
        case .viewer(let viewer): self.init(viewer)
        }
    }
}
