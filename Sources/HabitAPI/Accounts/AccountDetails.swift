import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// The values of the caller's own account, for a page.
package struct AccountDetails: Sendable {
    /// The ID of the user.
    package let id: String
    /// The name that other users see; `nil` for an account without one.
    package let name: String?
    /// The e-mail address; `nil` for an account without one.
    package let email: String?
    /// The name of the time zone, such as `Europe/Lisbon`.
    package let timeZone: String
    /// Whether the account allows stored positions.
    package let sharesLocation: Bool
    /// The places in which other users see no positions.
    package let privatePlaces: PrivatePlaces

    /// Reads the account of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - session: The session in which the account is read.
    /// - Throws: 401 `not-signed-in` if another request has deleted the account.
    init(of viewer: Viewer, in session: any Session) throws {
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        let selection = try UserQuery.one(id, viewer: viewer, in: session)
        let columns = selection.shape.columns
        func index(of field: Field) throws -> Int {
            guard let column = columns.first(where: { column in column.name == field.name }) else {
                throw HabitError(.internal, "the query for an account lacks a column")
            }
            return column.index
        }
        let name = try index(of: .name)
        let email = try index(of: .email)
        let timeZone = try index(of: .timeZone)
        let sharesLocation = try index(of: .shareLocation)
        let privatePlaces = try index(of: .privatePlaces)
        let details = try session.first(selection.sql) { row in
            try AccountDetails(
                id: id,
                name: row.text(name),
                email: row.text(email),
                timeZone: row.text(timeZone) ?? TimeZoneRules.utc.id,
                sharesLocation: row.integer(sharesLocation) != 0,
                privatePlaces: PrivatePlaces(row.text(privatePlaces) ?? ""))
        }
        guard let details else { throw Problem.tokenInvalid }
        self = details
    }

    private init(
        id: String,
        name: String?,
        email: String?,
        timeZone: String,
        sharesLocation: Bool,
        privatePlaces: PrivatePlaces
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.timeZone = timeZone
        self.sharesLocation = sharesLocation
        self.privatePlaces = privatePlaces
    }
}
