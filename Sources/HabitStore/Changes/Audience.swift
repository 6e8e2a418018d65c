import HabitModel

/// The users who can see the change of a record.
///
/// The log stores the raw value. A wider audience has a greater value and contains each narrower one.
enum Audience: Int, Comparable {
    /// The owner of the record, or one of the two users whom it concerns.
    case party
    /// The followers who see all events of the party.
    case fullFollowers
    /// All followers of the party.
    case followers
    /// Everyone.
    case everyone

    /// Whether the second audience contains users whom the first does not.
    static func < (a: Audience, b: Audience) -> Bool { a.rawValue < b.rawValue }
}

extension RecordKind {
    /// The users who can see most changes of a record of this kind.
    ///
    /// Some changes of an event have a narrower audience: see ``LoggedParty``.
    var audience: Audience {
        switch self {
        case .users, .items: .everyone
        case .habits, .schedules, .pauses, .events, .posts: .followers
        case .settings, .follows, .blocks, .claims, .messages, .reads: .party
        }
    }

    /// Returns the audience of the change of some columns, or `nil` if it is the usual audience of the kind.
    ///
    /// - Parameter columns: The names of the columns that change.
    /// - Returns: The audience of a change of only these columns.
    func audience(ofChanged columns: Set<String>) -> Audience? {
        switch self {
        case .users where columns.isSubset(of: ["email", "share_location", "private_places"]):
            .party
        case .users where columns.isSubset(of: ["email", "share_location", "private_places", "time_zone"]):
            // The days of the user's events depend on the time zone.
            .followers
        case .habits where columns.isSubset(of: ["reason", "rank", "remind_time"]):
            .party
        case .items where columns.isSubset(of: ["geometry"]):
            // Others see the center of the cell, which does not change.
            .party
        default:
            nil
        }
    }
}
