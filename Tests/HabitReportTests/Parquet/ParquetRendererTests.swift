import Base
import Foundation
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import Rendering

/// Tests that PyArrow and DuckDB read the values, types and statistics of Parquet files.
@Suite(.enabled(if: TestPython.isInstalled, "the Python packages of the tests are not installed"))
struct ParquetRendererTests {
    /// A column of each type.
    private let shape = ResultShape(
        columns: [
            Column("text", .text, at: 0),
            Column("integer", .integer, at: 1),
            Column("number", .number(decimals: nil), at: 2),
            Column("m", .number(decimals: 3), at: 3),
            Column("flag", .boolean, at: 4),
            Column("day", .day, at: 5),
            Column("at", .instant(offset: 7), at: 6),
            Column("seen_at", .instant(offset: nil), at: 6),
            Column("posted_at", .instantText, at: 8),
            Column("json", .json, at: 9),
            Column("longitude", .longitude, at: 10),
            Column("latitude", .latitude, at: 10),
        ], geometry: 10, identity: ["text"])

    private let types = [
        "text: string", "integer: int64", "number: double", "m: double", "flag: bool", "day: date32[day]",
        "at: timestamp[us, tz=UTC]", "utc_offset: int16", "seen_at: timestamp[us, tz=UTC]",
        "posted_at: timestamp[us, tz=UTC]", "posted_utc_offset: int16", "json: extension<arrow.json>",
        "geometry: binary",
        "bbox: struct<xmin: float not null, ymin: float not null, xmax: float not null, ymax: float not null>",
    ]

