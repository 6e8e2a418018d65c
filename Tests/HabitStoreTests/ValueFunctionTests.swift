import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the functions of reports that return one value, and of the schema that lists all functions.
@Suite struct ValueFunctionTests {
    @Test(arguments: [
        ("weekday('2026-11-20')", "5"), ("weekday('2026-11-22')", "7"), ("weekday('2026-11-31')", "∅"),
        ("weekday(NULL)", "∅"), ("week_start('2026-11-22')", "2026-11-16"), ("week_start('2026-11-16')", "2026-11-16"),
        ("day_add('2026-02-28', 1)", "2026-03-01"), ("day_add('2026-01-01', -1)", "2025-12-31"),
        ("day_add('9999-12-31', 1)", "∅"), ("day_add('2026-01-01', 9223372036854775807)", "∅"),
        ("day_diff('2026-03-01', '2026-02-28')", "1"),
        ("day_diff('2026-01-01', '2026-01-02')", "-1"), ("local_hour('2026-11-20T23:59:59+09:00')", "23"),
        ("local_hour('2026-11-20T00:00:00-03:30')", "0"), ("local_hour('1969-12-31T22:30:00Z')", "22"),
        ("local_hour('noon')", "∅"), ("microseconds('1970-01-01T00:00:01+00:00')", "1000000"),
        ("microseconds('1970-01-01T01:00:00+01:00')", "0"), ("month('2026-11-20')", "2026-11"),
        ("month('0007-02-03')", "0007-02"), ("month('2026-13-01')", "∅"), ("year('2026-11-20')", "2026"),
        ("year('0007-02-03')", "7"), ("year(NULL)", "∅"), ("iso_week('2026-11-20')", "2026-W47"),
        ("iso_week('2021-01-03')", "2020-W53"), ("iso_week('2024-12-30')", "2025-W01"), ("iso_week('x')", "∅"),
        ("distance(0, 0, 0, 0)", "0.0"), ("distance(0, 0, 181, 0)", "∅"), ("distance(0, NULL, 1, 0)", "∅"),
        ("round(distance(-9.1393, 38.7223, -0.1278, 51.5074))", "1585156.0"),
    ])
    func calendarFunctionsReturnExpectedValues(expression: String, expected: String) throws {
        #expect(try ReportQuery.run("SELECT \(expression)", on: TestStore()) == [[expected]])
    }

    private static let square = #"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]]]}"#
    private static let hole =
        #"{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]],[[[9,9],[10,9],[10,10],[9,9]]]]}"#

    /// The border, also that of a hole, is part of the area.
    @Test(arguments: [
        ("2, 3", "1"),
        ("5, 3", "0"),
        ("4, 4", "1"),
        ("0, 2", "1"),
        ("1.5, 1.5", "0"),
        ("1, 1.5", "1"),
        ("9.75, 9.5", "1"),
        ("9.25, 9.5", "0"),
        ("181, 0", "∅"),
        ("NULL, 0", "∅"),
    ])
    func areaContainsItsBorder(position: String, expected: String) throws {
        let store = try TestStore()
        let feature = #"{"type":"Feature","properties":{},"geometry":\#(Self.hole)}"#
        let collection = #"{"type":"GeometryCollection","geometries":[\#(Self.hole)]}"#
        for area in [Self.hole, feature, collection, #"{"type":"FeatureCollection","features":[\#(feature)]}"#] {
            #expect(try ReportQuery.run("SELECT in_area(\(position), '\(area)')", on: store) == [[expected]], "\(area)")
        }
    }

    /// The positions are on borders or close to them, so rounding would decide for them.
    @Test func positionsNearBordersAreDecidedAsInSwift() throws {
        var random = SeededGenerator(seed: 20_261_125)
        for _ in 0..<8 {
            let sample = try AreaSample.positionsNearBorders(using: &random)
            let area = sample.area
            let positions = sample.positions
            let rows = positions.enumerated().map { "(\($0), \($1.longitude), \($1.latitude))" }
            let sql = """
                WITH p (n, x, y) AS (VALUES \(rows.joined(separator: ", ")))
                SELECT in_area(x, y, '\(area.geoJSON)') FROM p ORDER BY n
                """
            let expected = positions.map { [area.contains($0) ? "1" : "0"] }
            #expect(try ReportQuery.run(sql, on: TestStore()) == expected, "\(area.geoJSON)")
            #expect(Set(expected).count == 2)
        }
    }

