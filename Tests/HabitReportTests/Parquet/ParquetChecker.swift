import Foundation
import HabitTestSupport
import StoreEngine

@testable import Rendering

/// Parquet files and their expected content, which PyArrow and DuckDB read and compare.
struct ParquetChecker {
    private let folder: TemporaryFolder
    private var count = 0

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows.
    ///   - rows: The rows of the file.
    ///   - types: The expected types of the columns in PyArrow.
    ///   - values: The expected rows: dates as ISO texts, instants in microseconds, BLOBs in hexadecimal.
    ///   - groups: The expected number of row groups, or `nil` if it is not compared.
    ///   - options: The options of the output.
    /// - Throws: The errors of the renderer and of the file system.
    mutating func add(
        _ shape: ResultShape, _ rows: [TestRow], types: [String], values: [[Any?]], groups: Int? = nil,
        options: RenderOptions = RenderOptions()
    ) throws {
        count += 1
        let output = OutputBuffer()
        try OutputFormat.parquet.renderer(for: shape, options: options, into: output).render(rows)
        try folder.write(Data(output.contents), to: "\(count).parquet")
        let cells: [[Any]] = values.map { row in
            row.map { value in value ?? NSNull() }
        }
        let expected: [String: Any] = [
            "types": types,
            "rows": cells,
            "groups": groups ?? -1,
        ]
        try folder.write(try JSONSerialization.data(withJSONObject: expected), to: "\(count).json")
    }

    /// Writes a file whose statistics are compared with its own rows, and not with expected values.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows.
    ///   - rows: The rows of the file.
    ///   - groups: The expected number of row groups.
    /// - Throws: The errors of the renderer and of the file system.
    mutating func addUncompared(_ shape: ResultShape, _ rows: [TestRow], groups: Int) throws {
        count += 1
        let output = OutputBuffer()
        try OutputFormat.parquet.renderer(for: shape, into: output).render(rows)
        try folder.write(Data(output.contents), to: "\(count).parquet")
        try folder.write(Data("{\"groups\": \(groups)}".utf8), to: "\(count).json")
    }

    /// Returns the metadata and the problems that the readers find, one for each line.
    func problems() async throws -> String {
        let result = try await TestPython.run(Self.script, [folder.path, "\(count)"])
        return result.output + result.errors
    }

    /// Compares the files with their expected content.
    private static let script = """
        import datetime, json, os, subprocess, sys
        import pyarrow.parquet, shapely

        EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)

        def plain(value):
            if isinstance(value, datetime.datetime):
                return (value - EPOCH) // datetime.timedelta(microseconds=1)
            if isinstance(value, datetime.date):
                return value.isoformat()
            if isinstance(value, bytes):
                return value.hex()
            if isinstance(value, dict):
                return [plain(item) for item in value.values()]
            return value

        # Parquet orders floating-point numbers as numbers, and texts by their bytes.
        def order(value):
            return value.encode() if isinstance(value, str) else value

        # The numbers of the types in well-known binary form.
        KINDS = {"Point": 1, "Polygon": 3, "MultiPolygon": 6}

        def check_geometries(name, column, chunk, values):
            if str(column.logical_type) != "Geometry(crs=OGC:CRS84)":
                print(name, "logical type", column.logical_type)
            if chunk.statistics.has_min_max:
                print(name, "the geometry has bounds")
            found = chunk.geo_statistics and chunk.geo_statistics.to_dict()
            if not values:
                if found is not None:
                    print(name, "statistics without geometries", found)
                return
            shapes = [shapely.from_wkb(value) for value in values]
            box = dict(zip(("xmin", "ymin", "xmax", "ymax"), map(float, shapely.total_bounds(shapes))))
            kinds = sorted({KINDS[shape.geom_type] for shape in shapes})
            expected = dict.fromkeys(found) | box | {"geospatial_types": kinds}
            if found != expected:
                print(name, "geospatial statistics", found, expected)

        def check(path):
            with open(path + ".json") as file:
                expected = json.load(file)
            name = path + ".parquet"
            table = pyarrow.parquet.read_table(name)
            types = [f"{field.name}: {field.type}" for field in table.schema]
            if types != expected.get("types", types):
                print(name, "types", types)
            rows = [[plain(value) for value in row.values()] for row in table.to_pylist()]
            if rows != expected.get("rows", rows):
                differing = [pair for pair in zip(rows, expected["rows"]) if pair[0] != pair[1]]
                print(name, "rows", len(rows), differing[:2])
            file = pyarrow.parquet.ParquetFile(name)
            if expected["groups"] not in (-1, file.num_row_groups):
                print(name, "groups", file.num_row_groups)
            for number in range(file.num_row_groups):
                group = file.read_row_group(number).flatten()
                for index in range(file.metadata.num_columns):
                    chunk = file.metadata.row_group(number).column(index)
                    values = group.column(index).to_pylist()
                    present = [value for value in values if value is not None]
                    bounds = chunk.statistics
                    if chunk.path_in_schema == "geometry":
                        check_geometries(name, file.schema.column(index), chunk, present)
                    if bounds.null_count != len(values) - len(present):
                        print(name, "null count", chunk.path_in_schema, bounds.null_count)
                    if bounds.has_min_max and (order(bounds.min) != min(map(order, present))
                                               or order(bounds.max) != max(map(order, present))):
                        print(name, "bounds", chunk.path_in_schema, bounds.min, bounds.max)
                    if not bounds.has_min_max and present and chunk.path_in_schema not in ("geometry", "long"):
                        print(name, "no bounds", chunk.path_in_schema)
            return len(rows), len(types)

        os.chdir(sys.argv[1])
        numbers = range(1, int(sys.argv[2]) + 1)
        sizes = [check(str(number)) for number in numbers]
        # DuckDB decodes all values of all files.
        duckdb = os.path.dirname(sys.executable) + "/duckdb"
        for number, size in zip(numbers, sizes):
            sql = f"COPY (FROM '{number}.parquet') TO '{number}-duckdb.parquet'"
            done = subprocess.run([duckdb, "-init", "/dev/null", "-c", sql], capture_output=True, text=True)
            if done.returncode:
                print(number, done.stderr)
                continue
            columns = [name for name in pyarrow.parquet.read_schema(f"{number}.parquet").names if name != "geometry"]
            ours = pyarrow.parquet.read_table(f"{number}.parquet", columns=columns).to_pylist()
            copy = pyarrow.parquet.read_table(f"{number}-duckdb.parquet", columns=columns).to_pylist()
            if ours != copy:
                print(number, "DuckDB reads other values", [pair for pair in zip(ours, copy) if pair[0] != pair[1]][:2])
        """
}
