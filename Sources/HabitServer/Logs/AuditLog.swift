import Base
import HabitIngest
import HabitModel
import HabitStore
import Hummingbird

/// The audit log: one line with a JSON object for each change of an account, a follow or a token, and for each refused
/// sign-in or token.
///
/// A line contains the client's address, the user, the action and the IDs of the changed records. It contains no token,
/// e-mail address, name, position or comment. The server writes it after the commit of the change.
extension HabitatServer {
    /// Writes a line to the audit log if the log is enabled.
    ///
    /// - Parameters:
    ///   - action: The action, such as `token.create`.
    ///   - request: The request that caused the change.
    ///   - context: The context of the request.
    ///   - user: The user of the action if the request has no token.
    ///   - details: Additional members of the line.
    func audit(
        _ action: String, _ request: Request, _ context: HabitContext, user: Viewer? = nil, _ details: [String: JSON]
    ) {
        guard let audit = options.audit else { return }
        var line = origin(of: request, context).merging(details) { $1 }
        line["time"] = .text(OffsetInstant(.now, offset: .utc).description)
        line["log"] = "audit"
        line["action"] = .text(action)
        if case .user(_, let id)? = user { line["user"] = .text(id) }
        audit(String(decoding: JSON.object(line).bytes, as: UTF8.self))
    }

    /// Writes a line for a request whose bearer token was refused, at most one in three seconds after the first 20.
    func auditRefusedToken(_ problem: Problem, _ request: Request, _ context: HabitContext) {
        guard problem.headers[.wwwAuthenticate]?.contains("invalid_token") == true,
            tokenFailures.record(client(of: request, context))
        else { return }
        let token = (try? TokenAuthenticator.token(of: request)) ?? nil
        audit("token.refuse", request, context, ["token": token.map { .text(Token.id(of: $0)) } ?? .null])
    }

    /// Returns the members of a log line with the client's address and the user ID of the token's cached owner.
    func origin(of request: Request, _ context: HabitContext) -> [String: JSON] {
        var members: [String: JSON] = ["client": .text(client(of: request, context)), "user": .null]
        switch authenticator.lastViewer(of: request) {
        case .user(_, let id)?: members["user"] = .text(id)
        case .operator?: members["operator"] = true
        case nil: break
        }
        return members
    }

    /// Writes a line for the change of a feature if the feature is a follow.
    func auditChange(
        of feature: SingleFeature, _ change: String, _ record: RecordPayload?, _ request: Request,
        _ context: HabitContext
    ) {
        guard feature.view.collection.kind == .follows else { return }
        var details: [String: JSON] = ["follow": .text(feature.id)]
        if change == "update", let record {
            let status = try? record.choice(.status, FollowStatus.self)
            let share = try? record.choice(.share, Share.self)
            details["status"] = status.map { .text($0.rawValue) }
            details["share"] = share.map { .text($0.rawValue) }
        }
        audit("follow.\(change)", request, context, details)
    }
}
