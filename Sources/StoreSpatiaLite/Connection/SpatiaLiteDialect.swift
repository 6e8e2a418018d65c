import Geo
import StoreEngine

/// The SQL fragments of SpatiaLite.
struct SpatiaLiteDialect: Dialect {
    /// The properties of SQLite.
    ///
    /// - `partitionColumn` is `nil`, because the indexes do not contain the owner. With a condition on the owner, SQLite
    ///   would look up all rows of an owner for each key.
    /// - `orderedJoin` is CROSS JOIN, which fixes the order even with a condition (SQLite, "The SQLite Query Optimizer
    ///   Overview", section 7.3).
    /// - `optimizationFence` is a LIMIT. SQLite neither flattens a subquery with a LIMIT into a query with a WHERE or a
    ///   join, nor pushes conditions down into it (sections 12 and 13).
    /// - `hintedIndexes` contains indexes with the same estimated cost as another index. SQLite would choose the index
    ///   that was created last.
    let traits: EngineTraits
    private let textIndex: SchemaDeclaration.TextIndex
    /// Whether the search index finds texts of one and two characters.
    private let findsShortTexts: Bool

    /// Creates the dialect of a store.
    ///
    /// - Parameters:
    ///   - declaration: The declaration of the schema.
    ///   - indexes: The optional indexes of the declaration that the store has.
    init(_ declaration: SchemaDeclaration, indexes: Set<String>) {
        textIndex = declaration.textIndex
        findsShortTexts = indexes.contains(declaration.textIndex.terms)
        traits = EngineTraits(
            isDistributed: false,
            partitionColumn: nil,
            needsRoundTrips: false,
            hasLateralJoins: false,
            hasTileCounts: indexes.contains(declaration.tileCounts.counts),
            orderedJoin: "CROSS JOIN",
            optimizationFence: "LIMIT -1",
            hintedIndexes: declaration.hintedIndexes.intersection(indexes))
    }

    /// The distance by which a search of the index extends the box, in degrees.
    ///
    /// The index contains 32-bit boxes that are rounded outward. The boxes that SpatiaLite's triggers write are not, if
    /// a coordinate is within 1e-12 of a 32-bit number.
    private static let margin = 1e-9

    /// Returns a source that reads the spatial index first, because CROSS JOIN fixes the order.
    ///
    /// The index returns a few rows too many and misses none. UNION removes duplicates of a row that is in two windows.
    func candidates(in box: BoundingBox, of table: String, column: String, orKeys keys: [SQL]) -> SQL {
        let windows = box.parts.map { part in window(part, index: "idx_\(table)_\(column)") }
        return """
            (
              \((windows + keys).joined(separator: "\n  UNION\n  "))
            ) AS candidate
            CROSS JOIN \(raw: table) ON \(raw: table).id = candidate.pkid
            """
    }

    /// Returns a SELECT of the keys in a box that does not cross the 180th meridian.
    private func window(_ box: BoundingBox, index: String) -> SQL {
        let margin = String(Self.margin)
        return """
            SELECT pkid
              FROM \(raw: index)
              WHERE xmin <= \(.number(box.east), as: "window_east") + \(raw: margin)
                AND xmax >= \(.number(box.west), as: "window_west") - \(raw: margin)
                AND ymin <= \(.number(box.north), as: "window_north") + \(raw: margin)
                AND ymax >= \(.number(box.south), as: "window_south") - \(raw: margin)
            """
    }

    func isInside(_ region: SpatialRegion, _ point: SQL) -> SQL {
        switch region {
        case .box(let box):
            return isInside(box, point)
        case .area(let area, let includesBorder):
            // The function returns 2 inside the area, 1 on its border and 0 outside.
            let least = includesBorder ? "1" : "2"
            return "point_in_area(\(point), \(.blob(area.ewkb), as: "area")) >= \(raw: least)"
        }
    }

    private func isInside(_ box: BoundingBox, _ point: SQL) -> SQL {
        let parts = box.parts.map { part -> SQL in
            let edges: [SQL] = [
                "\(.number(part.west), as: "west")",
                "\(.number(part.south), as: "south")",
                "\(.number(part.east), as: "east")",
                "\(.number(part.north), as: "north")",
            ]
            return "point_in_box(\(point), \(edges.joined(separator: ", ")))"
        }
        return "(\(parts.joined(separator: " OR ")))"
    }

