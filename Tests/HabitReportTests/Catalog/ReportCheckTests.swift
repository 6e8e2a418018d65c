import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitReport

@Suite struct ReportCheckTests {
    private static func problems(_ text: String, reserved: [String] = []) throws -> [ReportProblem] {
        ReportCheck(try ReportSample.report(text), reservedOptions: reserved).problems()
    }

    @Test func sampleHasNoProblem() throws {
        #expect(try Self.problems(ReportSample.text, reserved: ["format", "output"]) == [])
    }

    static let wrong: [(start: String, instead: String, line: Int, hint: String)] = [
        ("ORDER", "", 19, "end the SELECT with ORDER BY …, id"),
        ("ORDER", "ORDER BY n.distance_m", 20, "key column 'id'"),
        ("ORDER", "ORDER BY n.distance_m, lower(e.id)", 20, "key column 'id'"),
        ("ORDER", "ORDER BY distance_m -- , id", 20, "key column 'id'"),
        ("ORDER", "ORDER BY distance_m, 'id'", 20, "key column 'id'"),
        ("ORDER", "LIMIT (SELECT 1 ORDER BY id)", 20, "end the SELECT with ORDER BY"),
        ("ORDER", "ORDER BY id; SELECT 2", 20, "remove the text after the ';'"),
        ("ORDER", "ORDER BY id)", 20, "has no matching '('"),
        ("ORDER", "ORDER BY (id, id", 20, "is not closed"),
        ("ORDER", "ORDER BY id /* so", 20, "add '*/'"),
        ("ORDER", "ORDER BY id, 'so", 20, "add the closing quotation mark"),
        ("SELECT", "DELETE FROM events", 16, "one SELECT"),
        ("WHERE", "WHERE :min_visits IS NULL OR ? = @x", 19, "parameter '?'"),
        ("WHERE", "WHERE :min_visit = :min_visits", 19, "did you mean ':min_visits'?"),
        ("WHERE", "WHERE 1 = 1", 6, "does not use ':min_visits'"),
        ("FROM", "FROM events_near(1, :near_latitude, :within) AS n", 4, "does not use ':near_longitude'"),
        ("-- geometry", "--", 13, "geojson requires a geometry"),
        ("-- formats", "-- formats: text csv", 14, "add html"),
        ("-- example", "-- example: --within 5km", 15, "lacks the parameter 'near' (LATITUDE,LONGITUDE|last)"),
        (
            "-- example", "--", 4,
            "'near' is required, but the header has no example: add a line such as '-- example: --near "
        ),
        ("-- example", "-- example: --near 91,0", 15, "'91,0' is not a position"),
        ("-- example", "-- example: --near last --far 3", 15, "no parameter 'far'"),
        ("-- example", "-- example: --near 'last", 15, "unclosed quote"),
        ("-- example", "-- example:", 15, "lacks the parameter 'near'"),
        ("-- chart", "-- nightly: csv", 14, "'-- parameter: date date"),
        ("-- chart", "-- nightly: json", 14, "cannot write json"),
        ("-- chart", "-- nightly: csv", 4, "make 'near' optional"),
    ]

    @Test(arguments: wrong)
    func problemHasItsLineAndRemedy(start: String, instead: String, line: Int, hint: String) throws {
        let problems = try Self.problems(ReportSample.replacing(start, with: instead))
        #expect(problems.contains { $0.line == line && $0.message.contains(hint) }, "\(problems)")
        #expect(problems.map(\.line) == problems.map(\.line).sorted())
    }

    @Test(arguments: [
        "ORDER BY id", "ORDER BY \"id\" COLLATE nocase DESC NULLS LAST LIMIT 3", "order by E.ID asc;", "ORDER BY 1",
        "ORDER BY distance_m, main.e.id", "ORDER BY max(1, 2), id LIMIT 1 OFFSET 2",
        "ORDER BY (SELECT 1 ORDER BY 2), [id]", "ORDER BY ')', id -- done", "ORDER BY `id` /* done */",
    ])
    func orderWithKeyIsTotal(order: String) throws {
        #expect(try Self.problems(ReportSample.replacing("ORDER", with: order)) == [])
    }

