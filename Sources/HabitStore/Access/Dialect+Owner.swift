import StoreEngine

extension Dialect {
    /// Returns a condition, after AND, that the user of a record is the user of its habit.
    ///
    /// The condition is true for all records of one habit. It selects a partition or a server. It is empty if the engine
    /// does not partition tables by user.
    ///
    /// - Parameters:
    ///   - column: The column `user_id` of a table.
    ///   - user: The user of the habit, as an expression.
    /// - Returns: The condition, or an empty text.
    func andUser(_ column: String, is user: String) -> String {
        traits.partitionColumn == nil ? "" : " AND \(column) = \(user)"
    }
}
