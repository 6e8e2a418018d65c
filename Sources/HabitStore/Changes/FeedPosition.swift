import Base
import HabitModel
import StoreEngine

/// The position of a client in the changes that a viewer sees.
package struct FeedPosition: Sendable, Equatable {
    /// The last change that the client has, or `nil` if the client has no records.
    package var after: LogPosition?
    /// The rest of the pages, or `nil` if the client has all changes up to ``after``.
    package var rest: Rest?

    /// A position in the pages that lead to the state of the store at the first of these pages.
    ///
    /// Clients store its encoded form, so the names of its properties never change.
    package struct Rest: Sendable, Equatable, Codable {
        /// The number of the last change at the first page.
        var last: Int64
        /// The time of the last change in microseconds.
        var time: Int64
        /// Whether the pages contain all records.
        var isWhole = false
        /// The reset that continues, or `nil` after all resets.
        var reset: ResetPosition?
        /// The number of the last change of a record that the client has received.
        var changed: Int64 = -1

        /// The last change at the first page.
        var lastChange: LogPosition { LogPosition(number: last, time: time) }
    }

    /// A position in the records of a reset.
    package struct ResetPosition: Sendable, Equatable, Codable {
        var collection: String
        var user: String?
        /// The cursor of the last record, which is empty before the first record.
        ///
        /// It is `nil` if the client has not received any part of the reset.
        var cursor: String?
    }

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - change: The last change that the client has, or `nil` if the client has no records.
    ///   - rest: The rest of the pages, or `nil`.
    package init(after change: LogPosition? = nil, rest: Rest? = nil) {
        after = change
        self.rest = rest
    }

    /// Moves the position after a change, with which the client has all earlier changes.
    package mutating func finish(at change: LogPosition) {
        after = change
        rest = nil
    }

    /// Returns whether the log contains the changes that the client has, or contained them before they expired.
    ///
    /// A store that was replaced by a copy of its file lacks the last changes, or has other ones with their numbers.
    /// The newest change of the viewer's part does not show it: after 91 days the log no longer has that change.
    ///
    /// - Parameter session: A session of the store.
    /// - Returns: Whether the client can continue.
    /// - Throws: An error of the engine.
    package func isKnown(in session: any Session) throws -> Bool {
        let newest = try LogState(of: .viewer(.operator), in: session).newest.number
        guard after?.number ?? 0 <= newest else { return false }
        guard rest?.last ?? 0 <= newest else { return false }
        guard let after, let time = try ChangeFeed.time(of: after.number, in: session) else {
            return true
        }
        return time == after.time
    }
}

extension FeedPosition.ResetPosition {
    /// Creates the position before a reset.
    init(_ reset: ChangeFeed.Reset) {
        self.init(collection: reset.collection.rawValue, user: reset.user, cursor: nil)
    }

    /// The position of the last record, or `nil` before the first record.
    var lastRecord: Cursor? {
        get throws {
            guard let cursor, !cursor.isEmpty else { return nil }
            return try Cursor(cursor)
        }
    }

    /// The reset; `nil` if the collection is unknown.
    var reset: ChangeFeed.Reset? {
        SyncedCollection(rawValue: collection).map { collection in
            ChangeFeed.Reset(collection, user: user)
        }
    }
}
