import HabitModel

/// The servers among which a store's events and posts are shared out: postgres_fdw makes one table of their parts.
///
/// Each part holds the users whose hash leaves the part's number when divided by how many there are. Every transaction that
/// writes counts the store's changes one further on all servers at once (`postgis-002-shards.sql`). postgres_fdw commits on
/// one server after the other, and at last here: where that is cut short, some shards are one change ahead of the store, and
/// are set back (`postgis-shard.sql`).
enum PostGISShards {
    /// The tables that are shared out.
    static let tables = ["event", "post"]

    /// Into how many a store can be laid out: divisors of the partitions of a store on one server.
    static let counts = [1, 2, 4, 8]

    /// Says `f` where the shards and the store are not of one change.
    static let isOneState = "SELECT bool_and(shard.change = store.change) FROM habitat.store CROSS JOIN habitat.shard"

    /// Undoes the change that not all of them have, as a writer.
    ///
    /// Throws `store-damaged` where a shard lacks changes that were committed.
    static func undoHalfChange(_ connection: PostGISConnection) throws {
        let behind = try connection.execute(
            """
            SELECT string_agg(shard.number::text, ', ' ORDER BY shard.number)
            FROM habitat.store
            JOIN habitat.shard ON shard.change < store.change
            """)
        if let behind = behind.text {
            throw HabitError(
                .storeDamaged,
                "shard \(behind) of the store lacks changes that were stored: was it restored from an earlier backup? Restore all servers to the same time"
            )
        }
        try connection.execute(
            """
            UPDATE habitat.shard
            SET change = (SELECT change FROM habitat.store)
            WHERE change > (SELECT change FROM habitat.store)
            """)
    }

    /// How many there are; 0 where the store lies on one server.
    static func count(_ connection: PostGISConnection) throws -> Int {
        let count = try connection.execute(
            "SELECT count(*) FROM pg_catalog.pg_inherits WHERE inhparent = 'habitat.shard'::regclass")
        return count.text.flatMap { Int($0) } ?? 0
    }
}
