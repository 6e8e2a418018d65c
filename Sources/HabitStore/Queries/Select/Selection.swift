import StoreEngine

/// A query that is ready to run, with the shape of its rows.
public struct Selection: Sendable {
    /// The statement with the values of its parameters.
    public var sql: SQL
    /// The shape of the rows.
    public var shape: ResultShape
    /// The indices of the sort columns in the engine's row.
    ///
    /// The array is empty unless the query reads a page.
    public var cursor: [Int] = []

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - sql: The statement with the values of its parameters.
    ///   - shape: The shape of the rows.
    ///   - cursor: The indices of the sort columns in the engine's row.
    public init(_ sql: SQL, shape: ResultShape, cursor: [Int] = []) {
        self.sql = sql
        self.shape = shape
        self.cursor = cursor
    }

    /// Returns the number of rows.
    func count(in session: any Session) throws -> Int {
        let counting: SQL = "SELECT count(*) FROM (\(sql)) AS counted"
        return try session.first(counting) { Int($0.integer(0)) } ?? 0
    }
}
