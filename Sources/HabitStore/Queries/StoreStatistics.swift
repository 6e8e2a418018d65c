import Base
import HabitModel
import StoreEngine

/// A query for the size of a store: the rows, the located rows and the bytes on disk of each kind.
public struct StoreStatistics: Sendable {
    /// Creates a query for all kinds.
    public init() {}

    /// Returns the query as SQL with the shape of its rows.
    ///
    /// The column `bytes` contains the size of a kind's tables and their indexes. The method reads every page of the
    /// store.
    public func selection(in session: any Session) throws -> Selection {
        let sizes = try session.tableSizes()
        let rows = RecordKind.allCases.enumerated().map { order, kind in
            let table = kind.table
            let located = kind.isLocated ? "count(geometry)" : "CAST(NULL AS BIGINT)"
            let owned = sizes.filter { name, _ in kind.owns(table: name) }
            let bytes = owned.values.reduce(0, +)
            return """
                SELECT \(order) AS ordinal, '\(kind.rawValue)' AS kind, count(*) AS n, \(located) AS located, \(bytes) AS bytes
                FROM \(table)
                """
        }
        let text = """
            SELECT kind, n, located, bytes
            FROM (
              \(rows.joined(separator: "\n  UNION ALL\n  "))
            ) AS kinds
            ORDER BY ordinal
            """
        let shape = ResultShape(
            columns: [
                Column("kind", .text, at: 0),
                Column("rows", .integer, at: 1),
                Column("located", .integer, at: 2),
                Column("bytes", .integer, at: 3, measure: .bytes),
            ],
            identity: ["kind"])
        return Selection(SQL(text), shape: shape)
    }
}

extension RecordKind {
    /// Whether the table `name` contains this kind or serves only this kind.
    ///
    /// The photos count as posts, because most photos belong to posts.
    fileprivate func owns(table name: String) -> Bool {
        let prefixes = [
            "\(table)_comment",
            "idx_\(table)_geometry",
            "idx_\(table)_shown",
        ]
        if name == table || name == "\(table)_cell" {
            return true
        }
        if self == .posts, name == "photo" {
            return true
        }
        return prefixes.contains { prefix in name.hasPrefix(prefix) }
    }

    var isLocated: Bool {
        self == .events || self == .items || self == .posts
    }
}
