/// The properties of an engine on which the form of a query depends, and that are not SQL of a value.
public struct EngineTraits: Sendable {
    /// Whether the partitioned tables are distributed over several servers.
    ///
    /// The servers then do not accept a correlated subquery of such a table whose outer table is not one of them.
    package let isDistributed: Bool
    /// The column by which tables are partitioned, or `nil` if the engine does not partition tables.
    ///
    /// A condition on the column selects a partition or a server. The foreign keys between partitioned tables include the
    /// column.
    package let partitionColumn: String?
    /// Whether a statement costs a network round trip.
    ///
    /// If not, a statement for each key costs no more than one statement for many keys.
    package let needsRoundTrips: Bool
    /// Whether a subquery after FROM can use columns of the sources before it, with the keyword LATERAL.
    package let hasLateralJoins: Bool
    /// Whether the store contains the counts of ``SchemaDeclaration/tileCounts``.
    package let hasTileCounts: Bool
    /// The keyword of a JOIN … ON whose left source the engine should read first.
    package let orderedJoin: String
    /// The end of a SELECT that the engine must evaluate before it applies conditions from outside.
    ///
    /// Without it, a function that fails on a row could be called for a row that the SELECT excludes.
    package let optimizationFence: String
    /// The indexes that a query can name, because the planner does not select them.
    private let hintedIndexes: Set<String>

    /// Creates the properties of an engine.
    package init(
        isDistributed: Bool,
        partitionColumn: String?,
        needsRoundTrips: Bool,
        hasLateralJoins: Bool,
        hasTileCounts: Bool,
        orderedJoin: String,
        optimizationFence: String,
        hintedIndexes: Set<String>
    ) {
        self.isDistributed = isDistributed
        self.partitionColumn = partitionColumn
        self.needsRoundTrips = needsRoundTrips
        self.hasLateralJoins = hasLateralJoins
        self.hasTileCounts = hasTileCounts
        self.orderedJoin = orderedJoin
        self.optimizationFence = optimizationFence
        self.hintedIndexes = hintedIndexes
    }

    /// Returns a table as a source for FROM that the engine reads by an index, if the engine needs the name of the index.
    package func source(_ table: String, indexedBy index: String) -> String {
        hintedIndexes.contains(index) ? "\(table) INDEXED BY \(index)" : table
    }
}
