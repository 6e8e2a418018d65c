import Base
import HTTPServing
import HabitModel
import HabitStore
import Hummingbird

/// The audit log: one line with a JSON object for each change of an account, a follow, a token or a passkey, and for each
/// refused sign-in or token.
///
/// A line contains the client's address, the user, the action and the IDs of the changed records. It contains no token,
/// e-mail address, name, position or comment. The server writes it after the commit of the change.
package struct AuditLog: Sendable {
    private let write: (@Sendable (String) -> Void)?
    private let callers: TokenAuthenticator
    private let clients: ClientAddresses

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - write: Writes a line; `nil` disables the log.
    ///   - callers: Finds the owners of tokens.
    ///   - clients: Finds the addresses of clients.
    package init(
        write: (@Sendable (String) -> Void)?,
        callers: TokenAuthenticator,
        clients: ClientAddresses
    ) {
        self.write = write
        self.callers = callers
        self.clients = clients
    }

    /// Writes a line if the log is enabled.
    ///
    /// - Parameters:
    ///   - action: The action, such as `token.create`.
    ///   - request: The request that caused the change.
    ///   - context: The context of the request.
    ///   - user: The user of the action if the request has no token.
    ///   - details: Additional members of the line.
    func record(
        _ action: String,
        for request: Request,
        in context: ServerContext,
        user: Viewer? = nil,
        details: [String: JSON] = [:]
    ) {
        guard let write else { return }
        var line = origin(of: request, context)
        line.merge(details) { _, detail in detail }
        let now = OffsetInstant(.now, offset: .utc)
        line["time"] = .text(now.description)
        line["log"] = "audit"
        line["action"] = .text(action)
        if case .user(_, let id)? = user {
            line["user"] = .text(id)
        }
        let bytes = JSON.object(line).bytes
        write(String(decoding: bytes, as: UTF8.self))
    }

    /// Writes a line for the change of a call if the log is enabled.
    func record(
        _ action: String,
        for call: Call,
        user: Viewer? = nil,
        details: [String: JSON] = [:]
    ) {
        record(
            action,
            for: call.request,
            in: call.context,
            user: user,
            details: details)
    }

    /// Returns the members of a log line with the client's address and the user ID of the token's cached owner.
    package func origin(of request: Request, _ context: ServerContext) -> [String: JSON] {
        var members: [String: JSON] = [
            "client": .text(clients.client(of: request, context)),
            "user": .null,
        ]
        switch callers.lastViewer(of: request) {
        case .user(_, let id)?:
            members["user"] = .text(id)
        case .operator?:
            members["operator"] = true
        case nil:
            break
        }
        return members
    }

    /// Writes a line for the change of a feature if the feature is a follow.
    func recordChange(
        of feature: SingleFeature,
        _ change: String,
        to record: RecordChange?,
        for call: Call
    ) {
        guard feature.view.collection.kind == .follows else { return }
        var details: [String: JSON] = ["follow": .text(feature.id)]
        if change == "update", case .follow(let follow) = record?.values {
            details["status"] = follow.status.map { status in .text(status.rawValue) }
            details["share"] = follow.share.map { share in .text(share.rawValue) }
        }
        self.record("follow.\(change)", for: call, details: details)
    }
}
