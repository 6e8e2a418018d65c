import Base
import Geo
import Photos

/// The input for an optional field of a record: omitted, cleared or set.
public enum FieldInput<Value> {
    /// The field is omitted. The stored value is unchanged.
    case absent
    /// The field is cleared.
    case null
    /// The field is set.
    case value(Value)

    /// The value if the field is set, otherwise `nil`.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Returns the input with its value transformed.
    ///
    /// - Parameter transform: A closure that is called only if the field is set.
    /// - Returns: The transformed value, or `absent` or `null` unchanged.
    /// - Throws: The error of `transform`.
    public func map<T, E>(_ transform: (Value) throws(E) -> T) throws(E) -> FieldInput<T> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension FieldInput {
    /// The input with `null` instead of `absent`.
    public var orNull: FieldInput { if case .absent = self { .null } else { self } }
}

extension FieldInput: Sendable where Value: Sendable {}
extension FieldInput: Equatable where Value: Equatable {}

/// A user account.
public struct UserRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.id, .name, .email, .timeZone, .shareLocation, .privatePlaces]

    /// The ID of the user.
    public var id: String
    /// The display name.
    public var name: FieldInput<String> = .absent
    /// The email address.
    public var email: FieldInput<String> = .absent
    /// The IANA identifier of the user's time zone.
    public var timeZone: FieldInput<String> = .absent
    /// Whether the user allows stored positions.
    public var sharesLocation: FieldInput<Bool> = .absent
    /// The places at which others see no positions of the user's records.
    public var privatePlaces: FieldInput<PrivatePlaces> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String) { self.id = id }
}

/// A habit of a user.
public struct HabitRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .title, .days, .reason, .start, .end, .times, .periodDays, .targetAmount, .unit, .tint,
        .symbol, .rank, .remindAt,
    ]
    /// The numbers of the tints, from which pages choose the colors of a habit.
    public static let tints = 1...6
    /// The allowed ranks.
    public static let ranks = 0...1_000_000

    /// The ID of the habit.
    public var id: String
    /// The ID of the owner.
    public var user: String
    /// The title.
    ///
    /// Its maximum length is a store setting.
    public var title: String
    /// The weekdays or the target from the start of the habit until the first ``ScheduleRecord``.
    public var schedule: Schedule
    /// The owner's reason for the habit.
    ///
    /// Its maximum length is a store setting.
    public var reason: FieldInput<String> = .absent
    /// The first day of the habit.
    public var start: FieldInput<Day> = .absent
    /// The last day of the habit.
    public var end: FieldInput<Day> = .absent
    /// The amount that an event needs so that its day is done, more than 0.
    public var targetAmount: FieldInput<Double> = .absent
    /// The unit of the amounts, at most 20 characters.
    public var unit: FieldInput<String> = .absent
    /// The number of the tint, in ``tints``.
    public var tint: FieldInput<Int> = .absent
    /// The symbol, which is one character such as an emoji.
    public var symbol: FieldInput<String> = .absent
    /// The place of the habit among the owner's habits, in ``ranks``.
    ///
    /// Only the owner can see it.
    public var rank: FieldInput<Int> = .absent
    /// The local time of a reminder on each due day.
    ///
    /// Only the owner can see it.
    public var remindAt: FieldInput<TimeOfDay> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String, title: String, schedule: Schedule) {
        self.id = id
        self.user = user
        self.title = title
        self.schedule = schedule
    }
}

/// The weekdays or the target of a habit from a given day on.
public struct ScheduleRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.habit, .from, .days, .times, .periodDays]

    /// The ID of the habit.
    public var habit: String
    /// The first day on which the schedule is in force.
    public var from: Day
    /// The weekdays or the target from that day on.
    public var schedule: Schedule

    /// Creates a record with all its fields.
    public init(habit: String, from: Day, schedule: Schedule) {
        self.habit = habit
        self.from = from
        self.schedule = schedule
    }
}

/// A pause of a habit, or of all habits of a user.
///
/// Its days are neither due nor missed.
public struct PauseRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.id, .user, .habit, .from, .to]

    /// The ID of the pause.
    public var id: String
    /// The ID of the owner.
    public var user: String
    /// The ID of the paused habit, or null for all habits of the user.
    public var habit: FieldInput<String> = .absent
    /// The first paused day.
    public var from: Day
    /// The last paused day, or null for a pause without an end.
    public var to: FieldInput<Day> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String, from: Day) {
        self.id = id
        self.user = user
        self.from = from
    }
}

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

