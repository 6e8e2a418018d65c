import Base
import HabitModel
import Photos
import StoreEngine

/// Writes items and the claims on them.
final class ItemWriter {
    private let session: any Session
    /// Whether this writer has written a claim.
    private(set) var hasWrittenClaims = false
    private let changed: ChangedRows
    private let findClaimant: OnDemand<any Statement>
    private let items: TableWriter
    private let claims: TableWriter
    private let references: References
    private let photos: PhotoWriter

    init(_ context: WriteContext) {
        session = context.session
        references = context.references
        photos = context.photos
        changed = context.changed
        findClaimant = session.onDemand(
            "SELECT user_id FROM claim WHERE item_id = :item AND state IN ('claimed', 'given')")
        items = TableWriter(
            .items,
            columns: ItemTable.columns.definitions(),
            naturalKey: ["external_id"],
            context)
        claims = TableWriter(
            .claims,
            columns: ClaimTable.columns.definitions(),
            naturalKey: ["item_id", "user_id"],
            context)
    }

    func prefetch(_ records: [ItemRecord]) throws {
        try references.prefetch(users: records.map(\.user))
        try items.prefetch(ids: records.map(\.id))
    }

    func prefetch(_ records: [ClaimRecord]) throws {
        try references.prefetch(items: records.map(\.item))
        try references.prefetch(users: records.map(\.user))
    }

    func write(_ record: ItemRecord) throws -> WriteOutcome {
        let owner = try references.user(record.user, field: .user)
        let photo = try picture(record.photo)
        let keys = ItemTable.Keys(owner: owner, photo: photo)
        return try items.write(
            ItemTable.columns.values(of: record, keys),
            naturalKey: [.text(record.id)]
        ) { stored in
            try stored?.checkOwner(owner, of: "item", id: record.id)
        }
    }

    /// Updates the state of items with an active claim, which are not available even if their records specify it.
    func applyClaims() throws {
        guard hasWrittenClaims else { return }
        let inForce = "claim.state IN ('claimed', 'given')"
        let sql: SQL = """
            UPDATE item
            SET state = (SELECT claim.state FROM claim WHERE claim.item_id = item.id AND \(raw: inForce)),
              version = \(.integer(RecordVersion.new()), as: "version")
            WHERE state = 'available' AND id IN (SELECT claim.item_id FROM claim WHERE \(raw: inForce))
            RETURNING id
            """
        let items = changed.of(.items)
        try session.query(sql) { row in
            items.insert(row.integer(0))
            return true
        }
    }

    /// Stores the photo of an item, always without its metadata.
    private func picture(_ photo: FieldInput<Photo>) throws -> Value? {
        do {
            let stripped = try photo.map { photo in
                try HabitError.ofPhoto { () throws(PhotoError) in
                    try photo.withoutMetadata()
                }
            }
            return try photos.column(stripped)
        } catch let error as HabitError {
            throw error.ofItem
        }
    }

    func write(_ record: ClaimRecord) throws -> WriteOutcome {
        let item = try references.item(record.item)
        let user = try references.user(record.user, field: .user)
        guard user != item.ownerKey else {
            throw HabitError(
                .ownItem,
                "users cannot claim their own items: correct the user",
                field: Field.user.name)
        }
        let state = record.state.value ?? .claimed
        if state != .released {
            try checkNotClaimed(record, itemKey: item.key, by: user)
        }
        hasWrittenClaims = true
        let keys = ClaimTable.Keys(item: item.key, user: user)
        return try claims.write(
            ClaimTable.columns.values(of: record, keys),
            naturalKey: [.integer(item.key), .integer(user)])
    }

    /// Checks that no other user has an active claim on an item.
    ///
    /// - Throws: `item-already-claimed` if another user has claimed the item.
    private func checkNotClaimed(_ record: ClaimRecord, itemKey: Int64, by user: Int64) throws {
        let claimant = try findClaimant.value().key([.integer(itemKey)])
        guard let claimant, claimant != user else { return }
        throw HabitError(
            .itemAlreadyClaimed,
            "another user has claimed the item '\(record.item)'",
            field: Field.item.name)
    }
}

/// Writes photo posts.
final class PostWriter {
    private let table: TableWriter
    private let references: References
    private let photos: PhotoWriter
    private let positions: PositionAudience

    init(_ context: WriteContext) {
        references = context.references
        photos = context.photos
        let positions = PositionAudience(.posts, in: context.session)
        self.positions = positions
        table = TableWriter(
            .posts,
            columns: PostTable.columns.definitions(),
            naturalKey: ["external_id"],
            context)
        table.audience = { key, columns in
            try positions.audience(of: key, changing: columns)
        }
    }

    func prefetch(_ records: [PostRecord]) throws {
        try references.prefetch(users: records.map(\.user))
        try table.prefetch(ids: records.map(\.id))
    }

    func write(_ record: PostRecord) throws -> WriteOutcome {
        let owner = try references.user(record.user, field: .user)
        let photo = try photos.column(record.photo)
        var keys = PostTable.Keys(owner: owner, photo: photo)
        if record.position.value != nil {
            let area = try references.hiddenArea(ofUser: owner)
            keys.isPrivate = positions.mark(record.position, in: area)
        } else {
            keys.isPrivate = positions.mark(record.position, in: HiddenArea())
        }
        return try table.write(
            PostTable.columns.values(of: record, keys),
            naturalKey: [.text(record.id)]
        ) { stored in
            try stored?.checkOwner(owner, of: "post", id: record.id)
        }
    }
}
