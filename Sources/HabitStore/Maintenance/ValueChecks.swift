import Geo
import HabitModel
import StoreEngine

/// Checks for invalid values. The store does not contain data from which to repair them.
extension RecordChecks {
    static var days: StoreCheck {
        StoreCheck("days") { session in
            var damage = CheckFindings("invalid dates")
            for (table, column, name) in [
                ("event", "day", "external_id"), ("habit", "start_day", "external_id"),
                ("habit", "end_day", "external_id"),
                ("habit_schedule", "from_day", "CAST(id AS TEXT)"), ("item", "expires_day", "external_id"),
            ] {
                let sql = SQL(
                    "SELECT \(column), \(name) FROM \(table) WHERE \(column) IS NOT NULL ORDER BY \(table).id")
                try session.query(sql) { row in
                    if row.day(0) == nil { damage.add("\(table) \(row.text(1) ?? "?")") }
                    return true
                }
            }
            return damage
        }
    }

    static var instants: StoreCheck {
        StoreCheck("instants") { session in
            var damage = CheckFindings("invalid instants or UTC offsets")
            for (table, instant, offset) in [
                ("event", "occurred_at", "utc_offset"), ("follow", "requested_at", "requested_offset"),
                ("item", "posted_at", "posted_offset"), ("claim", "claimed_at", "claimed_offset"),
                ("message", "sent_at", "sent_offset"), ("post", "posted_at", "posted_offset"),
                ("post", "deleted_at", "deleted_offset"),
            ] {
                let sql = SQL(
                    "SELECT \(instant), \(offset), id FROM \(table) WHERE \(instant) IS NOT NULL OR \(offset) IS NOT NULL ORDER BY id"
                )
                try session.query(sql) { row in
                    if !isInstant(row) { damage.add("\(table) \(row.integer(2))") }
                    return true
                }
            }
            return damage
        }
    }

    /// Whether the row contains an instant and, optionally, an offset of less than 24 hours.
    ///
    /// An offset without an instant is invalid.
    private static func isInstant(_ row: any Row) -> Bool {
        let minutes = row.integer(1)
        guard !row.isNull(0), minutes.magnitude < 24 * 60 else { return false }
        let offset = row.isNull(1) ? nil : UTCOffset(minutes: Int16(minutes))
        return OffsetInstant(Instant(microseconds: row.integer(0)), offset: offset).isInRange
    }

    static var positions: StoreCheck {
        StoreCheck("positions") { session in
            var damage = CheckFindings("invalid points")
            for table in ["event", "item", "post"] {
                let sql = SQL("SELECT geometry, external_id FROM \(table) WHERE geometry IS NOT NULL ORDER BY id")
                try session.query(sql) { row in
                    if row.position(0) == nil { damage.add("\(table) \(row.text(1) ?? "?")") }
                    return true
                }
            }
            return damage
        }
    }
}
