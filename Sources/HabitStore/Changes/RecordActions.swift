import Base
import HabitModel
import Photos

/// Creates, changes and deletes records of every kind that a user can write.
///
/// Each kind has its own actions, such as ``EventActions``, which check the permissions and the rules of the kind.
public struct RecordActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    // MARK: Creating

    /// Creates a record.
    ///
    /// - Parameter change: The values of the record.
    /// - Returns: The ID of the record. The ID of a relation is a ``CompositeID`` of two IDs.
    /// - Throws: `not-yours` if the record names another user as its owner, `field-missing`, `field-invalid`,
    ///   `id-invalid`, and the errors of the kind.
    public func create(_ change: RecordChange) throws -> String {
        try requireOwner(of: change)
        let id = try change.id.map { id in try checkID(id, field: .id) }
        switch change.values {
        case .habit(let draft):
            return try HabitActions(user).add(draft, id: id)
        case .pause(let draft):
            return try PauseActions(user).add(draft, id: id)
        case .event(let event):
            return try create(event, id: id)
        case .item(let item):
            return try ItemActions(user).post(item.draft, id: id)
        case .post(let draft):
            return try PostActions(user).add(draft, id: id)
        case .claim(let claim):
            return try create(claim)
        case .follow(let follow):
            return try create(follow)
        case .message(let message):
            let item = try required(message.item, .item)
            return try MessageActions(user).send(
                item: item,
                to: message.recipient,
                text: message.text ?? "",
                id: id)
        }
    }

    private func create(_ event: EventChange, id: String?) throws -> String {
        let habit = try required(event.habit, .habit)
        let actions = EventActions(user)
        return switch event.outcome ?? .done {
        case .done: try actions.add(habit: habit, event.draft, id: id)
        case .skipped: try actions.skip(habit: habit, event.draft, id: id)
        }
    }

    private func create(_ claim: ClaimChange) throws -> String {
        let item = try required(claim.item, .item)
        try ItemActions(user).claim(item)
        return CompositeID.text([item, user.id])
    }

    private func create(_ follow: FollowChange) throws -> String {
        let followee = try required(follow.followee, .followee)
        guard follow.status == nil || follow.status == .pending else {
            throw HabitError(
                .fieldInvalid,
                "only '\(followee)' can decide on the request: omit 'status'",
                field: Field.status.name)
        }
        try FollowActions(user).request(followee)
        return CompositeID.text([user.id, followee])
    }

    /// Checks that a new record belongs to the user.
    ///
    /// - Throws: `not-yours` if the record names another user.
    private func requireOwner(of change: RecordChange) throws {
        guard let owner = change.owner, owner != user.id else { return }
        let field = change.kind.ownerField.name
        throw HabitError(
            .notYours,
            "user '\(user.id)' cannot create a record of '\(owner)': omit '\(field)'",
            field: field)
    }

    private func required(_ text: String?, _ field: Field) throws -> String {
        guard let text else { throw HabitError.missing(field) }
        return text
    }

    // MARK: Changing

    /// Changes a record.
    ///
    /// - Parameters:
    ///   - id: The ID of the record. The ID of a relation is a ``CompositeID`` of two IDs.
    ///   - change: The values to change.
    /// - Throws: `not-found`, `not-yours`, `field-invalid` for a field that cannot change, `item-state-conflict`, and
    ///   the errors of the kind; `internal` for a message, which never changes.
    public func update(_ id: String, with change: RecordChange) throws {
        switch change.values {
        case .habit(let draft):
            try HabitActions(user).edit(id, draft)
        case .pause(let draft):
            try PauseActions(user).edit(id, draft)
        case .event(let event):
            try EventActions(user).edit(id, event)
        case .item(let item):
            try update(id, item)
        case .post(let draft):
            try PostActions(user).edit(id, draft)
        case .claim(let claim):
            try update(id, claim)
        case .follow(let follow):
            try update(id, follow)
        case .message:
            throw HabitError(.internal, "a message cannot be changed")
        }
    }

    private func update(_ id: String, _ item: ItemChange) throws {
        let actions = ItemActions(user)
        try actions.edit(id, item.draft)
        guard let state = item.state else { return }
        try actions.move(id, to: state)
    }

    private func update(_ id: String, _ claim: ClaimChange) throws {
        let actions = ItemActions(user)
        let item = try actions.itemOfActiveClaim(id)
        switch claim.state {
        case .given: try actions.give(item)
        case .released: try actions.release(item)
        case .claimed, nil: break
        }
    }

    private func update(_ id: String, _ change: FollowChange) throws {
        let follow = try FollowActions.pair(id)
        guard follow.followee == user.id else {
            throw HabitError(
                .notYours,
                "only the followed user '\(follow.followee)' can change this follow",
                .actAsNamedUser)
        }
        try FollowActions(user).decide(on: follow.follower, status: change.status, share: change.share)
    }

    /// Sets or removes the photo of a record.
    ///
    /// - Parameters:
    ///   - photo: The photo, or null to remove the photo.
    ///   - kind: The kind of the record: events, items or posts.
    ///   - id: The ID of the record.
    /// - Throws: The errors of ``update(_:with:)``; `internal` if records of the kind have no photo.
    public func setPhoto(_ photo: FieldInput<Photo>, of kind: RecordKind, id: String) throws {
        let values: RecordChange.Values
        switch kind {
        case .events:
            var draft = EventDraft()
            draft.details.photo = photo
            values = .event(EventChange(draft))
        case .items:
            var draft = ItemDraft()
            draft.photo = photo
            values = .item(ItemChange(draft))
        case .posts:
            var draft = PostDraft()
            draft.photo = photo
            values = .post(draft)
        default:
            throw HabitError(.internal, "the kind '\(kind.rawValue)' has no photos")
        }
        try update(id, with: RecordChange(values))
    }

    // MARK: Deleting

    /// Deletes a record.
    ///
    /// The deletion of a claim releases the item. The deletion of a follow ends the follow, withdraws the request, or
    /// removes the follower.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record. The ID of a relation is a ``CompositeID`` of two IDs.
    /// - Throws: `not-found`, `not-yours`, `post-deleted`, `item-state-conflict`; `internal` for another kind.
    public func delete(_ kind: RecordKind, id: String) throws {
        switch kind {
        case .habits:
            _ = try HabitActions(user).delete(id)
        case .pauses:
            try PauseActions(user).delete(id)
        case .events:
            try EventActions(user).delete(id)
        case .items:
            _ = try ItemActions(user).delete(id)
        case .posts:
            try PostActions(user).delete(id)
        case .claims:
            let actions = ItemActions(user)
            try actions.release(try actions.itemOfActiveClaim(id))
        case .follows:
            try deleteFollow(id)
        case .messages:
            try MessageActions(user).delete(id)
        case .settings, .users, .schedules, .blocks, .reads:
            throw HabitError(.internal, "a user cannot delete records of the kind '\(kind.rawValue)'")
        }
    }

    private func deleteFollow(_ id: String) throws {
        let follow = try FollowActions.pair(id)
        let actions = FollowActions(user)
        if follow.follower == user.id {
            try actions.remove(follow.followee)
        } else {
            try actions.drop(follow.follower)
        }
    }
}

extension RecordKind {
    /// The field of a record with the ID of its owner, follower or sender.
    package var ownerField: Field {
        switch self {
        case .follows: .follower
        case .messages: .sender
        case .blocks: .blocker
        case .settings, .users, .habits, .schedules, .pauses, .events, .items, .claims, .reads, .posts: .user
        }
    }
}
