import Base
import Geo
import HabitModel
import StoreEngine

/// The table `item`: the items that users give away.
enum ItemTable {
    struct Keys {
        var owner: Int64
        var photo: Value?
    }

    static let columns: [StoredColumn<ItemRecord, Keys>] = [
        StoredColumn("external_id") { record, _ in
            .text(record.id)
        },
        StoredColumn("user_id") { _, keys in
            .integer(keys.owner)
        },
        StoredColumn("name") { record, _ in
            .text(record.name)
        },
        StoredColumn("description") { record, _ in
            record.description.column
        },
        StoredColumn("photo_id") { _, keys in
            keys.photo
        },
        StoredColumn("state", initial: .text(ItemState.available.rawValue)) { record, _ in
            record.state.orAbsent.column { value in .text(value.rawValue) }
        },
        StoredColumn("posted_at") { record, _ in
            record.postedAt.instantColumn
        },
        StoredColumn("posted_offset") { record, _ in
            record.postedAt.offsetColumn
        },
        StoredColumn("expires_day") { record, _ in
            record.expires.column
        },
        StoredColumn("geometry") { record, _ in
            record.position.column { position in .point(position) }
        },
        StoredColumn("shown") { record, _ in
            record.position.column { position in .point(PositionGrid.items.center(of: position)) }
        },
    ]

    /// Returns the columns of an item.
    ///
    /// - Parameters:
    ///   - visibility: The visibility rules of the viewer.
    ///   - state: An expression for the state of the item on the date of its poster.
    /// - Returns: The columns, with the columns of the exported photo at the end.
    static func outputs(_ visibility: Visibility, state: SQL) -> [OutputColumn] {
        [
            OutputColumn("id", .expression("item.external_id"), in: .all),
            OutputColumn(
                "user",
                .expression("account.external_id"),
                in: .all,
                as: "owner"),
            OutputColumn(
                "name",
                .expression("item.name"),
                in: .all,
                as: "title"),
            OutputColumn(
                "description",
                .expression("item.description"),
                in: .all),
            OutputColumn(
                "state",
                .expression("item.state"),
                shown: .expression(state),
                in: .all),
            OutputColumn(
                "claimed_by",
                .expression(visibility.claimant("claimant.external_id")),
                in: [.views, .lists]),
            OutputColumn(
                "posted_at",
                .instant("item.posted_at", offset: "item.posted_offset"),
                in: .all,
                as: "at"),
            OutputColumn(
                "expires",
                .day("item.expires_day"),
                in: .all),
            OutputColumn("has_photo", .isPresent("item.photo_id"), in: .shown),
            OutputColumn(
                "longitude",
                .position("item.geometry"),
                shown: .position(visibility.itemPosition.expression),
                in: .all),
        ] + OutputColumn.exportedPhoto(of: "item")
    }
}

/// The table `claim`: the current and earlier claims of users on items.
enum ClaimTable {
    struct Keys {
        var item: Int64
        var user: Int64
    }

    static let columns: [StoredColumn<ClaimRecord, Keys>] = [
        StoredColumn("item_id") { _, keys in
            .integer(keys.item)
        },
        StoredColumn("user_id") { _, keys in
            .integer(keys.user)
        },
        StoredColumn("state", initial: .text(ClaimState.claimed.rawValue)) { record, _ in
            record.state.orAbsent.column { value in .text(value.rawValue) }
        },
        StoredColumn("claimed_at") { record, _ in
            record.claimedAt.instantColumn
        },
        StoredColumn("claimed_offset") { record, _ in
            record.claimedAt.offsetColumn
        },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("item", .expression("item.external_id"), in: .all),
        OutputColumn(
            "user",
            .expression("claimant.external_id"),
            in: .all,
            as: "owner"),
        OutputColumn("name", .expression("item.name"), in: .lists),
        OutputColumn("poster", .expression("poster.external_id"), in: .lists),
        OutputColumn("state", .expression("claim.state"), in: .all),
        OutputColumn("claimed_at", .instant("claim.claimed_at", offset: "claim.claimed_offset"), in: .all),
    ]

    static let joins: SQL = """
        JOIN item ON item.id = claim.item_id
        JOIN account AS claimant ON claimant.id = claim.user_id
        """
}

/// The table `message`: messages about items.
enum MessageTable {
    struct Keys {
        var id: String
        var item: Int64
        var sender: Int64
        var recipient: Int64
    }

