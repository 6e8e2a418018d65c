import Base
import HabitModel
import StoreEngine

/// Reads and changes the private places of accounts.
extension AccountActions {
    /// Returns the private places of a user.
    ///
    /// - Parameter id: The ID of the user.
    /// - Returns: The places in the order in which the user added them.
    /// - Throws: `not-found` or `not-yours`.
    public func privatePlaces(of id: String) throws -> PrivatePlaces {
        let key = try AccessChecker(viewer: viewer, in: session).require(.edit, on: .user, id: id)
        let sql: SQL = "SELECT private_places FROM account WHERE id = \(.integer(key), as: "user")"
        let text = try session.first(sql) { row in row.text(0) ?? "" }
        return try PrivatePlaces(text ?? "")
    }

    /// Adds a private place, or replaces the place of the same name.
    ///
    /// Others then see no position of the user's events and posts in its hidden area, also of earlier ones.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - id: The ID of the user.
    /// - Throws: `not-found` or `not-yours`; `field-invalid` if the user has ``PrivatePlaces/limit`` other places.
    public func setPrivatePlace(_ place: PrivatePlace, of id: String) throws {
        try changePrivatePlaces(of: id) { places throws(HabitError) in
            try places.set(place)
        }
    }

    /// Deletes a private place, so that others see the positions there again.
    ///
    /// - Parameters:
    ///   - name: The name of the place in any letter case.
    ///   - id: The ID of the user.
    /// - Throws: `not-found` if the user has no place with the name; `not-yours`.
    public func deletePrivatePlace(_ name: String, of id: String) throws {
        try changePrivatePlaces(of: id) { places throws(HabitError) in
            try places.remove(name)
        }
    }

    private func changePrivatePlaces(
        of id: String,
        _ body: (inout PrivatePlaces) throws(HabitError) -> Void
    ) throws {
        var places = try privatePlaces(of: id)
        try body(&places)
        var draft = UserDraft()
        draft.privatePlaces = .value(places)
        try edit(id, draft)
    }
}
