import Base
import Geo

/// The records that a client copies, among those that its user can see.
///
/// Tokens contain its encoded form, so the names of its stored properties never change.
public struct SyncFilter: Sendable, Equatable, Codable {
    /// The collections, each once and in the order of their references.
    public private(set) var collections: [SyncedCollection]
    /// The number of the day ``from``.
    private var firstDay: Int32?
    /// The circle ``near``.
    private var circle: Circle?

    private struct Circle: Equatable, Codable {
        var longitude: Double
        var latitude: Double
        var meters: Double
    }

    /// The filter of a client that copies all records.
    public static let everything = SyncFilter()

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - collections: The collections.
    ///   - from: The first day of the events and posts, or `nil` for all days. A post without a time has no day, and
    ///     the client copies it.
    ///   - near: The circle that contains the positions of the items that the viewer sees, or `nil` for all items.
    public init(
        _ collections: Set<SyncedCollection> = Set(SyncedCollection.allCases),
        from: Day? = nil,
        near: Near? = nil
    ) {
        self.collections = collections.sorted()
        firstDay = from?.number
        circle = near.map { near in
            Circle(
                longitude: near.center.longitude,
                latitude: near.center.latitude,
                meters: near.distance.meters)
        }
    }

    /// The first day of the events and posts, or `nil` for all days.
    public var from: Day? {
        firstDay.map { number in Day(number: number) }
    }

    /// The circle of the items, or `nil` for all items.
    public var near: Near? {
        guard let circle else { return nil }
        let center = Position(longitude: circle.longitude, latitude: circle.latitude)
        return center.map { center in
            Near(center: center, within: .meters(circle.meters))
        }
    }

    /// Returns whether the client copies records of a collection.
    public func includes(_ collection: SyncedCollection) -> Bool {
        collections.contains(collection)
    }
}
