import HabitModel
import StoreEngine

/// Messages about an item, between its poster and who claims it.
public struct MessageActions {
    private let user: ActingUser

    public init(_ user: ActingUser) { self.user = user }

    /// Sends a message, and gives its id. Without `recipient` it goes to the poster, from the poster to the claimer.
    ///
    /// Throws `message-not-permitted`, `message-empty`, `message-too-long`, `message-word-not-allowed`, `not-found`.
    public func send(item: String, to recipient: String?, text: String, words: WordList) throws -> String {
        guard let (key, found) = try user.things.find(.item, item) else { throw Access.notFound(.item, item) }
        var object = found
        let recipient = try recipient.map { try other($0) } ?? otherSide(of: key, object)
        object.isInTouch = try recipient.map { try isInTouch(key, object, with: $0) } ?? false
        try Access.require(.discuss, by: user.viewer.actor, on: object)
        guard let recipient else { throw HabitError(.internal, "the message has no recipient") }
        let text = try TextRule.message.check(text, user.settings)
        if let word = words.firstForbidden(in: text) {
            throw HabitError(
                .messageWordNotAllowed, "the message was not sent: it holds '\(word)', which is not allowed here",
                field: "text")
        }
        let id = try user.newID(nil, .message, of: [object.id, recipient, text])
        var record = MessageRecord(item: object.id, sender: user.id, recipient: recipient, text: text)
        record.id = id
        record.sentAt = .value(user.now)
        try user.write(.message(record))
        return id
    }

    /// Deletes a message that the user has sent, for both sides.
    public func delete(_ id: String) throws {
        let key = try user.things.require(.delete, .message, id)
        try user.delete(from: "message", where: "id = :message", ["message": .integer(key)])
    }

    private func other(_ name: String) throws -> String {
        try user.require(name, as: .recipient)
        guard name.composed != user.id else {
            throw HabitError(
                .fieldInvalid, "you cannot send a message to yourself", field: Field.recipient.name,
                .give(.recipient))
        }
        return name.composed
    }

    /// The poster; from the poster, who holds the claim or else the only one who has written.
    private func otherSide(of item: Int64, _ object: AccessObject) throws -> String? {
        guard object.owner == user.id else { return object.owner }
        for condition in [
            "account.id IN (SELECT user_id FROM claim WHERE item_id = :item AND state IN ('claimed', 'given'))",
            "account.id IN (SELECT sender_id FROM message WHERE item_id = :item AND recipient_id = :viewer)",
        ] {
            var ids: [String] = []
            try user.session.query(
                SQL(
                    "SELECT account.external_id FROM account WHERE \(condition) ORDER BY account.external_id",
                    condition.contains(":viewer")
                        ? ["item": .integer(item), "viewer": .integer(user.key)] : ["item": .integer(item)])
            ) {
                ids.append($0.text(0) ?? "")
                return true
            }
            if ids.count == 1 { return ids[0] }
            if ids.count > 1 {
                throw HabitError(
                    .usage,
                    "the message can go to several users, who have written to you: \(ids.joined(separator: ", "))",
                    field: Field.recipient.name, .give(.recipient))
            }
        }
        return nil
    }

    /// One of the two is the poster, and the other holds a claim, or has written to the user about the item.
    private func isInTouch(_ item: Int64, _ object: AccessObject, with other: String) throws -> Bool {
        guard object.owner == user.id || object.owner == other else { return false }
        let claimer = object.owner == user.id ? other : user.id
        let sql = SQL(
            """
            SELECT 1
            FROM claim
            JOIN account ON account.id = claim.user_id
            WHERE claim.item_id = :item AND account.external_id = :claimer AND claim.state IN ('claimed', 'given')
            UNION ALL
            SELECT 1
            FROM message
            JOIN account ON account.id = message.sender_id
            WHERE message.item_id = :item AND account.external_id = :other AND message.recipient_id = :viewer
            """,
            [
                "item": .integer(item), "claimer": .text(claimer), "other": .text(other), "viewer": .integer(user.key),
            ])
        return try user.session.first(sql) { _ in true } ?? false
    }
}
