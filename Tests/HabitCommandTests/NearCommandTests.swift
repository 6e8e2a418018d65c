import Foundation
import HabitTestSupport
import Testing

/// Tests of rule C-16 as a command.
@Suite struct NearCommandTests {
    /// Expected counts come from an independent program that uses Vincenty's formula.
    ///
    /// The data has 114 posts, one of them deleted.
    @Test(arguments: [
        (["38.7223,-9.1393"], 1313), (["38.7223,-9.1393", "--within", "1km"], 172), (["35.0116,135.7681"], 1161),
        (["-41.2924,174.7787"], 1123), (["-16.8,180"], 5), (["-16.8,180", "--within", "30km"], 39),
        (["-16.8,-180", "--within", "30km"], 39), (["38.7223,-9.1393", "--kind", "posts"], 113),
        (["38.7223,-9.1393", "--kind", "items", "--state", "all"], 78),
        (["38.7223,-9.1393", "--kind", "events,items,posts", "--state", "all"], 1313 + 78 + 113),
        (["38.7223,-9.1393", "--as", "alice"], 711), (["38.7223,-9.1393", "--nearest", "17"], 17),
        (["38.7223,-9.1393", "--nearest", "10000"], 4098), (["0,0", "--within", "0m"], 0),
    ])
    func nearReturnsExpectedNumberOfRows(arguments: [String], count: Int) async throws {
        let result = try await Program.habitat(
            ["near", "--now", SampleData.now, "--format", "ndjson"] + arguments, in: try SampleData.folder())
        #expect(result.status == 0)
        #expect(result.lines.count == count)
    }

    @Test(arguments: [
        ("events", "distance  title  day  comment  user"), ("items", "distance  id  name  state  photo  user"),
        ("posts", "distance  id  caption  day  photo  user"), ("items,posts", "distance  kind  title  day  user"),
    ])
    func tableOfKindHasItsColumns(kind: String, headings: String) async throws {
        let result = try await SampleData.habitat("near", "38.7223,-9.1393", "--kind", kind)
        let words = result.lines.first?.split(separator: " ").map(String.init)
        #expect(words == headings.split(separator: " ").map(String.init), "\(result.lines.prefix(3))")
    }

    @Test func nearSortsByDistance() async throws {
        let result = try await SampleData.habitat("near", "38.7223,-9.1393", "--format", "csv")
        let rows = parseCSV(result.output)
        let column = try #require(rows[0].firstIndex(of: "distance_m"))
        let distances = rows.dropFirst().compactMap { $0[column].flatMap(Double.init) }
        #expect(rows[0].compactMap(\.self) == EventRuleTests.columns + ["distance_m"])
        #expect(distances.count == 1313)
        #expect(distances == distances.sorted())
        #expect((distances.last ?? 0) <= 5000)
    }

    @Test func centersFileReturnsRowsOfSingleQueries() async throws {
        let folder = try TemporaryFolder()
        let centers = try folder.write(
            "id,longitude,latitude\nlisbon,-9.1393,38.7223\nnowhere,-30,0\nkyoto,135.7681,35.0116\n", to: "centers.csv")
        let result = try await SampleData.habitat("near", "--centers", centers, "--format", "csv")
        let rows = parseCSV(result.output)
        #expect(rows[0].first == "center")
        #expect(rows.filter { $0[0] == "lisbon" }.count == 1313)
        #expect(rows.filter { $0[0] == "kyoto" }.count == 1161)
        let single = parseCSV(try await SampleData.habitat("near", "35.0116,135.7681", "--format", "csv").output)
        let kyoto = rows.filter { $0[0] == "kyoto" }.map { Array($0.dropFirst()) }
        #expect(kyoto == Array(single.dropFirst()))
        let bad = try folder.write("id,longitude,latitude\na,200,1\n", to: "bad.csv")
        let refused = try await SampleData.habitat("near", "--centers", bad)
        #expect(refused.status == 64)
        #expect(refused.errors.contains("error[position-invalid]"))
        #expect(refused.errors.contains("bad.csv:2"))
    }

