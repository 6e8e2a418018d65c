import Base

/// The status of a follow request.
public enum FollowStatus: String, Sendable, CaseIterable {
    case pending, accepted, rejected
}

/// The share level of a follower: the events that the followed user lets the follower see.
public enum Share: String, Sendable, CaseIterable {
    /// All events.
    case all
    /// Only the newest event of each habit.
    case latest
}

/// A follow relation between two users, or a request for one.
public struct FollowRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.follower, .followee, .status, .share, .requestedAt]

    /// The ID of the follower.
    public var follower: String
    /// The ID of the followed user.
    public var followee: String
    /// The status of the request.
    public var status: FieldInput<FollowStatus> = .absent
    /// The share level of the follower.
    public var share: FieldInput<Share> = .absent
    /// The instant of the request.
    public var requestedAt: FieldInput<OffsetInstant> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(follower: String, followee: String) {
        self.follower = follower
        self.followee = followee
    }
}
