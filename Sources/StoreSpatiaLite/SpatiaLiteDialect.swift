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

    func isInside(_ box: BoundingBox, _ point: SQL) -> SQL {
        let parts = box.parts.map { part -> SQL in
            let edges: [SQL] = [
                "\(.number(part.west), as: "west")", "\(.number(part.south), as: "south")",
                "\(.number(part.east), as: "east")", "\(.number(part.north), as: "north")",
            ]
            return "point_in_box(\(point), \(edges.joined(separator: ", ")))"
        }
        return "(\(parts.joined(separator: " OR ")))"
    }

    func isInside(_ area: Area, _ point: SQL, includesBorder: Bool) -> SQL {
        // The function returns 2 inside the area, 1 on its border and 0 outside.
        "point_in_area(\(point), \(.blob(area.ewkb), as: "area")) >= \(raw: includesBorder ? "1" : "2")"
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
    /// A text can occur several times in one comment, so the source groups the occurrences. A comment can contain all
    /// trigrams of a longer text without the text. The index appends U+0003 characters to each comment, which are not
    /// part of it. So only texts of at most three code points without U+0003 need no further condition.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)? {
        // The tokenizer counts code points, and ends a text at a NUL.
        guard !text.isEmpty, !text.unicodeScalars.contains("\0") else { return nil }
        let trigrams = Self.trigrams(text)
        guard findsShortTexts || !trigrams.isEmpty else { return nil }
        let found = trigrams.isEmpty ? Self.rows(holdingShort: text) : Self.rows(holdingTrigrams: trigrams)
        let from: SQL = """
            (
              \(found)
            ) AS candidate
            CROSS JOIN \(raw: table) ON \(raw: table).id = candidate.id
            """
        let areAll = text.unicodeScalars.count <= 3 && !text.unicodeScalars.contains("\u{3}")
        return (from, areAll)
    }

    /// Returns a SELECT of the keys of the rows that contain a text of one or two characters.
    private static func rows(holdingShort text: String) -> SQL {
        """
        SELECT doc AS id
          FROM event_comment_term
          WHERE term >= \(.text(text), as: "search_text") AND term < \(.text(text + lastOfAll), as: "search_end")
          GROUP BY doc
        """
    }

    /// Returns a SELECT of the keys of the rows that contain some trigrams.
    private static func rows(holdingTrigrams trigrams: String) -> SQL {
        """
        SELECT rowid AS id
          FROM event_comment
          WHERE event_comment MATCH \(.text(trigrams), as: "search_trigrams")
        """
    }

    func contains(_ text: String, in column: SQL) -> SQL {
        "instr(\(column), \(.text(text), as: "search_text")) > 0"
    }

    func containsWord(_ word: String, in table: String) -> SQL {
        "contains_word(\(raw: table).comment_folded, \(.text(word), as: "search_word"))"
    }

    func longitude(of point: SQL) -> SQL { "point_longitude(\(point))" }
    func latitude(of point: SQL) -> SQL { "point_latitude(\(point))" }

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
        """
        json_each(\(.list(keys.map(\.event)), as: "event_keys")) AS candidate
        CROSS JOIN event ON event.id = candidate.value
        """
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
