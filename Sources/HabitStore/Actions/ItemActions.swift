import Geo
import HabitModel
import Photos
import StoreEngine

/// What is said of an item when it is posted or changed: what is absent stays as it is.
public struct ItemDraft: Sendable {
    public var name: Given<String> = .absent
    public var description: Given<String> = .absent
    public var photo: Given<Photo> = .absent
    public var position: Given<Position> = .absent
    public var expires: Given<Day> = .absent

    public init() {}
}

/// Giving things away: posting, claiming, handing over.
public struct ItemActions {
    private let user: ActingUser

    public init(_ user: ActingUser) { self.user = user }

    /// Posts an item with its picture, and gives its id.
    ///
    /// Throws `item-name-invalid`, `item-description-invalid`, `picture-invalid`, `day-invalid`, `location-not-permitted`,
    /// `id-invalid`, `duplicate-key`.
    public func post(_ draft: ItemDraft, id: String? = nil) throws -> String {
        let name = try TextRule.itemName.check(draft.name.value ?? "", user.settings)
        guard draft.photo.value != nil else {
            throw HabitError(.pictureInvalid, "an item needs a picture", field: Field.photo.name, .give(.photo))
        }
        let id = try user.newID(id, .item, of: [name])
        var record = ItemRecord(id: id, user: user.id, name: name)
        record.postedAt = .value(user.now)
        try fill(&record, from: draft)
        try user.write(.item(record))
        return id
    }

    /// Throws as ``post(_:id:)``, `not-found` and `not-yours`.
    public func edit(_ id: String, _ draft: ItemDraft) throws {
        let key = try user.things.require(.edit, .item, id)
        let sql = SQL("SELECT name FROM item WHERE id = :item", ["item": .integer(key)])
        // What is stored stays, even where it is longer than what may be said now.
        var name = try user.session.first(sql) { $0.text(0) ?? "" } ?? ""
        if case .absent = draft.name {
        } else {
            name = try TextRule.itemName.check(draft.name.value ?? "", user.settings)
        }
        var record = ItemRecord(id: id.composed, user: user.id, name: name)
        if case .null = draft.photo {
            throw HabitError(.pictureInvalid, "an item needs a picture", field: Field.photo.name, .give(.photo))
        }
        try fill(&record, from: draft)
        try user.write(.item(record))
    }

    /// Deletes an item with its claims and messages, and says how many there were.
    public func delete(_ id: String) throws -> (claims: Int, messages: Int) {
        let key = try user.things.require(.delete, .item, id)
        let claims = try user.delete(from: "claim", where: "item_id = :item", ["item": .integer(key)])
        let messages = try user.delete(from: "message", where: "item_id = :item", ["item": .integer(key)])
        try user.delete(from: "item", where: "id = :item", ["item": .integer(key)])
        try PhotoWriter.removeUnused(in: user.session)
        return (claims, messages)
    }

    /// Claims an item. Of simultaneous claims the first to write has it.
    ///
    /// Throws `own-item`, `item-already-claimed`, `item-unavailable`.
    public func claim(_ id: String) throws {
        let key = try user.things.require(.claim, .item, id)
        switch try state(key) {
        case .available: break
        case .claimed:
            let isTheirs = try user.things.find(.item, id)?.object.isOtherSide ?? false
            throw isTheirs
                ? HabitError(
                    .itemAlreadyClaimed, "you have claimed the item '\(id)' already",
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

    /// Gives a claim up (its claimer), or takes the item back from who claimed it (its poster).
    public func release(_ id: String) throws {
        try move(id, .release, from: [.claimed], to: .available, claim: .released)
    }

    /// Says that the item was handed over to who claimed it.
    public func give(_ id: String) throws { try move(id, .give, from: [.claimed], to: .given, claim: .given) }

    /// Takes the item out of the offer; a claim on it ends.
    public func withdraw(_ id: String) throws {
        try move(id, .withdraw, from: [.available, .claimed], to: .withdrawn, claim: .released)
    }

    // MARK: States

    private func move(
        _ id: String, _ action: Action, from: [ItemQuery.State], to state: ItemState, claim: ClaimState
    ) throws {
        let key = try user.things.require(action, .item, id)
        let current = try self.state(key)
        guard from.contains(current) else {
            let needed = from.map(\.rawValue).joined(separator: " or ")
            throw HabitError(
                .itemStateConflict,
                "the item '\(id)' is \(current.rawValue), and must be \(needed) to \(action) it",
                subject: ErrorSubject(.item, id))
        }
        try user.session.run(
            SQL(
                "UPDATE claim SET state = :state WHERE item_id = :item AND state = 'claimed'",
                ["state": .text(claim.rawValue), "item": .integer(key)]))
        try set(key, state)
    }

    private func state(_ key: Int64) throws -> ItemQuery.State {
        let expression = ItemQuery.state(try LocalDates(user.clock, in: user.session))
        var sql = SQL(
            "SELECT \(expression.text) FROM item JOIN account ON account.id = item.user_id WHERE item.id = :item",
            expression.bindings)
        sql.bind(["item": .integer(key)])
        let state = try user.session.first(sql) { $0.text(0).flatMap(ItemQuery.State.init(rawValue:)) } ?? nil
        guard let state else { throw HabitError(.internal, "the item has no state") }
        return state
    }

    private func set(_ key: Int64, _ state: ItemState) throws {
        try user.session.run(
            SQL(
                "UPDATE item SET state = :state WHERE id = :item",
                ["state": .text(state.rawValue), "item": .integer(key)]))
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
                .dayInvalid, "the item would have expired already: today is \(user.today)", field: "expires")
        }
    }
}