    @Test func lastIsPositionOfNewestLocatedEvent() async throws {
        let last = try await SampleData.habitat("near", "last", "--as", "alice", "--limit", "1", "--format", "csv")
        #expect(parseCSV(last.output)[1].last == "0")
        let nobody = try await SampleData.habitat("near", "last")
        #expect(nobody.status == 77)
        let unlocated = try await SampleData.habitat("near", "last", "--as", "helena")
        #expect(unlocated.status == 69)
        #expect(unlocated.errors.hasPrefix("error[location-unavailable]: "))
    }

    @Test(arguments: [
        (["near", "91,0"], "position-invalid"),
        (["near", "38.7"], "position-invalid"),
        (["near"], "usage"),
        (["near", "1,1", "--within", "5"], "distance-invalid"),
        (["near", "1,1", "--within", "-5km"], "distance-invalid"),
        (["near", "1,1", "--kind", "cats"], "parameter-invalid"),
        (["near", "1,1", "--nearest", "0"], "parameter-invalid"),
        (["near", "1,1", "--limit", "-3"], "parameter-invalid"),
        (["near", "1,1", "--wihtin", "5km"], "usage"),
        (["near", "1,1", "--bbox", "1,2,3"], "position-invalid"),
        (["history", "--within", "5km"], "usage"),
        (["history", "--from", "2026-02-30"], "date-invalid"),
        (["history", "--comment", ""], "search-text-empty"),
        (["history", "--comment-word", ""], "search-text-empty"),
        (["history", "--columns", "nothing"], "parameter-invalid"),
        (["user", "list", "--format", "geojson"], "format-not-available"),
        (["history", "--now", "yesterday"], "date-invalid"),
        (["frobnicate"], "usage"),
        (["nera", "1,1"], "usage"),
        (["history", "--output", "x.xlsx"], "format-not-available"),
        (["history", "--from", "2026-11-02", "--to", "2026-11-01"], "date-invalid"),
        (["near", "1,1", "--width", "-1"], "parameter-invalid"),
        (["near", "1,1", "--kind", "posts", "--from", "2026-11-01"], "usage"),
        (["ingest", "x", "--explain"], "usage"),
        (["query", "SELECT :x"], "parameter-missing"),
    ])
    func invalidArgumentsAreRefused(arguments: [String], slug: String) async throws {
        let result = try await Program.habitat(arguments, in: try SampleData.folder())
        #expect(result.status == 64)
        #expect(result.errors.hasPrefix("error[\(slug)]: "), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "one line: \(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test(arguments: [
        (["near", "174.7787,-41.2924"], "the latitude comes first"), (["nera", "1,1"], "did you mean 'near'?"),
        (["history", "--bbox", "-9.2,38.8,-9.1,38.7"], "south below north"),
        (["near", "1,1", "--nope"], "see 'habitat help near'"),
        (["--as", "alice", "folow"], "unknown command 'folow'"),
    ])
    func errorMessageContainsRemedy(arguments: [String], hint: String) async throws {
        #expect(try await Program.habitat(arguments, in: try await SampleData.folder()).errors.contains(hint))
    }

    @Test func positionMayContainSpace() async throws {
        let expected = try await SampleData.habitat("near", "38.7223,-9.1393", "--format", "csv").output
        #expect(try await SampleData.habitat("near", "38.7223,", "-9.1393", "--format", "csv").output == expected)
        let south = try await SampleData.habitat("near", "-41.2924,174.7787", "--format", "csv").output
        #expect(try await SampleData.habitat("near", "-41.2924,", "174.7787", "--format", "csv").output == south)
        #expect(
            try await SampleData.habitat(
                "history", "--near", "-41.2924,174.7787", "--sort", "distance", "--format", "csv"
            )
            .output == south)
    }

    /// The command ignores a standard error that cannot be written.
    @Test(arguments: ["2>&-", "2>/dev/full", "2>&1 | head -c 1"])
    func commandRunsWhenStandardErrorIsUnwritable(redirection: String) async throws {
        let folder = try await SampleData.folder()
        for command in ["near 38.7,-9.1 --limit 2", "history --limit 99x", "ingest none.csv"] {
            let result = try await Program.run(
                "/bin/bash", ["-c", "set -o pipefail; '\(Program.habitat)' \(command) \(redirection)"], in: folder.path)
            #expect([0, 64, 66].contains(result.status), "\(command) \(redirection): \(result.status)")
        }
    }

    @Test(.fileStoreOnly) func parameterIsNumberOnlyWhenItsTextIsCanonical() async throws {
        let result = try await SampleData.habitat(
            "query", "SELECT typeof(:a), typeof(:b), typeof(:c), typeof(:d)", "-p", "a=007", "-p", "b=1e5", "-p",
            "c=-12", "-p", "d=0.5", "--plain")
        #expect(result.output == "text\ttext\tinteger\treal\n")
        #expect(try await SampleData.habitat("query", "SELECT 1", "-p", "x=1").status == 64)
        #expect(try await SampleData.habitat("query", "SELECT :x", "-p", "x=1", "-p", "x=2").status == 64)
    }

    @Test(.fileStoreOnly) func explainShowsQueryPlan() async throws {
        #expect(
            try await SampleData.habitat("near", "1,1", "--explain").output.contains(
                "SCAN idx_event_geometry VIRTUAL TABLE"))
        #expect(
            try await SampleData.habitat("query", "SELECT id FROM events", "--explain").output.contains("SCAN event"))
    }

    @Test func errorsAreJSONWhenRequested() async throws {
        let result = try await SampleData.habitat("near", "91,0", "--errors", "json")
        let object = try JSONSerialization.jsonObject(with: Data(result.errors.utf8)) as? [String: Any]
        #expect(object?["error"] as? String == "position-invalid")
        #expect(object?["field"] as? String == "position")
        let usage = try await SampleData.habitat("--errors", "json", "nonsense")
        #expect(usage.errors.hasPrefix("{\"error\":\"usage\""))
    }

    @Test func emptyResultSucceedsWithNotice() async throws {
        let result = try await SampleData.habitat("near", "0,-30")
        #expect(result.status == 0)
        #expect(result.errors.contains("--within"))
        #expect(try await SampleData.habitat("near", "0,-30", "--quiet").errors.isEmpty)
        let json = try await SampleData.habitat("near", "0,-30", "--format", "geojson")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect((object?["features"] as? [Any])?.isEmpty == true)
    }

    /// Selected columns have the same values as in the full row.
    @Test func selectedColumnsMatchFullRow() async throws {
        let arguments = ["near", "38.7223,-9.1393", "--within", "2km", "--limit", "30", "--format", "csv"]
        let whole = parseCSV(try await SampleData.habitat(arguments + ["--kind", "events"]).output)
        let names = whole[0].map { $0 ?? "" }
        for columns in [["id"], ["user"], ["title", "id"], ["habit"], ["distance_m", "comment", "user"]] {
            let some = parseCSV(
                try await SampleData.habitat(arguments + ["--columns", columns.joined(separator: ",")]).output)
            let places = columns.compactMap(names.firstIndex)
            #expect(some == whole.map { row in places.map { row[$0] } }, "\(columns)")
            #expect(some.count == 31)
        }
        let kinds = arguments + ["--kind", "events,items,posts"]
        let all = parseCSV(try await SampleData.habitat(kinds).output)
        let titles = parseCSV(try await SampleData.habitat(kinds + ["--columns", "kind,title"]).output)
        #expect(titles == all.map { [$0[0], $0[3]] })
    }
}
