import Base
import StoreEngine

/// The SQL of a store that Citus distributes over several servers.
///
/// Citus commits a transaction of several servers in two phases, and has no snapshot of all servers. Writers hold an
/// advisory lock while they commit, and readers while they begin their transactions on all servers
/// (`PostGISEngine.beginReading`).
enum PostGISCluster {
    /// Begins the transaction of a reader on every server, on one connection for each server.
    ///
    /// A server that joins the transaction later, or a second connection to it, would have a newer snapshot. A lookup on
    /// one shard of each server costs less than a statement on all shards.
    static func beginOnAllNodes(
        _ connection: PostGISConnection,
        _ partitions: SchemaDeclaration.Partitions
    ) throws {
        let keys = try connection.execute(keysOnAllNodes(of: partitions.smallTable)).text
        var condition = "id < 0"
        if let keys {
            condition += " AND \(partitions.column) IN (\(keys))"
        }
        // The coordinator's own copy of a table is read on a second connection to the coordinator.
        try connection.execute(
            """
            SELECT count(*) FROM habitat.\(partitions.smallTable) WHERE \(condition);
            SELECT count(*) FROM habitat.\(partitions.copiedTable) WHERE id < 0
            """)
    }

    /// Returns a SELECT of one key for each server, so that an owner with this key would be on that server.
    ///
    /// The result is null if the first keys are not on all servers.
    private static func keysOnAllNodes(of table: String) -> String {
        """
        SET LOCAL citus.max_adaptive_executor_pool_size TO 1; SET LOCAL citus.enable_local_execution TO off;
        SELECT CASE
            WHEN count(*) = (
              SELECT count(DISTINCT groupid)
              FROM pg_dist_placement
              JOIN pg_dist_shard USING (shardid)
              WHERE logicalrelid = 'habitat.\(table)'::regclass
            ) THEN string_agg(key::text, ', ')
          END
        FROM (
          SELECT DISTINCT ON (groupid) key
          FROM (
            SELECT key, get_shard_id_for_distribution_column('habitat.\(table)', key) AS shardid
            FROM generate_series(1, 100) AS key
            OFFSET 0
          ) AS of_shard
          JOIN pg_dist_placement USING (shardid)
          ORDER BY groupid
        ) AS of_server
        """
    }

    /// The settings of a writer's transaction.
    ///
    /// A writer may change a row of which each server has a copy, before or after it changes rows that reference it. Citus permits this only on one connection for each server, also for the coordinator's own copy.
    static let writeSettings = """
        SET LOCAL citus.multi_shard_modify_mode TO 'sequential'; SET LOCAL citus.enable_local_execution TO off
        """

    /// The bytes of each table with its indexes.
    static let tableSizes: SQL = """
        SELECT relname, coalesce(
          CASE WHEN EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = pg_class.oid)
            THEN citus_total_relation_size(pg_class.oid, false) END,
          pg_total_relation_size(pg_class.oid))
        FROM pg_class
        WHERE relnamespace = 'habitat'::regnamespace AND relkind = 'r'
        """
}

