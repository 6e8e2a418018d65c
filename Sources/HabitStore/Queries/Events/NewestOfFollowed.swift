import HabitModel
import StoreEngine

/// A viewer with the label of the rows that this viewer sees.
public struct LabeledViewer: Sendable {
    /// The viewer, who must be a user.
    public var viewer: Viewer
    /// The label.
    public var label: Label

    /// Creates a viewer with a label.
    public init(_ viewer: Viewer, label: Label) {
        self.viewer = viewer
        self.label = label
    }
}

/// The source of the newest event of each habit of the users whom one or several viewers follow.
///
/// The engine reads the follows of the viewers, the habits of the followed users, and the newest event of each habit.
struct NewestOfFollowed {
    /// The text after FROM.
    let source: SQL
    /// The condition on the follows.
    let condition: SQL
    /// The column of the label if there are several viewers.
    let columns: [SelectColumn]
    /// The group of the rows of one viewer, or `nil` if there is one viewer.
    let group: SQL?

    /// Creates the source.
    ///
    /// - Parameters:
    ///   - viewer: The viewer of the query.
    ///   - viewers: Several viewers with labels of one name, or `nil` for only `viewer`.
    ///   - dialect: The dialect of the engine.
    init(viewer: Viewer, viewers: [LabeledViewer]?, dialect: any Dialect) {
        guard let viewers else {
            source = """
                follow
                JOIN habit ON habit.user_id = follow.followee_id
                \(raw: dialect.newestEventJoin)
                """
            condition = Visibility(viewer: viewer).acceptedFollow
            columns = []
            group = nil
            return
        }
        let rows = viewers.enumerated().map { number, asked -> SQL in
            let key: SQL = "\(.integer(asked.viewer.key), as: "viewer")"
            return "(\(key), \(raw: String(number)), \(.text(asked.label.value), as: "label"))"
        }
        // Both engines call the columns of VALUES `column1`, `column2` and so on.
        source = """
            (VALUES \(rows.joined(separator: ", "))) AS asked
            \(raw: dialect.traits.orderedJoin) follow ON follow.follower_id = asked.column1
            JOIN habit ON habit.user_id = follow.followee_id
            \(raw: dialect.newestEventJoin)
            """
        condition = "follow.status = 'accepted'"
        columns = viewers.prefix(1).map { first in SelectColumn(first.label.name, "asked.column3") }
        group = "asked.column2"
    }
}
