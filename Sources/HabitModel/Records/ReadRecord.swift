import Base

/// A read marker: the instant until which a user has read the messages about an item.
public struct ReadRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.item, .user, .readAt]

    /// The ID of the item.
    public var item: String
    /// The ID of the user who has read the messages.
    public var user: String
    /// The instant until which the user has read them.
    public var readAt: OffsetInstant

    /// Creates a record.
    public init(item: String, user: String, readAt: OffsetInstant) {
        self.item = item
        self.user = user
        self.readAt = readAt
    }
}
