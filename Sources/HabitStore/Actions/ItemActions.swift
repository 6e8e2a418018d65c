import Base
import Geo
import HabitModel
import Photos
import StoreEngine

/// The values for a new or changed item.
///
/// A change keeps the stored values of absent fields.
public struct ItemDraft: Sendable {
    /// The name of the item.
    public var name: FieldInput<String> = .absent
    /// The description of the item.
    public var description: FieldInput<String> = .absent
    /// The photo of the item.
    ///
    /// Every item has one.
    public var photo: FieldInput<Photo> = .absent
    /// The position of the item.
    public var position: FieldInput<Position> = .absent
    /// The last day on which the item is available.
    public var expires: FieldInput<Day> = .absent

    /// Creates an empty draft.
    public init() {}
}

/// Posts, changes, withdraws and deletes items, and manages the claims on them.
public struct ItemActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    /// Posts an item.
    ///
    /// - Parameters:
    ///   - draft: The values of the item, which must include a name and a photo.
    ///   - id: The ID of the item, or `nil` for a derived ID.
    /// - Returns: The ID of the item.
    /// - Throws: `item-name-invalid`, `item-description-invalid`, `picture-invalid`, `day-invalid`,
    ///   `location-not-permitted`, `id-invalid` or `duplicate-key`.
    public func post(_ draft: ItemDraft, id: String? = nil) throws -> String {
        let givenName = draft.name.value ?? ""
        let name = try TextRule.itemName.check(givenName, user.settings)
        guard draft.photo.value != nil else { throw missingPhoto }
        let id = try user.newID(id, .item, of: [name])
        var record = ItemRecord(id: id, user: user.id, name: name)
        record.postedAt = .value(user.now)
        try fill(&record, from: draft)
        try user.write(.item(record))
        return id
    }

    /// Changes an item.
    ///
    /// - Parameters:
    ///   - id: The ID of the item.
    ///   - draft: The values to change.
    /// - Throws: `not-found`, `not-yours`, or the errors of ``post(_:id:)``.
    public func edit(_ id: String, _ draft: ItemDraft) throws {
        let key = try user.access.require(.edit, on: .item, id: id)
        let sql: SQL = "SELECT name FROM item WHERE id = \(.integer(key), as: "item")"
        // The stored name stays valid, even if it exceeds the current limit.
        let stored = try user.session.first(sql) { row in row.text(0) ?? "" }
        var name = stored ?? ""
        switch draft.name {
        case .absent:
            break
        case .null, .value:
            let givenName = draft.name.value ?? ""
            name = try TextRule.itemName.check(givenName, user.settings)
        }
        var record = ItemRecord(id: id.composed, user: user.id, name: name)
        if case .null = draft.photo {
            throw missingPhoto
        }
        try fill(&record, from: draft)
        try user.write(.item(record))
    }

    /// Deletes an item with its claims and messages.
    ///
    /// - Parameter id: The ID of the item.
    /// - Returns: The number of deleted claims and of deleted messages that the user can see.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws -> (claims: Int, messages: Int) {
        let key = try user.access.require(.delete, on: .item, id: id)
        let ofItem: SQL = "item_id = \(.integer(key), as: "item")"
        let claims = try deleteVisible(.claims, where: ofItem)
        let messages = try deleteVisible(.messages, where: ofItem)
        try user.delete(.reads, where: ofItem)
        try user.delete(.items, where: "id = \(.integer(key), as: "item")")
        try PhotoWriter.removeUnused(in: user.session)
        return (claims, messages)
    }

    /// Deletes the records that meet a condition, and returns the number of those that the user can see.
    private func deleteVisible(_ kind: RecordKind, where condition: SQL) throws -> Int {
        let visibility = Visibility(viewer: user.viewer)
        let visible = try visibility.count(kind, where: condition, in: user.session)
        let deleted = try user.delete(kind, where: condition)
        return visible ?? deleted
    }

    /// Claims an item.
    ///
    /// If several users claim an item at the same time, the first claim to commit wins.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `own-item`; `item-already-claimed`; `item-unavailable` if the item is given, withdrawn or
    ///   expired.
    public func claim(_ id: String) throws {
        let key = try user.access.require(.claim, on: .item, id: id)
        let state = try state(key)
        switch state {
        case .available:
            break
        case .claimed:
            let stored = try user.access.find(.item, id)
            throw alreadyClaimed(id, byUser: stored?.object.isOtherSide ?? false)
        case .given, .withdrawn, .expired:
            let reason = state == .given ? "is already given" : "is no longer available"
            throw HabitError(
                .itemUnavailable,
                "the item '\(id)' \(reason)",
                subject: ErrorSubject(.item, id),
                .list(.items))
        }
        var claim = ClaimRecord(item: id.composed, user: user.id)
        claim.state = .value(.claimed)
        claim.claimedAt = .value(user.now)
        try user.write(.claim(claim))
    }

    /// Returns the error for a claimed item.
    ///
    /// - Parameters:
    ///   - id: The ID of the item.
    ///   - isByUser: Whether the user has claimed the item.
    /// - Returns: The error.
    private func alreadyClaimed(_ id: String, byUser isByUser: Bool) -> HabitError {
        var message = "another user has claimed the item '\(id)'"
        var remedy = Remedy.list(.items)
        if isByUser {
            message = "you have already claimed the item '\(id)'"
            remedy = .take(.sendMessage)
        }
        return HabitError(
            .itemAlreadyClaimed,
            message,
            subject: ErrorSubject(.item, id),
            remedy)
    }

    /// Releases the claim on an item.
    ///
    /// The claimant and the poster can release it.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `not-yours`; `item-state-conflict` if the item is not claimed.
    public func release(_ id: String) throws {
        try move(id, .release)
    }

    /// Marks a claimed item as given to the claimant.
    ///
    /// Only the poster can do this.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `not-yours`; `item-state-conflict` if the item is not claimed.
    public func give(_ id: String) throws {
        try move(id, .give)
    }

    /// Withdraws an item from the offer and releases the claim on it.
    ///
    /// Only the poster can do this.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `not-yours`; `item-state-conflict` if the item is neither available nor claimed.
    public func withdraw(_ id: String) throws {
        try move(id, .withdraw)
    }

    /// Moves an item to a state, unless it has that state already.
    ///
    /// - Parameters:
    ///   - id: The ID of the item.
    ///   - state: The state, which is given or withdrawn.
    /// - Throws: `not-found`; `not-yours`; `item-state-conflict` if the item cannot move to the state.
    public func move(_ id: String, to state: ItemState) throws {
        let key = try user.access.require(.edit, on: .item, id: id)
        guard try self.state(key).rawValue != state.rawValue else { return }
        switch state {
        case .withdrawn:
            try withdraw(id)
        case .given:
            try give(id)
        case .available, .claimed:
            throw HabitError(
                .itemStateConflict,
                "an item cannot be set to '\(state.rawValue)'",
                field: Field.state.name,
                .take(.moveItem))
        }
    }

    /// Returns the ID of the item of an active claim that the user can see.
    ///
    /// - Parameter id: The ``CompositeID`` of the claim.
    /// - Returns: The ID of the item.
    /// - Throws: `item-state-conflict` if the claim is no longer active; `not-found` if `id` does not contain two IDs.
    func itemOfActiveClaim(_ id: String) throws -> String {
        guard let pair = CompositeID.pair(id) else {
            throw HabitError(
                .notFound,
                "there is no claim '\(id)' that you may see",
                field: Field.id.name)
        }
        let state = try claimState(item: pair.first, user: pair.second)
        guard state == .claimed else {
            throw HabitError(
                .itemStateConflict,
                "the claim '\(id)' is no longer active: its state is '\(state?.rawValue ?? "deleted")'",
                field: Field.state.name)
        }
        return pair.first
    }

    /// Returns the state of a claim, or `nil` if the user can see no such claim.
    private func claimState(item: String, user claimant: String) throws -> ClaimState? {
        let isVisible = Visibility(viewer: user.viewer).claims ?? "TRUE"
        let sql: SQL = """
            SELECT claim.state
            FROM claim
            \(ClaimTable.joins)
            WHERE \(isVisible)
              AND item.external_id = \(.text(item.composed), as: "item")
              AND claimant.external_id = \(.text(claimant.composed), as: "user")
            """
        let state = try user.session.first(sql) { row in
            row.text(0).flatMap(ClaimState.init(rawValue:))
        }
        return state ?? nil
    }

    // MARK: States

    /// A change of the state of an item and of the claim on it.
    private struct Transition {
        var action: Action
        /// The states of the item in which the action is possible.
        var from: [ItemQuery.State]
        var to: ItemState
        var claim: ClaimState

        static let release = Transition(
            action: .release,
            from: [.claimed],
            to: .available,
            claim: .released)
        static let give = Transition(
            action: .give,
            from: [.claimed],
            to: .given,
            claim: .given)
        static let withdraw = Transition(
            action: .withdraw,
            from: [.available, .claimed],
            to: .withdrawn,
            claim: .released)
    }

    private func move(_ id: String, _ transition: Transition) throws {
        let action = transition.action
        let key = try user.access.require(action, on: .item, id: id)
        let current = try state(key)
        guard transition.from.contains(current) else {
            let names = transition.from.map(\.rawValue)
            let needed = names.joined(separator: " or ")
            throw HabitError(
                .itemStateConflict,
                "the item '\(id)' is \(current.rawValue), but must be \(needed) to \(action) it",
                subject: ErrorSubject(.item, id))
        }
        let active: SQL = "item_id = \(.integer(key), as: "item") AND state = 'claimed'"
        try ChangeLog(user.session).add(.claims, where: active)
        let claimState: SQL = "\(.text(transition.claim.rawValue), as: "state")"
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        try user.session.run("UPDATE claim SET state = \(claimState), version = \(version) WHERE \(active)")
        try set(key, transition.to)
    }

    private func state(_ key: Int64) throws -> ItemQuery.State {
        let dates = try LocalDates(user.clock, in: user.session)
        let state = ItemRecords.state(on: dates.date)
        let sql: SQL = """
            SELECT \(state)
            FROM item
            JOIN account ON account.id = item.user_id
            WHERE item.id = \(.integer(key), as: "item")
            """
        let stored = try user.session.first(sql) { row -> ItemQuery.State? in
            guard let name = row.text(0) else { return nil }
            return ItemQuery.State(rawValue: name)
        }
        guard let stored, let state = stored else {
            throw HabitError(.internal, "the item has no state")
        }
        return state
    }

    private func set(_ key: Int64, _ state: ItemState) throws {
        let item: SQL = "\(.integer(key), as: "item")"
        let text: SQL = "\(.text(state.rawValue), as: "state")"
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        try user.session.run("UPDATE item SET state = \(text), version = \(version) WHERE id = \(item)")
        try ChangeLog(user.session).add(.items, keys: [key])
    }

    // MARK: Writing

    private var missingPhoto: HabitError {
        HabitError(
            .pictureInvalid,
            "an item requires a photo",
            field: Field.photo.name,
            .give(.photo))
    }

    private func fill(_ record: inout ItemRecord, from draft: ItemDraft) throws {
        try user.requirePermission(toStore: draft.position)
        record.description = try draft.description.map { text in
            try TextRule.itemDescription.check(text, user.settings)
        }
        record.photo = draft.photo
        record.position = draft.position
        record.expires = draft.expires
        if let day = draft.expires.value, day < user.today {
            throw HabitError(
                .dayInvalid,
                "the expiry date is in the past (today is \(user.today)): choose a later date",
                field: "expires")
        }
    }
}
