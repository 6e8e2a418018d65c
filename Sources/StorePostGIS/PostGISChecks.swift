import Base
import StoreEngine

/// The checks of a PostgreSQL store in addition to those of its records.
///
/// The server checks foreign keys and pages.
enum PostGISChecks {
    static var all: [StoreCheck] {
        [
            indexes, eventMap, uniqueIDs("habit"), uniqueIDs("event"), uniqueIDs("post"),
            photos("event"), photos("post"), photos("item"),
        ]
    }

    /// Returns a check of the references to photos, for which a cluster has no foreign key.
    private static func photos(_ table: String) -> StoreCheck {
        StoreCheck(
            "\(table)-photos",
            damage: "\(table)s with missing photos",
            query: SQL(
                """
                SELECT external_id
                FROM \(raw: table)
                WHERE photo_id IS NOT NULL AND photo_id NOT IN (SELECT id FROM photo)
                ORDER BY external_id
                """))
    }

    private static var indexes: StoreCheck {
        StoreCheck(
            "indexes",
            damage: "invalid indexes, which the server does not use",
            query: """
                SELECT pg_class.relname
                FROM pg_index
                JOIN pg_class ON pg_class.oid = pg_index.indexrelid
                JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
                WHERE pg_namespace.nspname = 'habitat' AND NOT (pg_index.indisvalid AND pg_index.indisready)
                ORDER BY pg_class.relname
                """)
    }

    /// A check of the counts of events on the map, which a cluster does not have.
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
            "\(table)-ids",
            damage: "duplicate ids of \(table)s",
            query: SQL(
                "SELECT external_id FROM \(raw: table) GROUP BY external_id HAVING count(*) > 1 ORDER BY external_id")
        )
    }
}
