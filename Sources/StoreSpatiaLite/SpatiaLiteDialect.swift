import Geo
import StoreEngine

/// The SQL fragments of SpatiaLite.
struct SpatiaLiteDialect: Dialect {
    /// Whether the search index finds texts of one and two characters.
    let findsShortTexts: Bool
    /// Whether the index of skipped events exists.
    let knowsSkippedDays: Bool
    /// Whether the table of the counts on the map exists.
    let hasEventMap: Bool

    /// The distance by which a search of the index extends the box, in degrees.
    ///
    /// The index contains 32-bit boxes that are rounded outward. The boxes that SpatiaLite's triggers write are not, if
    /// a coordinate is within 1e-12 of a 32-bit number.
    private static let margin = 1e-9

    /// Returns a source that reads the spatial index first, because CROSS JOIN fixes the order.
    ///
    /// The index returns a few rows too many and misses none. UNION removes duplicates of a row that is in two windows.
    func candidates(in box: BoundingBox, of table: String, column: String, orKeys keys: [String]) -> SQL {
        let windows = box.parts.indices.map { part in
            """
            SELECT pkid
              FROM idx_\(table)_\(column)
              WHERE xmin <= :window_east\(part) + \(Self.margin) AND xmax >= :window_west\(part) - \(Self.margin)
                AND ymin <= :window_north + \(Self.margin) AND ymax >= :window_south - \(Self.margin)
            """
        }
        let from = """
            (
              \((windows + keys).joined(separator: "\n  UNION\n  "))
            ) AS candidate
            CROSS JOIN \(table) ON \(table).id = candidate.pkid
            """
        return SQL(from, box.bindings(prefix: "window"))
    }

    func isInside(_ box: BoundingBox, geometry: String, prefix: String) -> SQL {
        let parts = box.parts.indices.map {
            "point_in_box(\(geometry), :\(prefix)_west\($0), :\(prefix)_south, :\(prefix)_east\($0), :\(prefix)_north)"
        }
        return SQL("(\(parts.joined(separator: " OR ")))", box.bindings(prefix: prefix))
    }

    func isInside(_ area: Area, geometry: String, includesBorder: Bool, name: String) -> SQL {
        // The function returns 2 inside the area, 1 on its border and 0 outside.
        SQL("point_in_area(\(geometry), :\(name)) >= \(includesBorder ? 1 : 2)", [name: .blob(area.ewkb)])
    }

    /// Uses GLOB, because LIKE ignores the case of ASCII letters.
    func matches(_ expression: String, _ pattern: TextPattern, name: String) -> SQL {
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
        return SQL("\(expression) GLOB :\(name)", [name: .text(String(glob))])
    }

    func folded(_ expression: String) -> String { "fold(\(expression))" }

    func rounded(_ expression: String, decimals: Int) -> String { "shown_number(\(expression), \(decimals))" }

    /// Returns the expression, because texts are compared by their bytes unless a column has another collation.
    func bytewise(_ expression: String) -> String { expression }

    func distance(to geometry: String) -> String { "geodesic_distance(\(geometry), :longitude, :latitude)" }

    /// Returns a source that reads the search index first, like the source of the spatial index.
    ///
    /// A text can occur several times in one comment, so the source groups the occurrences. A comment can contain all
    /// trigrams of a longer text without the text. The index appends U+0003 characters to each comment, which are not
    /// part of it. So only texts of at most three code points without U+0003 need no further condition.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)? {
        // The tokenizer counts code points, and ends a text at a NUL.
        guard !text.isEmpty, !text.unicodeScalars.contains("\0") else { return nil }
        let trigrams = Self.trigrams(text)
        guard findsShortTexts || !trigrams.isEmpty else { return nil }
        let found =
            trigrams.isEmpty
            ? SQL(
                """
                SELECT doc AS id
                  FROM event_comment_term
                  WHERE term >= :search_text AND term < :search_end
                  GROUP BY doc
                """, ["search_text": .text(text), "search_end": .text(text + Self.lastOfAll)])
            : SQL(
                """
                SELECT rowid AS id
                  FROM event_comment
                  WHERE event_comment MATCH :search_trigrams
                """, ["search_trigrams": .text(trigrams)])
        let from = """
            (
              \(found.text)
            ) AS candidate
            CROSS JOIN \(table) ON \(table).id = candidate.id
            """
        let areAll = text.unicodeScalars.count <= 3 && !text.unicodeScalars.contains("\u{3}")
        return (SQL(from, found.bindings), areAll)
    }

    func contains(_ text: String, in column: String, of table: String) -> SQL {
        SQL("instr(\(table).\(column), :search_text) > 0", ["search_text": .text(text)])
    }

    func containsWord(_ word: String, in table: String) -> SQL {
        SQL("contains_word(\(table).comment_folded, :search_word)", ["search_word": .text(word)])
    }

    func longitude(of geometry: String) -> String { "point_longitude(\(geometry))" }
    func latitude(of geometry: String) -> String { "point_latitude(\(geometry))" }

    /// CROSS JOIN, which fixes the order even with a condition.
    ///
    /// Source: SQLite, "The SQLite Query Optimizer Overview", section 7.3.
    var orderedJoin: String { "CROSS JOIN" }

    var newestEventJoin: String {
        """
        JOIN event ON event.habit_id = habit.id AND event.id = (
          SELECT newest.id FROM event AS newest WHERE newest.habit_id = habit.id ORDER BY newest.day DESC LIMIT 1
        )
        """
    }

    func events(withKeys keys: [EventKey]) -> SQL {
        SQL(
            """
            json_each(:event_keys) AS candidate
            CROSS JOIN event ON event.id = candidate.value
            """, ["event_keys": .list(keys.map(\.event))])
    }

    /// The events with the index of the skipped events, if it exists.
    ///
    /// SQLite estimates the same cost for the index of all events, and chooses the index that was created last.
    var skippedEvents: String { knowsSkippedDays ? "event INDEXED BY event_skipped" : "event" }

    var habitsAtOnce: Int { 1 }

    /// Returns no condition, because the indexes on habits do not contain the user.
    ///
    /// SQLite would look up all events of a user for each of the user's habits.
    func andUser(_ column: String, is user: String) -> String { "" }

    /// A LIMIT, which makes the subquery an optimization fence.
    ///
    /// SQLite neither flattens a subquery with a LIMIT into a query with a WHERE or a join, nor pushes conditions down
    /// into it (SQLite, "The SQLite Query Optimizer Overview", sections 12 and 13).
    var optimizationFence: String { "LIMIT -1" }

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
