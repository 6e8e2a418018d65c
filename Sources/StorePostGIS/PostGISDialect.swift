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
    func candidates(in box: BoundingBox, of table: String, column: String, orKeys keys: [SQL]) -> SQL {
        let parts = box.parts.map { part -> SQL in
            let edges: [SQL] = [
                "\(.number(part.west), as: "window_west")", "\(.number(part.south), as: "window_south")",
                "\(.number(part.east), as: "window_east")", "\(.number(part.north), as: "window_north")",
            ]
            return "\(raw: column) && ST_MakeEnvelope(\(edges.joined(separator: ", ")), 4326)"
        }
        // An array is evaluated once, so that the planner can look up its keys in an index.
        let others = keys.map { keys -> SQL in "id = ANY (ARRAY(\(keys)))" }
        let condition = (parts + others).joined(separator: " OR ")
        return "(SELECT * FROM \(raw: table) WHERE \(condition)) AS \(raw: table)"
    }

    func isInside(_ box: BoundingBox, _ point: SQL) -> SQL {
        let parts = box.parts.map { part -> SQL in
            let west: SQL = "\(.number(part.west), as: "west")"
            let east: SQL = "\(.number(part.east), as: "east")"
            let south: SQL = "\(.number(part.south), as: "south")"
            let north: SQL = "\(.number(part.north), as: "north")"
            return "ST_X(\(point)) BETWEEN \(west) AND \(east) AND ST_Y(\(point)) BETWEEN \(south) AND \(north)"
        }
        return "(\(parts.joined(separator: " OR ")))"
    }

    /// Uses a predicate of PostGIS, which accepts every closed ring, for points that are not near a border.
    ///
    /// The predicate rounds, so a function of Habitat decides for the other points. No rounding error is as large as 1e-9
    /// degrees. The longitudes 180 and -180 are the same meridian, so a point on it is tested on both sides of the plane.
    func isInside(_ area: Area, _ point: SQL, includesBorder: Bool) -> SQL {
        let polygons: SQL = "ST_GeomFromEWKB(\(.blob(area.ewkb), as: "area"))"
        let least = includesBorder ? "1" : "2"
        let onMeridian = ["180", "-180"].map { longitude -> SQL in
            "exact_side(ST_SetSRID(ST_MakePoint(\(raw: longitude), ST_Y(\(point))), 4326), \(polygons))"
        }
        return """
            CASE
              WHEN abs(ST_X(\(point))) = 180
              THEN greatest(\(onMeridian.joined(separator: ", "))) >= \(raw: least)
              WHEN ST_Intersects(ST_Expand(\(point), 1e-9), ST_Boundary(\(polygons)))
              THEN exact_side(\(point), \(polygons)) >= \(raw: least)
              ELSE ST_Intersects(\(point), \(polygons))
            END
            """
    }

    func matches(_ expression: SQL, _ pattern: TextPattern) -> SQL {
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
        return "\(expression) LIKE \(.text(String(like)), as: "pattern")"
    }

    func folded(_ expression: SQL) -> SQL { "fold(\(expression))" }

    /// Uses `to_char`, which formats a `double precision` with C's `%.*f`.
    func rounded(_ expression: SQL, decimals: Int) -> SQL {
        let fraction = String(repeating: "0", count: decimals)
        return "to_char((\(expression))::double precision, 'FM999999990.\(raw: fraction)')::double precision"
    }

    func bytewise(_ expression: SQL) -> SQL { "(\(expression)) COLLATE \"C\"" }

    /// Uses the geodesic of GeographicLib in PROJ.
    ///
    /// For a `geography`, PostGIS would round the result to 1e-8 m.
    func distance(from position: Position, to point: SQL) -> SQL {
        let longitude: SQL = "\(.number(position.longitude), as: "longitude")"
        let latitude: SQL = "\(.number(position.latitude), as: "latitude")"
        return "ST_DistanceSpheroid(\(point), ST_SetSRID(ST_MakePoint(\(longitude), \(latitude)), 4326))"
    }

    /// Returns `nil`, because the planner selects the search index without this hint.
    func candidates(holding text: String, of table: String) -> (from: SQL, areAll: Bool)? { nil }

    /// Uses LIKE, which compares bytes and is supported by the trigram index of `pg_trgm`.
    ///
    /// The index narrows the rows if the text has at least three characters.
    func contains(_ text: String, in column: SQL) -> SQL {
        var pattern = String.UnicodeScalarView("%".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.append("\\") }
            pattern.append(scalar)
        }
        pattern.append("%")
        return "\(column) LIKE \(.text(String(pattern)), as: "search_text")"
    }

    func containsWord(_ word: String, in table: String) -> SQL {
        "\(raw: table).id IN (SELECT event FROM events_with_word(\(.text(word), as: "search_word")))"
    }

    func longitude(of point: SQL) -> SQL { "\(raw: postgis).ST_X(\(point))" }
    func latitude(of point: SQL) -> SQL { "\(raw: postgis).ST_Y(\(point))" }

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
