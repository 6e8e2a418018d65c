import Geo
import StoreEngine

/// A geodesic circle.
///
/// Positions exactly at the distance are inside the circle.
public struct Near: Sendable, Equatable {
    /// The radius if the user does not specify one.
    public static let defaultDistance = Distance.kilometers(5)

    /// The center of the circle.
    public var center: Position
    /// The radius of the circle.
    public var distance: Distance
    /// The label of the rows if a query searches several circles, or `nil` for rows without a label column.
    public var label: Label?

    /// Creates a circle around `center`.
    public init(center: Position, within distance: Distance = defaultDistance, label: Label? = nil) {
        self.center = center
        self.distance = distance
        self.label = label
    }

    /// A bounding box that contains the circle.
    var box: BoundingBox { .around(center, within: distance) }

    /// Returns a smaller circle that contains enough rows, or the complete circle.
    ///
    /// The closest rows are then found without a search of the complete circle. The method tries circles from 500 m
    /// on, each with four times the previous radius. The last circle contains on average at most 16 times `count` rows.
    ///
    /// - Parameters:
    ///   - count: The number of rows that the circle must contain.
    ///   - countRows: Returns the number of rows in a circle. It can stop at `count`.
    /// - Returns: The circle.
    /// - Throws: The errors of `countRows`.
    func smaller(containing count: Int, _ countRows: (Near) throws -> Int) rethrows -> Near {
        var meters = 500.0
        while meters < distance.meters {
            // A new value for each radius: with optimization, Swift 6.3 returns the first radius of a circle that is
            // changed in this loop.
            let circle = Near(center: center, within: .meters(meters), label: label)
            if try countRows(circle) >= count { return circle }
            meters *= 4
        }
        return self
    }

    /// Returns a smaller circle that contains a page of rows sorted by distance, or the complete circle.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - session: The session that counts the rows of smaller circles.
    ///   - selection: Returns the query for the page in a circle.
    /// - Returns: The circle.
    /// - Throws: The errors of `selection` and of the engine.
    public func smaller(
        containing page: Page, in session: any Session, _ selection: (Near) throws -> Selection
    ) throws -> Near {
        // A page reads one row more, which shows whether another page follows.
        try smaller(containing: page.limit + 1) { try selection($0).count(in: session) }
    }
}
