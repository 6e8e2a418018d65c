import GRDB
import StoreEngine

/// A check that the search index contains the comments of the events, with a rebuild as its repair.
struct CommentIndexCheck {
    private let db: Database

    init(_ db: Database) { self.db = db }

    var check: StoreCheck {
        StoreCheck("comment-index") { _ in
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
        var damage = CheckFindings("problems of the search index of comments")
        // A store without this view has an older schema, which another check reports.
        guard try db.viewExists("event_comment_text") else { return damage }
        try db.inSavepoint {
            do {
                try SpatiaLiteConnection.withoutDefense(on: db) { try copy() }
                try db.execute(sql: "INSERT INTO temp.comment_copy (comment_copy, rank) VALUES ('integrity-check', 1)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                damage.add("its content differs from the comments")
            }
            return .rollback
        }
        return damage
    }

    private func copy() throws {
        try db.execute(sql: "CREATE TEMP VIEW commented AS SELECT id, text FROM main.event_comment_text")
        try db.execute(
            sql: """
                CREATE VIRTUAL TABLE temp.comment_copy USING fts5(
                  text,
                  content = 'commented',
                  content_rowid = 'id',
                  tokenize = 'trigram case_sensitive 1',
                  detail = 'none',
                  columnsize = 0
                )
                """)
        for part in ["data", "idx"] {
            try db.execute(sql: "DELETE FROM temp.comment_copy_\(part)")
            try db.execute(sql: "INSERT INTO temp.comment_copy_\(part) SELECT * FROM main.event_comment_\(part)")
        }
    }

    private func rebuild() throws {
        try db.execute(sql: "INSERT INTO event_comment (event_comment) VALUES ('delete-all')")
        try db.execute(
            sql: """
                INSERT INTO event_comment (rowid, text)
                SELECT id, text
                FROM event_comment_text
                ORDER BY id
                """)
    }
}
