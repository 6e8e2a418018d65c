import Base
import HabitModel
import StoreEngine
import StorePostGIS

/// A PostgreSQL store that Citus distributes over several servers.
public struct StoreCluster {
    private let engine: PostGISEngine

    /// The range of the number of shards.
    public static let shardCounts = 1...1024

    /// Creates the cluster of a store.
    ///
    /// - Throws: `usage` for a store in a file.
    public init(_ engine: any Engine) throws {
        guard let engine = engine as? PostGISEngine else {
            throw HabitError(
                .usage,
                "only a PostgreSQL store can be distributed, and this store is a file",
                field: "store",
                .take(.copyStore))
        }
        self.engine = engine
    }

    /// Distributes the tables of users' records over the servers of the cluster, in one transaction.
    ///
    /// Cost: reads and writes all rows.
    ///
    /// - Parameter shardCount: The number of shards of each distributed table, in ``shardCounts``.
    /// - Throws: `usage` if the store is distributed already. `store-unavailable` if the database does not have Citus, or
    ///   if Citus has no server for shards.
    public func distribute(shardCount: Int) throws {
        try engine.distribute(shardCount: shardCount)
    }

    /// The servers with the number of their shards, or nothing if the store is not distributed.
    public func nodes() throws -> [ClusterNode] {
        try engine.nodes()
    }

    /// Checks the tables and references of the cluster.
    ///
    /// Cost: reads the keys of all photos and the references to them.
    ///
    /// - Returns: The results, or nothing if the store is not distributed.
    /// - Throws: `store-unavailable` if a server does not respond.
    public func check() throws -> [CheckResult] {
        guard try engine.isDistributed else { return [] }
        return try engine.read { session in
            let photos = session.checks.filter { check in
                check.name.hasSuffix("-photos")
            }
            let checks = Self.checks + photos
            return try checks.map { check in
                try check.result(in: session)
            }
        }
    }

    /// The kinds whose tables are distributed by user.
    private static let distributedKinds: [RecordKind] = RecordKind.owned + [.schedules]

    /// The names of the tables that are distributed by user, as SQL literals.
    static let distributed = literals(distributedKinds.map(\.table))

    /// The names of the tables of which every server has a copy, as SQL literals.
    ///
    /// Only the coordinator has the settings and the tables without records of users.
    static let copied: String = {
        let kinds = RecordKind.allCases.filter { kind in kind != .settings && !distributedKinds.contains(kind) }
        return literals(kinds.map(\.table) + ["identity", "token"])
    }()

    private static func literals(_ names: [String]) -> String {
        names.map { name in "'\(name)'" }.joined(separator: ", ")
    }

    private static var checks: [StoreCheck] {
        [
            StoreCheck(
                "distribution",
                damage: "tables that are not distributed by user, or not with the habits",
                query: SQL(
                    """
                    SELECT relname
                    FROM pg_class
                    LEFT JOIN pg_dist_partition ON logicalrelid = pg_class.oid
                    WHERE relnamespace = 'habitat'::regnamespace AND relname IN (\(raw: distributed))
                      AND (partmethod IS DISTINCT FROM 'h'
                        OR column_to_column_name(logicalrelid, partkey) <> 'user_id'
                        OR colocationid <> (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'habit'::regclass))
                    ORDER BY relname
                    """)),
            StoreCheck(
                "copies",
                damage: "tables of which not every server has a copy",
                query: """
                    SELECT relname
                    FROM pg_class
                    LEFT JOIN pg_dist_partition ON logicalrelid = pg_class.oid
                    WHERE relnamespace = 'habitat'::regnamespace
                      AND relname IN (\(raw: copied))
                      AND ((partmethod, repmodel) IS DISTINCT FROM ('n'::"char", 't'::"char")
                        OR EXISTS (
                          SELECT
                          FROM pg_dist_node AS node
                          WHERE node.noderole = 'primary' AND node.isactive AND NOT EXISTS (
                            SELECT
                            FROM pg_dist_shard AS shard
                            JOIN pg_dist_placement AS placement ON placement.shardid = shard.shardid
                            WHERE shard.logicalrelid = pg_class.oid AND placement.groupid = node.groupid)))
                    ORDER BY relname
                    """),
            StoreCheck(
                "placements",
                damage: "shards without an active server",
                query: """
                    SELECT format('%s_%s', shard.logicalrelid, shard.shardid)
                    FROM pg_dist_shard AS shard
                    WHERE NOT EXISTS (
                      SELECT
                      FROM pg_dist_placement AS placement
                      JOIN pg_dist_node AS node ON node.groupid = placement.groupid
                      WHERE placement.shardid = shard.shardid AND placement.shardstate = 1 AND node.isactive)
                    ORDER BY shard.shardid
                    """),
            StoreCheck(
                "connections",
                damage: "servers that cannot connect to each other",
                query: """
                    SELECT format('%s:%s to %s:%s', from_nodename, from_nodeport, to_nodename, to_nodeport)
                    FROM citus_check_cluster_node_health()
                    WHERE result IS NOT TRUE
                    ORDER BY 1
                    """),
            StoreCheck(
                "unique-indexes",
                damage: "unique indexes of distributed tables without the user",
                query: SQL(
                    """
                    SELECT indexrelid::regclass
                    FROM pg_index
                    JOIN pg_class ON pg_class.oid = indrelid
                    WHERE relnamespace = 'habitat'::regnamespace AND relname IN (\(raw: distributed)) AND indisunique
                      AND NOT EXISTS (
                        SELECT
                        FROM pg_attribute
                        WHERE attrelid = indrelid AND attname = 'user_id' AND attnum = ANY (indkey))
                    ORDER BY 1
                    """)),
            StoreCheck(
                "triggers",
                damage: "triggers of distributed tables",
                query: SQL(
                    """
                    SELECT tgname
                    FROM pg_trigger
                    JOIN pg_class ON pg_class.oid = tgrelid
                    WHERE relnamespace = 'habitat'::regnamespace
                      AND relname IN (\(raw: distributed))
                      AND NOT tgisinternal
                    ORDER BY tgname
                    """)),
        ]
    }
}
