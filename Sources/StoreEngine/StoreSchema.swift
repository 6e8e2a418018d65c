import Base

/// The schema that an engine creates in a new store and to which it migrates an earlier store.
public struct StoreSchema: Sendable {
    /// The SQL of the migration steps in their order.
    ///
    /// The version of a schema is the number of steps that ran.
    package let steps: [String]
    /// The lowest version of a store that can be read without a migration.
    package let readableVersion: Int
    /// The tables of records and photos.
    package let tables: [String]
    /// The tables that have the column `geometry`.
    package let locatedTables: [String]
    /// The objects of a store of each version in a file, as text, or an empty text for a database server.
    package let objects: String
    /// The views that a database server stores in its catalog for the analyst's role.
    package let catalogViews: CatalogViews

    /// A closure that returns the report views for one kind of viewer.
    package typealias CatalogViews = @Sendable (_ terms: CatalogTerms, _ dialect: any Dialect) -> [AnalysisView]

    /// Creates a schema from its parts.
    package init(
        steps: [String],
        readableVersion: Int,
        tables: [String],
        locatedTables: [String],
        objects: String = "",
        catalogViews: @escaping CatalogViews
    ) {
        self.steps = steps
        self.readableVersion = readableVersion
        self.tables = tables
        self.locatedTables = locatedTables
        self.objects = objects
        self.catalogViews = catalogViews
    }

    /// The same schema for operations that read no table, such as a copy of the file, so that no version is too early.
    package var readingAllVersions: StoreSchema {
        with(steps: steps, readableVersion: 0)
    }

    /// Returns the schema of an earlier version, or this schema if the version is not earlier.
    package func upTo(_ version: Int) -> StoreSchema {
        let earlierSteps = steps.prefix(max(version, 0))
        return with(
            steps: Array(earlierSteps),
            readableVersion: min(readableVersion, version))
    }

    private func with(steps: [String], readableVersion: Int) -> StoreSchema {
        StoreSchema(
            steps: steps,
            readableVersion: readableVersion,
            tables: tables,
            locatedTables: locatedTables,
            objects: objects,
            catalogViews: catalogViews)
    }

    /// The version of this program's schema.
    package var version: Int { steps.count }

    /// Returns the steps that a store with an earlier version has not run.
    package func steps(after version: Int) -> ArraySlice<String> { steps.dropFirst(version) }

    /// Checks that this program can use a store.
    ///
    /// - Parameters:
    ///   - version: The version of the store's schema.
    ///   - store: The path or URL of the store, for messages.
    ///   - access: The access that the caller requests.
    /// - Throws: `store-not-habitat` if a newer program wrote the store. `store-unavailable` if `access` is `read` and
    ///   the store must be migrated before it can be read.
    package func requireKnown(_ version: Int, store: String, access: StoreAccess) throws {
        guard version <= self.version else {
            throw HabitError(
                .storeNotHabitat,
                "a newer version of Habitat has written the store '\(store)' (schema version \(version), supported up to \(self.version)): update the program"
            )
        }
        guard access != .read || version >= readableVersion else {
            throw HabitError(
                .storeUnavailable, "the store '\(store)' has the schema of an earlier version of Habitat",
                .take(.migrateStore))
        }
    }
}

/// The SQL terms with which views in a catalog identify their viewer.
package struct CatalogTerms {
    /// Whether the rows of all users are visible, instead of the rows that one user can see.
    package let isForOperator: Bool
    /// An expression for the key of the viewer's account.
    package let viewer: String
    /// An expression for the current date of the user in the row of `account`.
    package let today: String
    /// A condition that is true only in a session that is registered for such a viewer.
    package let condition: String

    /// Creates terms from their SQL.
    package init(isForOperator: Bool, viewer: String, today: String, condition: String) {
        self.isForOperator = isForOperator
        self.viewer = viewer
        self.today = today
        self.condition = condition
    }
}
