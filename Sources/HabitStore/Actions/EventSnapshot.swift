import Base
import Geo
import HabitModel
import Photos
import StoreEngine

/// The stored values of an event at one moment.
public struct EventSnapshot: Sendable, Equatable {
    /// The ID of the event.
    public var id: String
    /// The ID of the habit.
    public var habit: String
    /// The day of the event.
    public var day: Day
    /// The instant of the event, or `nil` if it is unset.
    public var at: OffsetInstant?
    /// The outcome of the day.
    public var outcome: Outcome
    /// The comment, or `nil` if it is unset.
    public var comment: String?
    /// The amount, or `nil` if it is unset.
    public var amount: Double?
    /// The position, or `nil` if it is unset.
    public var position: Position?
    /// The SHA-256 digest of the photo, or `nil` if it is unset.
    public var photo: [UInt8]?

    /// Creates the values of an event without its optional fields.
    ///
    /// - Parameters:
    ///   - id: The ID of the event.
    ///   - habit: The ID of the habit.
    ///   - day: The day of the event.
    ///   - outcome: The outcome of the day.
    public init(id: String, habit: String, day: Day, outcome: Outcome) {
        self.id = id
        self.habit = habit
        self.day = day
        self.outcome = outcome
    }

    /// Returns the event of a user with an ID, or `nil` if it does not exist.
    static func of(_ id: String, of user: ActingUser) throws -> EventSnapshot? {
        try first(where: "event.external_id = \(.text(id.composed), as: "event")", of: user)
    }

    /// Returns the event of a user's habit on a day, or `nil` if it does not exist.
    static func of(habit key: Int64, on day: Day, of user: ActingUser) throws -> EventSnapshot? {
        let condition: SQL = "event.habit_id = \(.integer(key), as: "habit") AND event.day = \(.day(day), as: "day")"
        return try first(where: condition, of: user)
    }

    private static func first(where condition: SQL, of user: ActingUser) throws -> EventSnapshot? {
        let sql: SQL = """
            SELECT event.external_id, habit.external_id, event.day, event.outcome, event.occurred_at,
              event.utc_offset, event.comment, event.amount, event.geometry, event.photo_id
            FROM event
            \(EventTable.habitJoin)
            WHERE event.user_id = \(.integer(user.key), as: "user") AND \(condition)
            """
        var photo: Int64?
        var snapshot: EventSnapshot?
        try user.session.query(sql) { row in
            snapshot = EventSnapshot(row)
            photo = row.isNull(9) ? nil : row.integer(9)
            return false
        }
        if let photo {
            let digest: SQL = "SELECT sha256 FROM photo WHERE id = \(.integer(photo), as: "photo")"
            // The digest of a missing photo is empty, so that the event can still be changed.
            snapshot?.photo = try user.session.first(digest) { row in row.blob(0) } ?? []
        }
        return snapshot
    }

    private init?(_ row: any Row) {
        guard let id = row.text(0), let habit = row.text(1), let day = row.day(2),
            let outcome = row.text(3).flatMap(Outcome.init(rawValue:))
        else { return nil }
        self.init(id: id, habit: habit, day: day, outcome: outcome)
        if !row.isNull(4) {
            let offset = row.isNull(5) ? nil : UTCOffset(minutes: Int16(clamping: row.integer(5)))
            at = OffsetInstant(Instant(microseconds: row.integer(4)), offset: offset)
        }
        comment = row.text(6)
        amount = row.isNull(7) ? nil : row.number(7)
        position = row.position(8)
    }

    /// Returns the record that restores all values except the photo.
    fileprivate var record: EventRecord {
        var record = EventRecord(habit: habit)
        record.id = id
        record.day = day
        record.at = FieldInput(stored: at)
        record.outcome = .value(outcome)
        record.details.comment = FieldInput(stored: comment)
        record.details.amount = FieldInput(stored: amount)
        record.details.position = FieldInput(stored: position)
        return record
    }
}

extension FieldInput {
    /// Creates the input that restores a stored value.
    fileprivate init(stored value: Value?) {
        self = value.map { .value($0) } ?? .null
    }
}

/// The changes that the actions of one command made to events.
///
/// Several changes of the same event are one change.
public final class EventJournal {
    /// A change of one event.
    public struct Change: Sendable, Equatable {
        /// The event before the change, or `nil` if the change created it.
        public var before: EventSnapshot?
        /// The event after the change, or `nil` if the change deleted it.
        public var after: EventSnapshot?
        /// The bytes of the photo that the change removed, or `nil` if it removed none.
        public var removedPhoto: [UInt8]?

