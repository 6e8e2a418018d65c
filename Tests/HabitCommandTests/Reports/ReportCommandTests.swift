import Foundation
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of the report commands: search path, arguments and limits.
@Suite(.engineIndependent) struct ReportCommandTests {
    private static let endless =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS i FROM n"

    /// Returns a report with a minimal header.
    private static func report(_ title: String, _ sql: String = "SELECT id FROM users ORDER BY id") -> String {
        """
        -- title: \(title)
        -- description: What there is.
        -- column: id text - Which one.
        -- key: id
        -- formats: text csv json ndjson
        -- example:
        \(sql)
        """
    }

    @Test func customReportTakesPrecedenceOverShippedReport() async throws {
        let folder = try TemporaryFolder()
        for (name, title) in [("one", "First"), ("two", "Second")] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
            try Self.report(title).write(toFile: folder.file("\(name)/near.sql"), atomically: true, encoding: .utf8)
        }
        func title(_ options: [String], _ environment: [String: String] = [:]) async throws -> String? {
            let list = try await Program.habitat(
                ["report", "list", "--format", "csv"] + options, in: folder, environment: environment)
            #expect(list.status == 0, "\(list)")
            return parseCSV(list.output).first { $0.first == "near" }?[1]
        }
        #expect(try await title([]) == "Events near a position")
        #expect(try await title(["--reports", "one"]) == "First")
        #expect(try await title(["--reports", "two", "--reports", "one"]) == "Second")
        #expect(try await title([], ["HABITAT_REPORTS": "two:one"]) == "Second")
        #expect(try await title(["--reports", "one"], ["HABITAT_REPORTS": "two"]) == "First")
    }

    @Test func reportRunsFromAnyFolder() async throws {
        let folder = try TemporaryFolder()
        let result = try await Reports.habitat(
            "report", "run", "habits", "--user", "alice", "--format", "csv", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.count > 3, "\(result)")
    }

    @Test(arguments: [
        ("places", ["user", "title", "visits"]),
        ("habits", ["user", "title", "schedule", "status"]),
    ])
    func narrowTableKeepsColumnsThatNameRows(id: String, columns: [String]) async throws {
        let result = try await Reports.habitat("report", "run", id, "--width", "80", in: try TemporaryFolder())
        let header = try #require(result.lines.first).split(separator: " ").map(String.init)
        #expect(Set(columns).isSubset(of: header), "\(header)")
    }

    @Test func columnsOptionSelectsAndOrdersColumns() async throws {
        let folder = try TemporaryFolder()
        for command in [
            ["report", "run", "habits", "--user", "alice"],
            ["query", "SELECT id AS habit, title, user FROM habits ORDER BY id"],
        ] {
            let all = try await Program.habitat(
                command + ["--format", "csv", "--now", Reports.now], in: SampleData.folder())
            let some = try await Program.habitat(
                command + ["--format", "csv", "--now", Reports.now, "--columns", "title,habit"], in: SampleData.folder()
            )
            let rows = parseCSV(all.output)
            let title = try #require(rows[0].firstIndex(of: "title"))
            let id = try #require(rows[0].firstIndex(of: "habit"))
            #expect(parseCSV(some.output) == rows.map { [$0[title], $0[id]] }, "\(command)")
        }
        let unknown = try await Reports.habitat("report", "run", "habits", "--columns", "titel", in: folder)
        #expect(unknown.status == 64, "\(unknown)")
        #expect(unknown.errors.contains("title"), "\(unknown)")
    }

    /// A report near a position uses the spatial index, as the command does, and does not scan the table of events.
    @Test func explainShowsThatNearUsesSpatialIndex() async throws {
        for command in [
            ["report", "run", "near", "--near", "38.7,-9.1", "--within", "800m"],
            ["query", "SELECT id, distance_m FROM events_near(-9.1, 38.7, 800) ORDER BY distance_m, id"],
        ] {
            let result = try await Program.habitat(command + ["--explain"], in: SampleData.folder())
            #expect(result.status == 0, "\(result)")
            #expect(result.output.contains("events_near"), "\(result.output)")
            #expect(!result.output.contains("SCAN event\n"), "\(result.output)")
        }
    }

    /// A shipped report selects its day before the engine evaluates the complete view of a user.
    @Test(.fileStoreOnly) func explainShowsThatReportOfUserSearchesTheDay() async throws {
        let result = try await Program.habitat(
            "report", "run", "day-events", "--as", "alice", "--explain", in: SampleData.folder())
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("SEARCH event USING"), "\(result.output)")
        #expect(!result.output.contains("SCAN event\n"), "\(result.output)")
    }

    @Test func limitReportsThatMoreRowsExist() async throws {
        let folder = try TemporaryFolder()
        let cut = try await Reports.habitat("report", "run", "habits", "--format", "csv", "--limit", "2", in: folder)
        #expect(cut.status == 0, "\(cut)")
        #expect(cut.lines.count == 3, "\(cut)")
        #expect(cut.errors.contains("first 2"), "\(cut.errors)")
        let none = try await Reports.habitat("report", "run", "habits", "--limit", "0", in: folder)
        #expect(none.status == 64, "\(none)")
    }

    // MARK: Refused calls

    @Test(.fileStoreOnly) func endlessQueryStopsAtTimeout() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            Self.report("Endless", Self.endless.replacing(" AS i FROM n", with: " AS id FROM n ORDER BY 1")),
            to: "endless.sql")
        // The cases are many steps of the engine, one endless step, and a report.
        for command in [
            ["query", Self.endless],
            [
                "query",
                "SELECT instr(printf('%.*c', 30000000, 'a'), printf('%.*c', 9000000, 'a') || 'b')",
            ],
            ["report", "run", "endless", "--reports", "."],
        ] {
            // Without the timeout, the query would never end.
            let result = try await Program.habitat(
                command + ["--timeout", "300ms", "--store", try SampleData.folder().file("habitat.db")], in: folder)
            #expect(!result.signalled, "\(command): \(result)")
            #expect(result.output.isEmpty, "\(command): \(result)")
            #expect(result.status == 69, "\(command): \(result)")
            #expect(result.errors.contains("timeout"), "\(command): \(result)")
        }
    }

    /// Returns whether the process or its server is executing the endless query.
    private static func isExecutingQuery(_ process: RunningProgram, onStoreAt path: String) throws -> Bool {
        TestServer.isUsed ? try TestServer.isExecutingQuery(storeAt: path) : ticks(of: process) >= 30
    }

    /// Returns the CPU time of a process in hundredths of a second.
    private static func ticks(of process: RunningProgram) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 11 ? Int(fields[11]) ?? 0 : 0
    }

    @Test(arguments: [SIGINT, SIGTERM]) func signalStopsQuery(signal: Int32) async throws {
        let folder = try TemporaryFolder()
        let scratch = try TemporaryFolder()
        let storeFolder = try TemporaryFolder()
        let store = storeFolder.file("habitat.db")
        try await SampleData.copy(to: store)
        let process = try Program.startInterruptible(
            ["query", Self.endless, "--output", "out.csv", "--store", store], in: folder, scratch: scratch)
        try await waitUntil("the query runs") {
            try !process.isRunning || Self.isExecutingQuery(process, onStoreAt: store)
        }
        process.send(signal)
        let end = await process.end()
        let errors = try scratch.read("stderr")
        #expect(end == .signal(signal), "\(errors)")
        #expect(folder.names.isEmpty)
        // The PostgreSQL server also stops the query. It checks for the client once per second.
        try await waitUntil("the server stops the query", every: .milliseconds(100)) {
            try !TestServer.isUsed || !TestServer.isExecutingQuery(storeAt: store)
        }
    }

    @Test(arguments: [
        "DELETE FROM events", "ATTACH 'other.db' AS other", "SELECT load_extension('x') AS id",
        "SELECT 1 AS id; SELECT 2",
        "SELECT BlobFromFile('/etc/passwd') AS id", "PRAGMA user_version = 9", "SELECT id FROM account ORDER BY id",
        "SELECT name AS id FROM sqlite_schema ORDER BY 1", "SELECT writefile('x', 'y') AS id", "VACUUM INTO 'x.db'",
    ])
    func forbiddenSQLIsRefused(sql: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.report("Bad", sql), to: "bad.sql")
        for command in [
            ["query", sql], ["report", "check", "bad.sql"], ["report", "run", "bad", "--reports", "."],
        ] {
            let result = try await Program.habitat(
                command + ["--store", try SampleData.folder().file("habitat.db")], in: folder)
            #expect([64, 65].contains(result.status), "\(command): \(result)")
            #expect(!result.signalled, "\(command): \(result)")
            #expect(result.errors.contains("error["), "\(command): \(result)")
        }
        #expect(folder.names == ["bad.sql"])
    }

    @Test(arguments: [
        (["report", "run", "neer"], 66, "near"), (["report", "run", "near"], 64, "--near"),
        (["report", "run", "near", "--near", "91,0"], 64, "latitude"),
        (["report", "run", "history", "--form", "2026-11-01"], 64, "--from"),
        (["report", "run", "history", "--from"], 64, "parameter 'from' has no value: pass --from"),
        (["report", "run", "near", "--nea", "x"], 64, "did you mean --near? the parameters are --near, --within"),
        (["report", "run", "history", "--from", "2026-11-31"], 64, "2026-11-31"),
        (["report", "run", "streaks", "--format", "geojson"], 64, "streaks"),
        (["report", "new", "A b"], 65, "lower-case"),
        (["report", "run", "../near"], 66, "report list"), (["report", "show", "neer"], 66, "near"),
        (["report", "list", "--reports", "nowhere"], 66, "nowhere"),
    ])
    func invalidReportArgumentsAreRefusedWithRemedy(words: [String], status: Int32, hint: String) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.habitat(
            words + (words[1] == "run" ? ["--store", try SampleData.folder().file("habitat.db")] : []), in: folder)
        #expect(result.status == status, "\(result)")
        #expect(result.output.isEmpty, "\(result)")
        #expect(result.errors.contains(hint), "\(result.errors)")
    }

    /// The program never converts a value to another type.
    @Test(arguments: [
        ("integer", "id", "'ann'"),
        ("integer", "id", "1.5"),
        ("number", "id", "'2026-01-01'"),
        ("boolean", "id", "2"),
        ("boolean", "id", "'true'"),
        ("text", "id", "7"),
        ("date", "id", "20261120"),
    ])
    func valueOfOtherTypeThanColumnIsRefused(type: String, column: String, value: String) async throws {
        let folder = try TemporaryFolder()
        let text = Self.report("Typed", "SELECT \(value) AS id ORDER BY id")
        try folder.write(text.replacing("id text", with: "id \(type)"), to: "typed.sql")
        let result = try await Reports.habitat("report", "run", "typed.sql", in: folder)
        #expect(result.status == 65, "\(result)")
        #expect(result.errors.contains("'id'"), "\(result)")
    }

    /// A query shows numbers that are not a valid position.
    @Test func incompletePositionIsShownUnchanged() async throws {
        let result = try await Reports.habitat(
            "query", "SELECT 5 AS longitude, NULL AS latitude UNION ALL SELECT 200, 10", "--format", "csv",
            in: try TemporaryFolder())
        #expect(result.output == "longitude,latitude\n5,\n200,10\n")
    }

    /// RFC 7946, sections 3.1.9 and 5.2: the geometry is split, and the bounding box goes from its west edge east to
    /// its east edge.
    @Test func boxAcrossAntimeridianIsSplitInGeoJSON() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            -- title: Box
            -- description: Across.
            -- column: west number degrees - West.
            -- column: south number degrees - South.
            -- column: east number degrees - East.
            -- column: north number degrees - North.
            -- key: west
            -- geometry: west south east north
            -- formats: geojson
            SELECT 170.0 AS west, -10.0 AS south, -160.0 AS east, 10.0 AS north ORDER BY west
            """, to: "box.sql")
        let result = try await Reports.habitat("report", "run", "box.sql", "--format", "geojson", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.output.contains(
                #""geometry":{"type":"MultiPolygon","coordinates":[[[[170,-10],[180,-10],[180,10],[170,10],[170,-10]]],[[[-180,-10],[-160,-10],[-160,10],[-180,10],[-180,-10]]]]}"#
            ), "\(result.output)")
        #expect(result.output.contains(#""bbox":[170,-10,-160,10]"#), "\(result.output)")
    }

    @Test(arguments: [
        ("SELECT id FROM user ORDER BY id", 7, "users"), ("SELECT id\nFROM users\nWHERE nam = 1 ORDER BY id", 9, "nam"),
        ("SELECT id\n FORM users ORDER BY id", 8, "syntax"),
        ("SELECT id FROM users WHERE id = ?\nORDER BY id", 7, ":name"),
    ])
    func errorInSQLHasLineNumber(sql: String, line: Int, hint: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.report("Wrong", sql), to: "wrong.sql")
        let check = try await Program.habitat("report", "check", "wrong.sql", in: folder)
        let isReported = check.output.split(separator: "\n").contains {
            $0.hasPrefix("wrong.sql:\(line): ") && $0.contains(hint)
        }
        #expect(check.status == 65, "\(check)")
        #expect(isReported, "\(check)")
        let run = try await Reports.habitat("report", "run", "wrong.sql", in: folder)
        #expect(run.errors.contains("wrong.sql"), "\(run)")
    }

    @Test func pipeIsRefusedAsReport() async throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.file("pipe.sql"), 0o600) == 0)
        for command in ["check", "show", "run"] {
            let result = try await Reports.habitat("report", command, "pipe.sql", in: folder)
            #expect(result.status == 74, "\(result)")
        }
    }

    @Test(arguments: [("completion --by weak", "week"), ("items-near --near 1,1 --state clamed", "claimed")])
    func misspelledChoiceIsRefusedWithSuggestion(words: String, hint: String) async throws {
        let folder = try TemporaryFolder()
        let store = try await SampleData.folder().file("habitat.db")
        let result = try await Program.habitat(
            ["report", "run"] + RuleStore.words(words) + ["--store", store], in: folder)
        #expect(result.status == 64, "\(result)")
        #expect(result.errors.contains("did you mean '\(hint)'"), "\(result)")
    }

    /// Periods are limited to the valid range of dates.
    @Test(arguments: ["score --weeks", "calendar --weeks", "unplanned --days", "quiet-users --days"])
    func periodIsLimitedToRangeOfDates(report: String) async throws {
        func rows(_ number: Int) async throws -> [[String?]] { try await Reports.table("\(report) \(number)").rows }
        let isQuiet = report.hasPrefix("quiet")
        let many = try await rows(isQuiet ? 100_000 : 20_000)
        for number in [150_000, 99_999_999_999] { #expect(try await rows(number) == many, "\(number)") }
        #expect(isQuiet || many.count > 50)
    }

    // MARK: check, new, show

    @Test func checkListsEveryProblemWithItsLine() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            -- title: Bad
            -- descripton: Misspelled.
            -- parameter: day date required - Which day.
            -- formats: text csv geojson

            SELECT id, name FROM users WHERE id = :who
            """, to: "bad.sql")
        let result = try await Program.habitat("report", "check", "bad.sql", "--format", "csv", in: folder)
        #expect(result.status == 65, "\(result)")
        let rows = parseCSV(result.output).dropFirst()
        #expect(rows.contains { $0[2] == "2" && $0[3]?.contains("description") == true }, "\(rows)")
        #expect(rows.allSatisfy { Int($0[2] ?? "") != nil })
        // In text output, each problem is an untruncated line with file name and line number, which editors can open.
        let text = try await Program.habitat("report", "check", "bad.sql", "--width", "40", in: folder)
        #expect(text.lines == rows.map { "\($0[1] ?? ""):\($0[2] ?? ""): \($0[3] ?? "")" })
    }

    @Test func shippedReportsPassCheck() async throws {
        let result = try await Program.habitat("report", "check", "--format", "csv", in: try TemporaryFolder())
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.count == 1, "\(result)")
    }

    @Test func newCreatesReportThatRuns() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("report", "new", "mine", in: folder).status == 0)
        let text = try folder.read("mine.sql")
        #expect(try await Program.habitat("report", "check", "mine.sql", in: folder).status == 0)
        let result = try await Reports.habitat("report", "run", "mine", "--reports", ".", "--format", "csv", in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.count > 1, "\(result)")
        // An existing file is kept.
        let again = try await Program.habitat("report", "new", "mine", in: folder)
        #expect(again.status == 64 || again.status == 73, "\(again)")
        #expect(try folder.read("mine.sql") == text)
    }

    @Test(arguments: Reports.ids) func showPrintsParametersColumnsAndSQL(id: String) async throws {
        let result = try await Program.habitat("report", "show", id, "--width", "100", in: try TemporaryFolder())
        #expect(result.status == 0, "\(result)")
        for (key, mark) in [("parameter", "--"), ("column", "")] {
            for line in try Reports.header(id, key) {
                let name = try #require(line.split(separator: " ").first)
                let shown = mark + (mark.isEmpty ? "\(name)" : name.replacing("_", with: "-"))
                #expect(result.output.contains("\n  \(shown) "), "\(shown)")
            }
        }
        let file = try String(contentsOfFile: "\(Program.repository)/reports/\(id).sql", encoding: .utf8)
        let sql = file.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
        #expect(result.output.contains(sql.suffix(40)), "the SQL")
        #expect(result.output.contains("habitat report run \(id)"), "an example")
    }

    /// A parameter with the name of an option of the command is refused, because the user could not pass it.
    @Test func reservedParameterNamesAreOptionsOfCommand() async throws {
        let help = try await Program.habitat("help", "report", "run", "--all", in: try TemporaryFolder())
        let option = /^  (?:-\w, )?--([a-z-]+)/.anchorsMatchLineEndings()
        let options = Set(help.output.matches(of: option).map { String($0.1) })
        #expect(options.count > 15, "\(options)")
        let folder = try TemporaryFolder()
        for option in options.sorted() {
            let name = option.replacing("-", with: "_")
            try folder.write(
                Self.report("Named", "SELECT id FROM users WHERE :\(name) IS NOT NULL ORDER BY id")
                    .replacing("-- column", with: "-- parameter: \(name) text optional - What.\n-- column"), to: "x.sql"
            )
            let result = try await Program.habitat("report", "check", "x.sql", "--format", "csv", in: folder)
            #expect(result.status == 65, "\(option): \(result)")
            #expect(result.output.contains("'\(option)' is reserved"), "\(option): \(result)")
        }
    }
}

