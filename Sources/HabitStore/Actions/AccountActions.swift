import HabitModel
import StoreEngine

/// What is said of a user: what is absent stays as it is.
public struct UserDraft: Sendable {
    public var name: Given<String> = .absent
    public var email: Given<String> = .absent
    public var timeZone: Given<String> = .absent
    public var sharesLocation: Given<Bool> = .absent

    public init() {}
}

/// Making, changing and deleting accounts: by the operator, and by each user their own.
public struct AccountActions {
    private let viewer: Viewer
    private let session: any Session

    public init(_ viewer: Viewer, in session: any Session) {
        self.viewer = viewer
        self.session = session
    }

    /// Throws `operator-only`, `user-exists`, `id-invalid`, `time-zone-invalid`.
    public func add(_ id: String, _ draft: UserDraft) throws {
        guard viewer == .operator else {
            throw HabitError(
                .operatorOnly, "only the store's operator can create accounts", .actAsOperator)
        }
        let id = try checkID(id, field: .id)
        guard try Things(viewer: viewer, in: session).find(.user, id) == nil else {
            throw HabitError(
                .userExists, "there is a user '\(id)' already: choose another id", field: Field.id.name)
        }
        try write(id, draft)
    }

    /// Throws `not-found`, `not-yours`, `time-zone-invalid`.
    public func edit(_ id: String, _ draft: UserDraft) throws {
        try Things(viewer: viewer, in: session).require(.edit, .user, id)
        try write(id.composed, draft)
    }

    private func write(_ id: String, _ draft: UserDraft) throws {
        var record = UserRecord(id: id)
        record.name = draft.name.map(\.composed)
        record.email = draft.email
        record.timeZone = draft.timeZone
        record.sharesLocation = draft.sharesLocation
        _ = try session.writeRecords { try $0.write(.user(record)) }
    }

    /// Deletes a user with all that is theirs, and says how many of each kind; what they had claimed is available again.
    public func delete(_ id: String) throws -> [(kind: RecordKind, count: Int)] {
        let key = try Things(viewer: viewer, in: session).require(.delete, .user, id)
        let user: [String: Value] = ["user": .integer(key)]
        try session.run(
            SQL(
                """
                UPDATE item SET state = 'available'
                WHERE state = 'claimed' AND id IN (SELECT item_id FROM claim WHERE user_id = :user AND state = 'claimed')
                """, user))
        let theirs = "user_id = :user"
        let conditions: [(RecordKind, String)] = [
            (.messages, ":user IN (sender_id, recipient_id) OR item_id IN (SELECT id FROM item WHERE \(theirs))"),
            (.claims, "\(theirs) OR item_id IN (SELECT id FROM item WHERE \(theirs))"),
            (.items, theirs), (.posts, theirs), (.events, theirs),
            (.schedules, "habit_id IN (SELECT id FROM habit WHERE \(theirs))"), (.habits, theirs),
            (.follows, ":user IN (follower_id, followee_id)"), (.users, "id = :user"),
        ]
        let counts = try conditions.map { kind, condition in
            (kind, try session.run(SQL("DELETE FROM \(kind.table) WHERE \(condition)", user)))
        }
        try PhotoWriter.removeUnused(in: session)
        return counts.sorted { $0.0 < $1.0 }
    }
}
