import Base

/// The fields of all record kinds.
///
/// The raw value is the index of the field in ``allCases``.
public enum Field: Int, CaseIterable, Sendable {
    case id, user, name, email, value
    case timeZone, shareLocation, privatePlaces
    case title, days, reason, start, end
    case times, periodDays, targetAmount, unit
    case tint, symbol, rank, remindAt
    case habit, from, to
    case follower, followee, status, share, requestedAt
    case blocker, blocked, blockedAt
    case readAt
    case day, at, utcOffset
    case comment, outcome, amount
    /// Whether an event took place. The fields appear in exports of other applications.
    case done, completed, checked
    case photo, longitude, latitude
    case description, state, postedAt, expires
    case item, claimedAt
    case sender, recipient, sentAt
    case text, caption, deletedAt
    /// Whether the photo keeps its EXIF data.
    case keepEXIF

    /// The name of the field in inputs and outputs.
    public var name: String {
        switch self {
        case .id: "id"
        case .user: "user"
        case .name: "name"
        case .email: "email"
        case .value: "value"
        case .timeZone: "time_zone"
        case .shareLocation: "share_location"
        case .privatePlaces: "private_places"
        case .title: "title"
        case .days: "days"
        case .reason: "reason"
        case .start: "start"
        case .end: "end"
        case .times: "times"
        case .periodDays: "period_days"
        case .targetAmount: "target_amount"
        case .unit: "unit"
        case .tint: "tint"
        case .symbol: "symbol"
        case .rank: "rank"
        case .remindAt: "remind_at"
        case .habit: "habit"
        case .from: "from"
        case .to: "to"
        case .follower: "follower"
        case .followee: "followee"
        case .status: "status"
        case .share: "share"
        case .requestedAt: "requested_at"
        case .blocker: "blocker"
        case .blocked: "blocked"
        case .blockedAt: "blocked_at"
        case .readAt: "read_at"
        case .day: "day"
        case .at: "at"
        case .utcOffset: "utc_offset"
        case .comment: "comment"
        case .outcome: "outcome"
        case .amount: "amount"
        case .done: "done"
        case .completed: "completed"
        case .checked: "checked"
        case .photo: "photo"
        case .longitude: "longitude"
        case .latitude: "latitude"
        case .description: "description"
        case .state: "state"
        case .postedAt: "posted_at"
        case .expires: "expires"
        case .item: "item"
        case .claimedAt: "claimed_at"
        case .sender: "sender"
        case .recipient: "recipient"
        case .sentAt: "sent_at"
        case .text: "text"
        case .caption: "caption"
        case .deletedAt: "deleted_at"
        case .keepEXIF: "keep_exif"
        }
    }

    private static let fieldsByName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    /// Creates the field with this exact name, or returns `nil` if the name is unknown.
    public init?(named name: String) {
        guard let field = Self.fieldsByName[name] else { return nil }
        self = field
    }

    /// Returns the form of this field in records of `kind`.
    ///
    /// The OpenAPI document and the request validation use it.
    public func form(in kind: RecordKind) -> FieldForm {
        switch self {
        case .longitude: .longitude
        case .latitude: .latitude
        case .day, .start, .end, .expires, .from, .to: .day
        case .at, .claimedAt, .requestedAt, .blockedAt, .readAt, .sentAt, .postedAt, .deletedAt: .instant
        case .days: .schedule
        case .times, .periodDays: .count
        case .tint: .integer(HabitRecord.tints)
        case .rank: .integer(HabitRecord.ranks)
        case .remindAt: .timeOfDay
        case .amount, .targetAmount: .amount
        case .utcOffset: .offset
        case .photo: .photo
        case .keepEXIF, .shareLocation: .flag
        case .outcome: .choice(Outcome.allCases.map(\.rawValue))
        case .share: .choice(Share.allCases.map(\.rawValue))
        case .status: .choice(FollowStatus.allCases.map(\.rawValue))
        case .state where kind == .claims: .choice(ClaimState.allCases.map(\.rawValue))
        case .state: .choice(ItemState.allCases.map(\.rawValue))
        case .id, .user, .name, .email, .value, .timeZone, .privatePlaces, .title, .reason, .unit, .symbol, .habit,
            .follower, .followee, .blocker, .blocked, .comment, .done, .completed, .checked, .description, .item,
            .sender, .recipient, .text, .caption:
            .text
        }
    }

    /// Checks a number against the range of the field in records of `kind`.
    ///
    /// - Parameters:
    ///   - number: The number in the input.
    ///   - kind: The record kind.
    /// - Returns: The number.
    /// - Throws: `field-invalid` if the field is a whole number in a range, and the number is outside it.
    public func check(_ number: Int, in kind: RecordKind) throws(HabitError) -> Int {
        guard case .integer(let range) = form(in: kind), !range.contains(number) else {
            return number
        }
        throw HabitError(
            .fieldInvalid,
            "the \(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(number)",
            field: name)
    }

    /// Whether a request that replaces a record clears the field if the request omits it.
    ///
    /// A record keeps its identity: its ID, the IDs of its owner and of other records, and the day of an event. It keeps
    /// its state and other decisions, and the instants that the program sets. Its photo has a URL of its own.
    public var isClearedByReplacement: Bool {
        switch self {
        case .id, .user, .habit, .item, .follower, .followee, .blocker, .blocked: false
        case .sender, .recipient, .day, .from: false
        case .photo, .keepEXIF: false
        case .state, .status, .share, .outcome, .done, .completed, .checked: false
        case .postedAt, .deletedAt, .requestedAt, .blockedAt, .readAt, .claimedAt, .sentAt, .utcOffset: false
        case .name, .email, .value, .timeZone, .shareLocation, .privatePlaces: true
        case .title, .days, .reason, .start, .end, .to, .times, .periodDays, .targetAmount, .unit: true
        case .tint, .symbol, .rank, .remindAt: true
        case .at, .comment, .amount, .longitude, .latitude, .description, .expires, .text, .caption: true
        }
    }

    /// Whether the program chooses a value if a new record omits the field.
    public var hasDefault: Bool { self == .start || self == .at }

    /// Creates the field from its name or an alias in any letter case, or returns `nil` if `kind` has no such field.
    ///
    /// - Parameters:
    ///   - spelling: A name or an alias, such as a column name of an input file.
    ///   - kind: The record kind. Some aliases depend on it.
    public init?(spelling: String, in kind: RecordKind) {
        let name = spelling.lowercased()
        if let field = Field(named: name), kind.fields.contains(field) || kind.completionFields.contains(field) {
            self = field
        } else if let alias = Self.alias(name, in: kind), kind.fields.contains(alias) {
            self = alias
        } else {
            return nil
        }
    }

    /// Returns the field for a lowercase alias, even if records of `kind` do not have the field.
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

extension HabitError {
    /// Returns the `field-missing` error of a record without a required field.
    package static func missing(_ field: Field) -> HabitError {
        HabitError(
            .fieldMissing,
            "field '\(field.name)' is required: add it to the record",
            field: field.name)
    }
}
