import Base

/// The kinds of records, in the order of their references: each kind refers only to preceding kinds.
public enum RecordKind: String, CaseIterable, Sendable, Comparable {
    case settings, users, habits, schedules, pauses, follows, blocks, events, items, claims, messages, reads, posts

    /// Compares the positions of two kinds in the order of references.
    public static func < (a: RecordKind, b: RecordKind) -> Bool { a.order < b.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The fields of a record of this kind, in the order in which they are written.
    public var fields: [Field] {
        switch self {
        case .settings: SettingRecord.fields
        case .users: UserRecord.fields
        case .habits: HabitRecord.fields
        case .schedules: ScheduleRecord.fields
        case .pauses: PauseRecord.fields
        case .follows: FollowRecord.fields
        case .blocks: BlockRecord.fields
        case .events: EventRecord.fields
        case .items: ItemRecord.fields
        case .claims: ClaimRecord.fields
        case .messages: MessageRecord.fields
        case .reads: ReadRecord.fields
        case .posts: PostRecord.fields
        }
    }

    /// The kinds whose records can have a photo.
    public static let withPhotos = allCases.filter { $0.fields.contains(.photo) }

    /// The kinds whose records can have a position.
    public static let located = allCases.filter { $0.fields.contains(.longitude) }

    /// The fields that specify whether an event took place, in addition to its outcome.
    ///
    /// They are accepted as input, but neither stored nor written. `status` means the outcome in the files of other
    /// programs, and the status of the habit in the outputs of this program.
    public var completionFields: [Field] { if case .events = self { Self.completionOfEvents } else { [] } }

    /// The fields from which the outcome of an event is read.
    public var outcomeFields: [Field] { if case .events = self { Self.outcomeOfEvents } else { [] } }

    private static let outcomeOfEvents = [Field.outcome] + completionOfEvents
    private static let completionOfEvents: [Field] = [.done, .completed, .checked, .value, .status]

    /// The required fields of a record of this kind.
    ///
    /// Each inner array lists alternatives, one of which is required.
    public var requiredFields: [[Field]] {
        switch self {
        case .settings: [[.name], [.value]]
        case .users: [[.id]]
        case .habits: [[.id], [.user], [.title], [.days, .times]]
        case .schedules: [[.habit], [.from], [.days, .times]]
        case .pauses: [[.id], [.user], [.from]]
        case .follows: [[.follower], [.followee]]
        case .blocks: [[.blocker], [.blocked]]
        case .events: [[.habit], [.day, .at]]
        case .items: [[.id], [.user], [.name]]
        case .claims: [[.item], [.user]]
        case .messages: [[.item], [.sender], [.recipient], [.text]]
        case .reads: [[.item], [.user], [.readAt]]
        case .posts: [[.id], [.user]]
        }
    }

    /// The instant of the record, or `nil` if the kind has no instant.
    ///
    /// The time aliases (`ts`, …) refer to this field.
    package var instantField: Field? {
        switch self {
        case .events: .at
        case .follows: .requestedAt
        case .blocks: .blockedAt
        case .items, .posts: .postedAt
        case .claims: .claimedAt
        case .messages: .sentAt
        case .reads: .readAt
        case .settings, .users, .habits, .schedules, .pauses: nil
        }
    }
}
