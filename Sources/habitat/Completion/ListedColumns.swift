import Base
import HabitModel
import HabitReport
import HabitStore
import StoreEngine

/// The columns of the rows that a command writes.
struct ListedColumns {
    /// The kinds of rows.
    private enum Rows {
        case events
        case todo
        case following
        case inbox
        case habits
        case pauses
        case items
        case posts
        case users
        case follows
        case messages
        case blocks
        case tokens
        case views
    }

    private let rows: Rows

    /// Finds the rows of a command, or returns `nil` for a command whose columns are not known.
    ///
    /// - Parameter command: The words that name the command.
    init?(command: [String]) {
        switch command.first {
        case "history", "near", "event": rows = .events
        case "todo": rows = .todo
        case "following": rows = .following
        case "inbox": rows = .inbox
        case "habit": rows = .habits
        case "pause": rows = .pauses
        case "item": rows = .items
        case "post": rows = .posts
        case "user": rows = command.dropFirst().first == "blocks" ? .blocks : .users
        case "follow": rows = .follows
        case "message": rows = .messages
        case "token": rows = .tokens
        case "view": rows = .views
        default: return nil
        }
    }

    /// Returns the names of the columns, each followed by its heading if that differs.
    ///
    /// - Throws: The errors of the query of the command.
    func names(as viewer: Viewer, clock: Clock, in session: any Session) throws -> [String] {
        let names = try selection(as: viewer, clock: clock, in: session).shape.names
        return names.flatMap { name in [name, ColumnLabel.standard[name]].compactMap(\.self) }
    }

    private func selection(as viewer: Viewer, clock: Clock, in session: any Session) throws -> Selection {
        switch rows {
        case .events: try EventQuery(viewer: viewer).selection(in: session)
        case .todo: try TodoQuery(viewer: viewer, clock: clock).selection(in: session)
        case .following: try FollowingQuery(viewer: viewer, clock: clock).selection(in: session)
        case .inbox: try InboxQuery(viewer: viewer).selection(in: session)
        case .habits: try HabitQuery(viewer: viewer, clock: clock).selection(in: session)
        case .pauses: try PauseQuery(viewer: viewer).selection(in: session)
        case .items: try ItemQuery(viewer: viewer, clock: clock).selection(in: session)
        case .posts: try PostQuery(viewer: viewer).selection(in: session)
        case .users: try UserQuery(viewer: viewer).selection(in: session)
        case .follows: try FollowQuery(viewer: viewer).selection(in: session)
        case .blocks: try BlockQuery(viewer: viewer).selection(in: session)
        case .messages: try MessageQuery(viewer: viewer).selection(in: session)
        case .tokens: TokenQuery(viewer: viewer, clock: clock).selection
        case .views: ViewQuery(viewer: viewer, clock: clock).selection
        }
    }
}
