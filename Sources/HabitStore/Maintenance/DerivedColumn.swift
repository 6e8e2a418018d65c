import Base
import HabitModel
import StoreEngine

/// A column whose value is derived from other columns.
struct DerivedColumn {
    var table: String
    var column: String
    /// The query for the rows: the key, the column, a name for messages, and the columns that determine the value.
    var sql: SQL
    /// Returns a closure that computes the correct value of a row, or `nil` if the value cannot be derived.
    var makeRule: (any Session) throws -> (any Row) throws -> Value?

    private static let batchSize = 10_000

    /// Returns the check of the column, with its repair.
    ///
    /// - Parameters:
    ///   - name: The name of the check.
    ///   - what: The description of the damage.
    /// - Returns: A check that finds rows with a wrong value. Its repair writes the correct values.
    func check(_ name: String, _ what: String) -> StoreCheck {
        StoreCheck(name) { session in
            var damage = CheckFindings(what)
            try forEachMismatch(in: session) { row, _ in
                damage.add(row.text(2) ?? "?")
                return true
            }
            return damage
        } repair: { session in
            let update = try session.prepare("UPDATE \(table) SET \(column) = :value WHERE id = :id")
            // The updates run after the read, in batches that fit into memory.
            var wrong: [(key: Int64, value: Value)] = []
            repeat {
                wrong.removeAll(keepingCapacity: true)
                try forEachMismatch(in: session) { row, value in
                    wrong.append((row.integer(0), value))
                    return wrong.count < Self.batchSize
                }
                for (key, value) in wrong {
                    try update.bind([value, .integer(key)])
                    try update.run()
                }
            } while wrong.count == Self.batchSize
        }
    }

    private func forEachMismatch(
        in session: any Session,
        _ body: (any Row, Value) throws -> Bool
    ) throws {
        let rule = try makeRule(session)
        try session.query(sql) { row in
            guard let value = try rule(row),
                !row.isEqual(value, at: 1)
            else {
                return true
            }
            return try body(row, value)
        }
    }
}

extension Row {
    /// Whether the column contains this text, integer or point.
    ///
    /// For other values, whether the column is null.
    fileprivate func isEqual(_ value: Value, at index: Int) -> Bool {
        switch value {
        case .text(let text):
            withText(index) { stored in stored.isEqual(to: text) } ?? false
        case .integer(let number):
            !isNull(index) && integer(index) == number
        case .point(let point):
            position(index) == point
        default:
            isNull(index)
        }
    }
}