/// Tests of report parameters of the type `area`, on both engines.
@Suite struct AreaParameterTests {
    private static let report = """
        -- title: Events in an area
        -- description: The events in an area.
        -- parameter: area area optional - The area.
        -- column: id text - The event.
        -- column: longitude number degrees - The longitude.
        -- column: latitude number degrees - The latitude.
        -- key: id
        -- formats: text csv json ndjson html
        -- example: --area district.geojson
        SELECT id, longitude, latitude
        FROM events
        WHERE :area IS NULL OR in_area(longitude, latitude, :area) = 1
        ORDER BY id
        """

    private static func run(_ arguments: String..., in folder: TemporaryFolder) async throws -> ProgramResult {
        try folder.write(report, to: "in-area.sql")
        return try await SampleData.habitat(
            ["report", "run", "in-area.sql"] + arguments, in: folder, now: Reports.now)
    }

    private static func square(
        _ type: String = "Polygon", open: String = "[[", close: String = "]]"
    ) -> String {
        #"{"type":"\#(type)","coordinates":\#(open)[-9.2,38.7],[-9.1,38.7],[-9.1,38.75],[-9.2,38.75],[-9.2,38.7]\#(close)}"#
    }

    @Test func reportHasRowsInArea() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.square(), to: "district.geojson")
        let all = parseCSV(try await Self.run("--format", "csv", in: folder).output)
        let expected = all.filter { row in
            guard let x = row[1].flatMap(Double.init), let y = row[2].flatMap(Double.init) else {
                return row == all[0]
            }
            return -9.2 <= x && x <= -9.1 && 38.7 <= y && y <= 38.75
        }
        let found = try await Self.run("--area", "district.geojson", "--format", "csv", in: folder)
        #expect(found.status == 0, "\(found.errors)")
        #expect(parseCSV(found.output) == expected, "\(found.errors)")
        #expect(expected.count > 100)
        #expect(expected.count < all.count)
        try folder.write(Self.square("MultiPolygon", open: "[[[", close: "]]]"), to: "multi.geojson")
        let same = try await Self.run("--area=multi.geojson", "--format", "csv", in: folder)
        #expect(same.output == found.output)
    }

    /// The page of the report contains the size of the area instead of its coordinates.
    @Test func pageNamesSizeOfArea() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.square(), to: "district.geojson")
        let page = try await Self.run("--area", "district.geojson", "--format", "html", in: folder)
        #expect(page.status == 0, "\(page.errors)")
        #expect(page.output.contains("polygons: 1, positions: 5"), "\(page.errors)")
        #expect(!page.output.contains("38.75]"))
    }

    @Test func invalidAreaIsRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.square("LineString", open: "[", close: "]"), to: "wrong.geojson")
        for (file, status, error) in [
            ("wrong.geojson", 65, "wrong.geojson: the area is not a GeoJSON polygon"),
            ("none.geojson", 66, "none.geojson"), (Self.square(), 66, "does not exist"),
        ] as [(String, Int32, String)] {
            let result = try await Self.run("--area", file, in: folder)
            #expect(result.status == status, "\(result)")
            #expect(result.errors.contains(error), "\(result)")
        }
        try folder.write(Self.square(), to: "district.geojson")
        let output = try await Self.run(
            "--area", "district.geojson", "--output", "district.geojson", "--format", "csv", in: folder)
        #expect(output.status == 73, "\(output)")
    }

    @Test func reportWithAreaHasNoProblems() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.report, to: "in-area.sql")
        let check = try await Program.habitat("report", "check", "in-area.sql", in: folder)
        #expect(check.status == 0, "\(check)")
        let show = try await Program.habitat("report", "show", "in-area.sql", "--width", "80", in: folder)
        #expect(show.output.contains("--area GEOJSON-FILE"), "\(show)")
    }
}
