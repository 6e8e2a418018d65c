import Base

/// The state of a claim.
public enum ClaimState: String, Sendable, CaseIterable {
    case claimed, released, given
}

/// A claim of a user on an item.
public struct ClaimRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.item, .user, .claimedAt, .state]

    /// The ID of the item.
    public var item: String
    /// The ID of the claimant.
    public var user: String
    /// The instant of the claim.
    public var claimedAt: FieldInput<OffsetInstant> = .absent
    /// The state of the claim.
    public var state: FieldInput<ClaimState> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(item: String, user: String) {
        self.item = item
        self.user = user
    }
}
