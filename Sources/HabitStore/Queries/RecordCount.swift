import HabitModel
import StoreEngine

/// The number of records of one kind in a store, up to a limit.
public struct RecordCount: Sendable, Equatable {
    /// The largest number that is counted.
    public static let limit = 100_000

    /// The kind of the records.
    public let kind: RecordKind
    /// The number of records, at most ``limit``.
    public let count: Int
    /// Whether the store has more records.
    public let hasMore: Bool

    /// Counts the records of kinds, for the operator.
    ///
    /// The cost is at most ``limit`` entries of an index for each kind.
    ///
    /// - Parameters:
    ///   - kinds: The kinds.
    ///   - session: The session that runs the queries.
    /// - Returns: The numbers in the order of the kinds.
    /// - Throws: An error of the engine.
    public static func all(of kinds: [RecordKind], in session: any Session) throws -> [RecordCount] {
        try kinds.map { kind in
            let sql: SQL = """
                SELECT count(*)
                FROM (
                  SELECT 1 AS one FROM \(raw: kind.table) LIMIT \(.integer(Int64(limit) + 1), as: "limit")
                ) AS counted
                """
            let found = try session.first(sql) { row in Int(row.integer(0)) } ?? 0
            return RecordCount(kind: kind, count: min(found, limit), hasMore: found > limit)
        }
    }
}