        /// Creates a change.
        ///
        /// - Parameters:
        ///   - before: The event before the change, or `nil` if the change created it.
        ///   - after: The event after the change, or `nil` if the change deleted it.
        ///   - removedPhoto: The bytes of the photo that the change removed, or `nil` if it removed none.
        public init(before: EventSnapshot?, after: EventSnapshot?, removedPhoto: [UInt8]? = nil) {
            self.before = before
            self.after = after
            self.removedPhoto = removedPhoto
        }

        /// The ID of the event.
        var id: String? { before?.id ?? after?.id }
    }

    /// The changes in their order.
    public private(set) var changes: [Change] = []
    private var photos: [[UInt8]: [UInt8]] = [:]

    /// Creates an empty journal.
    public init() {}

    /// Keeps the photo of an event that is about to change.
    ///
    /// - Parameters:
    ///   - before: The event, or `nil` if it does not exist.
    ///   - session: The session of the change.
    /// - Throws: An error of the engine.
    func keepPhoto(of before: EventSnapshot?, in session: any Session) throws {
        guard let digest = before?.photo, photos[digest] == nil else { return }
        let sql: SQL = "SELECT bytes FROM photo WHERE sha256 = \(.blob(digest), as: "sha256")"
        photos[digest] = try session.first(sql) { row in row.blob(0) }
    }

    /// Adds the change of an event that has been written.
    func add(_ id: String, _ before: EventSnapshot?, of user: ActingUser) throws {
        let after = try EventSnapshot.of(id, of: user)
        var change = Change(before: before, after: after)
        if let index = changes.firstIndex(where: { earlier in earlier.id == id.composed }) {
            change.before = changes.remove(at: index).before
        }
        guard change.before != change.after else { return }
        if let photo = change.before?.photo, photo != after?.photo {
            change.removedPhoto = photos[photo]
        }
        changes.append(change)
    }
}

/// The result of a reversal of changes.
public enum EventUndo: Sendable {
    /// The events are again as before the changes.
    case undone
    /// The events are again as before the changes, except for a position that the account no longer allows.
    case undoneWithoutPosition
    /// The events were already as before the changes.
    case unnecessary
    /// An event is neither as before nor as after its change, so that nothing was changed.
    case changedSince(EventSnapshot)
}

extension EventActions {
    /// Reverts the changes of one command, if the events are still as these changes left them.
    ///
    /// An event does not get a position back that the account no longer allows.
    ///
    /// - Parameter changes: The changes in their order.
    /// - Returns: Whether the events were changed.
    /// - Throws: An error of the engine.
    public func undo(_ changes: [EventJournal.Change]) throws -> EventUndo {
        var isUnnecessary = true
        var changed: EventSnapshot?
        for change in changes {
            let stored = try change.id.flatMap { id in try EventSnapshot.of(id, of: user) }
            if stored != change.before {
                isUnnecessary = false
            }
            let isAsLeft = try stored == change.after && isFree(change)
            if !isAsLeft, changed == nil { changed = change.after ?? change.before }
        }
        guard !isUnnecessary else { return .unnecessary }
        if let changed { return .changedSince(changed) }
        var isComplete = true
        for change in changes.reversed() {
            try restore(change)
            if losesPosition(change) { isComplete = false }
        }
        return isComplete ? .undone : .undoneWithoutPosition
    }

    /// Whether the reversal of a change would store a position again, which the account no longer allows.
    private func losesPosition(_ change: EventJournal.Change) -> Bool {
        guard !user.sharesLocation, let position = change.before?.position else { return false }
        return position != change.after?.position
    }

    /// Returns whether the habit of a change still exists and no other event is on its earlier day.
    private func isFree(_ change: EventJournal.Change) throws -> Bool {
        guard let before = change.before else { return true }
        guard let habit = try user.access.find(.habit, before.habit), habit.object.owner == user.id else {
            return false
        }
        let stored = try EventSnapshot.of(habit: habit.key, on: before.day, of: user)
        return stored == nil || stored?.id == before.id
    }

    private func restore(_ change: EventJournal.Change) throws {
        guard let before = change.before else {
            if let after = change.after { try delete(after.id) }
            return
        }
        var record = before.record
        if losesPosition(change) { record.details.position = .null }
        if before.photo == nil {
            record.details.photo = .null
        } else if before.photo != change.after?.photo, let bytes = change.removedPhoto {
            record.details.photo = .value(try HabitError.ofPhoto { () throws(PhotoError) in try Photo(bytes) })
        }
        try user.write(.event(record))
    }
}
