import Base
import StoreEngine

/// A search among the rows of some owners, which an index that begins with the owner finds.
enum OwnerSearch {
    /// The rows on some days, or all rows for `nil`.
    case days(ClosedRange<Day>?)
    /// The rows whose position is in one of some ranges of cells: tiles of the map of zoom 16, by their codes.
    ///
    /// There is at least one range, and the ranges have no cell in common.
    case cells([ClosedRange<Int64>])
    /// The rows whose folded comment contains a folded text.
    case text(String)
}

/// The sources for FROM of the rows that an ``OwnerSearch`` finds in a table.
///
/// The cost of a source does not depend on the rows of other owners. The table keeps its name in the source.
struct OwnerSearchSQL {
    /// The table, which has indexes by owner.
    let table: String
    /// The key of the owner whose private positions a search by position finds too.
    let reader: SQL
    let traits: EngineTraits

    /// Returns a source.
    ///
    /// - Parameters:
    ///   - search: The rows of the owners that the source contains.
    ///   - owners: A SELECT of the keys of the owners with the column `user_id`, or `nil` for no owners. Each key occurs once.
    ///   - others: A SELECT of the columns `id` and `user_id` of other rows that the source contains too, or `nil`.
    /// - Returns: The text after FROM.
    func source(_ search: OwnerSearch, of owners: SQL?, or others: SQL?) -> SQL {
        if traits.isDistributed {
            return distributed(search, of: owners, or: others)
        }
        return traits.hasLateralJoins ? lateral(search, of: owners, or: others) : joined(search, of: owners, or: others)
    }

    // MARK: Joins

    /// Returns a source that reads the owners first, and then an index that begins with the owner.
    private func joined(_ search: OwnerSearch, of owners: SQL?, or others: SQL?) -> SQL {
        let owned = owners.map { owners -> SQL in
            """
            SELECT found.id
              FROM (
                \(indexed(owners, for: search))
              ) AS owner
              \(join(search))
            """
        }
        let rest = others.map { others -> SQL in "SELECT other.id FROM (\(others)) AS other" }
        return """
            (
              \(Self.union([owned, rest]))
            ) AS candidate
            \(raw: traits.orderedJoin) \(raw: table) ON \(raw: table).id = candidate.id
            """
    }

    /// Returns the owners as the index of a search contains them.
    ///
    /// The index of positions contains private positions under the negative key of the owner.
    private func indexed(_ owners: SQL, for search: OwnerSearch) -> SQL {
        guard case .cells = search else { return owners }
        return """
            SELECT shown.user_id AS user_id
                FROM (
                  \(owners)
                ) AS shown
                UNION ALL
                SELECT -reader.user_id
                FROM (
                  \(owners)
                ) AS reader
                WHERE reader.user_id = \(reader)
            """
    }

    /// Returns the joins that find the rows of `owner` with the name `found`.
    private func join(_ search: OwnerSearch) -> SQL {
        let ordered: SQL = "\(raw: traits.orderedJoin)"
        switch search {
        case .days(let days):
            let onDays = days.map { days -> SQL in " AND \(days.condition(on: "found.day"))" }
            return """
                \(ordered) \(indexed(by: "user_day")) ON found.user_id = owner.user_id\(onDays ?? "")
                """
        case .cells(let ranges):
            return """
                \(ordered) (VALUES \(ranges.rows)) AS cells
                  \(ordered) (SELECT user_id, cell, record_id AS id FROM \(raw: table)_place) AS found
                    ON found.user_id = owner.user_id AND found.cell BETWEEN cells.column1 AND cells.column2
                """
        case .text(let text):
            return """
                \(ordered) \(indexed(by: "user_comment"))
                    ON found.user_id = owner.user_id AND found.comment_folded IS NOT NULL
                      AND instr(found.comment_folded, \(.text(text), as: "search_text")) > 0
                """
        }
    }

    /// Returns the table with the name `found`, read by one of its indexes.
    private func indexed(by index: String) -> SQL {
        let source = traits.source("\(table) AS found", indexedBy: "\(table)_\(index)")
        return "\(raw: source)"
    }

    // MARK: Lateral joins

    /// Returns a source that looks up the rows of each owner separately.
    ///
    /// For one search over all owners, the planner could choose an index that contains the rows of other owners.
    private func lateral(_ search: OwnerSearch, of owners: SQL?, or others: SQL?) -> SQL {
        let owned = owners.map { owners -> SQL in
            """
            SELECT \(raw: table).*
              FROM (
                \(owners)
              ) AS owner
              \(lookup(search))
            """
        }
        let rest = others.map { others -> SQL in
            """
            SELECT \(raw: table).*
              FROM (
                \(others)
              ) AS found
              \(lookupOfFound)
            """
        }
        return """
            (
              \(Self.union([owned, rest]))
            ) AS \(raw: table)
            """
    }

