/// A page of a long result: at most `limit` rows that follow the last row of the previous page.
public struct Page: Sendable, Equatable {
    /// The maximum number of rows.
    public var limit: Int
    /// The position of the last row of the previous page, or `nil` for the first page.
    public var after: Cursor?

    /// Creates a page of at most `limit` rows that follow the position `after`.
    public init(limit: Int, after: Cursor? = nil) {
        self.limit = limit
        self.after = after
    }
}

/// The end of a page, with the position of the following rows.
public struct PageEnd: Sendable, Equatable {
    /// The number of rows on the page.
    public var count = 0
    /// The cursor of the last row, or `nil` if the page is the last one.
    public var next: Cursor?
}
