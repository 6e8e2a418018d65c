import Geo

/// A relation between the position of a record and a geometry (OGC 06-103r4, clause 6.1.15).
public enum SpatialRelation: String, Sendable, CaseIterable {
    /// The position is in the geometry or on its border.
    case intersects = "s_intersects"
    /// The position is in the interior of the geometry.
    case within = "s_within"
    /// The position is neither in the geometry nor on its border.
    case disjoint = "s_disjoint"
}

/// A geometry in a filter, in degrees on WGS 84.
public enum FilterGeometry: Sendable, Equatable {
    case point(Position)
    case box(BoundingBox)
    case area(Area)

    /// The smallest box that contains the geometry.
    var box: BoundingBox? {
        switch self {
        case .point(let position):
            BoundingBox(
                west: position.longitude, south: position.latitude, east: position.longitude, north: position.latitude)
        case .box(let box): box
        case .area(let area): area.box
        }
    }
}
