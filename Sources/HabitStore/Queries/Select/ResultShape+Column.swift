import Base
import StoreEngine

extension ResultShape {
    /// Returns a column that the query of the rows always selects.
    ///
    /// - Parameter name: The name of the column.
    /// - Returns: The column.
    /// - Throws: `internal` if the rows lack the column.
    func selectedColumn(_ name: String) throws -> Column {
        guard let column = columns.first(where: { column in column.name == name }) else {
            throw HabitError(.internal, "the query has no column '\(name)'")
        }
        return column
    }
}
