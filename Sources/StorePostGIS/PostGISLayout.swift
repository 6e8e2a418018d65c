import HabitModel
import StoreEngine

/// Moves the events and posts of a store to shards, from then on its foreign tables.
///
/// The shards are filled and committed first, and looked for by the store at last: what is cut short leaves the store as it was.
struct PostGISLayout {
    private let store: PostGISConnection
    private let urls: [String]

    /// `store` is inside a writer's transaction.
    init(of store: PostGISConnection, over urls: [String]) {
        self.store = store
        self.urls = urls
    }

    func run(_ progress: (String) throws -> Void) throws {
        guard try PostGISShards.count(store) == 0 else {
            throw HabitError(
                .usage,
                "the store is sharded already: to shard it again, copy it into another database first", field: "shards",
                .take(.showCluster), .take(.copyStore))
        }
        guard PostGISShards.counts.contains(urls.count) else {
            throw HabitError(
                .usage, "a store is laid out over 1, 2, 4 or 8 databases, which share it evenly: name that many",
                field: "shards")
        }
        try PostGISMigrations.addExtension("postgres_fdw", store)
        // Whoever writes past the program waits as well; readers go on.
        try store.execute("LOCK TABLE habitat.event, habitat.post IN SHARE ROW EXCLUSIVE MODE")
        let shards = try urls.map(connect)
        try requireDifferent(shards)
        let hasLeft = try shards.map(hasLeftover)
        var rows: [String: Int] = [:]
        for (number, shard) in shards.enumerated() {
            try explaining("\(shard.endpoint) cannot be a shard") {
                try shard.execute("BEGIN")
                if hasLeft[number] { try shard.execute("DROP SCHEMA habitat CASCADE") }
                try shard.execute(String(decoding: PackageResources.postgis_shard_sql, as: UTF8.self))
                for table in PostGISShards.tables {
                    rows[table, default: 0] += try fill(table, number, shard)
                    try shard.execute("SELECT habitat.add_part('\(table)')")
                }
                let values = try text("SELECT format('%L, %s', \(Self.storePlace), change) FROM habitat.store")
                try shard.execute("INSERT INTO habitat.shard (number, store, change) VALUES (\(number), \(values))")
                try shard.execute("COMMIT")
            }
            try addServer(number, shard)
            try progress(shard.endpoint)
        }
        // Behind so much work it waits for long readers, and those that come meanwhile for it.
        try store.execute("SET LOCAL lock_timeout TO '10min'")
        for table in PostGISShards.tables { try share(table) }
        try store.execute(String(decoding: PackageResources.postgis_shared_sql, as: UTF8.self))
        try explaining("the store's server cannot use the shards") {
            try store.execute("UPDATE habitat.shard SET is_used = true")
            try verify(rows)
        }
    }

    private static let storePlace = "habitat_functions.store_place()"

    private func explaining<Result>(_ what: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PostGISError where error.state != "57014" {
            throw HabitError(
                .storeUnavailable, "\(what): \(error.message) \(error.detail.prefix { $0 != "\n" })")
        }
    }

    // MARK: A shard

    private func connect(_ url: String) throws -> PostGISConnection {
        let shard: PostGISConnection
        do { shard = try PostGISConnection(url) } catch let error as PostGISError {
            throw HabitError(
                .storeUnavailable,
                "the shard \(StoreLocation(url)) cannot be reached: \(error.message.prefix { $0 != "\n" })")
        }
        return try explaining("\(shard.endpoint) cannot be a shard") {
            try PostGISMigrations.addExtensions(shard)
            try shard.findPostGIS()
            let (here, there) = (try Self.postgis(store), try Self.postgis(shard))
            guard here == there else {
                throw HabitError(
                    .storeUnavailable,
                    "\(shard.endpoint) has PostGIS \(there), the store \(here): both need the same version in the same schema"
                )
            }
            try shard.execute("SET search_path TO habitat, \(shard.postgisSchema)")
            return shard
        }
    }

    private static func postgis(_ connection: PostGISConnection) throws -> String {
        let schema = connection.postgisSchema
        return "\(try connection.execute("SELECT \(schema).postgis_lib_version()").text ?? "?") in \(schema)"
    }

