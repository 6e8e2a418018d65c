import Geo

/// The smallest bounding box of positions that are added one by one, in constant memory.
///
/// The box crosses the antimeridian if that makes it smaller. Longitudes form a circle, and the box is the complement
/// of the widest gap between adjacent longitudes. The extent stores the lowest and the highest longitude of each half
/// degree. A gap of half a degree or more is never inside one half degree, so that the widest gap is found exactly. If
/// no gap is that wide, the box spans all longitudes.
struct Extent {
    private static let perDegree = 2.0
    private var lowest = [Double](repeating: .infinity, count: 720)
    private var highest = [Double](repeating: -.infinity, count: 720)
    private var south = Double.infinity
    private var north = -Double.infinity

    mutating func add(_ geometry: FeatureGeometry) {
        switch geometry {
        case .point(let position):
            add(position)
        case .box(let box):
            for half in box.halves {
                add(from: half.west, to: half.east)
            }
            south = min(south, box.south)
            north = max(north, box.north)
        }
    }

    @inline(__always)
    mutating func add(_ position: Position) {
        let bucket = Self.bucket(of: position.longitude)
        // Most positions are within the extent of their half degree.
        if position.longitude < lowest[bucket] { lowest[bucket] = position.longitude }
        if position.longitude > highest[bucket] { highest[bucket] = position.longitude }
        if position.latitude < south { south = position.latitude }
        if position.latitude > north { north = position.latitude }
    }

    /// Adds the positions of another extent.
    mutating func add(_ other: Extent) {
        for bucket in lowest.indices {
            lowest[bucket] = min(lowest[bucket], other.lowest[bucket])
            highest[bucket] = max(highest[bucket], other.highest[bucket])
        }
        south = min(south, other.south)
        north = max(north, other.north)
    }

    /// Adds all longitudes from `west` to `east`, in degrees.
    ///
    /// `east` must not be less than `west`.
    private mutating func add(from west: Double, to east: Double) {
        let first = Self.bucket(of: west)
        let last = Self.bucket(of: east)
        for bucket in first...last {
            let start = Double(bucket) / Self.perDegree - 180
            let end = start + 1 / Self.perDegree
            lowest[bucket] = min(lowest[bucket], bucket == first ? west : start)
            highest[bucket] = max(highest[bucket], bucket == last ? east : end)
        }
    }

    /// Returns the index of the half degree that contains a longitude.
    private static func bucket(of longitude: Double) -> Int {
        let bucket = Int((longitude + 180) * perDegree)
        return min(719, bucket)
    }

    /// The smallest box of the added positions, or `nil` before the first position.
    var box: BoundingBox? {
        guard var sides = meridians else { return nil }
        // 180 and -180 are the same meridian. The box must not cross the antimeridian only because of the sign.
        if sides.west == 180, sides.east < 180 { sides.west = -180 }
        if sides.east == -180, sides.west > -180 { sides.east = 180 }
        return BoundingBox(west: sides.west, south: south, east: sides.east, north: north)
    }

    /// The meridians on both sides of the widest gap, or `nil` before the first position.
    private var meridians: (west: Double, east: Double)? {
        let taken = lowest.indices.filter { bucket in lowest[bucket].isFinite }
        guard let first = taken.first, let last = taken.last else { return nil }
        var west = lowest[first]
        var east = highest[last]
        // The gap at the antimeridian.
        var widest = west + 360 - east
        for (before, after) in zip(taken, taken.dropFirst()) {
            let gap = lowest[after] - highest[before]
            guard gap > widest else { continue }
            widest = gap
            west = lowest[after]
            east = highest[before]
        }
        let isFound = widest >= 1 / Self.perDegree
        return isFound ? (west, east) : (-180, 180)
    }
}
