import Base
import HabitModel
import HabitStore
import StoreEngine

extension CommonOptions {
    /// Returns the lookup of the records that a person names.
    func names(for viewer: Viewer, in session: any Session) -> NameLookup {
        NameLookup(viewer: viewer, rule: .beginning, in: session)
    }
}

extension CommonOptions {
    /// Returns the ID of the account that an option names by its ID, or as `me` for the acting user.
    ///
    /// - Parameter name: The value of the option.
    /// - Returns: The ID of the acting user for `me`, otherwise the name.
    /// - Throws: `usage` if the options name the acting user and the operator, or `config-invalid`.
    func accountID(_ name: String) throws -> String {
        guard name == "me", let own = try actingUserID() else { return name }
        return own
    }
}

extension PlaceNames {
    /// The names of places in the options of commands.
    static let commandLine = PlaceNames(own: Configuration.valid.places)
}
