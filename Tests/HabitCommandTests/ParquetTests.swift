import Foundation
import HabitModel
import HabitTestSupport
import Testing

/// Tests that Parquet files have the same names and values as the other formats, with types.
@Suite(.engineIndependent, .enabled(if: TestPython.isInstalled, "the Python packages of the tests are not installed"))
struct ParquetTests {
    /// Compares each file `NAME.parquet` of a folder with `NAME.ndjson`.
    private static let script = """
        import datetime, json, os, struct, sys
        import pyarrow, pyarrow.parquet

        UTC = datetime.timezone.utc

        def instant(row, name):
            offset = "utc_offset" if name == "at" else name.removesuffix("_at") + "_utc_offset"
            minutes = row.get(offset)
            return row[name], minutes

        def same(field, row, text):
            name, value = field.name, row[field.name]
            if value is None or text is None:
                return value is text
            if pyarrow.types.is_timestamp(field.type):
                at, minutes = instant(row, name)
                parsed = datetime.datetime.fromisoformat(text)
                offset = None if text.endswith("Z") else parsed.utcoffset() // datetime.timedelta(minutes=1)
                return at == parsed and minutes == offset
            if pyarrow.types.is_date(field.type):
                return value.isoformat() == text
            # A number without decimals is an integer in JSON.
            if isinstance(value, float):
                return struct.pack("d", value) == struct.pack("d", text)
            return type(value) is type(text) and value == text or isinstance(text, list) and json.loads(value) == text

        def coordinates(value):
            if value is None:
                return None, None
            assert value[:5] == bytes([1, 1, 0, 0, 0]) and len(value) == 21
            return struct.unpack("<dd", value[5:])

        def bits(number):
            return None if number is None else struct.pack("d", number)

        def check(path):
            schema = pyarrow.parquet.read_schema(path + ".parquet")
            rows = pyarrow.parquet.read_table(path + ".parquet").to_pylist()
            lines = []
            if os.path.exists(path + ".ndjson"):
                with open(path + ".ndjson", encoding="utf-8") as file:
                    lines = [json.loads(line) for line in file]
            if len(rows) != len(lines):
                print(path, len(rows), "rows, not", len(lines))
            fields = {field.name: field for field in schema}
            for row, line in zip(rows, lines):
                names = [name for name in schema.names if not name.endswith("utc_offset") and name not in ("geometry", "bbox")]
                if names != [name for name in line if name not in ("longitude", "latitude")]:
                    print(path, "columns", names, list(line))
                    break
                isBox = "west" in line
                point = None if isBox else row.get("geometry")
                position = dict(zip(("longitude", "latitude"), coordinates(point)))
                shown = {name: line[name] for name in position if name in line}
                if (bool(shown) or isBox) != ("geometry" in fields) or not isBox and any(
                        bits(position[name]) != bits(value) for name, value in shown.items()):
                    print(path, "position", position, shown)
                for name in names:
                    if not same(fields[name], row, line[name]):
                        print(path, name, fields[name].type, repr(row[name]), repr(line[name]))
            print(os.path.basename(path), len(rows), *[f"{field.name}:{field.type}" for field in schema if field.name != "bbox"])

        os.chdir(sys.argv[1])
        for name in sorted(os.listdir()):
            if name.endswith(".parquet"):
                check(name.removesuffix(".parquet"))
        """

    /// Writes the rows of commands as Parquet and as NDJSON, and returns a description of the equal files.
    private func compare(_ commands: [(name: String, words: [String])], in folder: TemporaryFolder) async throws
        -> [String]
    {
        let out = try TemporaryFolder()
        for (name, words) in commands {
            for format in ["parquet", "ndjson"] {
                let result = try await Program.habitat(
                    ["--now", Reports.now] + words + ["--output", out.file("\(name).\(format)")], in: folder)
                #expect(result.status == 0, "\(words): \(result.errors)")
            }
        }
        let result = try await TestPython.run(Self.script, [out.path])
        #expect(result.status == 0, "\(result.errors)")
        return result.lines
    }

    private static let lists: [(name: String, words: [String])] = [
        ("events", ["history"]), ("near", ["near", "38.7223,-9.1393", "--kind", "events,items,posts"]),
        ("habits", ["habit", "list"]), ("items", ["item", "list", "--state", "all"]),
        ("columns", ["history", "--columns", "day,latitude,user"]), ("days", ["history", "--columns", "id,day"]),
        ("users", ["user", "list"]), ("follows", ["follow", "list"]),
        ("none", ["history", "--from", "1999-01-01", "--to", "1999-01-02"]),
        ("query", ["query", "SELECT id, count(*) AS n, avg(longitude) AS x FROM events GROUP BY id ORDER BY id"]),
    ]

    @Test func listsEqualNDJSON() async throws {
        let lines = try await compare(Self.lists, in: try SampleData.folder())
        #expect(lines == Self.types, "\(lines.joined(separator: "\n"))")
    }

