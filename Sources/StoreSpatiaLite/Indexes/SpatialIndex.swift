import GRDB
import StoreEngine

/// The spatial index of a located table: its R*Trees and, if they are declared for it, the cells, the tiles by owner and the
/// counts by tile.
struct SpatialIndex {
    private let table: String
    private let otherColumns: [String]
    private let cellIndex: SchemaDeclaration.CellIndex?
    private let ownerTiles: SchemaDeclaration.OwnerTileIndex?
    private let tileCounts: SchemaDeclaration.TileCounts?

    init(_ table: SchemaDeclaration.LocatedTable, _ declaration: SchemaDeclaration) {
        self.table = table.name
        otherColumns = table.otherColumns
        let hasCells = declaration.cellIndex.table == table.name
        cellIndex = hasCells ? declaration.cellIndex : nil
        ownerTiles = declaration.ownerTileIndexes.first { index in index.table == table.name }
        let hasCounts = declaration.tileCounts.table == table.name
        tileCounts = hasCounts ? declaration.tileCounts : nil
    }

    /// Adds the rows with keys greater than `lastID`, none of which the index contains.
    func add(after lastID: Int64, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO idx_\(table)_geometry (pkid, xmin, xmax, ymin, ymax)
                SELECT
                  id,
                  point_longitude(geometry),
                  point_longitude(geometry),
                  point_latitude(geometry),
                  point_latitude(geometry)
                FROM \(table)
                WHERE id > ? AND geometry IS NOT NULL
                ORDER BY id
                """,
            arguments: [lastID])
        if let cellIndex {
            try CellIndex(cellIndex).add(after: lastID, in: db)
        }
        if let ownerTiles {
            var tiles = OwnerTileIndex(ownerTiles)
            try tiles.add(after: lastID, in: db)
        }
        if let tileCounts {
            var counts = TileCounts(tileCounts)
            try counts.add(after: lastID, in: db)
        }
    }

    /// Replaces the contents of the index with all geometries of the table.
    func pack(in db: Database) throws {
        var tree = PackedRTree()
        var cells = cellIndex.map { declared in CellIndex(declared) }
        var tiles = ownerTiles.map { declared in OwnerTileIndex(declared) }
        var counts = tileCounts.map { declared in TileCounts(declared) }
        let day = cellIndex?.day ?? "NULL"
        let declaredOwner = ownerTiles?.indexedOwner ?? tileCounts?.countedOwner
        let owner = declaredOwner ?? "NULL"
        let sql = """
            SELECT id, geometry, \(day), \(owner)
            FROM \(table)
            WHERE geometry IS NOT NULL
            ORDER BY id
            """
        let statement = try SpatiaLiteStatement(db.makeStatement(sql: sql), on: db)
        try statement.forEach { row in
            guard let position = row.position(1) else {
                return true
            }
            tree.add(row.integer(0), at: position)
            cells?.add(row.integer(0), on: row.day(2), at: position)
            tiles?.add(row.integer(0), of: row.integer(3), at: position)
            counts?.add(of: row.integer(3), at: position)
            return true
        }
        try tree.replace("idx_\(table)_geometry", in: db)
        try cells?.replace(in: db)
        try tiles?.replace(in: db)
        try counts?.replace(in: db)
        for column in otherColumns {
            try pack(column, in: db)
        }
    }

    /// Replaces the contents of the index of another column of points.
    private func pack(_ column: String, in db: Database) throws {
        var tree = PackedRTree()
        let sql = "SELECT id, \(column) FROM \(table) WHERE \(column) IS NOT NULL ORDER BY id"
        let statement = try SpatiaLiteStatement(db.makeStatement(sql: sql), on: db)
        try statement.forEach { row in
            if let position = row.position(1) {
                tree.add(row.integer(0), at: position)
            }
            return true
        }
        try tree.replace("idx_\(table)_\(column)", in: db)
    }

    // MARK: Checks

    /// Calls `body` with the name of each wrong or missing entry of the cells, of the tiles and of the counts.
    func findInconsistencies(in db: Database, _ body: (String) -> Void) throws {
        if let cellIndex {
            try CellIndex(cellIndex).findInconsistencies(in: db, body)
        }
        if let ownerTiles {
            var tiles = OwnerTileIndex(ownerTiles)
            try tiles.findInconsistencies(in: db, body)
        }
        if let tileCounts {
            var counts = TileCounts(tileCounts)
            try counts.findInconsistencies(in: db, body)
        }
    }
}
