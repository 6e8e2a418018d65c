import Base
import HabitModel
import StoreEngine

/// The values for a new or changed account.
///
/// A change keeps the stored values of absent fields.
public struct UserDraft: Sendable {
    /// The name that other users see.
    public var name: FieldInput<String> = .absent
    /// The email address.
    public var email: FieldInput<String> = .absent
    /// The name of the time zone, such as `Europe/Berlin`.
    public var timeZone: FieldInput<String> = .absent
    /// Whether the account allows stored positions.
    public var sharesLocation: FieldInput<Bool> = .absent

    /// Creates an empty draft.
    public init() {}
}

/// Creates, changes and deletes accounts.
///
/// The operator can change all accounts, a user only the user's own.
public struct AccountActions {
    private let viewer: Viewer
    private let session: any Session

    /// Creates the actions of `viewer` in `session`.
    public init(_ viewer: Viewer, in session: any Session) {
        self.viewer = viewer
        self.session = session
    }

    /// Creates an account.
    ///
    /// - Parameters:
    ///   - id: The ID of the user.
    ///   - draft: The values of the account.
    /// - Throws: `operator-only` if the viewer is a user; `user-exists` if the ID is in use; `id-invalid`;
    ///   `time-zone-invalid`; `text-invalid` or `field-invalid` for the name; `field-invalid` for the address.
    public func add(_ id: String, _ draft: UserDraft) throws {
        guard viewer == .operator else {
            throw HabitError(
                .operatorOnly,
                "only the store's operator can create accounts",
                .actAsOperator)
        }
        let id = try checkID(id, field: .id)
        let access = AccessChecker(viewer: viewer, in: session)
        guard try access.find(.user, id) == nil else {
            throw HabitError(
                .userExists,
                "the user '\(id)' already exists: choose another id",
                field: Field.id.name)
        }
        try write(id, draft)
    }

    /// Changes an account.
    ///
    /// - Parameters:
    ///   - id: The ID of the user.
    ///   - draft: The values to change.
    /// - Throws: `not-found`, `not-yours`, `time-zone-invalid`, or the errors of the name and the address as in
    ///   ``add(_:_:)``.
    public func edit(_ id: String, _ draft: UserDraft) throws {
        try AccessChecker(viewer: viewer, in: session).require(.edit, on: .user, id: id)
        try write(id.composed, draft)
    }

    private func write(_ id: String, _ draft: UserDraft) throws {
        var record = UserRecord(id: id)
        record.name = try draft.name.map { name in
            try TextRule.userName.check(name)
        }
        record.email = try draft.email.map { email in
            try EmailAddress.check(email)
        }
        record.timeZone = draft.timeZone
        record.sharesLocation = draft.sharesLocation
        _ = try session.writeRecords { writer in
            try writer.write(.user(record))
        }
    }

    /// Deletes a user and all records that belong to the user.
    ///
    /// Items that the user has claimed become available.
    ///
    /// - Parameter id: The ID of the user.
    /// - Returns: The number of deleted records of each kind, in the order of the kinds.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws -> [(kind: RecordKind, count: Int)] {
        let access = AccessChecker(viewer: viewer, in: session)
        let key = try access.require(.delete, on: .user, id: id)
        let user: SQL = "\(.integer(key), as: "user")"
        let log = ChangeLog(session)
        let claimed: SQL = """
            state = 'claimed' AND id IN (SELECT item_id FROM claim WHERE user_id = \(user) AND state = 'claimed')
            """
        try log.add(.items, where: claimed)
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        try session.run("UPDATE item SET state = 'available', version = \(version) WHERE \(claimed)")
        let theirs: SQL = "user_id = \(user)"
        let theirItems: SQL = "SELECT id FROM item WHERE \(theirs)"
        let conditions: [(RecordKind, SQL)] = [
            (.messages, "\(user) IN (sender_id, recipient_id) OR item_id IN (\(theirItems))"),
            (.claims, "\(theirs) OR item_id IN (\(theirItems))"),
            (.items, theirs),
            (.posts, theirs),
            (.events, theirs),
            (.schedules, theirs),
            (.habits, theirs),
            (.follows, "\(user) IN (follower_id, followee_id)"),
            (.users, "id = \(user)"),
        ]
        try session.run("DELETE FROM import_run WHERE \(theirs)")
        let firstDay = try session.first("SELECT min(day) FROM event WHERE \(theirs)") { row in
            row.day(0)
        }
        let counts = try conditions.map { kind, condition in
            let isLogged = ![.posts, .events, .schedules, .habits].contains(kind)
            let count =
                isLogged
                ? try log.delete(kind, where: condition)
                : try log.deleteUnlogged(kind, where: condition)
            return (kind: kind, count: count)
        }
        try log.forget(user: key)
        try log.addDeletedAccount(.habits, day: nil)
        try log.addDeletedAccount(.events, day: firstDay ?? nil)
        try log.addDeletedAccount(.posts, day: nil)
        try PhotoWriter.removeUnused(in: session)
        return counts.sorted { first, second in
            first.kind < second.kind
        }
    }
}