    private let row = TestRow(
        .text("Runs, \"far\"\nagain 🦊"), .integer(-7), .number(0.1), .number(12.34567), .integer(1),
        .text("2026-11-20"),
        .integer(1_795_190_400_123_456), .integer(-210), .text("2026-11-20T07:15:00+01:00"), .text(#"{"a":[1]}"#),
        .point(-9.13931234567, 38.7223))

    /// The expected values of ``row``.
    private let values: [Any?] = [
        "Runs, \"far\"\nagain 🦊", -7, 0.1, 12.346, true, "2026-11-20", 1_795_190_400_123_456, -210,
        1_795_190_400_123_456, 1_795_155_300_000_000, 60, #"{"a":[1]}"#,
        ParquetRendererTests.point(-9.1393123, 38.7223), ParquetRendererTests.box(-9.1393123, 38.7223),
    ]

    private let nulls = TestRow(.null, .null, .null, .null, .null, .null, .null, .null, .null, .null, .null)

    /// Returns a point in well-known binary form in hexadecimal.
    private static func point(_ longitude: Double, _ latitude: Double) -> String {
        let output = OutputBuffer()
        output.append([1, 1, 0, 0, 0])
        output.append(littleEndian: longitude.bitPattern)
        output.append(littleEndian: latitude.bitPattern)
        let text = OutputBuffer()
        text.append(hex: output.contents.span)
        return text.text
    }

    /// Returns the bounding box of a point: the adjacent numbers of single precision.
    private static func box(_ longitude: Double, _ latitude: Double) -> [Double] {
        let west = Float(longitude)
        let south = Float(latitude)
        return [
            Double(west) > longitude ? west.nextDown : west, Double(south) > latitude ? south.nextDown : south,
            Double(west) < longitude ? west.nextUp : west, Double(south) < latitude ? south.nextUp : south,
        ].map { Double($0) }
    }

    @Test func columnsKeepTypesAndNulls() async throws {
        var checker = try ParquetChecker()
        let none: [Any?] = Array(repeating: nil, count: types.count)
        try checker.add(shape, [], types: types, values: [], groups: 0)
        try checker.add(shape, [row], types: types, values: [values], groups: 1)
        try checker.add(shape, [nulls], types: types, values: [none], groups: 1)
        try checker.add(shape, [row, nulls, row], types: types, values: [values, none, values], groups: 1)
        // Nine rows fill more than one byte of the bits that mark nulls.
        for count in [7, 8, 9, 16, 17] {
            let kinds = (0..<count).map { $0 % 3 == 1 }
            try checker.add(
                shape, kinds.map { $0 ? nulls : row }, types: types, values: kinds.map { $0 ? none : values })
        }
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    @Test func extremeValuesAreKept() async throws {
        var checker = try ParquetChecker()
        let shape = ResultShape(columns: [
            Column("integer", .integer, at: 0), Column("number", .number(decimals: nil), at: 1),
            Column("day", .day, at: 2), Column("text", .text, at: 3), Column("at", .instantText, at: 4),
        ])
        let rows: [(integer: Int64, number: Double, day: String, text: String, at: String, microseconds: Int)] = [
            (.min, -.greatestFiniteMagnitude, "0001-01-01", "", "0001-01-01T00:00:00Z", -62_135_596_800_000_000),
            (.max, .leastNonzeroMagnitude, "9999-12-31", "\0", "9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
            (0, -0.0, "1970-01-01", "\u{2028}\u{202e}\u{feff}", "1970-01-01T00:00:00Z", 0),
            (-1, -.leastNonzeroMagnitude, "1969-12-31", "👩‍👩‍👧", "1969-12-31T23:59:59Z", -1_000_000),
        ]
        let cells = rows.map { row in
            TestRow(
                .integer(row.integer),
                .number(row.number),
                .text(row.day),
                .text(row.text),
                .text(row.at))
        }
        let values = rows.map { row in
            [row.integer, row.number + 0, row.day, row.text, row.microseconds, nil] as [Any?]
        }
        try checker.add(
            shape, cells,
            types: [
                "integer: int64", "number: double", "day: date32[day]", "text: string", "at: timestamp[us, tz=UTC]",
                "utc_offset: int16",
            ],
            values: values)
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    @Test func illFormedTextIsReplacedAndNumberThatIsNotFiniteIsNull() async throws {
        var checker = try ParquetChecker()
        let shape = ResultShape(columns: [Column("a", .text, at: 0), Column("b", .number(decimals: 6), at: 1)])
        try checker.add(
            shape,
            [
                TestRow(.bytes([0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x82]), .number(.infinity)),
                TestRow(.bytes([0xED, 0xA0, 0x80]), .number(.nan)),
            ],
            types: ["a: string", "b: double"],
            values: [["a\u{FFFD}\u{FFFD}(\u{FFFD}", nil], ["\u{FFFD}\u{FFFD}\u{FFFD}", nil]])
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    /// The numbers of distinct values are at the limits of the bit widths and of the dictionary.
    @Test func repeatedAndDistinctValuesAreKept() async throws {
        var checker = try ParquetChecker()
        let shape = ResultShape(columns: [
            Column("text", .text, at: 0),
            Column("integer", .integer, at: 1),
            Column("number", .number(decimals: nil), at: 2),
            Column("day", .day, at: 3),
            Column("long", .text, at: 4),
        ])
        let types = ["text: string", "integer: int64", "number: double", "day: date32[day]", "long: string"]
        var random = SeededGenerator(seed: 7)
        let sizes = [
            (1, 1),
            (100, 1),
            (100, 2),
            (1000, 3),
            (1000, 255),
            (1000, 256),
            (1000, 257),
            (3000, 1000),
            (3000, 3000),
            (1500, 950),
            (20_000, 4097),
            (70_000, 70_000),
        ]
        for (count, distinct) in sizes {
            let rows = (0..<count).map { _ in Int.random(in: 0..<distinct, using: &random) }
            let days = rows.map { Day(number: Int32($0 - distinct / 2)).description }
            // A text of this length has no statistics.
            let long = String(repeating: "x", count: 100)
            var cells: [TestRow] = []
            var values: [[Any?]] = []
            for (number, day) in zip(rows, days) {
                if number % 7 == 3 {
                    cells.append(TestRow(.null, .null, .null, .null, .null))
                    values.append([nil, nil, nil, nil, nil])
                    continue
                }
                let integer = number * 1_000_000_007
                let real = Double(number) / 3
                cells.append(
                    TestRow(
                        .text("t\(number)"), .integer(Int64(integer)), .number(real), .text(day),
                        .text(long + "\(number)")))
                values.append(["t\(number)", integer, real, day, long + "\(number)"])
            }
            try checker.add(shape, cells, types: types, values: values)
        }
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    @Test func rowGroupsAreBoundedByRowsAndBytes() async throws {
        var checker = try ParquetChecker()
        let shape = ResultShape(columns: [Column("a", .integer, at: 0), Column("long", .text, at: 1)])
        let count = 122_880 * 2 + 1
        try checker.add(
            shape, (0..<count).map { TestRow(.integer(Int64($0)), .null) }, types: ["a: int64", "long: string"],
            values: (0..<count).map { [$0, nil] }, groups: 3)
        let text = String(repeating: "0123456789abcdef", count: 1 << 16)
        let longRows = (0..<33).map { number in TestRow(.integer(Int64(number)), .text(text)) }
        try checker.add(
            shape, longRows, types: ["a: int64", "long: string"],
            values: (0..<33).map { [$0, text] }, groups: 2)
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    /// Row groups end in the middle of a part, because of their number of rows or of their bytes.
    ///
    /// The last part has several row groups.
    @Test func partsHaveSameBytesAsRows() throws {
        var random = SeededGenerator(seed: 5)
        let sides = ["west", "south", "east", "north"].enumerated().map { index, name in
            Column(name, .number(decimals: 7), at: index)
        }
        var boxes = ResultShape(columns: sides)
        boxes.geometry = .box(west: 0, south: 1, east: 2, north: 3)
        let undeclaredColumns = ["a", "b", "c"].enumerated().map { index, name in
            Column(name, .any, at: index)
        }
        let undeclared = ResultShape(columns: undeclaredColumns)
        let long = String(repeating: "0123456789abcdef", count: 1 << 12)
        let samples: [(shape: ResultShape, rows: [TestRow])] = [
            (shape, (0..<260_000).map { [row, nulls, row][$0 % 3] }),
            (
                boxes,
                (0..<130_000).map { index in
                    guard index % 5 > 0 else { return TestRow(.null, .null, .null, .null) }
                    let west = Double(index % 170)
                    let south = Double(index % 80)
                    return TestRow(.number(west), .number(south), .number(west + 0.5), .number(south + 1))
                }
            ),
            (
                undeclared,
                (0..<2000).map {
                    let number = Double($0) / 3
                    return TestRow($0 % 9 == 0 ? .null : .integer(Int64($0)), .text("\($0)" + long), .number(number))
                }
            ),
        ]
        for (shape, rows) in samples {
            let whole = OutputBuffer()
            try OutputFormat.parquet.renderer(for: shape, into: whole).render(rows)
            let output = OutputBuffer()
            let renderer = try OutputFormat.parquet.renderer(for: shape, into: output)
            try renderer.begin()
            var rest = rows[...]
            while !rest.isEmpty {
                let part = try #require(DocumentPart(of: renderer))
                let isLast = rest.count < rows.count * 9 / 10
                let count = isLast ? rest.count : Int.random(in: 1...rows.count / 50, using: &random)
                for row in rest.prefix(count) { try part.renderer.append(row) }
                try part.finish()
                rest = rest.dropFirst(count)
            }
            try renderer.end()
            #expect(output.contents == whole.contents)
            #expect(renderer.rowCount == rows.count)
        }
    }

    @Test func boxAcrossAntimeridianIsMultiPolygon() async throws {
        var shape = ResultShape(columns: [
            Column("west", .number(decimals: 7), at: 0), Column("south", .number(decimals: 7), at: 1),
            Column("east", .number(decimals: 7), at: 2), Column("north", .number(decimals: 7), at: 3),
        ])
        shape.geometry = .box(west: 0, south: 1, east: 2, north: 3)
        let output = OutputBuffer()
        try OutputFormat.parquet.renderer(for: shape, into: output).render([
            TestRow(.number(179.9), .number(-17.1), .number(-179.9), .number(-17)),
            TestRow(.number(10), .number(20), .number(10.1), .number(20.1)),
            TestRow(.null, .null, .null, .null),
        ])
        let folder = try TemporaryFolder()
        try folder.write(Data(output.contents), to: "a.parquet")
        let result = try await TestPython.run(
            """
            import geopandas, json, pyarrow.parquet, sys
            frame = geopandas.read_parquet(sys.argv[1])
            print(list(frame.columns), frame.crs.to_string())
            print(list(frame.east))
            for shape in frame.geometry:
                print(shape)
            for shape in frame.geometry.dropna():
                if not all(part.exterior.is_ccw for part in getattr(shape, "geoms", [shape])):
                    print("not counterclockwise", shape)
            meta = json.loads(pyarrow.parquet.read_metadata(sys.argv[1]).metadata[b"geo"])
            print(json.dumps(meta))
            table = pyarrow.parquet.read_table(sys.argv[1])
            boxes = table["bbox"].to_pylist()
            for shape, box in zip(frame.geometry, boxes):
                west, south, east, north = shape.bounds if shape else (None,) * 4
                if (box is None) != (shape is None) or box and not (
                        box["xmin"] <= west and box["ymin"] <= south and box["xmax"] >= east and box["ymax"] >= north):
                    print("not covered", shape, box)
            """, [folder.file("a.parquet")])
        #expect(
            result.output == """
                ['west', 'south', 'east', 'north', 'geometry'] OGC:CRS84
                [-179.9, 10.1, nan]
                MULTIPOLYGON (((179.9 -17.1, 180 -17.1, 180 -17, 179.9 -17, 179.9 -17.1)), ((-180 -17.1, -179.9 -17.1, -179.9 -17, -180 -17, -180 -17.1)))
                POLYGON ((10 20, 10.1 20, 10.1 20.1, 10 20.1, 10 20))
                None
                {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB", "geometry_types": ["Polygon", "MultiPolygon"], "orientation": "counterclockwise", "bbox": [10, -17.1, -179.9, 20.1], "covering": {"bbox": {"xmin": ["bbox", "xmin"], "ymin": ["bbox", "ymin"], "xmax": ["bbox", "xmax"], "ymax": ["bbox", "ymax"]}}}}}

                """, "\(result.errors)")
    }

    @Test func boundingBoxesOfPointsAreRoundedOutward() async throws {
        var checker = try ParquetChecker()
        let shape = ResultShape(
            columns: [Column("longitude", .longitude, at: 0), Column("latitude", .latitude, at: 0)], geometry: 0)
        var random = SeededGenerator(seed: 11)
        var points: [(longitude: Double, latitude: Double)] = [
            (0, 0),
            (-180, -90),
            (180, 90),
            (0.5, -0.25),
            (1e-300, -1e-300),
        ]
        for _ in 0..<500 {
            let longitude = Double.random(in: -180...180, using: &random)
            let latitude = Double.random(in: -90...90, using: &random)
            points.append((longitude, latitude))
        }
        var options = RenderOptions()
        options.precision = nil
        let rows = points.map { point in TestRow(.point(point.longitude, point.latitude)) }
        let values: [[Any?]] = points.map { point in
            [Self.point(point.longitude, point.latitude), Self.box(point.longitude, point.latitude)]
        }
        try checker.add(
            shape, rows, types: Array(self.types.suffix(2)),
            values: values, options: options)
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    /// The groups have points in different places, no geometry, and boxes on both sides of the antimeridian.
    @Test func eachRowGroupHasGeospatialStatistics() async throws {
        var checker = try ParquetChecker()
        let points = ResultShape(
            columns: [Column("longitude", .longitude, at: 0), Column("latitude", .latitude, at: 0)], geometry: 0)
        let size = 122_880
        let rows = (0..<3 * size + 1).map { index in
            let place = Double(index % 1000) / 100
            switch index / size {
            case 0: return TestRow(.point(place - 180, place))
            case 1: return TestRow(.null)
            case 2: return TestRow(index % 2 == 0 ? .point(170 + place, -place) : .null)
            default: return TestRow(.point(180, 90))
            }
        }
        try checker.addUncompared(points, rows, groups: 4)
        var boxes = ResultShape(columns: [Column("n", .integer, at: 4)])
        boxes.geometry = .box(west: 0, south: 1, east: 2, north: 3)
        let crossing = TestRow(.number(179), .number(-17), .number(-179), .number(-16), .integer(1))
        let plain = TestRow(.number(10), .number(20), .number(11), .number(21), .integer(2))
        let none = TestRow(.null, .null, .null, .null, .integer(3))
        for rows in [[crossing], [plain], [none], [plain, none, crossing], []] {
            try checker.addUncompared(boxes, rows, groups: rows.isEmpty ? 0 : 1)
        }
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    @Test func valuesDetermineTypesOfUndeclaredColumns() async throws {
        var checker = try ParquetChecker()
        let columns = ["a", "b", "c", "d"].enumerated().map { index, name in
            Column(name, .any, at: index)
        }
        let shape = ResultShape(columns: columns)
        try checker.add(
            shape,
            [
                TestRow(.integer(1), .integer(2), .integer(3), .null),
                TestRow(.null, .number(0.5), .text("é"), .null),
                TestRow(.integer(-5), .null, .blob([0, 255]), .null),
                TestRow(.integer(0), .number(.infinity), .number(1.5), .null),
            ], types: ["a: int64", "b: double", "c: string", "d: string"],
            values: [
                [1, 2.0, "3", nil],
                [nil, 0.5, "é", nil],
                [-5, nil, "00ff", nil],
                [0, nil, "1.5", nil],
            ])
        let problems = try await checker.problems()
        #expect(problems == "")
    }

    @Test(arguments: [
        [TestRow(.integer(1)), TestRow(.text("a"))],
        [TestRow(.integer(1)), TestRow(.number(0.5))],
        [TestRow(.number(0.5)), TestRow(.integer(.max))],
    ])
    func valueOfOtherTypeAfterFirstGroupIsRefused(rows: [TestRow]) throws {
        let output = OutputBuffer()
        let renderer = try OutputFormat.parquet.renderer(
            for: ResultShape(columns: [Column("x", .any, at: 0)]), into: output)
        try renderer.begin()
        for _ in 0..<122_880 { try renderer.append(rows[0]) }
        let error = #expect(throws: HabitError.self) { try renderer.append(rows[1]) }
        #expect(error?.code == .formatNotAvailable)
        #expect(error?.message.contains("'x'") == true)
    }

    @Test(arguments: [["a", "a"], ["geometry", "longitude"], ["longitude", "bbox"]])
    func equalColumnNamesAreRefused(names: [String]) throws {
        let columns = names.enumerated().map { index, name in
            Column(name, name == "longitude" ? .longitude : .text, at: index)
        }
        let shape = ResultShape(columns: columns, geometry: 0)
        let error = #expect(throws: HabitError.self) {
            try OutputFormat.parquet.renderer(for: shape, into: OutputBuffer())
        }
        #expect(error?.code == .formatNotAvailable)
    }

    @Test func columnThatIsNotDateIsRefused() throws {
        let shape = ResultShape(columns: [Column("day", .day, at: 0), Column("at", .instantText, at: 1)])
        for row in [TestRow(.text("2026-02-30"), .null), TestRow(.null, .text("now"))] {
            let renderer = try OutputFormat.parquet.renderer(for: shape, into: OutputBuffer())
            try renderer.begin()
            let error = #expect(throws: HabitError.self) { try renderer.append(row) }
            #expect(error?.code == .reportInvalid)
        }
    }

    @Test func equalRowsMakeEqualFiles() throws {
        func file() throws -> [UInt8] {
            let output = OutputBuffer()
            try OutputFormat.parquet.renderer(for: shape, into: output).render([row, nulls, row])
            return output.contents
        }
        #expect(try file() == file())
    }
}
