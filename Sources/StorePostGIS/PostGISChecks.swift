import HabitModel
import StoreEngine

/// The checks of a PostgreSQL store in addition to those of its records.
///
/// The server checks foreign keys and pages.
enum PostGISChecks {
    static var all: [StoreCheck] {
        [
            indexes, eventMap, uniqueIDs("habit"), uniqueIDs("event"), uniqueIDs("post"),
            references("event", to: ["user_id": "account", "habit_id": "habit", "photo_id": "photo"]),
            references("post", to: ["user_id": "account", "photo_id": "photo"]),
        ]
    }

    /// Returns a check of references, because a shard has no foreign keys to tables on other servers.
    private static func references(_ table: String, to others: [String: String]) -> StoreCheck {
        let conditions = others.sorted { $0.key < $1.key }.map { column, other in
            "\(column) IS NOT NULL AND NOT EXISTS (SELECT FROM \(other) WHERE \(other).id = \(table).\(column))"
        }
        return StoreCheck(
            "\(table)-references", "\(table)s with references to missing rows",
            SQL("SELECT external_id FROM \(table) WHERE \(conditions.joined(separator: " OR ")) ORDER BY external_id"))
    }

    private static var indexes: StoreCheck {
        StoreCheck(
            "indexes", "invalid indexes, which the server does not use",
            """
            SELECT pg_class.relname
            FROM pg_index
            JOIN pg_class ON pg_class.oid = pg_index.indexrelid
            JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
            WHERE pg_namespace.nspname = 'habitat' AND NOT (pg_index.indisvalid AND pg_index.indisready)
            ORDER BY pg_class.relname
            """)
    }

    /// A check of the counts of events on the map, which a store on shards does not have.
    ///
    /// The repair counts the events again.
    private static var eventMap: StoreCheck {
        StoreCheck("event-map") { session in
            var damage = CheckFindings("wrong counts of events on the map")
            guard session.dialect.hasEventMap else { return damage }
            let sql: SQL = """
                SELECT format('count of user %s in tile %s', user_id, cell)
                FROM expected_event_map() AS expected
                FULL JOIN event_map USING (user_id, cell)
                WHERE expected.events IS DISTINCT FROM event_map.events
                ORDER BY user_id, cell
                """
            try session.query(sql) { row in
                damage.add(row.text(0) ?? "?")
                return true
            }
            return damage
        } repair: { session in
            try session.query("SELECT CAST(fill_event_map() AS text)") { _ in true }
        }
    }

    /// Returns a check for duplicate IDs, because no index spans the partitions.
    private static func uniqueIDs(_ table: String) -> StoreCheck {
        StoreCheck(
            "\(table)-ids", "duplicate ids of \(table)s",
            SQL("SELECT external_id FROM \(table) GROUP BY external_id HAVING count(*) > 1 ORDER BY external_id"))
    }
}
