import Base
import Foundation
import HabitModel
import StoreEngine

/// A query for the other users, with the follow status in both directions.
public struct UserQuery: Sendable {
    /// The viewer of the query, whose follow relations the rows contain.
    public var viewer: Viewer
    /// The ID of the user to find, which may be the viewer's ID, or `nil` for all users except the viewer.
    public var id: String?
    /// A text that the name or the ID of the users contains, in any letter case, or `nil`.
    public var search: String?
    /// Whether the rows have the private columns of accounts, which are null in accounts of other users.
    public var showsAccount = false
    /// The maximum number of rows, or `nil` for all rows.
    public var limit: Int?
    /// A condition on the properties of the rows, or `nil`.
    public var condition: FeatureFilter?
    /// The page to read, or `nil` for the complete result.
    public var page: Page?

    /// Creates a query for all users except `viewer`.
    public init(viewer: Viewer) { self.viewer = viewer }

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to this order.
    public func selection(in session: any Session) throws -> Selection {
        let columns =
            UserTable.outputs.of(.lists) + (showsAccount ? UserTable.privateOutputs(Visibility(viewer: viewer)) : [])
        let projection = Projection(columns, identity: ["id"])
        var select = SelectBuilder(columns: projection.sql, from: "account", order: ["account.external_id"])
        (select.limit, select.page) = (limit, page)
        select.joins = Self.joins
        var key: Int64?
        if case .user(let viewer, _) = viewer { key = viewer }
        select.bind(["viewer": .integer(key)])
        if let id {
            select.require("account.external_id = :id", ["id": .text(id.composed)])
        } else if key != nil {
            select.require("account.id <> :viewer")
        }
        if let search { select.require(Self.contains(search, session.dialect)) }
        try select.require(condition, over: columns, session.dialect)
        return try select.selection(projection.shape)
    }

    /// Returns the condition that the name or the ID of a user contains a text after case folding.
    ///
    /// White space around the text does not count, because names neither begin nor end with white space.
    private static func contains(_ text: String, _ dialect: any Dialect) -> SQL {
        let pattern = TextPattern(containing: text.trimmingCharacters(in: .whitespacesAndNewlines).folded)
        let name = dialect.matches(dialect.folded("account.name"), pattern, name: "search")
        let id = dialect.matches(dialect.folded("account.external_id"), pattern, name: "search")
        return SQL("(\(name.text) OR \(id.text))", name.bindings)
    }

    /// The joins for the follow relations.
    ///
    /// `:viewer` is null for the operator, who has no followers.
    static let joins = """
        LEFT JOIN follow AS following
          ON following.follower_id = :viewer AND following.followee_id = account.id
        LEFT JOIN follow AS follower
          ON follower.follower_id = account.id AND follower.followee_id = :viewer
        """
}

extension UserQuery {
    /// Returns a query for one account, with its private columns.
    ///
    /// Only the owner of the account and the operator can see the values of private columns.
    public static func one(_ id: String, viewer: Viewer, in session: any Session) throws -> Selection {
        var query = UserQuery(viewer: viewer)
        (query.id, query.showsAccount) = (id, true)
        return try query.selection(in: session)
    }
}