    static let columns: [StoredColumn<MessageRecord, Keys>] = [
        StoredColumn("external_id") { _, keys in
            .text(keys.id)
        },
        StoredColumn("item_id") { _, keys in
            .integer(keys.item)
        },
        StoredColumn("sender_id") { _, keys in
            .integer(keys.sender)
        },
        StoredColumn("recipient_id") { _, keys in
            .integer(keys.recipient)
        },
        StoredColumn("sent_at") { record, _ in
            record.sentAt.instantColumn
        },
        StoredColumn("sent_offset") { record, _ in
            record.sentAt.offsetColumn
        },
        StoredColumn("text") { record, _ in
            .text(record.text)
        },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("id", .expression("message.external_id"), in: .all),
        OutputColumn("item", .expression("item.external_id"), in: .all),
        OutputColumn("sender", .expression("sender.external_id"), in: .all),
        OutputColumn("recipient", .expression("recipient.external_id"), in: .all),
        OutputColumn("sent_at", .instant("message.sent_at", offset: "message.sent_offset"), in: .all),
        OutputColumn("text", .expression("message.text"), in: .all),
    ]

    static let joins: SQL = """
        JOIN item ON item.id = message.item_id
        JOIN account AS sender ON sender.id = message.sender_id
        JOIN account AS recipient ON recipient.id = message.recipient_id
        """
}

/// The table `read_marker`: the instants until which users have read the messages about items.
enum ReadTable {
    struct Keys {
        var item: Int64
        var user: Int64
    }

    static let columns: [StoredColumn<ReadRecord, Keys>] = [
        StoredColumn("item_id") { _, keys in
            .integer(keys.item)
        },
        StoredColumn("user_id") { _, keys in
            .integer(keys.user)
        },
        StoredColumn("read_at") { record, _ in
            FieldInput.value(record.readAt).instantColumn
        },
        StoredColumn("read_offset") { record, _ in
            FieldInput.value(record.readAt).offsetColumn
        },
    ]

    static let outputs: [OutputColumn] = [
        OutputColumn("item", .expression("item.external_id"), in: [.files, .lists]),
        OutputColumn("user", .expression("reader.external_id"), in: [.files, .lists]),
        OutputColumn(
            "read_at",
            .instant("read_marker.read_at", offset: "read_marker.read_offset"),
            in: [.files, .lists]),
    ]

    static let joins: SQL = """
        JOIN item ON item.id = read_marker.item_id
        JOIN account AS reader ON reader.id = read_marker.user_id
        """
}

/// The table `post`: the photos that users share.
enum PostTable {
    struct Keys {
        var owner: Int64
        var photo: Value?
        /// Whether the position is hidden from others, or `nil` if the record does not specify a position.
        var isPrivate: Value?
    }

    static let columns: [StoredColumn<PostRecord, Keys>] = [
        StoredColumn("external_id") { record, _ in
            .text(record.id)
        },
        StoredColumn("user_id") { _, keys in
            .integer(keys.owner)
        },
        StoredColumn("caption") { record, _ in
            record.caption.column
        },
        StoredColumn("photo_id") { _, keys in
            keys.photo
        },
        StoredColumn("posted_at") { record, _ in
            record.postedAt.instantColumn
        },
        StoredColumn("posted_offset") { record, _ in
            record.postedAt.offsetColumn
        },
        StoredColumn("deleted_at") { record, _ in
            record.deletedAt.instantColumn
        },
        StoredColumn("deleted_offset") { record, _ in
            record.deletedAt.offsetColumn
        },
        StoredColumn("geometry") { record, _ in
            record.position.column { position in .point(position) }
        },
        StoredColumn(PrivacyMarks.column, initial: .integer(0)) { _, keys in
            keys.isPrivate
        },
    ]

    /// Returns the columns of outputs.
    ///
    /// - Parameter visibility: The visibility rules of the viewer, which files do not depend on.
    /// - Returns: The columns.
    static func outputs(_ visibility: Visibility) -> [OutputColumn] {
        [
            OutputColumn("id", .expression("post.external_id"), in: .all),
            OutputColumn(
                "user",
                .expression("account.external_id"),
                in: .all,
                as: "owner"),
            OutputColumn(
                "caption",
                .expression("post.caption"),
                in: .all,
                as: "title"),
            OutputColumn(
                "posted_at",
                .instant("post.posted_at", offset: "post.posted_offset"),
                in: .all,
                as: "at"),
            OutputColumn("deleted_at", .instant("post.deleted_at", offset: "post.deleted_offset"), in: .files),
            OutputColumn("has_photo", .isPresent("post.photo_id"), in: .shown),
            OutputColumn(
                "longitude",
                .position("post.geometry"),
                shown: .position(visibility.position(in: "post").expression),
                in: .all),
        ] + OutputColumn.exportedPhoto(of: "post")
    }
}
