import Base
import Geo
import HabitModel
import StoreEngine

/// Checks for invalid values. The store does not contain data from which to repair them.
extension RecordChecks {
    /// A check that names the IDs that a load refuses, such as IDs with control characters of earlier versions.
    ///
    /// They are not damage: all commands find their records, and an ID is the key by which clients know a record.
    static var ids: StoreCheck {
        StoreCheck("ids") { session in
            var names: [String] = []
            for kind in RecordKind.allCases where kind.storedColumns.contains("external_id") {
                try session.query("SELECT external_id FROM \(raw: kind.table) ORDER BY id") { row in
                    let id = row.text(0) ?? ""
                    if (try? checkID(id, field: .id)) == nil {
                        names.append("\(kind.table) \(id.singleLine)")
                    }
                    return true
                }
            }
            var findings = CheckFindings("")
            findings.note(
                "ids with control characters or line breaks, which a load refuses (replace them in the files of an export, and load these files into a new store)",
                names)
            return findings
        }
    }

    static var days: StoreCheck {
        StoreCheck("days") { session in
            var damage = CheckFindings("invalid dates")
            for (kind, column) in dayColumns {
                let name = kind.storedColumns.contains("external_id") ? "external_id" : "CAST(id AS TEXT)"
                let table: SQL = "\(raw: kind.table)"
                let sql: SQL = """
                    SELECT \(column), \(raw: name)
                    FROM \(table)
                    WHERE \(column) IS NOT NULL
                    ORDER BY \(table).id
                    """
                try session.query(sql) { row in
                    if row.day(0) == nil {
                        damage.add("\(kind.table) \(row.text(1) ?? "?")")
                    }
                    return true
                }
            }
            return damage
        }
    }

    /// The stored columns of dates, with their tables.
    static var dayColumns: [(kind: RecordKind, column: SQL)] {
        fileColumns.compactMap { kind, source in
            guard case .expression(let column, .day) = source else { return nil }
            return (kind: kind, column: column)
        }
    }

    static var instants: StoreCheck {
        StoreCheck("instants") { session in
            var damage = CheckFindings("invalid instants or UTC offsets")
            for (kind, instant, offset) in instantColumns {
                let sql: SQL = """
                    SELECT \(instant), \(offset), id
                    FROM \(raw: kind.table)
                    WHERE \(instant) IS NOT NULL OR \(offset) IS NOT NULL
                    ORDER BY id
                    """
                try session.query(sql) { row in
                    if !isInstant(row) {
                        damage.add("\(kind.table) \(row.integer(2))")
                    }
                    return true
                }
            }
            return damage
        }
    }

    /// The stored columns of instants and of their UTC offsets, with their tables.
    static var instantColumns: [(kind: RecordKind, instant: SQL, offset: SQL)] {
        fileColumns.compactMap { kind, source in
            guard case .instant(let instant, let offset) = source else { return nil }
            return (kind: kind, instant: instant, offset: offset)
        }
    }

    /// The stored values of the columns in files, which contain every day and every instant of a record.
    private static var fileColumns: [(kind: RecordKind, source: OutputColumn.Source)] {
        RecordKind.allCases.flatMap { kind in
            ExportSource(kind).columns.of(.files).map { (kind: kind, source: $0.source) }
        }
    }

    /// Whether the row contains an instant and, optionally, an offset of less than 24 hours.
    ///
    /// An offset without an instant is invalid.
    private static func isInstant(_ row: any Row) -> Bool {
        let minutes = row.integer(1)
        guard !row.isNull(0), minutes.magnitude < 24 * 60 else {
            return false
        }
        let offset = row.isNull(1) ? nil : UTCOffset(minutes: Int16(minutes))
        return OffsetInstant(Instant(microseconds: row.integer(0)), offset: offset).isInRange
    }

    static var positions: StoreCheck {
        StoreCheck("positions") { session in
            var damage = CheckFindings("invalid points")
            for table in RecordKind.located.map(\.table) {
                let sql: SQL = "SELECT geometry, external_id FROM \(raw: table) WHERE geometry IS NOT NULL ORDER BY id"
                try session.query(sql) { row in
                    if row.position(0) == nil {
                        damage.add("\(table) \(row.text(1) ?? "?")")
                    }
                    return true
                }
            }
            return damage
        }
    }
}
