import HabitModel
import StoreEngine

/// A column whose value follows from other columns.
struct DerivedColumn {
    var table: String
    var column: String
    /// Gives each row's key, the column, a name for people, and from then on what the column follows from.
    var sql: SQL
    /// Makes what gives the right value for a row; nil where none follows.
    var makeRule: (any Session) throws -> (any Row) throws -> Value?

    private static let batchSize = 10_000

    /// The check that the column is right, and its repair.
    func check(_ name: String, _ what: String) -> StoreCheck {
        StoreCheck(name) { session in
            var damage = Damage(what)
            try forEachWrong(in: session) { row, _ in
                damage.add(row.text(2) ?? "?")
                return true
            }
            return damage
        } repair: { session in
            let update = try session.prepare("UPDATE \(table) SET \(column) = :value WHERE id = :id")
            // Not while the rows are read, and no more at once than fit the memory.
            var wrong: [(key: Int64, value: Value)] = []
            repeat {
                wrong.removeAll(keepingCapacity: true)
                try forEachWrong(in: session) { row, value in
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

    private func forEachWrong(in session: any Session, _ body: (any Row, Value) throws -> Bool) throws {
        let rule = try makeRule(session)
        try session.query(sql) { row in
            guard let value = try rule(row), !row.isEqual(value, at: 1) else { return true }
            return try body(row, value)
        }
    }
}

extension Row {
    /// Whether the column holds this text, integer or null.
    fileprivate func isEqual(_ value: Value, at index: Int) -> Bool {
        switch value {
        case .text(let text): withText(index) { $0.isEqual(to: text) } ?? false
        case .integer(let number): !isNull(index) && integer(index) == number
        default: isNull(index)
        }
    }
}
