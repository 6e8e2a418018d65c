import HabitModel

/// The schema that an engine makes in a new store and brings up to date in an earlier one.
public struct StoreSchema: Sendable {
    /// The SQL of the steps in their order. The version of a schema is the number of steps that ran.
    package let steps: [String]
    /// The version from which a store can be read without its migration.
    package let readableVersion: Int
    /// The tables of records and photos.
    package let tables: [String]
    /// The views that a database server keeps in its catalog for the analyst's role.
    package let catalogViews: CatalogViews

    /// Makes the report views of one kind of viewer.
    package typealias CatalogViews = @Sendable (_ terms: CatalogTerms, _ dialect: any Dialect) -> [AnalysisView]

    package init(steps: [String], readableVersion: Int, tables: [String], catalogViews: @escaping CatalogViews) {
        self.steps = steps
        self.readableVersion = readableVersion
        self.tables = tables
        self.catalogViews = catalogViews
    }

    /// The version of this program's schema.
    package var version: Int { steps.count }

    /// The steps that a store of an earlier version has not run.
    package func steps(after version: Int) -> ArraySlice<String> { steps.dropFirst(version) }

    /// Checks that this program can use a store.
    ///
    /// - Parameters:
    ///   - version: The version of the store's schema.
    ///   - place: The store's path or address, for messages.
    /// - Throws: `store-not-habitat` if a newer program wrote the store; `store-unavailable` if the store has to be migrated before it is
    ///   read.
    package func requireKnown(_ version: Int, place: String, access: StoreAccess) throws {
        guard version <= self.version else {
            throw HabitError(
                .storeNotHabitat,
                "the store '\(place)' was written by a newer Habitat (schema \(version), this one knows \(self.version)): update the program"
            )
        }
        guard access != .read || version >= readableVersion else {
            throw HabitError(
                .storeUnavailable, "an earlier version of Habitat has written the store '\(place)'",
                .take(.migrateStore))
        }
    }
}

/// The SQL by which views in a catalog know their viewer.
package struct CatalogTerms {
    /// Whether the rows of all users are visible, instead of those that one user may see.
    package let isForOperator: Bool
    /// An expression for the key of the viewer's account.
    package let viewer: String
    /// An expression for the date of the user in the row of `account`.
    package let today: String
    /// A condition that is true only in a session that was registered for such a viewer.
    package let condition: String

    package init(isForOperator: Bool, viewer: String, today: String, condition: String) {
        self.isForOperator = isForOperator
        self.viewer = viewer
        self.today = today
        self.condition = condition
    }
}
