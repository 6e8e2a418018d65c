import HabitModel
import StoreEngine

/// How much of each kind the store holds: rows, rows with a place, and bytes on disk.
public struct StoreStatistics: Sendable {
    public init() {}

    /// `bytes` counts a kind's tables with their indexes. Costs a look at every page of the store.
    public func selection(in session: any Session) throws -> Selection {
        let sizes = try session.tableSizes()
        let rows = RecordKind.allCases.enumerated().map { order, kind in
            let table = kind.table
            let located = kind.isLocated ? "count(geometry)" : "CAST(NULL AS BIGINT)"
            let bytes = sizes.filter { kind.owns(table: $0.key) }.values.reduce(0, +)
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
                Column("kind", .text, at: 0), Column("rows", .integer, at: 1), Column("located", .integer, at: 2),
                Column("bytes", .integer, at: 3),
            ],
            identity: ["kind"])
        return Selection(SQL(text), shape: shape)
    }
}

extension RecordKind {
    /// Whether `name` is this kind's table, or serves only it; the photos count with the posts, which are mostly photos.
    fileprivate func owns(table name: String) -> Bool {
        name == table || name.hasPrefix("\(table)_comment") || name == "\(table)_cell"
            || name.hasPrefix("idx_\(table)_geometry") || (self == .posts && name == "photo")
    }

    var isLocated: Bool { self == .events || self == .items || self == .posts }
}
