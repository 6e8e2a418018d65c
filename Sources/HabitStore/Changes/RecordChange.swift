import Base
import HabitModel

/// The values of a record that a user creates or changes.
///
/// A change of a stored record keeps the values of absent fields.
public struct RecordChange: Sendable {
    /// The values of each kind of record that a user can write.
    public enum Values: Sendable {
        case habit(HabitDraft)
        case pause(PauseDraft)
        case event(EventChange)
        case item(ItemChange)
        case post(PostDraft)
        case claim(ClaimChange)
        case follow(FollowChange)
        case message(MessageChange)
    }

    /// The values.
    public var values: Values
    /// The ID that the user has chosen for a new record, or `nil` for a derived ID.
    public var id: String?
    /// The ID of the owner, follower or sender in the record, or `nil` if the record does not contain it.
    ///
    /// The record of another user cannot be created. A change of a stored record ignores the value.
    public var owner: String?
    /// Whether the change clears the start of a habit or the instant of an event only because it omits that field.
    ///
    /// A new record without the field has a value that the program chooses. See ``keepingDefaults``.
    public var clearsDefault = false

    /// Creates a change.
    ///
    /// - Parameter values: The values of the record.
    public init(_ values: Values) {
        self.values = values
    }

    /// The kind of the record.
    public var kind: RecordKind {
        switch values {
        case .habit: .habits
        case .pause: .pauses
        case .event: .events
        case .item: .items
        case .post: .posts
        case .claim: .claims
        case .follow: .follows
        case .message: .messages
        }
    }

    /// The change with the value that the program has chosen for an omitted field.
    ///
    /// A client that repeats the creation of a record does not know that value.
    var keepingDefaults: RecordChange {
        guard clearsDefault else { return self }
        var change = self
        switch values {
        case .habit(var draft):
            draft.start = .absent
            change.values = .habit(draft)
        case .event(var event):
            event.draft.at = .absent
            change.values = .event(event)
        case .pause, .item, .post, .claim, .follow, .message:
            break
        }
        return change
    }

    /// The change with the permission to record an event on a day on which its habit is not due.
    var allowingUnplannedEvent: RecordChange {
        guard case .event(var event) = values else { return self }
        var change = self
        event.draft.allowsUnplanned = true
        change.values = .event(event)
        return change
    }
}

/// The values of a new or changed event, with the fields that cannot change later.
public struct EventChange: Sendable {
    /// The ID or the title of the habit, which a new event must have.
    public var habit: String?
    /// The outcome, or `nil` for a new event that is done.
    public var outcome: Outcome?
    /// The other values.
    public var draft: EventDraft

    /// Creates the values of an event.
    public init(habit: String? = nil, outcome: Outcome? = nil, _ draft: EventDraft = EventDraft()) {
        self.habit = habit
        self.outcome = outcome
        self.draft = draft
    }
}

/// The values of a new or changed item.
public struct ItemChange: Sendable {
    /// The values that the poster can edit.
    public var draft: ItemDraft
    /// The state to which a stored item moves, or `nil` for its stored state.
    ///
    /// A new item is available.
    public var state: ItemState?

    /// Creates the values of an item.
    public init(_ draft: ItemDraft = ItemDraft(), state: ItemState? = nil) {
        self.draft = draft
        self.state = state
    }
}

/// The values of a new or changed claim, whose owner is the claimant.
public struct ClaimChange: Sendable {
    /// The ID of the item, which a new claim must have.
    public var item: String?
    /// The state to which a stored claim moves, or `nil` for its stored state.
    public var state: ClaimState?

    /// Creates the values of a claim.
    public init(item: String? = nil, state: ClaimState? = nil) {
        self.item = item
        self.state = state
    }
}

/// The values of a new or changed follow, whose owner is the follower.
public struct FollowChange: Sendable {
    /// The ID of the followed user, which a new follow must have.
    public var followee: String?
    /// The decision of the followed user, or `nil` for the stored status.
    public var status: FollowStatus?
    /// The events that the follower can see, or `nil` for the stored share.
    public var share: Share?

    /// Creates the values of a follow.
    public init(followee: String? = nil, status: FollowStatus? = nil, share: Share? = nil) {
        self.followee = followee
        self.status = status
        self.share = share
    }
}

/// The values of a new message, whose owner is the sender.
public struct MessageChange: Sendable {
    /// The ID of the item, which a message must have.
    public var item: String?
    /// The ID of the recipient, or `nil` for the other party of the item.
    public var recipient: String?
    /// The text, or `nil` for an empty text.
    public var text: String?

    /// Creates the values of a message.
    public init(item: String? = nil, recipient: String? = nil, text: String? = nil) {
        self.item = item
        self.recipient = recipient
        self.text = text
    }
}
