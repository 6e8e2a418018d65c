/// The kinds of record, in the order of their references: each kind refers only to kinds before it.
public enum RecordKind: String, CaseIterable, Sendable, Comparable {
    case settings, users, habits, schedules, follows, events, items, claims, messages, posts

    public static func < (a: RecordKind, b: RecordKind) -> Bool { a.order < b.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The fields of a record of this kind, in the order in which they are written.
    public var fields: [Field] {
        switch self {
        case .settings: [.name, .value]
        case .users: [.id, .name, .email, .timeZone, .shareLocation]
        case .habits: [.id, .user, .title, .days, .reason, .start, .end]
        case .schedules: [.habit, .from, .days]
        case .follows: [.follower, .followee, .status, .share, .requestedAt]
        case .events:
            [.id, .user, .habit, .day, .at, .utcOffset, .comment, .outcome, .photo, .keepEXIF, .longitude, .latitude]
        case .items:
            [.id, .user, .name, .description, .photo, .keepEXIF, .state, .postedAt, .expires, .longitude, .latitude]
        case .claims: [.item, .user, .claimedAt, .state]
        case .messages: [.id, .item, .sender, .recipient, .sentAt, .text]
        case .posts: [.id, .user, .caption, .photo, .keepEXIF, .postedAt, .deletedAt, .longitude, .latitude]
        }
    }

    /// The fields that tell whether an event took place. Ingest reads them; they are neither stored nor part of an output.
    public var completionFields: [Field] { if case .events = self { Self.completionOfEvents } else { [] } }

    private static let completionOfEvents: [Field] = [.done, .completed, .checked, .value]

    /// The fields that a record of this kind must have: of each list one.
    public var requiredFields: [[Field]] {
        switch self {
        case .settings: [[.name], [.value]]
        case .users: [[.id]]
        case .habits: [[.id], [.user], [.title], [.days]]
        case .schedules: [[.habit], [.from], [.days]]
        case .follows: [[.follower], [.followee]]
        case .events: [[.habit], [.day, .at]]
        case .items: [[.id], [.user], [.name]]
        case .claims: [[.item], [.user]]
        case .messages: [[.item], [.sender], [.recipient], [.text]]
        case .posts: [[.id], [.user]]
        }
    }

    /// The moment a record of this kind happened, which the time aliases (`ts`, `timestamp`, …) stand for.
    fileprivate var instantField: Field? {
        switch self {
        case .events: .at
        case .follows: .requestedAt
        case .items, .posts: .postedAt
        case .claims: .claimedAt
        case .messages: .sentAt
        case .settings, .users, .habits, .schedules: nil
        }
    }
}

/// The fields of all kinds of record. The raw value is the name that inputs and outputs use.
public enum Field: String, CaseIterable, Sendable {
    case id, user, name, email, value
    case timeZone = "time_zone"
    case shareLocation = "share_location"
    case title, days, reason, start, end
    case habit, from
    case follower, followee, status, share
    case requestedAt = "requested_at"
    case day, at
    case utcOffset = "utc_offset"
    case comment, outcome
    case done, completed, checked
    case photo, longitude, latitude
    case description, state
    case postedAt = "posted_at"
    case expires, item
    case claimedAt = "claimed_at"
    case sender, recipient
    case sentAt = "sent_at"
    case text, caption
    case deletedAt = "deleted_at"
    /// Whether the photo keeps its EXIF data.
    case keepEXIF = "keep_exif"

    /// The field that `spelling` names in records of `kind`: its own name in any case, or an alias of it.
    public init?(spelling: String, in kind: RecordKind) {
        let name = spelling.lowercased()
        if let field = Field(rawValue: name), kind.fields.contains(field) || kind.completionFields.contains(field) {
            self = field
        } else if let alias = Self.alias(name, in: kind), kind.fields.contains(alias) {
            self = alias
        } else {
            return nil
        }
    }

    private static func alias(_ name: String, in kind: RecordKind) -> Field? {
        switch name {
        case "lon", "lng", "long", "x": .longitude
        case "lat", "y": .latitude
        case "ts", "timestamp", "time", "when", "created_at", "occurred_at": kind.instantField
        case "user_id", "owner": .user
        case "habit_id": .habit
        case "note", "text": .comment
        case "tz": .timeZone
        case "name" where kind == .habits: .title
        case "state" where kind == .follows: .status
        default: nil
        }
    }
}
