import Geo
import HabitTestSupport
import Testing

@testable import Rendering

/// Tests of the tiles of the base map: they show the land of the source.
@Suite(.engineIndependent) struct BaseMapTileTests {
    /// Tiles at the edges of the map and of the zooms, and at coasts.
    private static let tiles: [[Int]] = [
        [0, 0, 0],
        [1, 0, 0],
        [1, 0, 1],
        [1, 1, 0],
        [1, 1, 1],
        [2, 0, 3],
        [2, 1, 2],
        [2, 3, 0],
        [2, 3, 3],
        // The antimeridian in Chukotka and Fiji, the Caspian Sea, Antarctica, Japan, Portugal, and the Atlantic.
        [3, 1, 0],
        [3, 1, 7],
        [5, 7, 31],
        [5, 7, 0],
        [6, 35, 63],
        [6, 35, 0],
        [5, 11, 20],
        [8, 94, 163],
        [3, 7, 0],
        [3, 7, 7],
        [4, 15, 8],
        [8, 100, 227],
        [7, 49, 60],
        [8, 128, 105],
    ]

    private static func tile(_ numbers: [Int]) throws -> MapTile {
        try #require(MapTile(zoom: numbers[0], row: numbers[1], column: numbers[2]))
    }

    private static func layers(of tile: MapTile) throws -> [VectorTile.Layer] {
        let bytes = try #require(BaseMapTile(tile)).bytes
        return try VectorTile(bytes).layers
    }

    /// A position of the tile that is not near a coast is on land in the tile if it is on land in the source.
    @Test(arguments: tiles) func landOfTileIsLandOfSource(numbers: [Int]) throws {
        let tile = try Self.tile(numbers)
        let shapes = try Self.layers(of: tile).first { layer in layer.name == "world-land" }?.shapes ?? []
        let land = SourceLand(tile)
        var random = SeededGenerator(seed: 11)
        var compared = 0
        for _ in 0..<150 {
            let x = Double(Int.random(in: 0..<VectorTileLayer.extent, using: &random)) + 0.5
            let y = Double(Int.random(in: 0..<VectorTileLayer.extent, using: &random)) + 0.5
            guard land.isFarFromCoast(x, y) else { continue }
            compared += 1
            let containing = shapes.count { shape in shape.contains(x, y) }
            #expect(containing == (land.contains(x, y) ? 1 : 0), "\(x) \(y)")
        }
        #expect(compared > 10)
    }

    @Test(arguments: tiles) func polygonsObeySpecification(numbers: [Int]) throws {
        for layer in try Self.layers(of: Self.tile(numbers)) {
            #expect(layer.version == 2)
            #expect(layer.extent == VectorTileLayer.extent)
            for polygon in layer.shapes where polygon.isPolygon {
                for (index, ring) in polygon.paths.enumerated() {
                    // An outer ring is clockwise on the screen and its holes are counterclockwise.
                    let isOuter = index == 0
                    #expect(isOuter ? ring.doubledArea > 0 : ring.doubledArea < 0)
                    #expect(ring.first != ring.last)
                    #expect(zip(ring, ring.dropFirst()).allSatisfy { pair in pair.0 != pair.1 })
                }
            }
        }
    }

    @Test(arguments: tiles) func verticesAreInTileOrItsBuffer(numbers: [Int]) throws {
        let range = -TileFrame.buffer...VectorTileLayer.extent + TileFrame.buffer
        for layer in try Self.layers(of: Self.tile(numbers)) {
            for vertex in layer.shapes.flatMap(\.paths).joined() {
                #expect(range.contains(vertex.x))
                #expect(range.contains(vertex.y))
            }
        }
    }

    /// The parts of two neighboring tiles in their common buffer have the same vertices.
    @Test func neighborsHaveSameVerticesInTheBuffer() throws {
        let west = try Self.layers(of: Self.tile([5, 12, 15])).first?.shapes ?? []
        let east = try Self.layers(of: Self.tile([5, 12, 16])).first?.shapes ?? []
        let extent = VectorTileLayer.extent
        let inner = 1..<TileFrame.buffer
        func isInside(_ vertex: SIMD2<Int>) -> Bool { inner.contains(vertex.x) && (0...extent).contains(vertex.y) }
        let fromWest = west.flatMap(\.paths).joined().map { vertex in vertex &- SIMD2(extent, 0) }.filter(isInside)
        let fromEast = east.flatMap(\.paths).joined().filter(isInside)
        #expect(!fromEast.isEmpty)
        #expect(Set(fromWest) == Set(fromEast))
    }

    /// Land at the antimeridian has no gap: the buffer of each tile contains the land of the other side.
    @Test(arguments: [[5, 7, 31], [5, 7, 0]]) func bufferContainsLandBeyondAntimeridian(numbers: [Int]) throws {
        let tile = try Self.tile(numbers)
        let shapes = try #require(Self.layers(of: tile).first).shapes
        let x = Double(tile.column == 0 ? -32 : VectorTileLayer.extent + 32)
        #expect(shapes.contains { shape in shape.contains(x, 2000) })
    }

    /// The Atlantic and the Caspian Sea, which is a hole in Eurasia.
    @Test(arguments: [[8, 128, 105], [8, 94, 163]]) func tileInTheSeaHasNoBytes(numbers: [Int]) throws {
        let tile = try Self.tile(numbers)
        #expect(try #require(BaseMapTile(tile)).bytes.isEmpty)
    }

