import StoreEngine

/// The position that a viewer sees of the rows of a table.
///
/// Every query of positions uses it: lists, distances, filters, tiles and extents.
struct VisiblePosition {
    /// An expression for the point, or for null.
    var expression: SQL
    /// The column of the table whose spatial index finds the rows.
    var column: String
    /// SELECTs of the keys of rows whose position for the viewer is not in that column.
    var exceptions: [SQL] = []

    /// The stored position, which the viewer sees of every visible row.
    static func stored(in table: String) -> VisiblePosition {
        VisiblePosition(expression: "\(raw: table).geometry", column: "geometry")
    }
}
