import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests that a Parquet file has the features, the properties and the positions that the same viewer sees as GeoJSON, and
/// that its statistics and its metadata cover only these.
@Suite(.serialized, .enabled(if: TestPython.isInstalled, "the Python packages of the tests are not installed"))
struct FeatureFileVisibilityTests {
    /// The parameters with which each collection is compared, in addition to a request without parameters.
    private static let queries: [String: [String]] = [
        "events": [
            "scope=all", "scope=friends", "scope=all&near=10,50&within=50km", "scope=all&near=10,50&limit=1",
            "scope=all&near=10,50&sortby=-time", "scope=all&bbox=9,49,10.005,51", "scope=all&user=owner",
            "scope=all&properties=title,user_name", "scope=all&properties=id,longitude", "scope=all&precision=1",
            "scope=all&limit=2", "scope=all&photo-links=signed", "scope=all&habit-title=run",
            "scope=all&datetime=2026-11-17/2026-11-18", "scope=all&filter=comment%20IS%20NULL",
            "scope=all&comment-contains=sun", "scope=all&datetime=1999-01-01",
        ],
        "located-events": ["scope=all", "scope=all&bbox=170,-20,-170,0"],
        "items": ["state=all", "near=10,50&within=1km", "properties=name"],
        "posts": ["near=10,50", "filter=caption%20=%20'first'"],
        "habits": ["user=owner", "properties=title,status,color"], "messages": ["sortby=-time"],
        "users": ["search=a"], "follows": ["status=pending"],
    ]

    /// The viewers: the users of the scene, the operator, and a client without a token.
    private static let viewers: [String?] = Scene.users + ["operator", nil]

    private static let publicCollections: Set = ["events", "located-events", "items", "posts", "habits"]

    /// A file and the features that the same viewer sees, with the number of features.
    private struct Pair {
        let name: String
        let count: Int
    }

    /// Requests a list as Parquet and as GeoJSON, and returns `nil` if the viewer can see neither.
    private static func pair(
        _ path: String,
        as viewer: String?,
        from client: ServerClient,
        in folder: TemporaryFolder
    ) async throws -> Pair? {
        let separator = path.contains("?") ? "&" : "?"
        let file = try await client.send(path: "\(path)\(separator)f=parquet", as: viewer)
        let list = try await client.send(path: "\(path)\(separator)f=geojson", as: viewer)
        #expect(file.status == list.status, "\(viewer ?? "-") \(path): \(file.status) \(list)")
        guard file.status == 200 else {
            #expect(file.slug == list.slug, "\(viewer ?? "-") \(path): \(file)")
            return nil
        }
        let name = "\(viewer ?? "nobody") \(path)".replacing("/", with: "|")
        try folder.write(Data(file.body), to: "\(name).parquet")
        try folder.write(Data(list.body), to: "\(name).geojson")
        return Pair(name: name, count: list.features.count)
    }

