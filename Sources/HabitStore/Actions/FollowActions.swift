import Base
import HabitModel
import StoreEngine

/// Requests, accepts, rejects and ends follows.
public struct FollowActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    /// Requests to follow another user.
    ///
    /// A rejected user can send another request.
    ///
    /// - Parameter name: The ID of the user to follow.
    /// - Throws: `self-follow`, `already-following` or `already-requested`; `not-found` if the user does not exist.
    public func request(_ name: String) throws {
        let followee = try other(name, .followee)
        guard followee.id != user.id else {
            throw HabitError(
                .selfFollow,
                "you cannot follow yourself: choose another user",
                field: Field.followee.name)
        }
        switch try status(follower: user.key, followee: followee.key) {
        case .accepted:
            throw HabitError(
                .alreadyFollowing,
                "you already follow '\(followee.id)'",
                field: Field.followee.name,
                .list(.followedHabits))
        case .pending:
            throw HabitError(
                .alreadyRequested,
                "you have already requested to follow '\(followee.id)': wait for the response")
        case .rejected, nil:
            var record = FollowRecord(follower: user.id, followee: followee.id)
            record.status = .value(.pending)
            record.share = .value(.all)
            record.requestedAt = .value(user.now)
            try user.write(.follow(record))
        }
    }

    /// Accepts a follow request, or changes the share of a follower.
    ///
    /// - Parameters:
    ///   - name: The ID of the follower.
    ///   - share: The events that the follower can see. `nil` stands for all events.
    /// - Throws: `not-found` if the follower has no pending or accepted request; `already-following` if the request is
    ///   already accepted and `share` is `nil`.
    public func accept(_ name: String, share: Share?) throws {
        let follower = try other(name, .follower)
        let status = try status(follower: follower.key, followee: user.key)
        guard status == .pending || (status == .accepted && share != nil) else {
            guard status != .accepted else {
                throw HabitError(
                    .alreadyFollowing,
                    "'\(follower.id)' already follows you",
                    field: Field.follower.name,
                    .give(.share))
            }
            throw HabitError(
                .notFound,
                "'\(follower.id)' has not requested to follow you",
                field: Field.follower.name,
                .list(.followRequests))
        }
        var record = FollowRecord(follower: follower.id, followee: user.id)
        record.status = .value(.accepted)
        record.share = .value(share ?? .all)
        try user.write(.follow(record))
    }

    /// Rejects a follow request.
    ///
    /// - Parameter name: The ID of the follower.
    /// - Throws: `not-found` if the follower has no pending request.
    public func reject(_ name: String) throws {
        let follower = try other(name, .follower)
        guard try status(follower: follower.key, followee: user.key) == .pending else {
            throw HabitError(
                .notFound,
                "'\(follower.id)' has no pending request to follow you",
                field: Field.follower.name,
                .take(.dropFollower))
        }
        var record = FollowRecord(follower: follower.id, followee: user.id)
        record.status = .value(.rejected)
        try user.write(.follow(record))
    }

    /// Decides on the request of a follower, or changes an earlier decision.
    ///
    /// A decision that changes nothing has no effect.
    ///
    /// - Parameters:
    ///   - name: The ID of the follower.
    ///   - status: The decision, or `nil` for the stored status.
    ///   - share: The events that the follower can see. `nil` keeps the share of a follower, and stands for all events
    ///     if the request is accepted.
    /// - Throws: `field-invalid` if a pending request would stay pending with another share, or if a decided request
    ///   would be pending again; `not-found` if the follower has no request to decide on.
    public func decide(on name: String, status: FollowStatus?, share: Share?) throws {
        let follower = try other(name, .follower)
        let stored = try follow(of: user.key, by: follower.key)
        let keepsShare = share == nil || share == stored?.share
        switch status ?? stored?.status {
        case .rejected:
            guard stored?.status != .rejected else { return }
            try reject(name)
        case .accepted:
            guard share != nil || stored?.status != .accepted else { return }
            try accept(name, share: share)
        case .pending where stored?.status == .pending && keepsShare:
            break
        case .pending, nil:
            throw HabitError(
                .fieldInvalid,
                "the follow request needs a decision",
                field: Field.status.name,
                .take(.decideOnFollow))
        }
    }

    /// Ends a follow of the user, or withdraws a request.
    ///
    /// - Parameter name: The ID of the followed user.
    /// - Throws: `not-found` if the user neither follows this user nor has a pending request.
    public func remove(_ name: String) throws {
        let followee = try other(name, .followee)
        let status = try status(follower: user.key, followee: followee.key)
        guard status == .accepted || status == .pending else {
            throw HabitError(
                .notFound,
                "you do not follow '\(followee.id)'",
                field: Field.followee.name,
                .list(.follows))
        }
        try end(follower: user.key, followee: followee.key)
    }

    /// Removes a follower of the user.
    ///
    /// - Parameter name: The ID of the follower.
    /// - Throws: `not-found` if this user does not follow the user.
    public func drop(_ name: String) throws {
        let follower = try other(name, .follower)
        guard try status(follower: follower.key, followee: user.key) == .accepted else {
            throw HabitError(
                .notFound,
                "'\(follower.id)' does not follow you",
                field: Field.follower.name,
                .list(.follows))
        }
        try end(follower: follower.key, followee: user.key)
    }

    private func other(_ name: String, _ field: Field) throws -> (key: Int64, id: String) {
        (try user.require(name, as: field), name.composed)
    }

    /// Returns the IDs of the two users of a follow.
    ///
    /// - Parameter id: The ``CompositeID`` of the follow.
    /// - Returns: The IDs.
    /// - Throws: `not-found` if `id` does not contain two IDs.
    static func pair(_ id: String) throws -> (follower: String, followee: String) {
        guard let pair = CompositeID.pair(id) else {
            throw HabitError(
                .notFound,
                "there is no follow '\(id)' that you may see",
                field: Field.id.name)
        }
        return (pair.first, pair.second)
    }

    /// The stored values of a follow.
    private struct StoredFollow {
        var status: FollowStatus?
        var share: Share?
    }

    private func status(follower: Int64, followee: Int64) throws -> FollowStatus? {
        try follow(of: followee, by: follower)?.status
    }

    private func follow(of followee: Int64, by follower: Int64) throws -> StoredFollow? {
        let sql: SQL = """
            SELECT status, share
            FROM follow
            WHERE follower_id = \(.integer(follower), as: "follower")
              AND followee_id = \(.integer(followee), as: "followee")
            """
        return try user.session.first(sql) { row in
            StoredFollow(
                status: row.text(0).flatMap(FollowStatus.init(rawValue:)),
                share: row.text(1).flatMap(Share.init(rawValue:)))
        }
    }

    private func end(follower: Int64, followee: Int64) throws {
        try user.delete(
            .follows,
            where: """
                follower_id = \(.integer(follower), as: "follower")
                  AND followee_id = \(.integer(followee), as: "followee")
                """)
    }
}
