import Geo
import StoreEngine

/// The SQL fragments of PostgreSQL with PostGIS.
struct PostGISDialect: Dialect {
    /// The schema in which PostGIS is installed.
    let postgis: String
    /// The properties of PostgreSQL.
    ///
    /// - `hasTileCounts` is `false` on a cluster, because triggers maintain the counts, and a distributed table has no
    ///   triggers.
    /// - `optimizationFence` is an OFFSET clause, because the server plans a subquery with OFFSET separately.
    /// - `hintedIndexes` is empty, because the planner selects the indexes.
    let traits: EngineTraits
    private let partition: String

    /// Creates the dialect of a store.
    ///
    /// - Parameters:
    ///   - declaration: The declaration of the schema.
    ///   - postgis: The schema in which PostGIS is installed.
    ///   - isDistributed: Whether Citus distributes the store over several servers.
    init(_ declaration: SchemaDeclaration, postgis: String, isDistributed: Bool) {
        self.postgis = postgis
        partition = declaration.partitions.column
        traits = EngineTraits(
            isDistributed: isDistributed,
            partitionColumn: partition,
            needsRoundTrips: true,
            hasLateralJoins: true,
            hasTileCounts: !isDistributed,
            orderedJoin: "JOIN",
            optimizationFence: "OFFSET 0",
            hintedIndexes: [])
    }

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

    func isInside(_ region: SpatialRegion, _ point: SQL) -> SQL {
        switch region {
        case .box(let box): isInside(box, point)
        case .area(let area, let includesBorder): isInside(area, point, includesBorder: includesBorder)
        }
    }

    private func isInside(_ box: BoundingBox, _ point: SQL) -> SQL {
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
    private func isInside(_ area: Area, _ point: SQL, includesBorder: Bool) -> SQL {
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

    /// Uses LIKE for a text, which compares bytes and is supported by the trigram index of `pg_trgm`.
    ///
    /// The index narrows the rows if the text has at least three characters. The server cannot determine the end of a
    /// word, so a table function of the session finds words.
    func contains(_ search: TextSearch, in column: String, of table: String, usesIndex: Bool) -> SQL {
        switch search {
        case .text(let text):
            let pattern = Self.pattern(containing: text)
            let name = "\(table).\(column)"
            let indexed: SQL = "\(raw: usesIndex ? name : "(\(name) || '')")"
            return "\(indexed) LIKE \(.text(pattern), as: "search_text")"
        case .words(let words):
            let function: SQL = "\(raw: RowsWithWords.name)(\(.text(words), as: "search_word"))"
            return "\(raw: table).id IN (SELECT key FROM \(function))"
        }
    }

    /// Returns the pattern of LIKE for texts that contain `text`.
    private static func pattern(containing text: String) -> String {
        var pattern = String.UnicodeScalarView("%".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" {
                pattern.append("\\")
            }
            pattern.append(scalar)
        }
        pattern.append("%")
        return String(pattern)
    }

    func coordinates(of point: SQL) -> CoordinatesSQL {
        CoordinatesSQL(
            longitude: "\(raw: postgis).ST_X(\(point))",
            latitude: "\(raw: postgis).ST_Y(\(point))")
    }

    /// The keys of the partitions select the partitions.
    func rows(of table: String, withKeys keys: [RowKey]) -> SQL {
        let pairs = keys.map { row in "[\(row.key),\(row.partition)]" }.joined(separator: ",")
        return SQL(
            """
            (
              SELECT CAST(value ->> 0 AS bigint) AS id, CAST(value ->> 1 AS bigint) AS \(partition)
              FROM json_array_elements(CAST(:row_keys AS json))
            ) AS candidate
            JOIN \(table) ON \(table).id = candidate.id AND \(table).\(partition) = candidate.\(partition)
            """,
            ["row_keys": .text("[\(pairs)]")])
    }
}
