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
    /// The tables, columns and indexes on which the engines act.
    package let declaration: SchemaDeclaration
    /// The objects of a store of each version in a file, as text, or an empty text for a database server.
    package let objects: String
    /// The views that a database server stores in its catalog for the analyst's role.
    package let catalogViews: CatalogViews

    /// A closure that returns the report views for one kind of reader.
    package typealias CatalogViews = @Sendable (_ terms: CatalogTerms, _ dialect: any Dialect) -> [AnalysisView]

    /// Creates a schema from its parts.
    package init(
        steps: [String],
        readableVersion: Int,
        tables: [String],
        declaration: SchemaDeclaration,
        objects: String = "",
        catalogViews: @escaping CatalogViews
    ) {
        self.steps = steps
        self.readableVersion = readableVersion
        self.tables = tables
        self.declaration = declaration
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
            declaration: declaration,
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

/// The SQL terms with which views in a catalog identify their reader.
package struct CatalogTerms {
    /// Whether all rows are visible, instead of the rows that one reader can see.
    package let isForOperator: Bool
    /// An expression for the key of the reader.
    package let reader: String
    /// An expression for the current date of the owner in the row of ``SchemaDeclaration/ReaderSession/owners``.
    package let today: String
    /// A condition that is true only in a session that is registered for such a reader.
    package let condition: String

    /// Creates terms from their SQL.
    package init(isForOperator: Bool, reader: String, today: String, condition: String) {
        self.isForOperator = isForOperator
        self.reader = reader
        self.today = today
        self.condition = condition
    }
}
