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
        let row = min(max(Int((position.latitude + 90) / height), 0), rows - 1)
        let latitude = row * 36_000 + 18_000 - 90 * units
        let degrees = Double(latitude) / Double(units)
        let count = max(Int((columns * cos(degrees * 0.017453292519943295)).rounded()), 1)
        // A position at 180 degrees is in the first column.
        let column = Int((position.longitude + 180) / 360 * Double(count)) % count
        let longitude = ((2 * column + 1) * 180 * units + count / 2) / count - 180 * units
        return Position(longitude: Double(longitude) / Double(units), latitude: degrees)
    }
}
