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

extension PlaceNames {
    /// The names of places in the options of commands.
    static let commandLine = PlaceNames(own: Configuration.valid.places)
}
