import Base
import HabitModel

/// The indices of the columns of a table by name, in any letter case.
struct TableColumns {
    private let indices: [String: Int]

    /// Creates the indices of a header.
    ///
    /// If a name occurs twice, the first column has it.
    init(_ header: [String]) {
        var indices: [String: Int] = [:]
        for (index, name) in header.enumerated() where indices[name.lowercased()] == nil {
            indices[name.lowercased()] = index
        }
        self.indices = indices
    }

    /// Finds the cell of the first of these columns that the table has.
    ///
    /// - Parameters:
    ///   - row: A row of the table.
    ///   - names: The names of the column in lowercase letters.
    /// - Returns: The cell, or `nil` if all columns are missing.
    func text(_ row: ImportTable.Row, _ names: String...) -> String? {
        for name in names {
            if let index = indices[name] { return row[index] }
        }
        return nil
    }
}