    @Test func fileHasFeaturesOfListForEachViewer() async throws {
        let folder = try TemporaryFolder()
        let fixture = try await ServerFixture(Scene.friends + Scene.exchange) { options in
            options.publicCollections = Self.publicCollections
        }
        try await fixture.run { client in
            let places = #"{"private_places":"50.0,10.0 2km home"}"#
            let changed = try await client.send(.patch, path: "/user", as: "owner", places)
            #expect(changed.status == 200, "\(changed)")
            var pairs: [Pair] = []
            for viewer in Self.viewers {
                for collection in FeatureCollection.all {
                    let path = "/collections/\(collection.id)/items"
                    let queries = Self.queries[collection.id, default: []].map { query in "\(path)?\(query)" }
                    for path in [path] + queries {
                        if let pair = try await Self.pair(path, as: viewer, from: client, in: folder) {
                            pairs.append(pair)
                        }
                    }
                }
            }
            // The viewers see different numbers of features.
            let counts = Dictionary(uniqueKeysWithValues: pairs.map { pair in (pair.name, pair.count) })
            #expect(counts["owner |collections|events|items?scope=all"] == 4)
            #expect(counts["latest |collections|events|items?scope=all"] == 2)
            #expect(counts["stranger |collections|events|items?scope=all"] == 1)
            #expect(counts["nobody |collections|events|items"] == 5)
            #expect(counts["nobody |collections|messages|items"] == nil)
        }
        let result = try await TestPython.run(Self.script, [folder.path])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "", "\(result)")
    }

    /// The pages of the list have at most 100 features, and the file has all of them in one order.
    @Test func fileHasFeaturesOfAllPages() async throws {
        let last = try #require(Day("2026-11-19"))
        let events = (0..<250).map { number -> Record in
            let day = last.advanced(by: -number).description
            return .event("daily", day, id: "n\(number)", comment: "run \(number)")
        }
        let records = [Record.habit("daily", of: "owner", title: "Daily")] + events
        let folder = try TemporaryFolder()
        try await ServerFixture(Scene.friends + records).run { client in
            for (query, count) in [("", 254), ("&limit=101", 101), ("&limit=20000", 254)] {
                let path = "/collections/events/items?scope=mine\(query)"
                let file = try await client.send(path: "\(path)&f=parquet", as: "owner")
                let limit = query.isEmpty ? "&limit=10000" : ""
                let list = try await client.send(path: path + limit, as: "owner")
                #expect(list.features.count == count, "\(query)")
                try folder.write(Data(file.body), to: "all\(count)\(query).parquet")
                try folder.write(Data(list.body), to: "all\(count)\(query).geojson")
            }
        }
        let result = try await TestPython.run(Self.script, [folder.path])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "", "\(result)")
    }

    @Test func duckDBAndGeoPandasReadFile() async throws {
        let folder = try TemporaryFolder()
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items?scope=all&f=parquet&properties=id,day"
            let file = try await client.send(path: path, as: "operator")
            try folder.write(Data(file.body), to: "events.parquet")
        }
        let rows = try await ParquetText.text(of: folder.file("events.parquet"))
        #expect(rows.contains("geometry GEOMETRY('OGC:CRS84')"), "\(rows)")
        #expect(rows.contains("r17,2026-11-17"), "\(rows)")
        let result = try await TestPython.run(
            """
            import geopandas
            frame = geopandas.read_parquet("events.parquet")
            print(len(frame), frame.crs.to_string(), frame.geometry.isna().sum(), *frame.total_bounds)
            """, [], in: folder.path)
        #expect(result.output == "5 OGC:CRS84 1 -179.99 -16.0 10.01 50.0\n", "\(result)")
    }

    /// Compares each file `NAME.parquet` of a folder with `NAME.geojson`, and prints the differences.
    private static let script = """
        import datetime, json, os, struct, sys
        import pyarrow.parquet

        OFFSETS = ("utc_offset", "_utc_offset")

        def same(value, shown):
            if isinstance(value, datetime.datetime):
                return value == datetime.datetime.fromisoformat(shown)
            if isinstance(value, datetime.date):
                return value.isoformat() == shown
            if isinstance(shown, (list, dict)):
                return json.loads(value) == shown
            return value == shown and isinstance(value, bool) == isinstance(shown, bool)

        def point(geometry):
            return None if geometry is None else list(struct.unpack("<dd", geometry[5:]))

        # Parquet orders texts by their bytes.
        def order(value):
            return value.encode() if isinstance(value, str) else value

        def check_statistics(name, file, positions):
            metadata = file.metadata
            for number in range(metadata.num_row_groups):
                group = file.read_row_group(number).flatten()
                for index in range(metadata.num_columns):
                    chunk = metadata.row_group(number).column(index)
                    values = [value for value in group.column(index).to_pylist() if value is not None]
                    bounds = chunk.statistics
                    if chunk.path_in_schema == "geometry":
                        if bounds.has_min_max:
                            print(name, "the geometry has bounds")
                        check_geometry(name, chunk.geo_statistics, list(filter(None, positions)))
                    elif bounds.has_min_max:
                        keys = list(map(order, values))
                        if [order(bounds.min), order(bounds.max)] != [min(keys), max(keys)]:
                            print(name, chunk.path_in_schema, "bounds", bounds)

        def check_geometry(name, statistics, positions):
            if not positions:
                if statistics is not None:
                    print(name, "statistics without geometries", statistics)
                return
            box = [statistics.xmin, statistics.ymin, statistics.xmax, statistics.ymax]
            longitudes, latitudes = zip(*positions)
            if box != [min(longitudes), min(latitudes), max(longitudes), max(latitudes)]:
                print(name, "box", box)

        def check(name):
            file = pyarrow.parquet.ParquetFile(name + ".parquet")
            rows = file.read().to_pylist()
            with open(name + ".geojson", encoding="utf-8") as document:
                features = json.load(document)["features"]
            if len(rows) != len(features):
                print(name, len(rows), "rows and", len(features), "features")
            names = [column for column in file.schema_arrow.names if not column.endswith(OFFSETS)]
            properties = [column for column in names if column not in ("geometry", "bbox")]
            for row, feature in zip(rows, features):
                shown = feature["properties"]
                if properties != list(shown):
                    print(name, "columns", properties, list(shown))
                    break
                for column in properties:
                    if not same(row[column], shown[column]):
                        print(name, column, repr(row[column]), repr(shown[column]))
                geometry = feature["geometry"] and feature["geometry"]["coordinates"]
                if point(row.get("geometry")) != geometry:
                    print(name, "geometry", row.get("geometry"), geometry)
            check_statistics(name, file, [point(row.get("geometry")) for row in rows])
            geo = json.loads((file.metadata.metadata or {}).get(b"geo", b"null"))
            if (geo is None) != ("geometry" not in names):
                print(name, "metadata", geo)

        os.chdir(sys.argv[1])
        for name in sorted(os.listdir()):
            if name.endswith(".parquet"):
                check(name.removesuffix(".parquet"))
        """
}
