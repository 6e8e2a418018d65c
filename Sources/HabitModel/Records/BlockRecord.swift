import Base

/// A block: two users are hidden from each other, and only the blocker can end it.
public struct BlockRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.blocker, .blocked, .blockedAt]

    /// The ID of the user who blocks.
    public var blocker: String
    /// The ID of the blocked user.
    public var blocked: String
    /// The instant of the block.
    public var blockedAt: FieldInput<OffsetInstant> = .absent

    /// Creates a record in which the instant is omitted.
    public init(blocker: String, blocked: String) {
        self.blocker = blocker
        self.blocked = blocked
    }
}
