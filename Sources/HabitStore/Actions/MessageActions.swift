import Base
import HabitModel
import StoreEngine

/// Sends and deletes messages about items.
///
/// The poster of an item can exchange messages with the users who claim it or write about it.
public struct MessageActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    /// Sends a message about an item.
    ///
    /// - Parameters:
    ///   - item: The ID of the item.
    ///   - recipient: The ID of the recipient, or `nil` for the other party. The other party is the poster or, if the
    ///     user is the poster, the claimant.
    ///   - text: The text of the message, which must not contain a word of the store's word list.
    ///   - id: The ID that the client chooses, or `nil` for a derived ID.
    /// - Returns: The ID of the message.
    /// - Throws: `id-invalid`; `duplicate-key`; `message-not-permitted`; `message-empty`; `message-too-long`; `message-word-not-allowed`; `not-found`;
    ///   `field-invalid` if the recipient is the user; `usage` if there are several possible recipients.
    public func send(
        item: String,
        to recipient: String?,
        text: String,
        id: String? = nil
    ) throws -> String {
        let given = try id.map { id in
            try checkClientID(id, of: user.id)
        }
        guard let stored = try user.access.find(.item, item) else {
            throw Access.notFound(.item, item)
        }
        try Access.require(.view, by: user.viewer.principal, on: stored.object)
        var object = stored.object
        let other = try other(recipient, of: stored)
        if let other {
            object.isCorrespondent = try isCorrespondent(other, about: stored)
        }
        try Access.require(.discuss, by: user.viewer.principal, on: object)
        guard let other else {
            throw HabitError(.internal, "the message has no recipient")
        }
        let text = try TextRule.message.check(text, user.settings)
        try requireAllowedWords(text)
        let id = try user.newID(given, .message, of: [object.id, other, text])
        var record = MessageRecord(
            item: object.id,
            sender: user.id,
            recipient: other,
            text: text)
        record.id = id
        record.sentAt = .value(user.now)
        try user.write(.message(record))
        return id
    }

    /// Marks the messages about an item as read, only for the user.
    ///
    /// The marker never moves backward, and no other user can see it.
    ///
    /// - Parameters:
    ///   - item: The ID of the item.
    ///   - instant: The instant until which the user has read the messages; `nil` or a later instant stands for now.
    /// - Throws: `not-found` if the user cannot see the item.
    public func markRead(item: String, until instant: OffsetInstant? = nil) throws {
        try user.access.require(.view, on: .item, id: item)
        let now = user.now
        var readAt = now
        if let instant, instant.instant.microseconds < now.instant.microseconds {
            readAt = instant
        }
        try user.write(.read(ReadRecord(item: item.composed, user: user.id, readAt: readAt)))
    }

    /// Deletes a message that the user has sent, also for the recipient.
    ///
    /// - Parameter id: The ID of the message.
    /// - Throws: `not-found` or `not-yours`.
    public func delete(_ id: String) throws {
        let key = try user.access.require(.delete, on: .message, id: id)
        try user.delete(.messages, where: "id = \(.integer(key), as: "message")")
    }

    /// Checks that a message does not contain a word of the store's word list.
    ///
    /// - Throws: `message-word-not-allowed`.
    private func requireAllowedWords(_ text: String) throws {
        let wordList = try StoreSettings.wordList(in: user.session)
        guard let word = wordList.firstForbidden(in: text) else { return }
        throw HabitError(
            .messageWordNotAllowed,
            "the message contains the blocked word '\(word)' and was not sent: remove the word",
            field: "text",
            parameters: [.word(word)])
    }

    /// Returns the ID of the recipient with a name, or of the default recipient of messages about an item.
    private func other(_ name: String?, of item: AccessChecker.StoredObject) throws -> String? {
        guard let name else {
            return try defaultRecipient(item)
        }
        try user.require(name, as: .recipient)
        guard name.composed != user.id else {
            throw HabitError(
                .fieldInvalid,
                "you cannot send a message to yourself",
                field: Field.recipient.name,
                .give(.recipient))
        }
        return name.composed
    }

    /// Returns the default recipient, or `nil` if no user qualifies.
    ///
    /// The default recipient is the poster. If the user is the poster, it is the claimant or else the only user who has
    /// written to the poster.
    ///
    /// - Throws: `usage` if there are several possible recipients.
    private func defaultRecipient(_ item: AccessChecker.StoredObject) throws -> String? {
        let owner = item.object.owner
        guard owner == user.id else { return owner }
        let key: SQL = "\(.integer(item.key), as: "item")"
        let viewer: SQL = "\(.integer(user.key), as: "viewer")"
        let candidates: [SQL] = [
            "SELECT user_id FROM claim WHERE item_id = \(key) AND state IN ('claimed', 'given')",
            "SELECT sender_id FROM message WHERE item_id = \(key) AND recipient_id = \(viewer)",
        ]
        for keys in candidates {
            var ids: [String] = []
            let isVisible = Visibility(viewer: user.viewer).users ?? "TRUE"
            let sql: SQL = """
                SELECT account.external_id
                FROM account
                WHERE account.id IN (\(keys)) AND \(isVisible)
                ORDER BY account.external_id
                """
            try user.session.query(sql) { row in
                ids.append(row.text(0) ?? "")
                return true
            }
            if ids.count == 1 {
                return ids[0]
            }
            if ids.count > 1 {
                throw HabitError(
                    .usage,
                    "several users have written to you about the item (\(ids.joined(separator: ", ")))",
                    field: Field.recipient.name,
                    .give(.recipient))
            }
        }
        return nil
    }

    /// Whether the user and `other` can exchange messages about the item.
    ///
    /// One of the two must be the poster. The user who is not the poster must have a claim, or `other` must have
    /// written to the user about the item.
    private func isCorrespondent(_ other: String, about item: AccessChecker.StoredObject) throws -> Bool {
        let owner = item.object.owner
        guard owner == user.id || owner == other else { return false }
        let claimant = owner == user.id ? other : user.id
        let sql: SQL = """
            SELECT 1
            FROM claim
            JOIN account ON account.id = claim.user_id
            WHERE claim.item_id = \(.integer(item.key), as: "item")
              AND account.external_id = \(.text(claimant), as: "claimant")
              AND claim.state IN ('claimed', 'given')
            UNION ALL
            SELECT 1
            FROM message
            JOIN account ON account.id = message.sender_id
            WHERE message.item_id = \(.integer(item.key), as: "item")
              AND account.external_id = \(.text(other), as: "other")
              AND message.recipient_id = \(.integer(user.key), as: "viewer")
            """
        return try user.session.first(sql) { _ in true } ?? false
    }
}
