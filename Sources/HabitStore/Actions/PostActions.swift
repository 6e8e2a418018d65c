import Base
import Geo
import HabitModel
import Photos

/// The values for a new or changed post.
///
/// A change keeps the stored values of absent fields.
public struct PostDraft: Sendable {
    /// The caption of the photo.
    public var caption: FieldInput<String> = .absent
    /// The photo.
    ///
    /// Every post that is not deleted has one.
    public var photo: FieldInput<Photo> = .absent
    /// The position of the post.
    public var position: FieldInput<Position> = .absent

    /// Creates an empty draft.
    public init() {}
}

/// Creates, changes and deletes photo posts.
public struct PostActions {
    private let user: ActingUser

    /// Creates the actions of `user`.
    public init(_ user: ActingUser) {
        self.user = user
    }

    /// Posts a photo.
    ///
    /// - Parameters:
    ///   - draft: The values of the post, which must include a photo.
    ///   - id: The ID of the post, or `nil` for a derived ID.
    /// - Returns: The ID of the post.
    /// - Throws: `photo-invalid`, `caption-too-long`, `location-not-permitted`, `id-invalid` or `duplicate-key`.
    public func add(_ draft: PostDraft, id: String? = nil) throws -> String {
        guard let photo = draft.photo.value else { throw missingPhoto }
        let digest = photo.sha256.description
        let id = try user.newID(id, .post, of: [digest])
        var record = PostRecord(id: id, user: user.id)
        record.postedAt = .value(user.now)
        try fill(&record, from: draft)
        try user.write(.post(record))
        return id
    }

    /// Changes a post.
    ///
    /// - Parameters:
    ///   - id: The ID of the post.
    ///   - draft: The values to change.
    /// - Throws: `not-found`, `not-yours`, `post-deleted`, or the errors of ``add(_:id:)``.
    public func edit(_ id: String, _ draft: PostDraft) throws {
        try user.access.require(.edit, on: .post, id: id)
        var record = PostRecord(id: id.composed, user: user.id)
        if case .null = draft.photo {
            throw missingPhoto
        }
        try fill(&record, from: draft)
        try user.write(.post(record))
    }

    /// Deletes a post.
    ///
    /// The store keeps only its ID, its times and its owner.
    ///
    /// - Parameter id: The ID of the post.
    /// - Throws: `not-found`, `not-yours` or `post-deleted`.
    public func delete(_ id: String) throws {
        try user.access.require(.delete, on: .post, id: id)
        var tombstone = PostRecord(id: id.composed, user: user.id)
        tombstone.caption = .null
        tombstone.photo = .null
        tombstone.position = .null
        tombstone.deletedAt = .value(user.now)
        try user.write(.post(tombstone))
    }

    private var missingPhoto: HabitError {
        HabitError(
            .photoInvalid,
            "a post requires a photo",
            field: Field.photo.name,
            .give(.photo))
    }

    private func fill(_ record: inout PostRecord, from draft: PostDraft) throws {
        try user.requirePermission(toStore: draft.position)
        record.caption = try draft.caption.map { caption in
            try TextRule.caption.check(caption, user.settings)
        }
        record.photo = draft.photo
        record.position = draft.position
    }
}
