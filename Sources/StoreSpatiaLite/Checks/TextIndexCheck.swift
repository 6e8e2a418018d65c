import GRDB
import StoreEngine

/// A check that the search index contains the texts of its table, with a rebuild as its repair.
struct TextIndexCheck {
    private let db: Database
    private let declared: SchemaDeclaration.TextIndex

    init(_ db: Database, _ declared: SchemaDeclaration.TextIndex) {
        self.db = db
        self.declared = declared
    }

    var check: StoreCheck {
        StoreCheck(declared.check) { _ in
            try find()
        } repair: { _ in
            try rebuild()
        }
    }

    /// Runs FTS5's integrity check on a copy of the index.
    ///
    /// The integrity check needs write access. It runs on a copy of the index pages in a temporary table, which is
    /// rolled back.
    private func find() throws -> CheckFindings {
        var damage = CheckFindings("problems of the search index of \(declared.title)")
        // A store without this view has an older schema, which another check reports.
        guard try db.viewExists(declared.source) else {
            return damage
        }
        try db.inSavepoint {
            do {
                try SpatiaLiteConnection.withoutDefense(on: db) { try copy() }
                try db.execute(sql: "INSERT INTO temp.index_copy (index_copy, rank) VALUES ('integrity-check', 1)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                damage.add("its content differs from the \(declared.title)")
            }
            return .rollback
        }
        return damage
    }

    private func copy() throws {
        try db.execute(sql: "CREATE TEMP VIEW indexed_text AS SELECT id, text FROM main.\(declared.source)")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE temp.index_copy USING fts5(
                  text,
                  content = 'indexed_text',
                  content_rowid = 'id',
                  tokenize = 'trigram case_sensitive 1',
                  detail = 'none',
                  columnsize = 0
                )
                """)
        for part in ["data", "idx"] {
            let pages = "main.\(declared.index)_\(part)"
            try db.execute(sql: "DELETE FROM temp.index_copy_\(part)")
            try db.execute(sql: "INSERT INTO temp.index_copy_\(part) SELECT * FROM \(pages)")
        }
    }

    private func rebuild() throws {
        let index = declared.index
        try db.execute(sql: "INSERT INTO \(index) (\(index)) VALUES ('delete-all')")
        try db.execute(
            sql: """
                INSERT INTO \(index) (rowid, text)
                SELECT id, text
                FROM \(declared.source)
                ORDER BY id
                """)
    }
}
