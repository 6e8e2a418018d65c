@testable import HabitStore
@testable import StoreEngine

extension Engine {
    /// Returns all rows of all tables with their keys.
    func contents() throws -> String {
        try read { session in
            var text = ""
            for table in StoredTable.all {
                try session.query(table.select(upTo: nil)) { row in
                    text += "\(table.name) \(table.values(of: row))\n"
                    return true
                }
            }
            return text
        }
    }
}