    /// Returns the joins that find the rows of `owner` with the name of the table.
    private func lookup(_ search: OwnerSearch) -> SQL {
        switch search {
        case .days(let days):
            let onDays = days.map { days -> SQL in " AND \(days.condition(on: "day"))" }
            return lateralJoin(as: table, where: "user_id = owner.user_id\(onDays ?? "")")
        case .cells(let ranges):
            let rows = lateralJoin(
                as: table,
                where: """
                    user_id = owner.user_id AND geometry IS NOT NULL AND is_private = privacy.column1
                          AND \(Self.cell) BETWEEN cells.column1 AND cells.column2
                    """)
            return """
                JOIN (VALUES (0), (1)) AS privacy ON privacy.column1 = 0 OR owner.user_id = \(reader)
                  CROSS JOIN (VALUES \(ranges.rows)) AS cells
                  \(rows)
                """
        case .text(let text):
            // The index of the comments contains only those that fit into an entry.
            let parts = ["<= 2000", "> 2000"].map { length -> SQL in
                """
                SELECT id, user_id
                    FROM \(raw: table)
                    WHERE user_id = owner.user_id AND octet_length(comment_folded) \(raw: length)
                      AND \(Self.contains(text))
                """
            }
            return """
                CROSS JOIN LATERAL (
                    \(parts.joined(separator: "\n    UNION ALL\n    "))
                    \(raw: traits.optimizationFence)
                  ) AS found
                  \(lookupOfFound)
                """
        }
    }

    /// The join that finds the row with the key of `found`.
    private var lookupOfFound: SQL {
        lateralJoin(as: table, where: "id = found.id AND user_id = found.user_id")
    }

    private func lateralJoin(as name: String, where condition: SQL) -> SQL {
        """
        CROSS JOIN LATERAL (
            SELECT *
            FROM \(raw: table)
            WHERE \(condition)
            \(raw: traits.optimizationFence)
          ) AS \(raw: name)
        """
    }

    // MARK: Several servers

    /// Returns a source for tables on several servers, which do not join the rows with each owner.
    private func distributed(_ search: OwnerSearch, of owners: SQL?, or others: SQL?) -> SQL {
        let owned = owners.map { owners -> SQL in
            """
            (user_id IN (
              \(owners)
            )\(distributedCondition(search)))
            """
        }
        let rest = others.map { others -> SQL in
            "(id, user_id) IN (SELECT other.id, other.user_id FROM (\(others)) AS other)"
        }
        let condition = [owned, rest].compactMap(\.self).joined(separator: " OR ")
        return "(SELECT * FROM \(raw: table) WHERE \(condition)) AS \(raw: table)"
    }

    private func distributedCondition(_ search: OwnerSearch) -> SQL {
        switch search {
        case .days(nil):
            return ""
        case .days(let days?):
            return " AND \(days.condition(on: "day"))"
        case .cells(let ranges):
            let conditions = ranges.map { range -> SQL in
                "\(Self.cell) BETWEEN \(range.firstCell) AND \(range.lastCell)"
            }
            let shown: SQL = "(is_private = 0 OR user_id = \(reader))"
            return " AND geometry IS NOT NULL AND \(shown) AND (\(conditions.joined(separator: " OR ")))"
        case .text(let text):
            return " AND \(Self.contains(text))"
        }
    }

    // MARK: Parts

    private static func union(_ parts: [SQL?]) -> SQL {
        parts.compactMap(\.self).joined(separator: "\n  UNION ALL\n  ")
    }

    /// The cell of a row, as the indexes of a database server contain it.
    private static let cell: SQL = "map_cell(ST_X(geometry), ST_Y(geometry))"

    private static func contains(_ text: String) -> SQL {
        "strpos(comment_folded, \(.text(text), as: "search_text")) > 0"
    }
}

extension ClosedRange<Day> {
    /// Returns the condition that a column contains one of the days.
    func condition(on column: SQL) -> SQL {
        let first: SQL = "\(.day(lowerBound), as: "first_day")"
        let last: SQL = "\(.day(upperBound), as: "last_day")"
        return "\(column) BETWEEN \(first) AND \(last)"
    }
}

extension ClosedRange<Int64> {
    /// The first cell of the range as a value.
    fileprivate var firstCell: SQL { "\(.integer(lowerBound), as: "first_cell")" }
    /// The last cell of the range as a value.
    fileprivate var lastCell: SQL { "\(.integer(upperBound), as: "last_cell")" }
}

extension [ClosedRange<Int64>] {
    /// The rows of a VALUES clause with the first and the last cell of each range.
    fileprivate var rows: SQL {
        map { range -> SQL in "(\(range.firstCell), \(range.lastCell))" }.joined(separator: ", ")
    }
}
