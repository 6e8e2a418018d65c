import Base
import HabitModel
import StoreEngine

/// The current statuses of the habits that a query finds.
package struct HabitStatuses: Sendable {
    /// The name of the column with a status.
    package static let column = "status"

    private let words: [String: String]

    /// Reads the statuses of habits that the viewer can see.
    ///
    /// It reads the latest events of each habit.
    ///
    /// - Parameters:
    ///   - ids: The IDs of the habits. A habit that the viewer cannot see has no status.
    ///   - viewer: The viewer.
    ///   - clock: The clock that defines the current date of each owner.
    ///   - session: The session in which the habits are read.
    /// - Throws: The errors of the query.
    package init(
        of ids: Set<String>,
        for viewer: Viewer,
        at clock: Clock,
        in session: any Session
    ) throws {
        var query = HabitQuery(viewer: viewer, clock: clock)
        query.isOfAll = true
        query.ids = ids
        try self.init(query, in: session)
    }

    /// Reads the statuses of the habits that a query finds.
    ///
    /// - Parameters:
    ///   - query: The query for the habits. It needs no other column.
    ///   - session: The session in which the habits are read.
    /// - Throws: The errors of the query.
    init(_ query: HabitQuery, in session: any Session) throws {
        var query = query
        query.columns = [Self.column]
        let selection = try query.selection(in: session)
        let id = try selection.shape.selectedColumn("id")
        let status = try selection.shape.selectedColumn(Self.column)
        var words: [String: String] = [:]
        try session.query(selection.sql) { row in
            if let habit = row.text(id.index) { words[habit] = row.text(status.index) }
            return true
        }
        self.words = words
    }

    /// The word of the status of a habit, or `nil` if the query did not find the habit.
    ///
    /// - Parameter habit: The ID of the habit.
    package subscript(habit: String) -> String? { words[habit] }
}
