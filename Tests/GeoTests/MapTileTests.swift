import HabitTestSupport
import Testing

@testable import Geo

/// Tests of tiles of the map in Web Mercator.
@Suite(.engineIndependent) struct MapTileTests {
    private static let edges: [(Double, Double)] = [
        (-180, 0),
        (180, 0),
        (0, 90),
        (0, -90),
        (180, 90),
        (-180, -90),
        (179.9999999, 85.05112877),
        (0, 85.06),
        (-0.0000001, -85.06),
        (0, 0),
    ]

    private static func positions(_ count: Int) -> [Position] {
        var random = SystemRandomNumberGenerator()
        let others = (0..<count).map { _ in
            (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
        }
        return (edges + others).compactMap { Position(longitude: $0.0, latitude: $0.1) }
    }

    /// The expected tiles follow from the formula of the OpenStreetMap wiki, "Slippy map tilenames".
    @Test(arguments: [
        (-9.1393, 38.7223, 10, 392, 486),
        (139.69, 35.68, 12, 1612, 3637),
        (0.0, 0.0, 1, 1, 1),
        (-180.0, 85.06, 3, 0, 0),
        (180.0, -85.06, 3, 7, 0),
        (0.0, 90.0, 4, 0, 8),
        (0.0, -90.0, 24, (1 << 24) - 1, 1 << 23),
    ])
    func tileOfPositionIsKnown(longitude: Double, latitude: Double, zoom: Int, row: Int, column: Int) throws {
        let position = try #require(Position(longitude: longitude, latitude: latitude))
        let tile = MapPoint(position).tile(at: zoom)
        #expect((tile.row, tile.column) == (row, column))
    }

    @Test func tilesOfEachZoomAreNestedAndBoxContainsPosition() {
        for position in Self.positions(2000) {
            let point = MapPoint(position)
            for zoom in MapTile.zooms {
                let tile = point.tile(at: zoom)
                #expect(tile.contains(point), "\(position) \(tile)")
                #expect(tile.box.contains(position), "\(position) \(tile)")
                #expect(MapTile(zoom: zoom, row: tile.row, column: tile.column) == tile)
                let offset = tile.offset(of: point, bits: 12)
                #expect((0..<4096).contains(offset.x))
                #expect((0..<4096).contains(offset.y))
                let parent = point.tile(at: max(zoom - 1, 0))
                #expect(MapTile.code(containing: tile.code, at: parent.zoom) == parent.code)
                #expect(parent.codes(at: zoom).contains(tile.code))
                #expect(MapTile(code: tile.code) == tile)
                #expect(MapPoint(tile.center).tile(at: zoom) == tile)
            }
        }
    }

    @Test func codesOfTilesInsideTileAreExactlyRange() throws {
        let tile = try #require(MapTile(zoom: 3, row: 5, column: 2))
        let tiles = (0..<32).flatMap { row in
            (0..<32).compactMap { column in MapTile(zoom: 5, row: row, column: column) }
        }
        let inside = tiles.filter { $0.row >> 2 == 5 && $0.column >> 2 == 2 }
        #expect(inside.map(\.code).sorted() == Array(tile.codes(at: 5)))
    }

    @Test(arguments: [
        (-1, 0, 0),
        (25, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (2, -1, 0),
        (2, 0, 4),
        (3, 8, 0),
        (64, 0, 0),
    ])
    func tileOutsideMapDoesNotExist(zoom: Int, row: Int, column: Int) {
        #expect(MapTile(zoom: zoom, row: row, column: column) == nil)
    }

    @Test(arguments: [0, 2, 3, 8, 15, -8, .min])
    func otherNumberIsNotTheCodeOfTile(code: Int64) { #expect(MapTile(code: code) == nil) }

    @Test(arguments: [
        "-180,-90,180,90", "179,-20,-179,-10", "10,40,10,40", "-180,10,-170,20", "170,60,180,90", "10,-5,9,5",
        "180,-20,180,20", "-180,-20,-180,20", "180,-20,-170,20", "170,-20,-180,20", "-10,-20,180,20",
    ])
    func rangesCoverEachPositionOfBoxOnce(text: String) throws {
        let box = try #require(BoundingBox(text))
        for zoom in [0, 1, 4, 9, 20] {
            let ranges = MapTileRange.covering(box, at: zoom)
            for position in Self.positions(500) {
                let point = MapPoint(position)
                let count = ranges.count { $0.contains(point) }
                #expect(count <= 1)
                // The meridian of 180 degrees is in the first column.
                if box.contains(position) { #expect(count == 1, "\(position) \(zoom)") }
                for range in ranges where range.contains(point) {
                    #expect(range.box.contains(position))
                    let code = point.tile(at: zoom + 4).code
                    for limit in [1, 8, 16] {
                        let codes = range.codes(at: zoom + 4, atMost: limit)
                        #expect(codes.contains { codes in codes.contains(code) })
                    }
                }
            }
            for limit in [1, 8, 16] {
                #expect(ranges.allSatisfy { $0.codes(at: zoom + 2, atMost: limit).count <= limit })
            }
        }
    }

    @Test func bothLongitudesOfMeridianAreInSameTile() throws {
        for latitude in [-90.0, -85.06, -10, 0, 33.3, 85.06, 90] {
            let west = MapPoint(try #require(Position(longitude: -180, latitude: latitude)))
            let east = MapPoint(try #require(Position(longitude: 180, latitude: latitude)))
            #expect(west == east)
            #expect(east.column == 0)
            let near = MapPoint(try #require(Position(longitude: 180.0.nextDown, latitude: latitude)))
            #expect(near.tile(at: 16).column == 65535)
        }
    }
}
