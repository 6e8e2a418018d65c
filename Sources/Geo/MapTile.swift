import Foundation

/// A position on the map in Web Mercator: a cell of a grid of 2³⁶ by 2³⁶ cells, counted from the northwest.
///
/// The map ends at 85.051129 degrees north and south. A position beyond is in the first or the last row, and the
/// longitude 180 is in the first column, like −180, because both are the same meridian. So each position is in exactly one
/// cell, and in one ``MapTile`` of each zoom.
package struct MapPoint: Hashable, Sendable {
    /// The number of bits of a column and of a row.
    package static let bits = 36
    private static let side = Double(UInt64(1) << bits)
    /// A latitude beyond the edge of the map, in degrees.
    ///
    /// The projection of a pole is infinite.
    package static let latitudeLimit = 89.0

    /// The column of the cell, counted from the west.
    package let column: UInt64
    /// The row of the cell, counted from the north.
    package let row: UInt64

    /// Creates the cell that contains `position`.
    ///
    /// The formula is the one of the schema files (Snyder, "Map Projections: A Working Manual", 1987, equation 7-2 for
    /// the sphere). A cell of a lower zoom is the same number without its last bits.
    package init(_ position: Position) {
        let longitude = position.longitude == 180 ? -180 : position.longitude
        column = Self.cell(at: Self.x(ofLongitude: longitude))
        row = Self.cell(at: Self.y(ofLatitude: position.latitude))
    }

    /// Returns the share of the width of the map at a longitude in degrees, counted from the west.
    package static func x(ofLongitude longitude: Double) -> Double {
        (longitude + 180) / 360
    }

    /// Returns the share of the height of the map at a latitude in degrees, counted from the north.
    ///
    /// It is less than 0 or greater than 1 beyond the edge of the map. A latitude beyond ``latitudeLimit`` has the share
    /// of the limit.
    package static func y(ofLatitude latitude: Double) -> Double {
        let latitude = min(max(latitude, -latitudeLimit), latitudeLimit)
        let sine = sin(latitude * 0.017453292519943295)
        return 0.5 - log((1 + sine) / (1 - sine)) / 12.566370614359172
    }

    /// Returns the column or the row at a share of the side of the map.
    private static func cell(at share: Double) -> UInt64 {
        let cell = min(max(share * side, 0), side - 1)
        return UInt64(cell)
    }

    /// Returns the tile that contains the position.
    ///
    /// - Parameter zoom: A zoom from 0 to ``bits``.
    /// - Returns: The tile of that zoom.
    package func tile(at zoom: Int) -> MapTile {
        let shift = UInt64(Self.bits - zoom)
        return MapTile(
            unchecked: zoom,
            row: Int(row >> shift),
            column: Int(column >> shift))
    }
}

