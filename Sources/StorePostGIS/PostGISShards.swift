import HabitModel

/// The servers among which a store's events and posts are shared out: postgres_fdw makes one table of their parts.
///
/// Each part holds the users whose hash leaves the part's number when divided by how many there are. Every transaction that
/// writes counts the store's changes one further on all servers at once (`postgis-002-shards.sql`). postgres_fdw commits on
/// one server after the other, and at last here: where that is cut short, some shards are one change ahead of the store, and
/// are set back (`postgis-shard.sql`).
package enum PostGISShards {
    /// The tables that are shared out.
    package static let tables = ["event", "post"]

    /// The partitions of each on one server (`postgis-001-records.sql`).
    static let partitions = 8

    /// Into how many a store can be laid out: what divides its partitions evenly.
    static let counts = [1, 2, 4, partitions]

    /// Says `f` where the shards and the store are not of one change, or the shards another database's; null where there are none.
    static let isOneState = """
        SELECT bool_and(shard.change = store.change AND shard.store = habitat_functions.store_place())
        FROM habitat.store
        CROSS JOIN habitat.shard
        """

    /// Undoes the change that not all of them have, as a writer.
    ///
    /// Throws `store-damaged` where they are not of one history: a commit that was cut short is one change, and ahead.
    static func rollBackPartialChange(_ connection: PostGISConnection) throws {
        // Whoever writes past the program holds this row until all servers have committed.
        try connection.execute("SELECT FROM habitat.store FOR UPDATE")
        let places = try connection.execute(
            "SELECT string_agg(DISTINCT store, ', ') FROM habitat.shard WHERE store <> habitat_functions.store_place()")
        if let places = places.text {
            throw HabitError(
                .storeNotHabitat,
                "the shards belong to another database (\(places)), of which this one must be a copy; where it takes that one's place, run in it: UPDATE habitat.shard SET store = habitat_functions.store_place()"
            )
        }
        let others = try connection.execute(
            """
            SELECT string_agg(shard.number::text, ', ' ORDER BY shard.number)
            FROM habitat.store
            JOIN habitat.shard ON shard.change NOT IN (store.change, store.change + 1)
            """)
        if let others = others.text { throw HabitError(.storeDamaged, "shard \(others): \(otherHistory)") }
        try connection.execute(
            """
            UPDATE habitat.shard
            SET change = (SELECT change FROM habitat.store)
            WHERE change > (SELECT change FROM habitat.store)
            """)
    }

    static let otherHistory =
        "its state is not that of the store: was one of them restored from a backup? Restore all servers to the same time"

    /// Whether the store has shards, which a database without a store and a store of the first version do not have.
    static func exist(_ connection: PostGISConnection) throws -> Bool {
        guard try connection.execute("SELECT to_regclass('habitat.shard')").text != nil else { return false }
        return try count(connection) > 0
    }

    /// How many there are; 0 where the store lies on one server.
    static func count(_ connection: PostGISConnection) throws -> Int {
        let count = try connection.execute(
            "SELECT count(*) FROM pg_catalog.pg_inherits WHERE inhparent = 'habitat.shard'::regclass")
        return count.text.flatMap { Int($0) } ?? 0
    }
}
