import HabitIngest
import HabitModel
import HabitStore
import Hummingbird

/// The audit log: one JSON object per line and change of an account, a follow or a token.
///
/// A line has the client's address, the user, the action and the ids of what has changed. It contains no token, e-mail
/// address, name, position or comment. It is written after the change has been committed.
extension HabitatServer {
    /// - Parameters:
    ///   - action: What has happened, such as `token.create`.
    ///   - user: The user for whom the action was taken, if the request has no token.
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

    /// The client's address, and the id of the user whose token it sends.
    func origin(of request: Request, _ context: HabitContext) -> [String: JSON] {
        var members: [String: JSON] = ["client": .text(client(of: request, context)), "user": .null]
        switch callers.lastViewer(of: request) {
        case .user(_, let id)?: members["user"] = .text(id)
        case .operator?: members["operator"] = true
        case nil: break
        }
        return members
    }

    /// Writes a change of a feature, if it is a follow.
    func auditChange(
        of feature: SingleFeature, _ change: String, _ record: SentRecord?, _ request: Request, _ context: HabitContext
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
