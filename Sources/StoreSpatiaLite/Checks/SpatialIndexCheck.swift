import GRDB
import StoreEngine

/// A check that the R*Trees of a located table contain each geometry once and no other entries.
///
/// The check includes the cells and the counts of the table. The repair fills the indexes again. Another check reports
/// invalid geometries.
struct SpatialIndexCheck {
    /// The upper bound for the size of a point's box in degrees, because the tree rounds 32-bit numbers outward.
    private static let rounding = 1e-4
    /// The maximum distance of a position from its box in degrees.
    ///
    /// Searches extend their box by a larger distance.
    private static let boxTolerance = 1e-10

    private let db: Database
    private let table: String
    private let otherColumns: [String]
    private let index: SpatialIndex

    init(_ db: Database, table: SchemaDeclaration.LocatedTable, declaration: SchemaDeclaration) {
        self.db = db
        self.table = table.name
        otherColumns = table.otherColumns
        index = SpatialIndex(table, declaration)
    }

    var check: StoreCheck {
        StoreCheck("\(table)-index") { _ in
            try find()
        } repair: { _ in
            try index.pack(in: db)
        }
    }

    private func find() throws -> CheckFindings {
        var damage = CheckFindings("differences between the spatial index and the geometries")
        try find("geometry", &damage)
        for column in otherColumns where try db.tableExists("idx_\(table)_\(column)") {
            try find(column, &damage)
        }
        try index.findInconsistencies(in: db) { name in
            damage.add(name)
        }
        // SpatiaLite's check stores its result in its history. If it cannot, it writes an error to the standard error.
        guard !db.configuration.readonly else {
            return damage
        }
        let answer = try StandardError.discarding {
            try Int.fetchOne(db, sql: "SELECT CheckSpatialIndex('\(table)', 'geometry')")
        }
        if answer != 1, damage.count == 0 {
            damage.add("CheckSpatialIndex reports damage")
        }
        return damage
    }

    /// Finds the differences between a column of points and its index.
    private func find(_ column: String, _ damage: inout CheckFindings) throws {
        let index = "idx_\(table)_\(column)"
        let wrong = try String.fetchCursor(
            db,
            sql: """
                SELECT CAST(\(table).external_id AS TEXT)
                FROM \(table)
                LEFT JOIN \(index) AS box ON box.pkid = \(table).id
                WHERE point_longitude(\(table).\(column)) IS NOT NULL AND NOT coalesce(
                  point_longitude(\(column)) BETWEEN box.xmin - :tolerance AND box.xmax + :tolerance
                    AND point_latitude(\(column)) BETWEEN box.ymin - :tolerance AND box.ymax + :tolerance
                    AND box.xmax - box.xmin < :rounding AND box.ymax - box.ymin < :rounding, 0
                )
                UNION ALL
                SELECT 'entry ' || pkid
                FROM \(index)
                WHERE pkid NOT IN (SELECT id FROM \(table) WHERE \(column) IS NOT NULL)
                """, arguments: ["rounding": Self.rounding, "tolerance": Self.boxTolerance])
        while let name = try wrong.next() {
            damage.add(name)
        }
        // The query does not check the structure of the tree.
        let tree = try String.fetchOne(db, sql: "SELECT rtreecheck('\(index)')") ?? "nothing"
        if tree != "ok" {
            let line = tree.split(separator: "\n").first ?? tree[...]
            damage.add(String(line))
        }
    }
}
