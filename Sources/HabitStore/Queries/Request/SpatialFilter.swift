import Geo

/// The conditions on the position of a row.
///
/// A row must meet all of them.
struct SpatialFilter {
    /// The circle that contains the position, or `nil`.
    var near: Near?
    /// The box that contains the position, or `nil`.
    var box: BoundingBox?
    /// The area that contains the position, or `nil`.
    var area: Area?

    /// Whether there are no conditions.
    var isEmpty: Bool { near == nil && box == nil && area == nil }

    /// A box that contains the positions of all rows, or `nil` if the spatial index excludes no row.
    var window: BoundingBox? {
        near?.box ?? [box, area?.box].compactMap(\.self).first { !$0.isWorld }
    }
}
