import Geo
import HabitModel
import Photos

/// What is said of a post when it is made or changed: what is absent stays as it is.
public struct PostDraft: Sendable {
    public var caption: Given<String> = .absent
    public var photo: Given<Photo> = .absent
    public var position: Given<Position> = .absent

    public init() {}
}

/// What users do with their photo posts.
public struct PostActions {
    private let user: ActingUser

    public init(_ user: ActingUser) { self.user = user }

    /// Posts a photo, and gives the post's id.
    ///
    /// Throws `photo-invalid`, `caption-too-long`, `location-not-permitted`, `id-invalid`, `duplicate-key`.
    public func add(_ draft: PostDraft, id: String? = nil) throws -> String {
        guard let photo = draft.photo.value else { throw missingPhoto }
        let id = try user.newID(id, .post, of: [photo.sha256.description])
        var record = PostRecord(id: id, user: user.id)
        record.postedAt = .value(user.now)
        try fill(&record, from: draft)
        try user.write(.post(record))
        return id
    }

    /// Throws as ``add(_:id:)``, `not-found`, `not-yours` and `post-deleted`.
    public func edit(_ id: String, _ draft: PostDraft) throws {
        try user.things.require(.edit, .post, id)
        var record = PostRecord(id: id.composed, user: user.id)
        if case .null = draft.photo { throw missingPhoto }
        try fill(&record, from: draft)
        try user.write(.post(record))
    }

    /// Deletes a post: what remains is that there was one, and when it was deleted.
    public func delete(_ id: String) throws {
        try user.things.require(.delete, .post, id)
        var tombstone = PostRecord(id: id.composed, user: user.id)
        tombstone.caption = .null
        tombstone.photo = .null
        tombstone.position = .null
        tombstone.deletedAt = .value(user.now)
        try user.write(.post(tombstone))
    }

    private var missingPhoto: HabitError {
        HabitError(.photoInvalid, "a post needs a photo", field: Field.photo.name, .give(.photo))
    }

    private func fill(_ record: inout PostRecord, from draft: PostDraft) throws {
        try user.requirePermission(toStore: draft.position)
        record.caption = try draft.caption.map { try TextRule.caption.check($0, user.settings) }
        record.photo = draft.photo
        record.position = draft.position
    }
}
