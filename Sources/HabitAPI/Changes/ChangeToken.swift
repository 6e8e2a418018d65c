import Base
import HTTPServing
import HabitModel
import HabitStore

/// The position of a client in the changes of a store.
///
/// Clients store its text and send it back. See ``TokenKey`` for the text.
struct ChangeToken: Sendable, Equatable {
    /// The days after which a token is refused, because the log of changes is not kept longer.
    static let lifetime = 90

    /// The number of the day of UTC on which the token was created.
    var day: Int
    /// The last change that the client has, or `nil` if the client has no records.
    var after: LogPosition?
    /// The rest of the pages, or `nil` if the client has all changes up to ``after``.
    var rest: Rest?

    /// A position in the pages that lead to the state of the store at the first of these pages.
    struct Rest: Sendable, Equatable, Codable {
        /// The number of the last change at the first page.
        var last: Int64
        /// The time of the last change in microseconds.
        var time: Int64
        /// Whether the pages contain all records.
        var isWhole = false
        /// The reset that continues, or `nil` after all resets.
        var reset: Position?
        /// The number of the last change of a record that the client has received.
        var changed: Int64 = -1

        /// The last change at the first page.
        var lastChange: LogPosition { LogPosition(number: last, time: time) }
    }

    /// A position in the records of a reset.
    struct Position: Sendable, Equatable, Codable {
        var kind: String
        var user: String?
        /// The cursor of the last record, which is empty before the first record.
        ///
        /// It is `nil` if the client has not received any part of the reset.
        var cursor: String?
    }

    /// Creates the token of a client without records.
    ///
    /// - Parameter day: The number of the day on which the token is created.
    init(day: Int) {
        self.day = day
    }

    /// Moves the position after a change, with which the client has all earlier changes.
    mutating func finish(at change: LogPosition) {
        after = change
        rest = nil
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
            slug: "token-expired",
            detail:
                "the token is older than 90 days or belongs to another store or user: omit '\(field)' and read all records again",
            field: field)
    }
}

extension ChangeToken.Position {
    /// Creates the position before a reset.
    init(_ reset: ChangeFeed.Reset) {
        kind = reset.kind.rawValue
        user = reset.user
    }

    /// The position of the last record, or `nil` before the first record.
    var lastRecord: Cursor? {
        get throws {
            guard let cursor, !cursor.isEmpty else { return nil }
            return try Cursor(cursor)
        }
    }

    /// The reset; `nil` if the kind is unknown.
    var reset: ChangeFeed.Reset? {
        RecordKind(rawValue: kind).map { kind in ChangeFeed.Reset(kind, user: user) }
    }
}