    @Test func tileInlandIsLandUpToItsBuffer() throws {
        // The Sahara.
        let shapes = try #require(Self.layers(of: Self.tile([8, 112, 133])).first).shapes
        let area = shapes.first?.paths.first?.doubledArea
        let side = VectorTileLayer.extent + 2 * TileFrame.buffer
        #expect(shapes.count == 1)
        #expect(area == 2 * side * side)
    }

    @Test func eachCityIsInOneTileOfEachZoom() throws {
        var names: [String] = []
        for row in 0..<8 {
            for column in 0..<8 {
                let layers = try Self.layers(of: Self.tile([3, row, column]))
                let cities = layers.first { layer in layer.name == "world-cities" }?.points ?? []
                names += cities.compactMap { city in city.properties["name"] }
                let ranks = cities.map { city in city.properties["rank"].flatMap { rank in Int(rank) } ?? 0 }
                #expect(ranks.allSatisfy { rank in rank > 0 })
            }
        }
        #expect(names.sorted() == City.all.map(\.name).sorted())
    }

    @Test func bordersAreLines() throws {
        let layers = try Self.layers(of: Self.tile([4, 5, 8]))
        let borders = try #require(layers.first { layer in layer.name == "world-borders" })
        #expect(borders.shapes.count == 1)
        #expect(borders.shapes.allSatisfy { shape in !shape.isPolygon })
        #expect(borders.shapes[0].paths.count > 10)
    }

    @Test(arguments: [9, 24]) func higherZoomsHaveNoTiles(zoom: Int) throws {
        #expect(BaseMapTile(try Self.tile([zoom, 0, 0])) == nil)
    }
}

/// The land of the source in the units of a tile, without clipping and simplification.
private struct SourceLand {
    private typealias Edge = (a: SIMD2<Double>, b: SIMD2<Double>)

    /// The edges of all coasts in the rows of the tile.
    private let edges: [Edge]
    /// The edges near the tile.
    private let nearEdges: [Edge]
    /// The largest distance of a simplified coast from the coast of the source.
    private static let margin = Double(2 * BaseMapTile.tolerance)

    init(_ tile: MapTile) {
        let units = Double(VectorTileLayer.extent << tile.zoom)
        let origin = SIMD2(Double(tile.column), Double(tile.row)) * Double(VectorTileLayer.extent)
        let range = -Self.margin...Double(VectorTileLayer.extent) + Self.margin
        var edges: [Edge] = []
        for line in BaseMap.level(BaseMapTile.level(at: tile.zoom)).land {
            let ring = line.points.map { point in
                let x = MapPoint.x(ofLongitude: point.longitude)
                let y = MapPoint.y(ofLatitude: point.latitude)
                return SIMD2(x, y) * units - origin
            }
            for (a, b) in zip(ring, ring.dropFirst()) {
                let rows = min(a.y, b.y)...max(a.y, b.y)
                if range.overlaps(rows) { edges.append((a, b)) }
            }
        }
        self.edges = edges
        nearEdges = edges.filter { edge in
            let columns = min(edge.a.x, edge.b.x)...max(edge.a.x, edge.b.x)
            return range.overlaps(columns)
        }
    }

    /// Returns whether a point is on land by the even-odd rule.
    func contains(_ x: Double, _ y: Double) -> Bool {
        var isInside = false
        for (a, b) in edges where (a.y > y) != (b.y > y) {
            let crossing: Double = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)
            if crossing > x { isInside.toggle() }
        }
        return isInside
    }

    /// Returns whether no edge of a coast is near a point.
    func isFarFromCoast(_ x: Double, _ y: Double) -> Bool {
        let point = SIMD2(x, y)
        return nearEdges.allSatisfy { edge in
            let direction = edge.b - edge.a
            let length = (direction * direction).sum()
            let share = length == 0 ? 0 : min(max(((point - edge.a) * direction).sum() / length, 0), 1)
            let distance = point - (edge.a + direction * share)
            return (distance * distance).sum() > Self.margin * Self.margin
        }
    }
}

extension VectorTile.Shape {
    /// Returns whether a polygon contains a point: its outer ring does, and no hole.
    fileprivate func contains(_ x: Double, _ y: Double) -> Bool {
        let rings = paths.map { path in
            let vertices = path.map { vertex in SIMD2(Double(vertex.x), Double(vertex.y)) }
            return vertices + vertices.prefix(1)
        }
        guard let outer = rings.first, outer.surrounds(x, y) else { return false }
        return !rings.dropFirst().contains { hole in hole.surrounds(x, y) }
    }
}

extension [SIMD2<Double>] {
    /// Returns whether a closed ring contains a point, by counting crossings to the right.
    fileprivate func surrounds(_ x: Double, _ y: Double) -> Bool {
        var isInside = false
        for (a, b) in zip(self, dropFirst()) where (a.y > y) != (b.y > y) {
            let crossing: Double = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)
            if crossing > x { isInside.toggle() }
        }
        return isInside
    }
}

extension [SIMD2<Int>] {
    /// The doubled area of a ring by the surveyor's formula.
    fileprivate var doubledArea: Int {
        zip(self, dropFirst() + prefix(1)).reduce(0) { sum, edge in
            sum + edge.0.x * edge.1.y - edge.1.x * edge.0.y
        }
    }
}