    /// The numbers of rows and the types of the columns of ``lists``.
    private static let types = [
        "columns 4990 day:date32[day] geometry:binary user:string",
        "days 4990 id:string day:date32[day]",
        "events 4990 \(eventTypes)",
        "follows 166 follower:string followee:string status:string share:string requested_at:timestamp[us, tz=UTC] "
            + "requested_utc_offset:int16",
        "habits 150 id:string user:string title:string reason:string days:string start:date32[day] end:date32[day] "
            + "status:string color:string completion_rate:double streak_current:int64 streak_longest:int64 "
            + "score:double times:int64 period_days:int64 target_amount:double unit:string "
            + "tint:int64 symbol:string rank:int64 remind_at:string",
        "items 300 id:string user:string name:string description:string state:string claimed_by:string "
            + "posted_at:timestamp[us, tz=UTC] posted_utc_offset:int16 expires:date32[day] has_photo:bool "
            + "geometry:binary",
        "near 1459 kind:string id:string user:string title:string at:timestamp[us, tz=UTC] utc_offset:int16 "
            + "geometry:binary distance_m:double",
        "none 0 \(eventTypes)", "query 4990 id:string n:int64 x:double",
        "users 40 id:string name:string following:string follower:string",
    ]

    private static let eventTypes =
        "id:string user:string habit:string title:string day:date32[day] at:timestamp[us, tz=UTC] utc_offset:int16 "
        + "comment:string outcome:string has_photo:bool unplanned:bool geometry:binary amount:double"

    @Test func listsOfAwkwardTextsEqualNDJSON() async throws {
        let lines = try await compare(Self.lists, in: try await AwkwardData.folder())
        #expect(lines.count == Self.lists.count, "\(lines.joined(separator: "\n"))")
    }

    /// A report has the types that its header declares.
    @Test func reportsEqualNDJSON() async throws {
        let commands = try Reports.ids.map { id in
            (id, ["report", "run", id] + (try Reports.example(id)))
        }
        let lines = try await compare(commands, in: try await SampleData.folder())
        #expect(lines.count == commands.count, "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.contains("at:timestamp[us, tz=UTC]") && $0.contains("day:date32[day]") })
    }

