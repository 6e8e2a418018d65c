import Base
import StoreEngine

/// The checks of a PostgreSQL store in addition to those of its records.
///
/// The server checks foreign keys and pages.
struct PostGISChecks {
    private let declaration: SchemaDeclaration

    init(_ declaration: SchemaDeclaration) {
        self.declaration = declaration
    }

    /// All checks, in the order in which they run.
    var all: [StoreCheck] {
        let ids = declaration.partitions.uniqueTables.map(uniqueIDs)
        let references = declaration.looseReferences.map(references)
        return [indexes, tileCounts] + ids + references
    }

    /// Returns a check of references for which a cluster has no foreign key.
    private func references(_ reference: SchemaDeclaration.Reference) -> StoreCheck {
        let table = reference.table
        let column = reference.column
        let target = reference.target
        return StoreCheck(
            "\(table)-\(target)s",
            damage: "\(table)s with missing \(target)s",
            query: SQL(
                """
                SELECT external_id
                FROM \(raw: table)
                WHERE \(raw: column) IS NOT NULL AND \(raw: column) NOT IN (SELECT id FROM \(raw: target))
                ORDER BY external_id
                """))
    }

    private var indexes: StoreCheck {
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

    /// A check of the counts by tile, which a cluster does not have.
    ///
    /// The repair counts the rows again.
    private var tileCounts: StoreCheck {
        let counts = declaration.tileCounts
        return StoreCheck(counts.check) { session in
            var damage = CheckFindings(counts.damage)
            guard session.dialect.traits.hasTileCounts else {
                return damage
            }
            let owner: SQL = "\(raw: counts.owner)"
            let count: SQL = "\(raw: counts.count)"
            let table: SQL = "\(raw: counts.counts)"
            let sql: SQL = """
                SELECT format('count of \(raw: counts.ownerTitle) %s in tile %s', \(owner), cell)
                FROM \(raw: counts.functions.expected)() AS expected
                FULL JOIN \(table) USING (\(owner), cell)
                WHERE expected.\(count) IS DISTINCT FROM \(table).\(count)
                ORDER BY \(owner), cell
                """
            try session.query(sql) { row in
                damage.add(row.text(0) ?? "?")
                return true
            }
            return damage
        } repair: { session in
            try session.query("SELECT CAST(\(raw: counts.functions.fill)() AS text)") { _ in true }
        }
    }

    /// Returns a check for duplicate IDs, because no index spans the partitions.
    private func uniqueIDs(_ table: String) -> StoreCheck {
        StoreCheck(
            "\(table)-ids",
            damage: "duplicate ids of \(table)s",
            query: SQL(
                "SELECT external_id FROM \(raw: table) GROUP BY external_id HAVING count(*) > 1 ORDER BY external_id")
        )
    }
}
