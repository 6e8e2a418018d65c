import Geo
import HabitStore

/// Spatial functions and geometries (OGC 21-065, clauses 7.4 and 7.5).
extension FilterResolver {
    func spatial(
        _ relation: SpatialRelation, _ operands: (FilterNode, FilterNode), _ node: FilterNode
    ) throws -> FeatureFilter {
        guard case .property(let name) = operands.0.kind, case .geometry(let shape) = operands.1.kind else {
            throw Problem.filter(
                node.position,
                "\(relation.rawValue.uppercased()) needs a property and a geometry: write S_INTERSECTS(geometry, BBOX(-9.3, 38.6, -9.0, 38.9))"
            )
        }
        let property = try property(name, at: operands.0.position)
        guard property.kind == .point else {
            throw Problem.filter(operands.0.position, "'\(name)' is not a geometry: use the property geometry")
        }
        return .spatial(relation, property, try geometry(shape, at: operands.1.position))
    }

    private func geometry(_ shape: FilterNode.Shape, at position: Int) throws -> FilterGeometry {
        switch shape {
        case .point(let numbers): return .point(try self.position(numbers, position))
        case .box(let numbers): return .box(try box(numbers, position))
        case .polygons(let polygons):
            guard let area = Area(try polygons.map { try polygon($0, position) }) else {
                throw Problem.filter(position, "the geometry has no polygon: write one or more")
            }
            return .area(area)
        }
    }

    private func polygon(_ rings: [[[Double]]], _ position: Int) throws -> Polygon {
        guard let polygon = Polygon(rings: try rings.map { try $0.map { try self.position($0, position) } }) else {
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
    private func position(_ numbers: [Double], _ position: Int) throws -> Position {
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
    private func box(_ numbers: [Double], _ position: Int) throws -> BoundingBox {
        let sides = numbers.count == 6 ? [0, 1, 3, 4].map { numbers[$0] } : numbers
        guard sides.count == 4,
            let box = BoundingBox(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
        else {
            throw Problem.filter(
                position,
                "the bounding box is invalid: write west, south, east and north in degrees, with south below north")
        }
        return box
    }
}