    /// The same database may go by several names.
    private func requireDifferent(_ shards: [PostGISConnection]) throws {
        let endpoint = """
            SELECT format('%s/%s', (SELECT system_identifier FROM pg_control_system()), oid)
            FROM pg_database
            WHERE datname = current_database()
            """
        let places = try ([store] + shards).map { try $0.execute(endpoint).text ?? "" }
        guard Set(places).count == places.count else {
            throw HabitError(
                .usage, "the shards and the store must be different databases: name each once", field: "shards")
        }
    }

    /// Whether an attempt of this store that was cut short has left something there; throws where it is anybody else's.
    private func hasLeftover(_ shard: PostGISConnection) throws -> Bool {
        guard try shard.execute("SELECT to_regnamespace('habitat')").text != nil else { return false }
        let isPart = try shard.execute("SELECT to_regclass('habitat.part')").text != nil
        guard isPart,
            try shard.execute("SELECT store FROM habitat.shard WHERE NOT is_used").text
                == text("SELECT \(Self.storePlace)")
        else {
            throw HabitError(
                .usage,
                "\(shard.endpoint) holds a store already, or a part of one: name an empty database",
                field: "shards")
        }
        return true
    }

    /// Makes the table with the rows of those partitions that belong there, and then its indexes.
    private func fill(_ table: String, _ number: Int, _ shard: PostGISConnection) throws -> Int {
        try shard.execute(
            text(
                """
                SELECT format('CREATE TABLE habitat.%I (%s)', '\(table)', string_agg(format('%I %s%s%s', attname,
                    format_type(atttypid, atttypmod), CASE WHEN collname = 'C' THEN ' COLLATE "C"' END,
                    CASE WHEN attnotnull THEN ' NOT NULL' END), ', ' ORDER BY attnum))
                FROM pg_attribute
                LEFT JOIN pg_collation ON pg_collation.oid = attcollation
                WHERE attrelid = 'habitat.\(table)'::regclass AND attnum > 0 AND NOT attisdropped
                """))
        let columns = try text(
            """
            SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
            FROM pg_attribute
            WHERE attrelid = 'habitat.\(table)'::regclass AND attnum > 0 AND NOT attisdropped
            """)
        var rows = 0
        for part in 0..<PostGISShards.partitions where part % urls.count == number {
            rows += try store.copy(
                "COPY habitat.\(table)_\(part) (\(columns)) TO STDOUT (FORMAT binary)", to: shard,
                "COPY habitat.\(table) (\(columns)) FROM STDIN (FORMAT binary)")
        }
        try shard.execute(
            text(
                """
                SELECT string_agg(format('ALTER TABLE habitat.%I ADD CONSTRAINT %I %s', '\(table)', conname, pg_get_constraintdef(oid)), '; ')
                FROM pg_constraint
                WHERE conrelid = 'habitat.\(table)'::regclass AND contype IN ('c', 'p')
                """))
        try shard.execute(
            text(
                """
                SELECT string_agg(replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON '), '; ')
                FROM pg_index
                WHERE indrelid = 'habitat.\(table)'::regclass AND NOT indisprimary
                """))
        return rows
    }

    // MARK: The store

    private func addServer(_ number: Int, _ shard: PostGISConnection) throws {
        var options = shard.options
        options["extensions"] = "postgis, pg_trgm"
        options["fetch_size"] = "5000"
        options["batch_size"] = "1000"
        options["async_capable"] = "true"
        options["connect_timeout"] = "10"
        // A server that is gone must not hold up the others for hours.
        options["keepalives_idle"] = "30"
        options["keepalives_interval"] = "10"
        options["keepalives_count"] = "3"
        options["options"] =
            "-c lock_timeout=60s -c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3"
        let server = list(
            options,
            [
                "host", "hostaddr", "port", "dbname", "sslmode", "sslrootcert", "sslcrl", "extensions", "fetch_size",
                "batch_size", "async_capable", "connect_timeout", "keepalives_idle", "keepalives_interval",
                "keepalives_count", "options",
            ])
        let name = "habitat_shard_\(number)"
        try store.execute(
            """
            CREATE SERVER \(name) FOREIGN DATA WRAPPER postgres_fdw OPTIONS (\(server));
            CREATE USER MAPPING FOR CURRENT_USER SERVER \(name) OPTIONS (\(list(options, ["user", "password", "sslcert", "sslkey"])));
            CREATE FOREIGN TABLE habitat.shard_\(number) PARTITION OF habitat.shard FOR VALUES IN (\(number))
              SERVER \(name) OPTIONS (table_name 'shard');
            CREATE FOREIGN TABLE habitat.shard_table_\(number) PARTITION OF habitat.shard_table FOR VALUES IN (\(number))
              SERVER \(name) OPTIONS (table_name 'shard_table')
            """)
    }

