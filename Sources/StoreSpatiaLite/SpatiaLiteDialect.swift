import Geo
import StoreEngine

struct SpatiaLiteDialect: Dialect {
    /// Whether the search index knows texts of one and two characters.
    let findsShortTexts: Bool
    /// Whether there is an index of the few skipped days.
    let knowsSkippedDays: Bool

    /// How far beyond the box the index is searched, in degrees. It holds 32-bit boxes rounded outward; those that SpatiaLite's
    /// triggers write are not, where a coordinate lies within 1e-12 of a 32-bit number.
    private static let margin = 1e-9

    /// The index goes first: CROSS JOIN fixes the order. It gives a few rows too many and none too few; UNION, since one of them may lie in two windows.
    func candidates(in box: BoundingBox, of table: String) -> SQL {
        let windows = box.parts.indices.map { part in
            """
            SELECT pkid
              FROM idx_\(table)_geometry
              WHERE xmin <= :window_east\(part) + \(Self.margin) AND xmax >= :window_west\(part) - \(Self.margin)
                AND ymin <= :window_north + \(Self.margin) AND ymax >= :window_south - \(Self.margin)
            """
        }
        let from = """
            (
              \(windows.joined(separator: "\n  UNION\n  "))
            ) AS candidate
            CROSS JOIN \(table) ON \(table).id = candidate.pkid
            """
        return SQL(from, box.bindings(prefix: "window"))
    }

    func isInside(_ box: BoundingBox, geometry: String) -> SQL {
        let parts = box.parts.indices.map {
            "point_in_box(\(geometry), :bbox_west\($0), :bbox_south, :bbox_east\($0), :bbox_north)"
        }
        return SQL("(\(parts.joined(separator: " OR ")))", box.bindings(prefix: "bbox"))
    }

    func distance(to geometry: String) -> String { "geodesic_distance(\(geometry), :longitude, :latitude)" }

    /// The search index goes first, as the spatial one does. A text may stand in an event's comment several times. All trigrams of
    /// a longer one may stand in a comment without it, and what the index has behind each comment is no part of it.
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

    /// CROSS JOIN fixes the order, with a condition too (SQLite, "The SQLite Query Optimizer Overview", section 7.3).
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

    /// To SQLite the index of all events is as good as that of the few, and of two such it takes the one made last.
    var skippedEvents: String { knowsSkippedDays ? "event INDEXED BY event_skipped" : "event" }

    var habitsAtOnce: Int { 1 }

    /// A subquery with a LIMIT is neither flattened into a query with a WHERE or a join, nor are conditions pushed down into
    /// it (SQLite, "The SQLite Query Optimizer Overview", sections 12 and 13).
    var barrier: String { "LIMIT -1" }

    /// Behind a text, greater than whatever trigram begins with that text.
    private static let lastOfAll = String(repeating: "\u{10FFFF}", count: 3)

    /// An FTS5 query for all trigrams of `text`, each a quoted string; empty where `text` has less than three characters.
    ///
    /// By code points, as FTS5 reads it: a quote and a combining mark behind it are one character of Swift's.
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
