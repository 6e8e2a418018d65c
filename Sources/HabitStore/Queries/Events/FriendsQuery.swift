import Base
import HabitModel
import StoreEngine

/// A query for the newest event of each habit of the users whom several viewers follow.
///
/// The rows are the rows of one ``EventQuery`` for each viewer, in the order of the viewers. One statement reads them, so
/// that a cluster does not run a statement on all servers for each viewer.
public struct FriendsQuery: Sendable {
    /// The query of each viewer, without the viewer.
    private let query: EventQuery

    /// Creates a query, or returns `nil` if one statement cannot read the rows of several viewers.
    ///
    /// - Parameter query: The query of each viewer. Its viewer and its label are not used.
    public init?(_ query: EventQuery) {
        let filter = query.filter
        // The IDs and titles of habits stand for habits that the viewer can see.
        let habits = [filter.habits, filter.habitIDs, filter.habitTitles, filter.notHabits]
        guard query.scope == .friends, query.page == nil, habits.allSatisfy(\.isEmpty), !filter.hasSpatialFilter,
            filter.condition?.requiredBox == nil
        else { return nil }
        // The events of each viewer are searched for a word separately.
        guard filter.commentWord == nil else { return nil }
        self.query = query
    }

    /// Returns the number of viewers whose rows one statement should read.
    ///
    /// - Parameter session: The session that runs the query.
    /// - Returns: The number, which is 1 if a statement for each viewer does not cost more.
    public func viewersAtOnce(in session: any Session) -> Int {
        let traits = session.dialect.traits
        guard traits.needsRoundTrips else { return 1 }
        // A cluster plans each statement for each shard.
        return traits.isDistributed ? 256 : 64
    }

    /// Returns the query for some viewers, with a label column that contains the viewer's label.
    ///
    /// - Parameters:
    ///   - viewers: The viewers, who are users, and their labels. All labels have the same name. A viewer can occur
    ///     several times.
    ///   - session: The session that runs the query.
    /// - Returns: The query. Its rows are sorted by the viewer, then in the order of the ``EventQuery``. Its limit is the
    ///   limit of each viewer.
    /// - Throws: `not-found` if the filter names a user that does not exist.
    public func selection(of viewers: [LabeledViewer], in session: any Session) throws -> Selection {
        guard let first = viewers.first else { throw HabitError(.internal, "the query has no viewer") }
        var query = query
        query.viewer = first.viewer
        query.label = first.label
        guard viewers.count > 1 else { return try query.selection(in: session) }
        var select = EventSelect(query, in: session)
        select.viewers = viewers
        return try select.selection()
    }
}
