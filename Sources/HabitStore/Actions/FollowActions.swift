import HabitModel
import StoreEngine

/// Who follows whom: requests, answers and ends.
public struct FollowActions {
    private let user: ActingUser

    public init(_ user: ActingUser) { self.user = user }

    /// Asks to follow somebody; one who was rejected may ask again.
    ///
    /// Throws `self-follow`, `already-following`, `already-requested`, `not-found`.
    public func request(_ name: String) throws {
        let followee = try other(name, .followee)
        guard followee.id != user.id else {
            throw HabitError(
                .selfFollow, "nobody can follow themselves: name another user", field: Field.followee.name)
        }
        switch try status(follower: user.key, followee: followee.key) {
        case .accepted:
            throw HabitError(
                .alreadyFollowing, "you follow '\(followee.id)' already", field: Field.followee.name,
                .list(.followedHabits))
        case .pending:
            throw HabitError(.alreadyRequested, "you have asked '\(followee.id)' already: they have not answered yet")
        case .rejected, nil:
            var record = FollowRecord(follower: user.id, followee: followee.id)
            record.status = .value(.pending)
            record.share = .value(.all)
            record.requestedAt = .value(user.now)
            try user.write(.follow(record))
        }
    }

    /// Accepts a request; `share` says what the follower may see (nil: all). Of an accepted one it changes just that.
    ///
    /// Throws `not-found` where nobody has asked, `already-following` where nothing is left to grant.
    public func accept(_ name: String, share: Share?) throws {
        let follower = try other(name, .follower)
        let status = try status(follower: follower.key, followee: user.key)
        guard status == .pending || (status == .accepted && share != nil) else {
            guard status != .accepted else {
                throw HabitError(
                    .alreadyFollowing,
                    "'\(follower.id)' follows you already", field: Field.follower.name, .give(.share))
            }
            throw HabitError(
                .notFound, "'\(follower.id)' has not asked to follow you", field: Field.follower.name,
                .list(.followRequests))
        }
        var record = FollowRecord(follower: follower.id, followee: user.id)
        record.status = .value(.accepted)
        record.share = .value(share ?? .all)
        try user.write(.follow(record))
    }

    /// Rejects a request. Throws `not-found` where nobody has asked.
    public func reject(_ name: String) throws {
        let follower = try other(name, .follower)
        guard try status(follower: follower.key, followee: user.key) == .pending else {
            throw HabitError(
                .notFound,
                "'\(follower.id)' has no open request to follow you", field: Field.follower.name,
                .take(.dropFollower))
        }
        var record = FollowRecord(follower: follower.id, followee: user.id)
        record.status = .value(.rejected)
        try user.write(.follow(record))
    }

    /// Stops following somebody, or takes a request back. Throws `not-found` where there is neither.
    public func remove(_ name: String) throws {
        let followee = try other(name, .followee)
        let status = try status(follower: user.key, followee: followee.key)
        guard status == .accepted || status == .pending else {
            throw HabitError(
                .notFound, "you do not follow '\(followee.id)'", field: Field.followee.name, .list(.follows))
        }
        try end(follower: user.key, followee: followee.key)
    }

    /// Ends that somebody follows the user. Throws `not-found` where they do not.
    public func drop(_ name: String) throws {
        let follower = try other(name, .follower)
        guard try status(follower: follower.key, followee: user.key) == .accepted else {
            throw HabitError(
                .notFound, "'\(follower.id)' does not follow you", field: Field.follower.name, .list(.follows))
        }
        try end(follower: follower.key, followee: user.key)
    }

    private func other(_ name: String, _ field: Field) throws -> (key: Int64, id: String) {
        (try user.require(name, as: field), name.composed)
    }

    private func status(follower: Int64, followee: Int64) throws -> FollowStatus? {
        let sql = SQL(
            "SELECT status FROM follow WHERE follower_id = :follower AND followee_id = :followee",
            ["follower": .integer(follower), "followee": .integer(followee)])
        return try user.session.first(sql) { $0.text(0).flatMap(FollowStatus.init(rawValue:)) } ?? nil
    }

    private func end(follower: Int64, followee: Int64) throws {
        try user.delete(
            from: "follow", where: "follower_id = :follower AND followee_id = :followee",
            ["follower": .integer(follower), "followee": .integer(followee)])
    }
}
