/// The form in which a request writes the value of a field. Files may write it in other ways too.
public enum FieldForm: Equatable, Sendable {
    case text
    /// Degrees, WGS 84.
    case longitude, latitude
    /// A calendar date (RFC 3339 `full-date`).
    case day
    /// A point in time (RFC 3339 `date-time`).
    case instant
    /// A set of weekdays.
    case schedule
    /// The difference to UTC: `+01:00`, or minutes.
    case offset
    /// The bytes of an image as base64.
    case photo
    case flag
    /// One of these words.
    case choice([String])
}

extension Field {
    /// The form of this field in records of `kind`. The API document and the check of requests are derived from it.
    public func form(in kind: RecordKind) -> FieldForm {
        switch self {
        case .longitude: .longitude
        case .latitude: .latitude
        case .day, .start, .end, .expires, .from: .day
        case .at, .claimedAt, .requestedAt, .sentAt, .postedAt, .deletedAt: .instant
        case .days: .schedule
        case .utcOffset: .offset
        case .photo: .photo
        case .keepEXIF: .flag
        case .outcome: .choice(Outcome.allCases.map(\.rawValue))
        case .share: .choice(Share.allCases.map(\.rawValue))
        case .status: .choice(FollowStatus.allCases.map(\.rawValue))
        case .state where kind == .claims: .choice(ClaimState.allCases.map(\.rawValue))
        case .state: .choice(ItemState.allCases.map(\.rawValue))
        case .id, .user, .name, .email, .value, .timeZone, .shareLocation, .title, .reason, .habit, .follower,
            .followee,
            .comment, .done, .completed, .checked, .description, .item, .sender, .recipient, .text, .caption:
            .text
        }
    }
}
