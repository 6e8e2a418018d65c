import HabitModel
import StoreEngine

/// Pauses: the viewer's own pauses and the pauses of followed users, latest first.
///
/// The status of a habit depends on its pauses, so a viewer who sees a habit sees its pauses. The operator sees all
/// pauses.
public struct PauseRecords: ListedRecords {
    /// Returns the pauses that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        RecordRows(
            table: "pause",
            joins: PauseTable.joins,
            outputs: PauseTable.outputs.of(.lists),
            textTable: [TableColumn("title", label: "habit"), "from", "to", "id", .ifUsed("user")],
            textOutputs: [SelectColumn("title", "coalesce(habit.title, 'all habits')")],
            conditions: [Visibility(viewer: query.viewer).pauses],
            order: [.descending("pause.from_day", .day), OrderTerm("pause.external_id")])
    }
}

/// A query for pauses.
public typealias PauseQuery = RecordQuery<PauseRecords>

extension PauseQuery {
    /// Creates a query for all pauses that `viewer` can see.
    public init(viewer: Viewer) {
        self.init(PauseRecords(), viewer: viewer)
    }

    /// Returns a query for one pause.
    ///
    /// The result is empty if the viewer cannot see a pause with the ID `id`.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = PauseQuery(viewer: viewer)
        query.id = id
        return try query.selection(in: session)
    }
}
