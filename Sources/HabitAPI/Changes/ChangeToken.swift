import Base
import HTTPServing
import HabitModel
import HabitStore

/// The position of a client in the changes of a store, and the records that the client copies.
///
/// Clients store its text and send it back. See ``TokenKey`` for the text.
struct ChangeToken: Sendable, Equatable {
    /// The days after which a token is refused, because the log of changes is not kept longer.
    static let lifetime = 90

    /// The number of the day of UTC on which the token was created.
    var day: Int
    /// The position in the changes that the viewer sees.
    var position: FeedPosition
    /// The records that the client copies.
    var filter: SyncFilter

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - day: The number of the day on which the token is created.
    ///   - position: The position, by default of a client without records.
    ///   - filter: The records that the client copies, by default all that its user can see.
    init(
        day: Int,
        _ position: FeedPosition = FeedPosition(),
        filter: SyncFilter = .everything
    ) {
        self.day = day
        self.position = position
        self.filter = filter
    }

    /// Returns the number of the day of UTC, counted from 1970.
    static func day(of clock: Clock) -> Int {
        Int(clock.now.microseconds / 86_400_000_000)
    }

    /// Whether the log still has all changes after the token.
    ///
    /// - Parameter today: The number of the day of UTC.
    /// - Returns: `false` also for a token that was created more than a day later.
    func isValid(on today: Int) -> Bool {
        (-1..<Self.lifetime).contains(today - day)
    }

    /// The problem of a token that the log of changes no longer covers.
    static func expired(_ field: String) -> Problem {
        Problem(
            .gone,
            slug: ServerSlug.tokenExpired,
            detail:
                "the token is older than 90 days or belongs to another store or user: omit '\(field)' and read all records again",
            field: field)
    }
}
