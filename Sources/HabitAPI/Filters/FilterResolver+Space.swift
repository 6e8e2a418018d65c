import Geo
import HTTPServing
import HabitStore

/// Spatial functions and geometries (OGC 21-065, clauses 7.4 and 7.5).
extension FilterResolver {
    func spatial(_ relation: SpatialRelation, _ call: FilterCall) throws -> FeatureFilter {
        let operands = try call.operands
        guard case .property(let name) = operands.first.kind,
            case .geometry(let shape) = operands.second.kind
        else {
            throw Problem.filter(
                call.position,
                "\(relation.rawValue.uppercased()) needs a property and a geometry: write S_INTERSECTS(geometry, BBOX(-9.3, 38.6, -9.0, 38.9))"
            )
        }
        let property = try property(name, at: operands.first.position)
        guard property.kind == .point else {
            throw Problem.filter(
                operands.first.position,
                "'\(name)' is not a geometry: use the property geometry")
        }
        let geometry = try geometry(shape, at: operands.second.position)
        return .spatial(relation, property, geometry)
    }

    private func geometry(_ shape: FilterNode.Shape, at position: Int) throws -> FilterGeometry {
        switch shape {
        case .point(let numbers):
            let point = try coordinates(numbers, at: position)
            return .point(point)
        case .box(let numbers):
            let box = try box(numbers, at: position)
            return .box(box)
        case .polygons(let polygons):
            let polygons = try polygons.map { rings in try polygon(rings, at: position) }
            guard let area = Area(polygons) else {
                throw Problem.filter(
                    position,
                    "the geometry has no polygon: write one or more")
            }
            return .area(area)
        }
    }

    private func polygon(_ rings: [[[Double]]], at position: Int) throws -> Polygon {
        let rings = try rings.map { ring in
            try ring.map { numbers in try coordinates(numbers, at: position) }
        }
        guard let polygon = Polygon(rings: rings) else {
            throw Problem.filter(
                position,
                "the polygon has a ring that is not closed or has less than four positions: end each ring with its first position"
            )
        }
        return polygon
    }

    /// Returns a position of two coordinates.
    ///
    /// A third one is its height, which is ignored.
    private func coordinates(_ numbers: [Double], at position: Int) throws -> Position {
        guard numbers.count == 2 || numbers.count == 3,
            let result = Position(longitude: numbers[0], latitude: numbers[1])
        else {
            throw Problem.filter(
                position,
                "the geometry has an invalid position: write longitude (-180 to 180) and latitude (-90 to 90) in degrees"
            )
        }
        return result
    }

    /// Returns a box of four numbers, or of six numbers with heights, which are ignored.
    private func box(_ numbers: [Double], at position: Int) throws -> BoundingBox {
        let sides = numbers.count == 6 ? [0, 1, 3, 4].map { side in numbers[side] } : numbers
        let box: BoundingBox? =
            if sides.count == 4 {
                BoundingBox(
                    west: sides[0],
                    south: sides[1],
                    east: sides[2],
                    north: sides[3])
            } else {
                nil
            }
        guard let box else {
            throw Problem.filter(
                position,
                "the bounding box is invalid: write west, south, east and north in degrees, with south below north")
        }
        return box
    }
}