    private func list(_ options: [String: String], _ names: [String]) -> String {
        names.compactMap { name in options[name].map { "\(name) \(store.literal($0))" } }.joined(separator: ", ")
    }

    /// A table whose partitions lie elsewhere can have neither keys nor references.
    private func share(_ table: String) throws {
        try store.execute(
            text(
                """
                SELECT string_agg(format('ALTER TABLE habitat.%I DROP CONSTRAINT %I', '\(table)', conname), '; ')
                FROM pg_constraint
                WHERE conrelid = 'habitat.\(table)'::regclass AND contype IN ('f', 'p')
                """))
        try store.execute(
            text(
                "SELECT string_agg(format('DROP INDEX %s', indexrelid::regclass), '; ') FROM pg_index WHERE indrelid = 'habitat.\(table)'::regclass"
            ))
        for part in 0..<PostGISShards.partitions { try store.execute("DROP TABLE habitat.\(table)_\(part)") }
        for number in urls.indices {
            try store.execute(
                """
                CREATE FOREIGN TABLE habitat.\(table)_\(number) PARTITION OF habitat.\(table)
                FOR VALUES WITH (MODULUS \(urls.count), REMAINDER \(number))
                SERVER habitat_shard_\(number) OPTIONS (table_name '\(table)')
                """)
        }
    }

    /// Looks through the new tables for what was copied.
    private func verify(_ rows: [String: Int]) throws {
        for table in PostGISShards.tables {
            let count = try text("SELECT count(*) FROM habitat.\(table)")
            guard Int(count) == rows[table] else {
                throw HabitError(.internal, "the shards have \(count) \(table)s instead of \(rows[table] ?? 0)")
            }
        }
        guard try store.execute(PostGISShards.isOneState).text == "t" else {
            throw HabitError(.internal, "the shards are not in the state of the store")
        }
    }

    private func text(_ sql: String) throws -> String { try store.execute(sql).text ?? "" }
}

extension PostGISEngine {
    package func distribute(over urls: [String], progress: (String) throws -> Void) throws {
        try write { session in
            guard let session = session as? PostGISSession else { return }
            try PostGISLayout(of: session.connection, over: urls).run(progress)
        }
    }

    /// How many shards the store has; 0 where it lies on one server.
    package func shardCount() throws -> Int {
        try guarding { try PostGISShards.count($0) }
    }

    /// What each of them holds.
    ///
    /// It is asked by itself, so that one that does not answer hides no other.
    package func shards() throws -> [ShardStatus] {
        try (0..<shardCount()).map { number in
            let endpoint = try guarding {
                try $0.execute(
                    """
                    SELECT format('%s:%s/%s', max(option_value) FILTER (WHERE option_name = 'host'),
                      max(option_value) FILTER (WHERE option_name = 'port'),
                      max(option_value) FILTER (WHERE option_name = 'dbname'))
                    FROM pg_catalog.pg_foreign_server, LATERAL pg_catalog.pg_options_to_table(srvoptions)
                    WHERE srvname = 'habitat_shard_\(number)'
                    """
                ).text ?? ""
            }
            var status = ShardStatus(number: number, place: endpoint)
            do {
                try guarding { connection in
                    func value(_ sql: String) throws -> Int64 {
                        try connection.execute(sql).text.flatMap { Int64($0) } ?? 0
                    }
                    status.contents = (
                        try value("SELECT count(*) FROM habitat.event_\(number)"),
                        try value("SELECT count(*) FROM habitat.post_\(number)"),
                        try value("SELECT sum(bytes) FROM habitat.shard_table_\(number)")
                    )
                    let ahead = try value(
                        "SELECT shard.change - store.change FROM habitat.shard_\(number) AS shard, habitat.store")
                    let isOurs = try connection.execute(
                        "SELECT store = habitat_functions.store_place() FROM habitat.shard_\(number)")
                    switch ahead {
                    case _ where isOurs.text != "t": status.problem = "it belongs to another database than this one"
                    case 0: break
                    case 1: status.problem = "a change that was cut short, which the next command undoes"
                    default: status.problem = PostGISShards.otherHistory
                    }
                }
            } catch let error as HabitError {
                status.problem = error.message
            }
            return status
        }
    }
}