    /// Uses GLOB, because LIKE ignores the case of ASCII letters.
    func matches(_ expression: SQL, _ pattern: TextPattern) -> SQL {
        var glob = String.UnicodeScalarView()
        for part in pattern.parts {
            switch part {
            case .any: glob.append("*")
            case .one: glob.append("?")
            case .literal(let scalar) where "*?[".unicodeScalars.contains(scalar):
                glob.append(contentsOf: ["[", scalar, "]"])
            case .literal(let scalar): glob.append(scalar)
            }
        }
        return "\(expression) GLOB \(.text(String(glob)), as: "pattern")"
    }

    func folded(_ expression: SQL) -> SQL { "fold(\(expression))" }

    func rounded(_ expression: SQL, decimals: Int) -> SQL { "shown_number(\(expression), \(raw: String(decimals)))" }

    /// Returns the expression, because texts are compared by their bytes unless a column has another collation.
    func bytewise(_ expression: SQL) -> SQL { expression }

    func distance(from position: Position, to point: SQL) -> SQL {
        let longitude: SQL = "\(.number(position.longitude), as: "longitude")"
        let latitude: SQL = "\(.number(position.latitude), as: "latitude")"
        return "geodesic_distance(\(point), \(longitude), \(latitude))"
    }

    /// Returns a source that reads the search index first, like the source of the spatial index.
    ///
    /// A search can occur several times in one text, so the source groups the occurrences. A text can contain all
    /// trigrams of a longer search without the search. The index appends U+0003 characters to each text, which are not
    /// part of it. So only searches of at most three code points without U+0003 need no further condition.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)? {
        // The tokenizer counts code points, and ends a text at a NUL.
        let scalars = text.unicodeScalars
        guard table == textIndex.table, !text.isEmpty, !scalars.contains("\0") else {
            return nil
        }
        let trigrams = Self.trigrams(text)
        guard findsShortTexts || !trigrams.isEmpty else {
            return nil
        }
        let found = trigrams.isEmpty ? keys(holdingShort: text) : keys(holdingTrigrams: trigrams)
        let from: SQL = """
            (
              \(found)
            ) AS candidate
            CROSS JOIN \(raw: table) ON \(raw: table).id = candidate.id
            """
        let areAll = scalars.count <= 3 && !scalars.contains("\u{3}")
        return (from, areAll)
    }

    /// Returns a SELECT of the keys of the rows that contain a text of one or two characters.
    private func keys(holdingShort text: String) -> SQL {
        """
        SELECT doc AS id
          FROM \(raw: textIndex.terms)
          WHERE term >= \(.text(text), as: "search_text") AND term < \(.text(text + Self.lastOfAll), as: "search_end")
          GROUP BY doc
        """
    }

    /// Returns a SELECT of the keys of the rows that contain some trigrams.
    private func keys(holdingTrigrams trigrams: String) -> SQL {
        """
        SELECT rowid AS id
          FROM \(raw: textIndex.index)
          WHERE \(raw: textIndex.index) MATCH \(.text(trigrams), as: "search_trigrams")
        """
    }

    /// Returns a condition that no index finds.
    func contains(_ search: TextSearch, in column: String, of table: String, usesIndex: Bool) -> SQL {
        switch search {
        case .text(let text):
            "instr(\(raw: table).\(raw: column), \(.text(text), as: "search_text")) > 0"
        case .words(let words):
            "contains_word(\(raw: table).\(raw: column), \(.text(words), as: "search_word"))"
        }
    }

    func coordinates(of point: SQL) -> CoordinatesSQL {
        CoordinatesSQL(
            longitude: "point_longitude(\(point))",
            latitude: "point_latitude(\(point))")
    }

    func rows(of table: String, withKeys keys: [RowKey]) -> SQL {
        """
        json_each(\(.list(keys.map(\.key)), as: "row_keys")) AS candidate
        CROSS JOIN \(raw: table) ON \(raw: table).id = candidate.value
        """
    }

    /// A suffix that makes a text greater than any trigram that begins with the text.
    private static let lastOfAll = String(repeating: "\u{10FFFF}", count: 3)

    /// Returns an FTS5 query for all trigrams of `text`, each as a quoted string.
    ///
    /// The query is empty if `text` has less than three code points. FTS5 counts code points. A quote and a combining
    /// mark after it are one `Character` in Swift.
    private static func trigrams(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count >= 3 else { return "" }
        var query = String.UnicodeScalarView()
        for start in 0...(scalars.count - 3) {
            query.append(contentsOf: start == 0 ? "\"".unicodeScalars : " \"".unicodeScalars)
            for scalar in scalars[start..<start + 3] {
                if scalar == "\"" { query.append(scalar) }
                query.append(scalar)
            }
            query.append("\"")
        }
        return String(query)
    }
}