    /// A text that is not an area, and the error.
    private static let invalidAreas: [(area: String, error: AreaError)] = [
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4]]]}"#, .ringInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,0],[0,0]]]}"#, .ringInvalid),
        (#"{"type":"Polygon","coordinates":[[]]}"#, .ringInvalid),
        (
            #"{"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2],[1,2]]]]}"#,
            .ringInvalid
        ),
        (#"{"type":"Polygon","coordinates":[[[0,0],[181,0],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4,90.5],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[4],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],["4",0],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],[true,0],[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[[[0,0],{"0":1},[4,4],[0,0]]]}"#, .positionInvalid),
        (#"{"type":"Polygon","coordinates":[]}"#, .notPolygons), (#"{"type":"Polygon"}"#, .notPolygons),
        (#"{"type":"Polygon","coordinates":[7]}"#, .notPolygons),
        (#"{"type":"MultiPolygon","coordinates":[]}"#, .notPolygons),
        (#"{"type":"MultiPolygon","coordinates":{}}"#, .notPolygons),
        (#"{"type":"Point","coordinates":[1,2]}"#, .notPolygons), ("{}", .notPolygons), ("[]", .notPolygons),
        ("7", .notPolygons), (#"{"type":"Feature","geometry":null}"#, .notPolygons),
        (#"{"type":"FeatureCollection","features":[]}"#, .notPolygons),
        (#"{"type":"FeatureCollection","features":[\#(square),{"type":"Point","coordinates":[1,2]}]}"#, .notPolygons),
        (#"{"type":"GeometryCollection","geometries":[{"type":"GeometryCollection","geometries":[]}]}"#, .notPolygons),
    ]

    /// Both engines have the same conditions and the same errors.
    @Test(arguments: invalidAreas)
    func invalidAreaIsRefusedWithReason(area: String, error: AreaError) throws {
        #expect {
            try ReportQuery.run("SELECT in_area(1, 2, '\(area)')", on: TestStore())
        } throws: {
            let found = $0 as? HabitError
            return found?.code == .reportInvalid && found?.message == "the SQL cannot be run: \(error)"
        }
    }

    /// PostgreSQL has its own error for a text that is not JSON.
    @Test func areaThatIsNotJSONIsRefused() throws {
        #expect {
            try ReportQuery.run("SELECT in_area(1, 2, 'x')", on: TestStore())
        } throws: {
            ($0 as? HabitError)?.code == .reportInvalid
        }
    }

    @Test func areaWithTooManyPositionsIsRefused() throws {
        let positions = String(repeating: "[0,0],", count: Area.maximumPositions) + "[0,0]"
        #expect {
            try ReportQuery.run(
                #"SELECT in_area(1, 2, '{"type":"Polygon","coordinates":[[\#(positions)]]}')"#, on: TestStore())
        } throws: {
            ($0 as? HabitError)?.message == "the SQL cannot be run: \(AreaError.tooLarge)"
        }
    }

    private static let numbers = "(SELECT 3.5 AS x UNION ALL SELECT 1 UNION ALL SELECT NULL UNION ALL SELECT 10) AS n"

    @Test(arguments: [
        ("median(n.x)", "3.5"), ("percentile(n.x, 0)", "1.0"), ("percentile(n.x, 1)", "10.0"),
        ("percentile(n.x, 0.25)", "2.25"), ("percentile(n.x, 0.75)", "6.75"), ("median(n.x + NULL)", "∅"),
    ])
    func aggregateReturnsExpectedValue(expression: String, expected: String) throws {
        #expect(try ReportQuery.run("SELECT \(expression) FROM \(Self.numbers)", on: TestStore()) == [[expected]])
    }

    @Test func aggregatesComputeValueOfEachGroup() throws {
        let sql = """
            SELECT n.g, median(n.x), percentile(n.x, 0.5)
            FROM (SELECT 1 AS g, 4.0 AS x UNION ALL SELECT 2, 8 UNION ALL SELECT 1, 6 UNION ALL SELECT 3, NULL) AS n
            GROUP BY n.g ORDER BY n.g
            """
        let rows = try ReportQuery.run(sql, on: TestStore())
        #expect(
            rows == [
                ["1", "5.0", "5.0"],
                ["2", "8.0", "8.0"],
                ["3", "∅", "∅"],
            ])
    }

    @Test(arguments: ["percentile(n.x, 1.5)", "percentile(n.x, NULL)", "percentile(n.x, -0.1)"])
    func invalidFractionIsRefused(expression: String) throws {
        #expect {
            try ReportQuery.run("SELECT \(expression) FROM \(Self.numbers)", on: TestStore())
        } throws: {
            ($0 as? HabitError)?.code == .reportInvalid
        }
    }

    @Test func schemaListsColumnsAndFunctionsOfReports() throws {
        let store = try TestStore()
        let rows = try store.engine.read { try ReportSchema.rows(in: $0) }.map { row in
            (0..<4).map { row.text($0) ?? "" }
        }
        let views = Dictionary(grouping: rows.filter { $0[0] == "view" }, by: { $0[1] })
        #expect(views.count == 9)
        for (view, columns) in views {
            // The names of some columns are words of SQL.
            let names = columns.map { column in "\(view).\"\(column[2])\"" }
            let list = names.joined(separator: ", ")
            #expect(try ReportQuery.run("SELECT \(list) FROM \(view) LIMIT 0", on: store) == [])
        }
        let values = [
            "day": "'2026-11-20'", "days": "1", "later": "'2026-11-20'", "earlier": "'2026-11-19'",
            "at": "'2026-11-20T08:00:00Z'", "longitude": "1", "latitude": "2", "to_longitude": "3", "to_latitude": "4",
            "number": "5.0", "fraction": "0.5", "area": "'\(Self.square)'",
        ]
        for call in rows.filter({ $0[0] == "value" }).map({ $0[1] }) {
            let sql = call.replacing(#/[(, ]([a-z_]+)(?=[,)])/#) {
                "\($0.output.0.first ?? " ")\(values[String($0.output.1)] ?? "?")"
            }
            #expect(try ReportQuery.run("SELECT \(sql)", on: store).first?.first != "∅", "\(sql)")
        }
        #expect(rows.contains { $0[0] == "rows" && $0[1] == "event_hours(from_day, to_day, of_user, of_habit)" })
        let localTimes = rows.filter { row in row[1] == "local_times(kind)" }
        #expect(localTimes.map { row in row[2] } == ["id", "day", "hour", "user"])
    }

    /// PostgreSQL has no function for values of other types.
    @Test(.fileStoreOnly, arguments: ["day_add('2026-01-01', 'x')", "microseconds(5)"])
    func valueOfOtherTypeReturnsNull(expression: String) throws {
        #expect(try ReportQuery.run("SELECT \(expression)", on: TestStore()) == [["∅"]])
    }
}
