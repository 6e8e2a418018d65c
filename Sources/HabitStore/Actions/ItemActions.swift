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
    public init(_ user: ActingUser) { self.user = user }

    /// Posts an item.
    ///
    /// - Parameters:
    ///   - draft: The values of the item, which must include a name and a photo.
    ///   - id: The ID of the item, or `nil` for a derived ID.
    /// - Returns: The ID of the item.
    /// - Throws: `item-name-invalid`, `item-description-invalid`, `picture-invalid`, `day-invalid`,
    ///   `location-not-permitted`, `id-invalid` or `duplicate-key`.
    public func post(_ draft: ItemDraft, id: String? = nil) throws -> String {
        let name = try TextRule.itemName.check(draft.name.value ?? "", user.settings)
        guard draft.photo.value != nil else {
            throw HabitError(.pictureInvalid, "an item requires a photo", field: Field.photo.name, .give(.photo))
        }
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
        let key = try user.access.require(.edit, .item, id)
        let sql: SQL = "SELECT name FROM item WHERE id = \(.integer(key), as: "item")"
        // The stored name stays valid, even if it exceeds the current limit.
        var name = try user.session.first(sql) { $0.text(0) ?? "" } ?? ""
        if case .absent = draft.name {
        } else {
            name = try TextRule.itemName.check(draft.name.value ?? "", user.settings)
        }
        var record = ItemRecord(id: id.composed, user: user.id, name: name)
        if case .null = draft.photo {
            throw HabitError(.pictureInvalid, "an item requires a photo", field: Field.photo.name, .give(.photo))
        }
        try fill(&record, from: draft)
        try user.write(.item(record))
    }

    /// Deletes an item with its claims and messages.
    ///
    /// - Parameter id: The ID of the item.
    /// - Returns: The number of deleted claims and of deleted messages.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws -> (claims: Int, messages: Int) {
        let key = try user.access.require(.delete, .item, id)
        let claims = try user.delete(.claims, where: "item_id = \(.integer(key), as: "item")")
        let messages = try user.delete(.messages, where: "item_id = \(.integer(key), as: "item")")
        try user.delete(.items, where: "id = \(.integer(key), as: "item")")
        try PhotoWriter.removeUnused(in: user.session)
        return (claims, messages)
    }

    /// Claims an item.
    ///
    /// If several users claim an item at the same time, the first claim to commit wins.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `own-item`; `item-already-claimed`; `item-unavailable` if the item is given, withdrawn or
    ///   expired.
    public func claim(_ id: String) throws {
        let key = try user.access.require(.claim, .item, id)
        switch try state(key) {
        case .available: break
        case .claimed:
            let isTheirs = try user.access.find(.item, id)?.object.isOtherSide ?? false
            throw isTheirs
                ? HabitError(
                    .itemAlreadyClaimed, "you have already claimed the item '\(id)'",
                    subject: ErrorSubject(.item, id), .take(.sendMessage))
                : HabitError(
                    .itemAlreadyClaimed, "another user has claimed the item '\(id)'",
                    subject: ErrorSubject(.item, id), .list(.items))
        case .given, .withdrawn, .expired:
            throw HabitError(
                .itemUnavailable, "the item '\(id)' is no longer available", subject: ErrorSubject(.item, id),
                .list(.items))
        }
        var claim = ClaimRecord(item: id.composed, user: user.id)
        claim.state = .value(.claimed)
        claim.claimedAt = .value(user.now)
        try user.write(.claim(claim))
    }

    /// Releases the claim on an item.
    ///
    /// The claimant and the poster can release it.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `not-yours`; `item-state-conflict` if the item is not claimed.
    public func release(_ id: String) throws {
        try move(id, .release, from: [.claimed], to: .available, claim: .released)
    }

    /// Marks a claimed item as given to the claimant.
    ///
    /// Only the poster can do this.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `not-yours`; `item-state-conflict` if the item is not claimed.
    public func give(_ id: String) throws { try move(id, .give, from: [.claimed], to: .given, claim: .given) }

    /// Withdraws an item from the offer and releases the claim on it.
    ///
    /// Only the poster can do this.
    ///
    /// - Parameter id: The ID of the item.
    /// - Throws: `not-found`; `not-yours`; `item-state-conflict` if the item is neither available nor claimed.
    public func withdraw(_ id: String) throws {
        try move(id, .withdraw, from: [.available, .claimed], to: .withdrawn, claim: .released)
    }

    // MARK: States

    private func move(
        _ id: String, _ action: Action, from: [ItemQuery.State], to state: ItemState, claim: ClaimState
    ) throws {
        let key = try user.access.require(action, .item, id)
        let current = try self.state(key)
        guard from.contains(current) else {
            let needed = from.map(\.rawValue).joined(separator: " or ")
            throw HabitError(
                .itemStateConflict,
                "the item '\(id)' is \(current.rawValue), but must be \(needed) to \(action) it",
                subject: ErrorSubject(.item, id))
        }
        let active: SQL = "item_id = \(.integer(key), as: "item") AND state = 'claimed'"
        try ChangeLog(user.session).add(.claims, where: active)
        try user.session.run(
            "UPDATE claim SET state = \(.text(claim.rawValue), as: "state") WHERE \(active)")
        try set(key, state)
    }

    private func state(_ key: Int64) throws -> ItemQuery.State {
        let state = ItemRecords.state(on: try LocalDates(user.clock, in: user.session).date)
        let sql: SQL = """
            SELECT \(state)
            FROM item
            JOIN account ON account.id = item.user_id
            WHERE item.id = \(.integer(key), as: "item")
            """
        let stored = try user.session.first(sql) { row in row.text(0).flatMap(ItemQuery.State.init(rawValue:)) }
        guard let stored, let state = stored else { throw HabitError(.internal, "the item has no state") }
        return state
    }

    private func set(_ key: Int64, _ state: ItemState) throws {
        try user.session.run(
            "UPDATE item SET state = \(.text(state.rawValue), as: "state") WHERE id = \(.integer(key), as: "item")"
        )
        try ChangeLog(user.session).add(.items, keys: [key])
    }

    // MARK: Writing

    private func fill(_ record: inout ItemRecord, from draft: ItemDraft) throws {
        try user.requirePermission(toStore: draft.position)
        record.description = try draft.description.map { try TextRule.itemDescription.check($0, user.settings) }
        record.photo = draft.photo
        record.position = draft.position
        record.expires = draft.expires
        if let day = draft.expires.value, day < user.today {
            throw HabitError(
                .dayInvalid, "the expiry date is in the past (today is \(user.today)): choose a later date",
                field: "expires")
        }
    }
}
