import Base
import Geo
import Photos

/// The state of an item.
public enum ItemState: String, Sendable, CaseIterable {
    case available, claimed, given, withdrawn
}

/// A give-away item of a user.
public struct ItemRecord: Sendable, Equatable {
    /// The fields of the record, in file order.
    public static let fields: [Field] = [
        .id, .user, .name, .description, .photo, .state, .postedAt, .expires, .longitude, .latitude,
    ]

    /// The ID of the item.
    public var id: String
    /// The ID of the poster.
    public var user: String
    /// The name of the item.
    ///
    /// Its maximum length is a store setting.
    public var name: String
    /// The description.
    ///
    /// Its maximum length is a store setting.
    public var description: FieldInput<String> = .absent
    /// The photo.
    public var photo: FieldInput<Photo> = .absent
    /// The state of the item.
    public var state: FieldInput<ItemState> = .absent
    /// The instant at which the item was posted.
    public var postedAt: FieldInput<OffsetInstant> = .absent
    /// The expiry date.
    public var expires: FieldInput<Day> = .absent
    /// The position of the item.
    public var position: FieldInput<Position> = .absent

    /// Creates a record in which all optional fields are omitted.
    public init(id: String, user: String, name: String) {
        self.id = id
        self.user = user
        self.name = name
    }
}
