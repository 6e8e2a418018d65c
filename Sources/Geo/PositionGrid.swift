import Foundation

/// A grid of cells of about equal width and height, whose centers stand for exact positions.
///
/// The grid is the same for all positions, so that several records at one location do not reveal more than one record. The
/// number of columns of a row depends on its latitude, so that the width of a cell is about equal to its height. The first
/// column begins at the antimeridian.
public struct PositionGrid: Sendable, Equatable {
    /// The grid of about 400 m in which others see items: a row is 0.0036 degrees high, which is 398 to 402 m.
    public static let items = PositionGrid(height: 36_000)
    /// A grid of about 100 m: a row is 0.001 degrees high.
    public static let street = PositionGrid(height: 10_000)
    /// A grid of about 1 km: a row is 0.01 degrees high.
    public static let quarter = PositionGrid(height: 100_000)
    /// A grid of about 10 km: a row is 0.1 degrees high.
    public static let city = PositionGrid(height: 1_000_000)

    /// The number of units of a degree.
    ///
    /// Centers are computed in integers and have seven decimals, as in all outputs.
    private static let units = 10_000_000

    /// The height of a row in units.
    private let rowUnits: Int

    /// Creates a grid.
    ///
    /// - Parameter height: The height of a row in units, of which 180 degrees are a multiple.
    private init(height: Int) {
        rowUnits = height
    }

    /// The number of rows from the south pole to the north pole.
    private var rows: Int { 180 * Self.units / rowUnits }
    /// The number of columns of a row at the equator.
    private var columns: Double { Double(360 * Self.units / rowUnits) }
    /// The height of a row in degrees.
    private var height: Double { Double(rowUnits) / Double(Self.units) }

    /// Returns the center of the cell that contains a position.
    ///
    /// The SQL of the schema computes the same centers in the grid of items for positions that were stored before the schema
    /// had them.
    public func center(of position: Position) -> Position? {
        let cell = cell(of: position)
        let count = cell.count
        // The center is an odd number of half columns away from the antimeridian. The quotient is rounded to a unit.
        let halfColumns = 2 * cell.column + 1
        let fromAntimeridian = (halfColumns * 180 * Self.units + count / 2) / count
        let longitude = fromAntimeridian - 180 * Self.units
        return Position(
            longitude: Double(longitude) / Double(Self.units),
            latitude: cell.latitude)
    }

    /// Returns the position in the cell of a position that is closest to another position.
    ///
    /// The function compares degrees. Less than 4 km from the cell of an item and 80 degrees from the equator, the result is
    /// less than 8 m farther than the closest position.
    ///
    /// - Parameters:
    ///   - target: The other position.
    ///   - position: The position whose cell contains the result.
    /// - Returns: The position on the border of the cell, or `target` if it is in the cell.
    public func nearest(to target: Position, inCellOf position: Position) -> Position {
        let cell = cell(of: position)
        let south = cell.latitude - height / 2
        let latitude = min(max(target.latitude, south), south + height)
        let width = 360 / Double(cell.count)
        let middle = (Double(cell.column) + 0.5) * width - 180
        let difference = (target.longitude - middle).remainder(dividingBy: 360)
        let offset = min(max(difference, -width / 2), width / 2)
        let longitude = (middle + offset).remainder(dividingBy: 360)
        return Position(longitude: longitude, latitude: latitude) ?? position
    }

    /// Returns a box that contains all positions whose cells have their centers in another box.
    ///
    /// Each side is moved by a complete cell, so that rounding has no effect.
    ///
    /// - Parameter box: The box with the centers.
    /// - Returns: The box with the positions.
    public func box(ofPositionsWithCentersIn box: BoundingBox) -> BoundingBox {
        let south = max(box.south - height, -90)
        let north = min(box.north + height, 90)
        let width = 360 / Double(count(at: max(abs(box.south), abs(box.north))))
        let turn = box.crossesAntimeridian ? 360.0 : 0
        let isComplete = box.east - box.west + turn + 2 * width >= 360
        let west = isComplete ? -180 : Self.wrapped(box.west - width)
        let east = isComplete ? 180 : Self.wrapped(box.east + width)
        return BoundingBox(west: west, south: south, east: east, north: north) ?? .world
    }

    /// Returns the longitude of a meridian less than a turn beyond the antimeridian.
    private static func wrapped(_ longitude: Double) -> Double {
        if longitude < -180 { return longitude + 360 }
        return longitude > 180 ? longitude - 360 : longitude
    }

    // MARK: Cells

    private struct Cell {
        /// The latitude of the center.
        var latitude: Double
        /// The number of columns of the row.
        var count: Int
        /// The column, counted from the antimeridian.
        var column: Int
    }

    private func cell(of position: Position) -> Cell {
        let rowAtLatitude = Int((position.latitude + 90) / height)
        let row = min(max(rowAtLatitude, 0), rows - 1)
        let centerInUnits = row * rowUnits + rowUnits / 2 - 90 * Self.units
        let latitude = Double(centerInUnits) / Double(Self.units)
        let count = count(at: latitude)
        let share = (position.longitude + 180) / 360
        // A position at 180 degrees is in the first column.
        let column = Int(share * Double(count)) % count
        return Cell(latitude: latitude, count: count, column: column)
    }

    /// Returns the number of columns of a row.
    ///
    /// - Parameter latitude: The latitude of the center of the row.
    /// - Returns: The number, at least 1.
    private func count(at latitude: Double) -> Int {
        let columnsAtLatitude = columns * cos(latitude * 0.017453292519943295)
        return max(Int(columnsAtLatitude.rounded()), 1)
    }
}
