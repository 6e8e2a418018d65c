import Base
import Geo
import Photos

/// A photo post of a user.
public struct PostRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .caption, .photo, .keepEXIF, .postedAt, .deletedAt, .longitude, .latitude,
    ]

    /// The ID of the post.
    public var id: String
    /// The ID of the owner.
    public var user: String
    /// The caption.
    ///
    /// Its maximum length is a store setting.
    public var caption: FieldInput<String> = .absent
    /// The photo.
    public var photo: FieldInput<Photo> = .absent
    /// The instant at which the photo was posted.
    public var postedAt: FieldInput<OffsetInstant> = .absent
    /// The instant at which the post was deleted.
    ///
    /// Only a tombstone of a deleted post remains.
    public var deletedAt: FieldInput<OffsetInstant> = .absent
    /// The position of the photo.
    public var position: FieldInput<Position> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String) {
        self.id = id
        self.user = user
    }
}
