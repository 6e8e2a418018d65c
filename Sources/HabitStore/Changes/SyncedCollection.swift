import Base
import HabitModel

/// A collection of records that clients copy, in the order of their references.
///
/// The raw value is its name in the list of changes. A schedule is a part of its habit.
public enum SyncedCollection: String, Sendable, CaseIterable, Comparable, Codable {
    /// The account of the viewer, with the properties that only its owner can see.
    case user
    /// The accounts of the other users.
    case users
    case habits, pauses, follows, events, items, claims, messages, reads, posts

    /// Returns the collection with the records of a kind.
    ///
    /// - Parameter kind: The kind. Its collection is never ``user``.
    /// - Throws: `internal` if clients do not copy records of the kind.
    public init(_ kind: RecordKind) throws {
        guard let collection = SyncedCollection(rawValue: kind.rawValue) else {
            throw HabitError(.internal, "clients do not copy records of the kind '\(kind.rawValue)'")
        }
        self = collection
    }

    /// The kind of the records.
    public var kind: RecordKind {
        switch self {
        case .user, .users: .users
        case .habits: .habits
        case .pauses: .pauses
        case .follows: .follows
        case .events: .events
        case .items: .items
        case .claims: .claims
        case .messages: .messages
        case .reads: .reads
        case .posts: .posts
        }
    }

    /// The collections of the records that belong to one user, who shares them with followers.
    static let owned = allCases.filter { collection in RecordKind.owned.contains(collection.kind) }

    /// Compares the positions of two collections in the order of references.
    public static func < (a: SyncedCollection, b: SyncedCollection) -> Bool {
        a.order < b.order
    }

    private var order: Int {
        Self.allCases.firstIndex(of: self) ?? 0
    }
}