/// An event: the outcome of a habit on one day.
public struct EventRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .habit, .day, .at, .utcOffset, .comment, .outcome, .photo, .keepEXIF, .longitude, .latitude,
        .amount,
    ]

    /// The ID of the event, or `nil` to derive it from the habit and the day.
    public var id: String?
    /// The ID of the habit's owner, or `nil` if the source does not specify it.
    public var user: String?
    /// The ID of the habit.
    public var habit: String
    /// The date of the event, or `nil` to derive it from ``at``.
    public var day: Day?
    /// The instant of the event.
    public var at: FieldInput<OffsetInstant> = .absent
    /// The outcome of the day.
    public var outcome: FieldInput<Outcome> = .absent
    /// The comment, the amount, the photo and the position.
    public var details = EventDetails()

    /// Creates a record in which all optional fields are omitted.
    public init(habit: String) { self.habit = habit }
}

/// The fields of an event that its user may change at any time.
public struct EventDetails: Sendable, Equatable {
    /// The comment.
    ///
    /// Its maximum length is a store setting.
    public var comment: FieldInput<String> = .absent
    /// The amount in the unit of the habit, from 0.
    public var amount: FieldInput<Double> = .absent
    /// The photo.
    public var photo: FieldInput<Photo> = .absent
    /// The position.
    public var position: FieldInput<Position> = .absent

    /// Creates details in which all fields are omitted.
    public init() {}

    /// Returns the details with the comment validated and in NFC.
    ///
    /// - Parameter settings: The settings of the store, which limit the comment.
    /// - Returns: The details.
    /// - Throws: `comment-too-long` or `text-invalid`.
    public func checked(_ settings: Settings) throws(HabitError) -> EventDetails {
        var details = self
        details.comment = try comment.map { (text: String) throws(HabitError) in
            try TextRule.comment.check(text, settings)
        }
        return details
    }

    /// Clears the omitted fields, except the photo, which has a URL of its own.
    public mutating func clearOmitted() {
        comment = comment.orNull
        amount = amount.orNull
        position = position.orNull
    }
}

/// The state of an item.
public enum ItemState: String, Sendable, CaseIterable {
    case available, claimed, given, withdrawn
}

/// A give-away item of a user.
public struct ItemRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .name, .description, .photo, .state, .postedAt, .expires, .longitude, .latitude,
    ]

    /// The ID of the item.
    public var id: String
    /// The ID of the poster.
    public var user: String
    /// The name of the item.
    ///
    /// Its maximum length is a store setting.
    public var name: String
    /// The description.
    ///
    /// Its maximum length is a store setting.
    public var description: FieldInput<String> = .absent
    /// The photo.
    public var photo: FieldInput<Photo> = .absent
    /// The state of the item.
    public var state: FieldInput<ItemState> = .absent
    /// The instant at which the item was posted.
    public var postedAt: FieldInput<OffsetInstant> = .absent
    /// The expiry date.
    public var expires: FieldInput<Day> = .absent
    /// The position of the item.
    public var position: FieldInput<Position> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String, name: String) {
        self.id = id
        self.user = user
        self.name = name
    }
}

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

/// A message between two users about an item.
public struct MessageRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [.id, .item, .sender, .recipient, .sentAt, .text]

    /// The ID of the message, or `nil` to derive it from the other fields.
    public var id: String?
    /// The ID of the item.
    public var item: String
    /// The ID of the sender.
    public var sender: String
    /// The ID of the recipient.
    public var recipient: String
    /// The instant at which the message was sent.
    public var sentAt: FieldInput<OffsetInstant> = .absent
    /// The text of the message.
    ///
    /// Its maximum length is a store setting.
    public var text: String

    /// Creates a record in which all optional fields are omitted.
    public init(item: String, sender: String, recipient: String, text: String) {
        self.item = item
        self.sender = sender
        self.recipient = recipient
        self.text = text
    }
}

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

/// A photo post of a user.
public struct PostRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .caption, .photo, .keepEXIF, .postedAt, .deletedAt, .longitude, .latitude,
    ]

    /// The ID of the post.
    public var id: String
    /// The ID of the owner.
    public var user: String
    /// The caption.
    ///
    /// Its maximum length is a store setting.
    public var caption: FieldInput<String> = .absent
    /// The photo.
    public var photo: FieldInput<Photo> = .absent
    /// The instant at which the photo was posted.
    public var postedAt: FieldInput<OffsetInstant> = .absent
    /// The instant at which the post was deleted.
    ///
    /// Only a tombstone of a deleted post remains.
    public var deletedAt: FieldInput<OffsetInstant> = .absent
    /// The position of the photo.
    public var position: FieldInput<Position> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String) {
        self.id = id
        self.user = user
    }
}

/// A record of any kind.
public enum Record: Sendable, Equatable {
    case setting(SettingRecord)
    case user(UserRecord)
    case habit(HabitRecord)
    case schedule(ScheduleRecord)
    case pause(PauseRecord)
    case follow(FollowRecord)
    case block(BlockRecord)
    case event(EventRecord)
    case item(ItemRecord)
    case claim(ClaimRecord)
    case message(MessageRecord)
    case read(ReadRecord)
    case post(PostRecord)
}