/// A square of the map in Web Mercator: a tile of the tile matrix set WebMercatorQuad (OGC 17-083r4, annex D.1).
///
/// The map has 2ᶻ rows, counted from the north, and 2ᶻ columns, counted from the west, at the zoom z.
package struct MapTile: Hashable, Sendable {
    /// The zooms of WebMercatorQuad.
    package static let zooms = 0...24

    /// The zoom, 0 for the tile that contains the world.
    package let zoom: Int
    /// The row, counted from the north.
    package let row: Int
    /// The column, counted from the west.
    package let column: Int

    /// The tile that contains the world.
    package static let world = MapTile(unchecked: 0, row: 0, column: 0)

    /// Creates a tile, or returns `nil` if WebMercatorQuad has no such tile.
    package init?(zoom: Int, row: Int, column: Int) {
        guard Self.zooms.contains(zoom) else { return nil }
        let side = 1 << zoom
        guard (0..<side).contains(row), (0..<side).contains(column) else { return nil }
        self.init(unchecked: zoom, row: row, column: column)
    }

    /// Creates a tile of a zoom up to ``MapPoint/bits``, whose row and column must exist.
    init(unchecked zoom: Int, row: Int, column: Int) {
        self.zoom = zoom
        self.row = row
        self.column = column
    }

    /// Returns whether the tile contains a position.
    package func contains(_ point: MapPoint) -> Bool { point.tile(at: zoom) == self }

    /// Returns the position of a point in the tile.
    ///
    /// - Parameters:
    ///   - point: A position in the tile.
    ///   - bits: The binary logarithm of the number of units on a side of the tile, at most ``MapPoint/bits`` − zoom.
    /// - Returns: The units from the west and from the north.
    package func offset(of point: MapPoint, bits: Int) -> (x: Int, y: Int) {
        let shift = UInt64(MapPoint.bits - zoom - bits)
        let mask = 1 << bits - 1
        let x = Int(point.column >> shift) & mask
        let y = Int(point.row >> shift) & mask
        return (x, y)
    }

    /// The position in the center of the tile.
    package var center: Position {
        let side = Double(1 << zoom)
        let x = (Double(column) + 0.5) / side
        let y = (Double(row) + 0.5) / side
        let center = Position(
            longitude: Self.longitude(at: x),
            latitude: Self.latitude(at: y))
        return center ?? .nullIsland
    }

    /// The edges of the tile in degrees, from a pole in the first and the last row.
    ///
    /// The box is 10⁻⁹ degrees (0.1 mm) larger than the tile, so that it contains every position of the tile. The box of a
    /// tile in the first column contains the longitude 180, because it has the edge −180 (``BoundingBox/parts``).
    package var box: BoundingBox {
        let side = Double(1 << zoom)
        let lastRow = 1 << zoom - 1
        let margin = 1e-9
        let west = Self.longitude(at: Double(column) / side) - margin
        let east = Self.longitude(at: Double(column + 1) / side) + margin
        let north = row == 0 ? 90 : Self.latitude(at: Double(row) / side) + margin
        let south = row == lastRow ? -90 : Self.latitude(at: Double(row + 1) / side) - margin
        let box = BoundingBox(
            west: max(west, -180),
            south: max(south, -90),
            east: min(east, 180),
            north: min(north, 90))
        return box ?? .world
    }

    /// Returns the longitude at a share of the side of the map, counted from the west.
    private static func longitude(at x: Double) -> Double {
        x * 360 - 180
    }

    /// Returns the latitude at a share of the side of the map, counted from the north.
    private static func latitude(at y: Double) -> Double {
        let projected = .pi * (1 - 2 * y)
        return atan(sinh(projected)) * 180 / .pi
    }
}

// MARK: Codes

extension MapTile {
    /// The zoom and the position of the tile in one number: a bit 1, and then one bit of the row and one of the column
    /// for each zoom.
    ///
    /// The codes of the tiles of one zoom inside a tile are consecutive (Morton, "A Computer Oriented Geodetic Data
    /// Base", IBM, 1966). The zoom is at most 31.
    package var code: Int64 {
        let marker: UInt64 = 1 << UInt64(2 * zoom)
        let rowBits = Self.spread(UInt64(row)) << 1
        let columnBits = Self.spread(UInt64(column))
        return Int64(bitPattern: marker | rowBits | columnBits)
    }

    /// Returns the index of the highest bit 1 of a positive code, which is twice the zoom.
    private static func highestBit(of code: Int64) -> Int {
        63 - code.leadingZeroBitCount
    }

    /// Creates the tile with a code, or returns `nil` if no tile has this code.
    package init?(code: Int64) {
        guard code > 0 else { return nil }
        let highestBit = Self.highestBit(of: code)
        guard highestBit % 2 == 0 else { return nil }
        let mask: UInt64 = 1 << UInt64(highestBit) - 1
        let bits = UInt64(bitPattern: code) & mask
        self.init(
            unchecked: highestBit / 2,
            row: Int(Self.gather(bits >> 1)),
            column: Int(Self.gather(bits)))
    }

    /// Returns the codes of the tiles of a zoom inside this tile.
    ///
    /// - Parameter zoom: A zoom from the zoom of this tile to 31.
    /// - Returns: The codes of all these tiles and of no others.
    package func codes(at zoom: Int) -> ClosedRange<Int64> {
        let shift = Int64(2 * (zoom - self.zoom))
        let first = code << shift
        let next = (code + 1) << shift
        return first...(next - 1)
    }

    /// Returns the code of the tile of a zoom that contains the tile with a code.
    ///
    /// - Parameters:
    ///   - code: The code of a tile.
    ///   - zoom: A zoom up to the zoom of that tile.
    /// - Returns: The code.
    package static func code(containing code: Int64, at zoom: Int) -> Int64 {
        let shift = highestBit(of: code) - 2 * zoom
        return code >> Int64(shift)
    }

    /// Returns the lower 32 bits with a bit 0 before each.
    private static func spread(_ number: UInt64) -> UInt64 {
        var bits = number & 0xFFFF_FFFF
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
    }

    /// Returns every second bit, beginning with the lowest.
    private static func gather(_ number: UInt64) -> UInt64 {
        var bits = number & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
    }
}
