import StoreEngine

/// The order of the rows of a query.
public enum SortOrder: String, Sendable, CaseIterable {
    /// The order by time, latest first.
    case newest
    /// The order by distance, nearest first.
    case distance
    /// The order in which the engine finds the rows. The engine does not sort, so the memory use is constant.
    case stored

    /// Returns the order of the rows of `table`.
    ///
    /// The order by distance requires a circle. Without a circle, the rows are sorted by time.
    ///
    /// - Parameters:
    ///   - table: The name of the table, whose rows have an ID.
    ///   - distance: The expression for the distance from the center of the circle, or `nil` without a circle.
    ///   - newest: The order by time, without the ID.
    /// - Returns: The terms of the order, or an empty array for the stored order.
    func terms(of table: String, distance: SQL?, newest: [OrderTerm]) -> [OrderTerm] {
        let id: SQL = "\(raw: table).external_id"
        switch (self, distance) {
        case (.stored, _): return []
        case (.distance, let distance?):
            return [OrderTerm(distance, .distance, column: ResultShape.distance), OrderTerm(id)]
        case (.newest, _), (.distance, nil):
            return newest + [.descending(id)]
        }
    }
}
