import StoreEngine

/// A range of the keys of a table, which one task of several threads reads.
struct KeyRange: Sendable {
    /// The keys, or `nil` for all rows of the table.
    private let keys: Range<Int64>?

    /// All rows of a table.
    static let all = KeyRange(keys: nil)

    /// Divides the keys of all events into ranges.
    ///
    /// - Parameters:
    ///   - count: The number of ranges.
    ///   - session: A session on the store.
    /// - Returns: The ranges in ascending order. On a server the result is one range, because the server would read the
    ///   table once for each range.
    /// - Throws: An error of the engine.
    static func events(_ count: Int, in session: any Session) throws -> [KeyRange] {
        guard session.fileMapping != nil else { return [.all] }
        return try divide("event", into: count, in: session)
    }

    /// Divides the keys of all habits into ranges.
    ///
    /// - Parameters:
    ///   - count: The number of ranges.
    ///   - session: A session on the store.
    /// - Returns: The ranges in ascending order.
    /// - Throws: An error of the engine.
    static func habits(_ count: Int, in session: any Session) throws -> [KeyRange] {
        try divide("habit", into: count, in: session)
    }

    private static func divide(
        _ table: String,
        into count: Int,
        in session: any Session
    ) throws -> [KeyRange] {
        let keys = try keys(of: table, in: session)
        // The store assigns positive keys. Another program may have written keys near the limits of the type.
        guard count > 1,
            let keys,
            keys.lowerBound >= 0,
            keys.upperBound < .max / 2
        else {
            return [.all]
        }
        let distance = keys.upperBound - keys.lowerBound
        let size = distance / Int64(count) + 1
        return (0..<Int64(count)).map { index in
            let first = keys.lowerBound + index * size
            return KeyRange(keys: first..<first + size)
        }
    }

    /// Returns the lowest and the highest key of a table, or `nil` if the table is empty.
    private static func keys(
        of table: String,
        in session: any Session
    ) throws -> ClosedRange<Int64>? {
        // SQLite finds only a single min() or max() by an index.
        let sql: SQL = "SELECT (SELECT min(id) FROM \(raw: table)), (SELECT max(id) FROM \(raw: table))"
        let bounds = try session.first(sql) { row in
            row.isNull(0) ? nil : row.integer(0)...row.integer(1)
        }
        return bounds ?? nil
    }

    /// Returns a condition that a key is in the range, or `nil` for all rows.
    ///
    /// - Parameter column: The column of the key, such as `event.id`.
    /// - Returns: The condition with its values.
    func condition(on column: String) -> SQL? {
        guard let keys else {
            return nil
        }
        return """
            \(raw: column) >= \(.integer(keys.lowerBound), as: "first_key")
              AND \(raw: column) < \(.integer(keys.upperBound), as: "end_key")
            """
    }
}
