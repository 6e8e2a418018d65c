import Geo
import Photos

/// A field of a record as it was given: not at all, as nothing, or with a value.
///
/// What is absent leaves a stored value alone; null takes it away.
public enum Given<Value> {
    case absent
    case null
    case value(Value)

    /// The value, or nil where there is none.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    public func map<T, E>(_ transform: (Value) throws(E) -> T) throws(E) -> Given<T> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension Given {
    /// The value, with null if it is absent.
    public var orNull: Given { if case .absent = self { .null } else { self } }
}

extension Given: Sendable where Value: Sendable {}
extension Given: Equatable where Value: Equatable {}

public struct SettingRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [.name, .value]

    public var setting: Setting
    public var value: Int

    public init(_ setting: Setting, _ value: Int) {
        self.setting = setting
        self.value = value
    }
}

public struct UserRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [.id, .name, .email, .timeZone, .shareLocation]

    public var id: String
    public var name: Given<String> = .absent
    public var email: Given<String> = .absent
    public var timeZone: Given<String> = .absent
    public var sharesLocation: Given<Bool> = .absent

    public init(id: String) { self.id = id }
}

public struct HabitRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [.id, .user, .title, .days, .reason, .start, .end]

    public var id: String
    public var user: String
    public var title: String
    public var schedule: Schedule
    public var reason: Given<String> = .absent
    public var start: Given<Day> = .absent
    public var end: Given<Day> = .absent

    public init(id: String, user: String, title: String, schedule: Schedule) {
        self.id = id
        self.user = user
        self.title = title
        self.schedule = schedule
    }
}

/// A version of a habit's weekdays, from a day on.
public struct ScheduleRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [.habit, .from, .days]

    public var habit: String
    public var from: Day
    public var schedule: Schedule

    public init(habit: String, from: Day, schedule: Schedule) {
        self.habit = habit
        self.from = from
        self.schedule = schedule
    }
}

public enum FollowStatus: String, Sendable, CaseIterable {
    case pending, accepted, rejected
}

/// What a follower may see of a user's events.
public enum Share: String, Sendable, CaseIterable {
    case all
    /// Only the newest event of each habit.
    case latest
}

public struct FollowRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [.follower, .followee, .status, .share, .requestedAt]

    public var follower: String
    public var followee: String
    public var status: Given<FollowStatus> = .absent
    public var share: Given<Share> = .absent
    public var requestedAt: Given<OffsetInstant> = .absent

    public init(follower: String, followee: String) {
        self.follower = follower
        self.followee = followee
    }
}

public struct EventRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [
        .id, .user, .habit, .day, .at, .utcOffset, .comment, .outcome, .photo, .keepEXIF, .longitude, .latitude,
    ]

    /// Nil: the id follows from the habit and the day.
    public var id: String?
    /// The habit's owner, where the source says who that is.
    public var user: String?
    public var habit: String
    /// Nil: the day of `at`.
    public var day: Day?
    public var at: Given<OffsetInstant> = .absent
    public var outcome: Given<Outcome> = .absent
    public var details = EventDetails()

    public init(habit: String) { self.habit = habit }
}

/// The parts of an event that its user may change at any time.
public struct EventDetails: Sendable, Equatable {
    public var comment: Given<String> = .absent
    public var photo: Given<Photo> = .absent
    public var position: Given<Position> = .absent

    public init() {}

    /// Returns the details with valid texts.
    ///
    /// - Throws: `comment-too-long` or `text-invalid`.
    public func checked() throws(HabitError) -> EventDetails {
        var details = self
        details.comment = try comment.map { (text: String) throws(HabitError) in try TextRule.comment.check(text) }
        return details
    }

    /// Clears the details that are not given, except the photo, which has a URL of its own.
    public mutating func clearOmitted() {
        comment = comment.orNull
        position = position.orNull
    }
}

public enum ItemState: String, Sendable, CaseIterable {
    case available, claimed, given, withdrawn
}

public struct ItemRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [
        .id, .user, .name, .description, .photo, .keepEXIF, .state, .postedAt, .expires, .longitude, .latitude,
    ]

    public var id: String
    public var user: String
    public var name: String
    public var description: Given<String> = .absent
    public var photo: Given<Photo> = .absent
    public var state: Given<ItemState> = .absent
    public var postedAt: Given<OffsetInstant> = .absent
    public var expires: Given<Day> = .absent
    public var position: Given<Position> = .absent

    public init(id: String, user: String, name: String) {
        self.id = id
        self.user = user
        self.name = name
    }
}

public enum ClaimState: String, Sendable, CaseIterable {
    case claimed, released, given
}

public struct ClaimRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [.item, .user, .claimedAt, .state]

    public var item: String
    public var user: String
    public var claimedAt: Given<OffsetInstant> = .absent
    public var state: Given<ClaimState> = .absent

    public init(item: String, user: String) {
        self.item = item
        self.user = user
    }
}

public struct MessageRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [.id, .item, .sender, .recipient, .sentAt, .text]

    /// Nil: the id follows from the other fields.
    public var id: String?
    public var item: String
    public var sender: String
    public var recipient: String
    public var sentAt: Given<OffsetInstant> = .absent
    public var text: String

    public init(item: String, sender: String, recipient: String, text: String) {
        self.item = item
        self.sender = sender
        self.recipient = recipient
        self.text = text
    }
}

public struct PostRecord: Sendable, Equatable {
    /// The fields of the record, in the order in which files have them.
    public static let fields: [Field] = [
        .id, .user, .caption, .photo, .keepEXIF, .postedAt, .deletedAt, .longitude, .latitude,
    ]

    public var id: String
    public var user: String
    public var caption: Given<String> = .absent
    public var photo: Given<Photo> = .absent
    public var postedAt: Given<OffsetInstant> = .absent
    public var deletedAt: Given<OffsetInstant> = .absent
    public var position: Given<Position> = .absent

    public init(id: String, user: String) {
        self.id = id
        self.user = user
    }
}

/// One record of any kind.
public enum Record: Sendable, Equatable {
    case setting(SettingRecord)
    case user(UserRecord)
    case habit(HabitRecord)
    case schedule(ScheduleRecord)
    case follow(FollowRecord)
    case event(EventRecord)
    case item(ItemRecord)
    case claim(ClaimRecord)
    case message(MessageRecord)
    case post(PostRecord)
}
