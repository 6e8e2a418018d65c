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
    /// The places at which others see no positions of the user's records.
    public var privatePlaces: FieldInput<PrivatePlaces> = .absent

    /// Creates an empty draft.
    public init() {}
}

/// Creates, changes and deletes accounts.
///
/// The operator can change all accounts, a user only the user's own.
public struct AccountActions {
    let viewer: Viewer
    let session: any Session

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
        guard !id.unicodeScalars.contains(where: \.properties.isBidiControl) else {
            throw HabitError(
                .idInvalid,
                "the id contains a character that changes the direction of text: remove it",
                field: Field.id.name)
        }
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
        record.privatePlaces = draft.privatePlaces
        _ = try session.writeRecords { writer in
            try writer.write(.user(record))
        }
    }

    /// The kinds whose deletion is logged with one row for the deleted account.
    private static let unloggedKinds = Set(RecordKind.owned).union([.schedules])

    /// Deletes a user and all records that belong to the user.
    ///
    /// Items that the user has claimed become available.
    ///
    /// The log of another user gets the same rows, in the same order, as when a block hides the user:
    /// see ``BlockRule``. If a block already hides the account, the other user of the block gets no rows about it.
    ///
    /// - Parameter id: The ID of the user.
    /// - Returns: The number of deleted records of each kind, in the order of the kinds. The records that the viewer
    ///   cannot see do not count.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws -> [(kind: RecordKind, count: Int)] {
        let access = AccessChecker(viewer: viewer, in: session)
        let key = try access.require(.delete, on: .user, id: id)
        let user: SQL = "\(.integer(key), as: "user")"
        let log = ChangeLog(session)
        let former = try log.newFormerUser()
        let hidden = try BlockRule(session).hiddenUsers(of: key)
        try releaseItems(claimedBy: user)
        let theirs: SQL = "user_id = \(user)"
        let theirItems: SQL = "SELECT id FROM item WHERE \(theirs)"
        let conditions: [(RecordKind, SQL)] = [
            (.messages, "\(user) IN (sender_id, recipient_id) OR item_id IN (\(theirItems))"),
            (.reads, "\(theirs) OR item_id IN (\(theirItems))"),
            (.claims, "\(theirs) OR item_id IN (\(theirItems))"),
            (.items, theirs),
            (.posts, theirs),
            (.events, theirs),
            (.schedules, theirs),
            (.pauses, theirs),
            (.habits, theirs),
            (.follows, "\(user) IN (follower_id, followee_id)"),
            (.blocks, "\(user) IN (blocker_id, blocked_id)"),
            (.users, "id = \(user)"),
        ]
        try session.run("DELETE FROM import_run WHERE \(theirs)")
        try session.run("DELETE FROM passkey WHERE \(theirs)")
        let firstDay = try session.first("SELECT min(day) FROM event WHERE \(theirs)") { row in
            row.day(0)
        }
        let visibility = Visibility(viewer: viewer)
        let counts = try conditions.map { kind, condition in
            let visible = try visibility.count(kind, where: condition, in: session)
            let count = try delete(kind, where: condition, of: key, former: former)
            return (kind: kind, count: visible ?? count)
        }
        try log.forget(user: key)
        try log.hide(former: former, from: hidden)
        for kind in RecordKind.owned {
            let day = kind == .events ? firstDay ?? nil : nil
            try log.addDeletedAccount(kind, day: day)
        }
        try PhotoWriter.removeUnused(in: session)
        return counts.sorted { first, second in
            first.kind < second.kind
        }
    }
    /// Makes the items available that a user has claimed, and logs them.
    private func releaseItems(claimedBy user: SQL) throws {
        let claimed: SQL = """
            state = 'claimed' AND id IN (SELECT item_id FROM claim WHERE user_id = \(user) AND state = 'claimed')
            """
        try ChangeLog(session).add(.items, where: claimed)
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        try session.run("UPDATE item SET state = 'available', version = \(version) WHERE \(claimed)")
    }

    /// Deletes the records of a kind with a deleted account, and logs the deletion.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    ///   - user: The key of the account.
    ///   - former: The number that stands for the account in the log.
    /// - Returns: The number of deleted records.
    /// - Throws: An error of the engine.
    private func delete(
        _ kind: RecordKind,
        where condition: SQL,
        of user: Int64,
        former: Int64
    ) throws -> Int {
        let log = ChangeLog(session)
        switch kind {
        case .items:
            try log.addItems(of: user, for: .everyone(about: former))
        case .users:
            try log.addAccount(of: user, for: .everyone(about: former))
        default:
            guard Self.unloggedKinds.contains(kind) else {
                return try log.delete(kind, where: condition)
            }
        }
        return try log.deleteUnlogged(kind, where: condition)
    }
}
