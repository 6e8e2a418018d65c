import Foundation

/// A grid of cells of about 400 m, whose centers stand for exact positions.
///
/// The grid is the same for all positions, so that several items at one location do not reveal more than one item. A
/// row of the grid is 0.0036 degrees high, which is 398 to 402 m. The number of columns of a row depends on its
/// latitude, so that the width of a cell is about equal to its height. The first column begins at the antimeridian.
public enum PositionGrid {
    /// The number of rows from the south pole to the north pole.
    private static let rows = 50_000
    /// The height of a row in degrees.
    private static let height = 0.0036
    /// The number of columns of a row at the equator.
    private static let columns = 100_000.0
    /// The number of units of a degree.
    ///
    /// Centers are computed in integers and have seven decimals, as in all outputs.
    private static let units = 10_000_000

    /// Returns the center of the cell that contains a position.
    ///
    /// The SQL of the schema computes the same centers for positions that were stored before the schema had them.
    public static func center(of position: Position) -> Position? {
        let cell = Cell(position)
        let count = cell.count
        // The center is an odd number of half columns away from the antimeridian. The quotient is rounded to a unit.
        let halfColumns = 2 * cell.column + 1
        let fromAntimeridian = (halfColumns * 180 * units + count / 2) / count
        let longitude = fromAntimeridian - 180 * units
        return Position(
            longitude: Double(longitude) / Double(units),
            latitude: cell.latitude)
    }

    /// Returns the position in the cell of a position that is closest to another position.
    ///
    /// The function compares degrees. Less than 4 km from the cell and 80 degrees from the equator, the result is less than
    /// 8 m farther than the closest position.
    ///
    /// - Parameters:
    ///   - target: The other position.
    ///   - position: The position whose cell contains the result.
    /// - Returns: The position on the border of the cell, or `target` if it is in the cell.
    public static func nearest(to target: Position, inCellOf position: Position) -> Position {
        let cell = Cell(position)
        let south = cell.latitude - height / 2
        let latitude = min(max(target.latitude, south), south + height)
        let width = 360 / Double(cell.count)
        let middle = (Double(cell.column) + 0.5) * width - 180
        let difference = (target.longitude - middle).remainder(dividingBy: 360)
        let offset = min(max(difference, -width / 2), width / 2)
        let longitude = (middle + offset).remainder(dividingBy: 360)
        return Position(longitude: longitude, latitude: latitude) ?? position
    }

    /// The cell that contains a position.
    private struct Cell {
        /// The latitude of the center.
        let latitude: Double
        /// The number of columns of the row.
        let count: Int
        /// The column, counted from the antimeridian.
        let column: Int

        init(_ position: Position) {
            let rowAtLatitude = Int((position.latitude + 90) / height)
            let row = min(max(rowAtLatitude, 0), rows - 1)
            let centerInUnits = row * 36_000 + 18_000 - 90 * units
            latitude = Double(centerInUnits) / Double(units)
            let columnsAtLatitude = columns * cos(latitude * 0.017453292519943295)
            count = max(Int(columnsAtLatitude.rounded()), 1)
            let share = (position.longitude + 180) / 360
            // A position at 180 degrees is in the first column.
            column = Int(share * Double(count)) % count
        }
    }
}
