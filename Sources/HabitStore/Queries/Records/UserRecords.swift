import Base
import Foundation
import HabitModel
import StoreEngine

/// Users with the follow status in both directions: all visible users except the viewer, or the
/// visible user with an ID.
public struct UserRecords: ListedRecords {
    /// A text that the name or the ID of the users contains, in any letter case, or `nil`.
    public var search: String?
    /// Whether the rows have the private columns of accounts, which are null in accounts of other users.
    public var showsAccount = false

    /// Returns the users that the viewer of a query can see and that have the options.
    public func rows(of query: RecordQuery<Self>, in session: any Session) throws -> RecordRows {
        let visibility = Visibility(viewer: query.viewer)
        var outputs = UserTable.outputs.of(.lists)
        if showsAccount {
            outputs += UserTable.privateOutputs(visibility)
        }
        var rows = RecordRows(
            table: "account",
            joins: Self.joins(visibility),
            outputs: outputs,
            conditions: [visibility.users],
            order: [OrderTerm("account.external_id")])
        if query.id == nil, query.viewer != .operator {
            rows.conditions.append("account.id <> \(visibility.key)")
        }
        if let search {
            rows.conditions.append(Self.contains(search, session.dialect))
        }
        return rows
    }

    /// Returns the condition that the name or the ID of a user contains a text after case folding.
    ///
    /// White space around the text does not count, because names neither begin nor end with white space.
    private static func contains(_ text: String, _ dialect: any Dialect) -> SQL {
        let pattern = TextPattern(containing: text.trimmingCharacters(in: .whitespacesAndNewlines).folded)
        let inName = dialect.matches(dialect.folded("account.name"), pattern)
        let inID = dialect.matches(dialect.folded("account.external_id"), pattern)
        return "(\(inName) OR \(inID))"
    }

    /// Returns the joins for the follow relations of a viewer.
    ///
    /// The operator follows no user, because the operator's key is null.
    static func joins(_ visibility: Visibility) -> SQL {
        """
        LEFT JOIN follow AS following
          ON following.follower_id = \(visibility.key) AND following.followee_id = account.id
        LEFT JOIN follow AS follower
          ON follower.follower_id = account.id AND follower.followee_id = \(visibility.key)
        """
    }
}

/// A query for users.
public typealias UserQuery = RecordQuery<UserRecords>

extension UserQuery {
    /// Creates a query for all users except `viewer`.
    public init(viewer: Viewer) {
        self.init(UserRecords(), viewer: viewer)
    }

    /// Returns a query for one account, with its private columns.
    ///
    /// Only the owner of the account and the operator can see the values of private columns.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = UserQuery(viewer: viewer)
        query.id = id
        query.showsAccount = true
        return try query.selection(in: session)
    }
}