extension PostGISEngine {
    /// Distributes the store over the servers of its Citus cluster.
    ///
    /// The method runs in one transaction. Other writers wait, and readers wait at its end.
    ///
    /// - Parameter shardCount: The number of shards of each distributed table, 1 to 1,024.
    /// - Throws: `usage` if the store is distributed already. `store-unavailable` if the database does not have Citus,
    ///   or if Citus has no server for shards.
    package func distribute(shardCount: Int) throws {
        try write { session in
            guard let session = session as? PostGISSession else { return }
            let connection = session.connection
            guard !session.isDistributed else {
                throw HabitError(
                    .usage, "the store is distributed already: Citus moves and rebalances shards", .take(.showCluster))
            }
            guard try connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'citus'").text != nil else {
                throw HabitError(
                    .storeUnavailable,
                    "the database does not have the extension citus: ask its administrator to install Citus and to run 'CREATE EXTENSION citus'"
                )
            }
            let nodes = "SELECT count(*) FROM pg_dist_node WHERE isactive AND shouldhaveshards"
            guard let count = try connection.execute(nodes).text, count != "0" else {
                throw HabitError(
                    .storeUnavailable,
                    "the cluster has no server for shards: add the servers with the function citus_add_node of Citus")
            }
            try connection.execute(AnalystViews.removal)
            try connection.execute(PostGISCluster.writeSettings)
            // An error of the script is an error of a cluster.
            connection.isDistributed = true
            let script = String(decoding: PackageResources.postgis_cluster_sql, as: UTF8.self)
            try connection.execute(script.replacing("%shards", with: String(shardCount)))
        }
    }

    /// Whether Citus distributes the store.
    package var isDistributed: Bool {
        get throws { try guarding { try $0.execute("SELECT is_distributed FROM habitat.store").text == "t" } }
    }

    /// Returns the servers of the cluster, or nothing if the store is not distributed.
    ///
    /// A server that does not respond has a problem instead of a size.
    package func nodes() throws -> [ClusterNode] {
        guard try isDistributed else { return [] }
        return try guarding { connection in
            let sizes = try Self.sizes(connection)
            let table = schema.declaration.partitions.smallTable
            return try Self.nodes(connection, shardsOf: table).map { node in
                var node = node
                node.bytes = sizes[node.id]
                if !node.isActive {
                    node.problem = "disabled in Citus"
                } else if node.bytes == nil {
                    node.problem = "does not respond"
                }
                return node
            }
        }
    }

    /// Returns the bytes of the store's tables on each server that responds, by the number of the server.
    private static func sizes(_ connection: PostGISConnection) throws -> [Int64: Int64] {
        let result = try connection.run(
            """
            SELECT nodeid, result
            FROM run_command_on_all_nodes(
              $$SELECT coalesce(sum(pg_total_relation_size(oid)), 0)
                FROM pg_class
                WHERE relnamespace = to_regnamespace('habitat') AND relkind = 'r'$$,
              give_warning_for_connection_errors := true)
            WHERE success
            """, [], in: .store)
        var sizes: [Int64: Int64] = [:]
        while try result.next(), let row = result.row {
            sizes[row.integer(0)] = row.text(1).flatMap { Int64($0) }
        }
        return sizes
    }

    /// Returns the servers with the number of their shards of a distributed table.
    private static func nodes(_ connection: PostGISConnection, shardsOf table: String) throws -> [ClusterNode] {
        let result = try connection.run(
            """
            SELECT node.nodeid, format('%s:%s', node.nodename, node.nodeport), node.groupid = 0, node.isactive,
              count(shard.shardid)
            FROM pg_dist_node AS node
            LEFT JOIN pg_dist_placement AS placement ON placement.groupid = node.groupid
            LEFT JOIN pg_dist_shard AS shard
              ON shard.shardid = placement.shardid AND shard.logicalrelid = 'habitat.\(table)'::regclass
            WHERE node.noderole = 'primary'
            GROUP BY node.nodeid, node.nodename, node.nodeport, node.groupid, node.isactive
            ORDER BY node.groupid
            """, [], in: .store)
        var nodes: [ClusterNode] = []
        while try result.next(), let row = result.row {
            nodes.append(
                ClusterNode(
                    id: row.integer(0), endpoint: row.text(1) ?? "", isCoordinator: row.text(2) == "t",
                    isActive: row.text(3) == "t", shards: row.integer(4)))
        }
        return nodes
    }
}

/// A server of a cluster.
public struct ClusterNode: Sendable {
    /// The number of the server in Citus.
    var id: Int64
    /// The host and the port.
    public var endpoint: String
    /// Whether clients connect to the server.
    public var isCoordinator: Bool
    /// Whether Citus uses the server.
    var isActive: Bool
    /// The number of shards of each distributed table on the server.
    public var shards: Int64
    /// The bytes of the store's tables and indexes on the server, or `nil` if it does not respond.
    public var bytes: Int64?
    /// The reason why the server cannot be used, or `nil`.
    public var problem: String?

    /// The shape of ``row``.
    public static let shape = ResultShape(
        columns: [
            Column("server", .text, at: 0), Column("role", .text, at: 1), Column("shards", .integer, at: 2),
            Column("bytes", .integer, at: 3), Column("status", .text, at: 4),
        ],
        identity: ["server"])

    /// The server as a row of ``shape``.
    public var row: ValueRow {
        ValueRow([
            .text(endpoint), .text(isCoordinator ? "coordinator" : "worker"), .integer(shards), .integer(bytes),
            .text(problem ?? "ok"),
        ])
    }
}
