import Geo
import StoreEngine

struct PostGISDialect: Dialect {
    /// The schema in which PostGIS is installed.
    let postgis: String
    /// Whether Citus distributes the events over several servers.
    let isDistributed: Bool

    /// Triggers maintain the counts, and a distributed table has no triggers.
    var hasEventMap: Bool { !isDistributed }

    /// Uses the spatial index.
    ///
    /// A box across the 180th meridian is two parts. PostGIS compares boxes of 32-bit numbers that are rounded outward.
    /// It may also find rows just outside the box.
    func candidates(in box: BoundingBox, of table: String, column: String, orKeys keys: [String]) -> SQL {
        let parts = box.parts.indices.map {
            "\(column) && ST_MakeEnvelope(:window_west\($0), :window_south, :window_east\($0), :window_north, 4326)"
        }
        // An array is evaluated once, so that the planner can look up its keys in an index.
        let others = keys.map { "id = ANY (ARRAY(\($0)))" }
        return SQL(
            "(SELECT * FROM \(table) WHERE \((parts + others).joined(separator: " OR "))) AS \(table)",
            box.bindings(prefix: "window"))
    }

    func isInside(_ box: BoundingBox, geometry: String, prefix: String) -> SQL {
        let parts = box.parts.indices.map {
            "ST_X(\(geometry)) BETWEEN :\(prefix)_west\($0) AND :\(prefix)_east\($0) AND ST_Y(\(geometry)) BETWEEN :\(prefix)_south AND :\(prefix)_north"
        }
        return SQL("(\(parts.joined(separator: " OR ")))", box.bindings(prefix: prefix))
    }

    /// Uses a predicate of PostGIS, which accepts every closed ring, for points that are not near a border.
    ///
    /// The predicate rounds, so a function of Habitat decides for the other points. No rounding error is as large as 1e-9
    /// degrees. The longitudes 180 and -180 are the same meridian, so a point on it is tested on both sides of the plane.
    func isInside(_ area: Area, geometry: String, includesBorder: Bool, name: String) -> SQL {
        let polygons = "ST_GeomFromEWKB(:\(name))"
        let onMeridian = ["180", "-180"].map { longitude in
            "exact_side(ST_SetSRID(ST_MakePoint(\(longitude), ST_Y(\(geometry))), 4326), \(polygons))"
        }
        let text = """
            CASE
              WHEN abs(ST_X(\(geometry))) = 180
              THEN greatest(\(onMeridian.joined(separator: ", "))) >= \(includesBorder ? 1 : 2)
              WHEN ST_Intersects(ST_Expand(\(geometry), 1e-9), ST_Boundary(\(polygons)))
              THEN exact_side(\(geometry), \(polygons)) >= \(includesBorder ? 1 : 2)
              ELSE ST_Intersects(\(geometry), \(polygons))
            END
            """
        return SQL(text, [name: .blob(area.ewkb)])
    }

    func matches(_ expression: String, _ pattern: TextPattern, name: String) -> SQL {
        var like = String.UnicodeScalarView()
        for part in pattern.parts {
            switch part {
            case .any: like.append("%")
            case .one: like.append("_")
            case .literal(let scalar) where "%_\\".unicodeScalars.contains(scalar):
                like.append(contentsOf: ["\\", scalar])
            case .literal(let scalar): like.append(scalar)
            }
        }
        return SQL("\(expression) LIKE :\(name)", [name: .text(String(like))])
    }

    func folded(_ expression: String) -> String { "fold(\(expression))" }

    /// Uses `to_char`, which formats a `double precision` with C's `%.*f`.
    func rounded(_ expression: String, decimals: Int) -> String {
        let fraction = String(repeating: "0", count: decimals)
        return "to_char((\(expression))::double precision, 'FM999999990.\(fraction)')::double precision"
    }

    func bytewise(_ expression: String) -> String { "(\(expression)) COLLATE \"C\"" }

    /// Uses the geodesic of GeographicLib in PROJ.
    ///
    /// For a `geography`, PostGIS would round the result to 1e-8 m.
    func distance(to geometry: String) -> String {
        "ST_DistanceSpheroid(\(geometry), ST_SetSRID(ST_MakePoint(:longitude, :latitude), 4326))"
    }

    /// Returns `nil`, because the planner selects the search index without this hint.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)? { nil }

    /// Uses LIKE, which compares bytes and is supported by the trigram index of `pg_trgm`.
    ///
    /// The index narrows the rows if the text has at least three characters.
    func contains(_ text: String, in column: String, of table: String) -> SQL {
        var pattern = String.UnicodeScalarView("%".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.append("\\") }
            pattern.append(scalar)
        }
        pattern.append("%")
        return SQL("\(table).\(column) LIKE :search_text", ["search_text": .text(String(pattern))])
    }

    func containsWord(_ word: String, in table: String) -> SQL {
        SQL("\(table).id IN (SELECT event FROM events_with_word(:search_word))", ["search_word": .text(word)])
    }

    func longitude(of geometry: String) -> String { "\(postgis).ST_X(\(geometry))" }
    func latitude(of geometry: String) -> String { "\(postgis).ST_Y(\(geometry))" }

    /// An OFFSET clause, because the server plans a subquery with OFFSET separately.
    var optimizationFence: String { "OFFSET 0" }

    var orderedJoin: String { "JOIN" }

    /// The condition on the user selects the partition.
    var newestEventJoin: String {
        """
        CROSS JOIN LATERAL (
          SELECT *
          FROM event AS newest
          WHERE newest.habit_id = habit.id AND newest.user_id = habit.user_id
          ORDER BY newest.day DESC
          LIMIT 1
        ) AS event
        """
    }

    /// The keys of the users select the partitions.
    func events(withKeys keys: [EventKey]) -> SQL {
        SQL(
            """
            (
              SELECT CAST(value ->> 0 AS bigint) AS id, CAST(value ->> 1 AS bigint) AS user_id
              FROM json_array_elements(CAST(:event_keys AS json))
            ) AS candidate
            JOIN event ON event.id = candidate.id AND event.user_id = candidate.user_id
            """,
            ["event_keys": .text("[\(keys.map { "[\($0.event),\($0.user)]" }.joined(separator: ","))]")])
    }

    /// Searches the events of each habit separately.
    ///
    /// For one search over all habits, the planner would estimate that a scan of all events on these days costs less.
    func events(ofHabits keys: String) -> String {
        """
        (SELECT id, user_id FROM habit WHERE id IN (\(keys))) AS habit
        CROSS JOIN LATERAL (
          SELECT *
          FROM event
          WHERE event.habit_id = habit.id AND event.user_id = habit.user_id AND event.day >= :from_day
          OFFSET 0
        ) AS event
        """
    }

    func keys(listedIn parameter: String) -> String { "SELECT key FROM \(ListedKeys.name)(\(parameter))" }

    func andUser(_ column: String, is user: String) -> String { " AND \(column) = \(user)" }

    var hasUserInForeignKeys: Bool { true }

    /// The number of habits in one statement.
    ///
    /// Each statement costs a network round trip.
    var habitsAtOnce: Int { 2048 }

    /// The number of viewers in one statement.
    ///
    /// On a cluster, each statement is planned for each shard.
    var viewersAtOnce: Int { isDistributed ? 256 : 64 }
}