    /// Positions keep every bit in an export.
    @Test func exportEqualsNDJSONExport() async throws {
        for folder in [try await SampleData.folder(), try await AwkwardData.folder()] {
            let out = try TemporaryFolder()
            for format in ["parquet", "ndjson"] {
                let result = try await Program.habitat(
                    "export", out.file(format), "--format", format, "--store", folder.file("habitat.db"), in: folder)
                #expect(result.status == 0, "\(result.errors)")
                // The summary of Parquet files is text.
                #expect((result.lines.first?.hasPrefix("kind  ") == true) == (format == "parquet"), "\(result)")
                for name in try FileManager.default.contentsOfDirectory(atPath: out.file(format)) where name != "photos"
                {
                    try FileManager.default.moveItem(
                        atPath: out.file("\(format)/\(name)"), toPath: out.file(name))
                }
            }
            let result = try await TestPython.run(Self.script, [out.path])
            #expect(result.status == 0, "\(result)")
            #expect(result.lines.count == RecordKind.allCases.count, "\(result)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: out.file("parquet/photos")).sorted()
                    == FileManager.default.contentsOfDirectory(atPath: out.file("ndjson/photos")).sorted())
        }
    }

    @Test func geoPandasReadsSameFeaturesAsInGeoJSON() async throws {
        let out = try TemporaryFolder()
        for format in ["parquet", "geojson"] {
            let result = try await Program.habitat(
                "history", "--include-unlocated", "--output", out.file("events.\(format)"), in: try SampleData.folder())
            #expect(result.status == 0, "\(result.errors)")
        }
        let result = try await TestPython.run(
            """
            import geopandas, shapely, sys
            parquet = geopandas.read_parquet("events.parquet")
            geojson = geopandas.read_file("events.geojson")
            assert list(parquet.id) == list(geojson.id) and parquet.crs.to_string() == "OGC:CRS84"
            assert all(a == b if a else a is b for a, b in zip(parquet.geometry, geojson.geometry))
            box = (-9.16, 38.70, -9.13, 38.73)
            found = geopandas.read_parquet("events.parquet", bbox=box)
            inside = parquet[parquet.geometry.notna() & parquet.intersects(shapely.box(*box))]
            # The filter compares the boxes of the rows.
            assert 0 < len(inside) <= len(found) <= len(inside) + 1 and set(inside.id) <= set(found.id)
            print(len(parquet), parquet.geometry.isna().sum() > 0, len(found) < len(parquet))
            """, [], in: out.path)
        #expect(result.output == "4990 True True\n", "\(result.errors)")
    }

    /// The documented queries in DuckDB, and the same queries of the store.
    private static let questions: [(duckDB: String, habitat: String)] = [
        (
            "SELECT \"user\", count(*) AS events FROM 'events.parquet' GROUP BY \"user\"",
            "SELECT user, count(*) AS events FROM events GROUP BY user"
        ),
        (
            "SELECT date_trunc('month', day)::DATE AS month, count(*) AS events FROM 'events.parquet' GROUP BY month",
            "SELECT substr(day, 1, 7) || '-01' AS month, count(*) AS events FROM events GROUP BY substr(day, 1, 7)"
        ),
        (
            "SELECT title, isodow(day) AS weekday, count(*) AS events FROM 'events.parquet' GROUP BY title, weekday",
            "SELECT title, day_diff(day, week_start(day)) + 1 AS weekday, count(*) FROM events GROUP BY 1, 2"
        ),
        (
            "SELECT floor(bbox.xmin * 100)::INT AS x, floor(bbox.ymin * 100)::INT AS y, count(*) AS events FROM 'events.parquet' WHERE geometry IS NOT NULL GROUP BY x, y",
            "SELECT CAST(floor(longitude * 100) AS INTEGER), CAST(floor(latitude * 100) AS INTEGER), count(*) FROM events WHERE longitude IS NOT NULL GROUP BY 1, 2"
        ),
        (
            "SELECT day, count(DISTINCT \"user\") AS users FROM 'events.parquet' GROUP BY day",
            "SELECT day, count(DISTINCT user) FROM events GROUP BY day"
        ),
        (
            "SELECT habit, count(geometry) / count(*) AS located FROM 'events.parquet' GROUP BY habit",
            "SELECT habit, 1.0 * count(longitude) / count(*) FROM events GROUP BY habit"
        ),
    ]

    @Test(.fileStoreOnly) func duckDBAnswersQueriesLikeStore() async throws {
        let store = try await SampleData.folder()
        let out = try TemporaryFolder()
        let export = try await Program.habitat(
            "history", "--sort", "stored", "--output", out.file("events.parquet"), in: store)
        #expect(export.status == 0, "\(export.errors)")
        let page = try String(contentsOfFile: Program.repository + "/docs/parquet.md", encoding: .utf8)
        for (duckDB, habitat) in Self.questions {
            #expect(page.contains(duckDB.replacing("\"", with: "\\\"")), "\(duckDB) is not documented")
            let rows = try await ParquetText.query(duckDB, in: out.path).split(separator: "\n").dropFirst().sorted()
            let result = try await Program.habitat("query", habitat, "--format", "csv", in: store)
            let expected = parseCSV(result.output).dropFirst().map { $0.map { $0 ?? "NULL" } }
            let answers = parseCSV(rows.joined(separator: "\n") + "\n").map { $0.map { $0 ?? "" } }
            #expect(!answers.isEmpty, "\(result.errors)")
            #expect(!expected.isEmpty, "\(result.errors)")
            if duckDB.contains("bbox") {
                // An event near the edge of a cell may be in the adjacent cell.
                let difference = Set(answers).symmetricDifference(expected)
                #expect(difference.count * 4 <= answers.count, "\(difference)")
                #expect(Self.sum(answers) == Self.sum(expected), "\(difference)")
                continue
            }
            #expect(answers.count == expected.count)
            for (a, b) in zip(answers.sorted(by: Self.isBefore), expected.sorted(by: Self.isBefore)) {
                let isEqual = zip(a, b).allSatisfy { one, other in one == other || Double(one) == Double(other) }
                #expect(isEqual, "\(a) \(b)")
            }
        }
    }

    /// Returns the sum of the last column.
    private static func sum(_ rows: [[String]]) -> Int {
        let numbers = rows.compactMap { row in row.last.flatMap { Int($0) } }
        return numbers.reduce(0, +)
    }

    private static func isBefore(_ a: [String], _ b: [String]) -> Bool { a.lexicographicallyPrecedes(b) }

    @Test(.fileStoreOnly) func memoryDoesNotDependOnNumberOfRows() async throws {
        let folder = try await SampleData.folder()
        let script = """
            import resource, subprocess, sys
            result = subprocess.run(sys.argv[1:], stderr=subprocess.PIPE)
            print(result.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
            """
        let out = try TemporaryFolder()
        let sql = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000)
            SELECT i, 'text ' || i AS a, i / 7.0 AS b FROM n
            """
        let result = try await Program.run(
            "/usr/bin/python3",
            ["-c", script, Program.habitat, "query", sql, "--output", out.file("a.parquet")], in: folder.path)
        let words = result.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(words.count == 2, "\(result)")
        try #require(words[0] == 0, "\(result)")
        #expect(words[1] < 200, "\(result)")
        let size = try FileManager.default.attributesOfItem(atPath: out.file("a.parquet"))[.size] as? Int ?? 0
        #expect(size > 1_000_000)
    }

    @Test(.fileStoreOnly) func terminalDoesNotReceiveParquet() async throws {
        let script = """
            import os, pty, sys
            pid, terminal = pty.fork()
            if pid == 0:
                os.execv(sys.argv[1], sys.argv[1:])
            output = b""
            try:
                while chunk := os.read(terminal, 4096):
                    output += chunk
            except OSError:
                pass
            print(output.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let result = try await Program.run(
            "/usr/bin/python3", ["-c", script, Program.habitat, "history", "--format", "parquet"],
            in: try SampleData.folder().path, environment: TestServer.isUsed ? ["HABITAT_STORE": "x"] : [:])
        #expect(result.output.contains("error[format-not-available]: parquet is a binary format"), "\(result)")
        #expect(result.output.hasSuffix(" 64\n"))
    }
}
