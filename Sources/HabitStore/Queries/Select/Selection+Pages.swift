import HabitModel
import StoreEngine

extension Selection {
    /// Reads the rows of a page.
    ///
    /// - Parameters:
    ///   - page: The page that this query reads.
    ///   - session: A session of the store.
    ///   - body: Receives each row of the page, but not the row after it.
    /// - Returns: The number of rows and the cursor of the next page.
    /// - Throws: An error of the engine or of `body`.
    public func read(_ page: Page, in session: any Session, _ body: (any Row) throws -> Void) throws -> PageEnd {
        var end = PageEnd()
        var last: Cursor?
        try session.query(sql) { row in
            guard end.count < page.limit else {
                end.next = last
                return false
            }
            end.count += 1
            try body(row)
            if end.count == page.limit { last = Cursor(of: row, in: self) }
            return true
        }
        return end
    }

    /// Returns the cursor of the last row of a page, or `nil` if the page is the last one.
    ///
    /// - Parameters:
    ///   - page: The page that this query reads.
    ///   - session: A session of the store.
    /// - Returns: The cursor, or `nil` if the page is the last one.
    /// - Throws: An error of the engine.
    public func end(of page: Page, in session: any Session) throws -> Cursor? {
        let ends = sql.nested(as: "page", "LIMIT 2 OFFSET \(.integer(Int64(page.limit - 1)), as: "offset")")
        var last: Cursor?
        var count = 0
        try session.query(ends) { row in
            count += 1
            if count == 1 { last = Cursor(of: row, in: self) }
            return true
        }
        return count > 1 ? last : nil
    }
}