    @Test(arguments: [
        ("SELECT e.event AS id, 1 AS distance_m, 2 longitude, 3 AS latitude", "ORDER BY e.event"),
        ("SELECT DISTINCT a || b id, 1 AS distance_m, 2 longitude, 3 AS latitude", "ORDER BY A || B DESC"),
        ("SELECT 1 IS DISTINCT FROM 2 AS x, coalesce(a, 'id') AS id", "ORDER BY coalesce(a, 'id')"),
        ("WITH a AS (SELECT 1 FROM b ORDER BY 1) SELECT e.event AS id", "ORDER BY event, e.event"),
    ])
    func keyMayBeOrderedByExpressionOfAlias(select: String, order: String) throws {
        let text = ReportSample.replacing("SELECT", with: select).replacing("ORDER BY n.distance_m, e.id", with: order)
        #expect(try Self.problems(text) == [])
    }

    @Test func namesOfCommandOptionsAreRefused() throws {
        let problems = try Self.problems(ReportSample.text, reserved: ["min-visits", "format"])
        #expect(problems.map(\.line) == [6])
        #expect(problems.first?.message.contains("the name 'min-visits' is reserved") == true)
    }

    static let compiled: [(columns: [String], parameters: [String], lines: [Int])] = [
        (
            ["id", "distance_m", "longitude", "latitude"], ["near_longitude", "near_latitude", "within", "min_visits"],
            []
        ),
        (
            ["id", "distance_m", "latitude", "longitude"], ["near_longitude", "near_latitude", "within", "min_visits"],
            [9]
        ),
        (["id", "longitude", "latitude"], ["near_longitude", "near_latitude", "within", "min_visits"], [8]),
        (["id", "d", "longitude", "latitude"], ["near_longitude", "near_latitude", "within", "min_visits"], [8, 16]),
        (
            ["id", "distance_m", "longitude", "latitude", "id"],
            ["near_longitude", "near_latitude", "within", "min_visits"], [16]
        ),
        (["id", "distance_m", "longitude", "latitude"], ["near_longitude", "within", "min_visits", "x"], [4, 16]),
        ([], [], [4, 4, 5, 6, 7, 8, 9, 10]),
    ]

    @Test(arguments: compiled)
    func headerAndStatementAreCompared(columns: [String], parameters: [String], lines: [Int]) throws {
        let problems = ReportCheck(try ReportSample.report(), reservedOptions: []).problems(
            against: (columnNames: columns, parameters: parameters))
        #expect(problems.map(\.line) == lines, "\(problems)")
    }

    @Test(arguments: ["weekly-rates", "x"]) func skeletonIsValidReport(id: String) throws {
        let text = ReportSkeleton.text(id: id)
        let report = try Report(id: id, text: text, file: "\(id).sql")
        try Self.checkCompiled(report)
        #expect(report.title == (id == "x" ? "X" : "Weekly rates"))
    }

    @Test(arguments: ShippedReports.files.keys.sorted()) func shippedReportIsValid(id: String) throws {
        let report = try ReportCatalog(folders: []).find(id)
        #expect(report.isShipped)
        try Self.checkCompiled(report)
    }

    /// Checks that the header matches the compiled SQL and that the SQL runs on a store with only the user alice, whom
    /// examples name.
    private static func checkCompiled(_ report: Report) throws {
        let clock = Clock(now: Instant(microseconds: 0))
        let store = try TestStore()
        try store.write([.user(UserRecord(id: "alice"))])
        try store.engine.read { session in
            let statement = try AnalysisQuery(report.sql, viewer: .operator, clock: clock).compile(in: session)
            let check = ReportCheck(report, reservedOptions: ["format", "output"])
            let context = ReportContext(clock: clock, today: Day(number: 0), viewer: .operator, session: session)
            let bindings = try report.bindings(for: try report.arguments(from: report.example.words), context)
            try statement.bind(statement.parameters.map { bindings[$0] ?? .text("missing") })
            #expect(check.problems(against: (try statement.columnNames, statement.parameters)) == [])
            #expect(Set(statement.parameters) == Set(bindings.keys))
            try statement.forEach { _ in true }
        }
    }
}
