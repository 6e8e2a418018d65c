import Foundation
import HabitTestSupport
import Testing

/// Tests of rules C-12 to C-16: history, its scopes and its filters.
@Suite struct HistoryTests {
    /// Returns the rows of `history` on the sample data, by column.
    private static func rows(_ arguments: [String] = []) async throws -> [[String: String]] {
        let result = try await SampleData.habitat(["history", "--format", "csv"] + arguments)
        try #require(result.status == 0, "\(arguments): \(result.errors)")
        let rows = parseCSV(result.output)
        let names = rows[0].map { $0 ?? "" }
        return rows.dropFirst().map { row in
            Dictionary(uniqueKeysWithValues: zip(names, row).compactMap { name, cell in cell.map { (name, $0) } })
        }
    }

    /// The result of each filter and each pair of filters equals a scan of all events.
    @Test func filterPairsMatchScanOfAllEvents() async throws {
        let all = try await Self.rows()
        #expect(all.count == 4990)
        let filters: [(arguments: [String], test: ([String: String]) -> Bool)] = [
            (["--user", "alice"], { $0["user"] == "alice" }),
            (["--habit", "alice-run", "--habit", "bruno-gym"], { ["alice-run", "bruno-gym"].contains($0["habit"]) }),
            (["--not-habit", "alice-run"], { $0["habit"] != "alice-run" }),
            (["--comment", "CHUVA"], { $0["comment"]?.lowercased().contains("chuva") == true }),
            (["--comment", "a"], { $0["comment"]?.lowercased().contains("a") == true }),
            (["--comment", "いい"], { $0["comment"]?.contains("いい") == true }),
            (["--from", "2026-09-01"], { ($0["day"] ?? "") >= "2026-09-01" }),
            (["--to", "2026-10-15"], { ($0["day"] ?? "") <= "2026-10-15" }),
            (
                ["--bbox", "-9.2,38.7,-9.1,38.75"],
                { row in
                    guard let x = row["longitude"].flatMap(Double.init), let y = row["latitude"].flatMap(Double.init)
                    else { return false }
                    return (-9.2 ... -9.1).contains(x) && (38.7...38.75).contains(y)
                }
            ),
            (["--bbox", "-180,-90,180,90"], { $0["longitude"] != nil }),
            (
                ["--bbox", "179,-17,-179,-16"],
                {
                    ($0["longitude"].flatMap(Double.init) ?? 0).magnitude > 179
                        && ($0["latitude"] ?? "").hasPrefix("-16")
                }
            ),
        ]
        for (i, first) in filters.enumerated() {
            let expected = all.filter(first.test)
            #expect(try await Self.rows(first.arguments) == expected, "\(first.arguments)")
            #expect(!expected.isEmpty, "\(first.arguments) must match rows")
            for second in filters[(i + 1)...] where Set(first.arguments).isDisjoint(with: second.arguments) {
                #expect(
                    try await Self.rows(first.arguments + second.arguments) == expected.filter(second.test),
                    "\(first.arguments) \(second.arguments)")
            }
        }
    }

    /// A column has the same values with and without the other columns, and a feature has its geometry.
    @Test func columnIsSameWhenSelectedAlone() async throws {
        let question = ["--scope", "friends", "--as", "alice"]
        let all = try await Self.rows(question)
        for name in EventRuleTests.columns {
            #expect(
                try await Self.rows(question + ["--columns", "id,\(name)".replacing("id,id", with: "id")])
                    == all.map { row in row.filter { ["id", name].contains($0.key) } }, "\(name)")
        }
        let features = try await Program.habitat(
            ["history", "--format", "geojson", "--columns", "comment"] + question, in: try SampleData.folder())
        let located = all.filter { $0["longitude"] != nil }.count
        #expect(located > 10)
        #expect(features.output.components(separatedBy: "\"Point\"").count == located + 1)
    }

    @Test func historyIsSortedNewestFirst() async throws {
        let rows = try await Self.rows()
        let keys = rows.map { row -> (String, Double, String) in
            let day = row["day"] ?? ""
            let id = row["id"] ?? ""
            guard let at = row["at"] else { return (day, -1e18, id) }
            let seconds = ISO8601DateFormatter().date(from: at)?.timeIntervalSince1970
            return (day, seconds ?? 0, id)
        }
        let isDescending = zip(keys, keys.dropFirst()).allSatisfy { key, next in key > next }
        #expect(isDescending)
    }

    /// Alice follows five users.
    ///
    /// The expected rows are the newest event of each habit of these users.
    @Test func scopeFriendsReturnsNewestEventOfEachHabit() async throws {
        let friends: Set = ["bruno", "carla", "ines", "yuki", "aroha"]
        var newest: [String: String] = [:]
        for row in try await Self.rows() where friends.contains(row["user"] ?? "") {
            let habit = row["habit"] ?? ""
            let day = row["day"] ?? ""
            newest[habit] = max(newest[habit] ?? "", day)
        }
        let found = try await Self.rows(["--as", "alice", "--scope", "friends"])
        let days = found.map { row -> (String, String) in
            let habit = row["habit"] ?? ""
            return (habit, row["day"] ?? "")
        }
        #expect(Dictionary(uniqueKeysWithValues: days) == newest)
        #expect(found.count > 10)
    }

    @Test func scopeAllReturnsEventsThatActorCanSee() async throws {
        let all = try await Self.rows()
        let found = try await Self.rows(["--as", "alice", "--scope", "all"])
        #expect(found.count == 1177)
        let friends: Set = ["alice", "bruno", "carla", "ines", "yuki"]
        let foundOfFriends = found.filter { $0["user"] != "aroha" }
        let allOfFriends = all.filter { friends.contains($0["user"] ?? "") }
        #expect(foundOfFriends == allOfFriends)
        let newestOfAroha = Dictionary(grouping: all.filter { $0["user"] == "aroha" }) { $0["habit"] ?? "" }.compactMap
        { $0.value.first?["id"] }
        #expect(Set(found.filter { $0["user"] == "aroha" }.compactMap { $0["id"] }) == Set(newestOfAroha))
    }

    @Test func commentWordMatchesWholeWords() async throws {
        let all = try await Self.rows()
        let found = try await Self.rows(["--comment-word", "outra"])
        #expect(!found.isEmpty)
        #expect(found == all.filter { ($0["comment"] ?? "").split(separator: " ").contains("outra") })
        #expect(try await Self.rows(["--comment-word", "outr"]).isEmpty)
    }

    /// `%`, `_`, quotes and SQL or FTS5 syntax are ordinary characters.
    @Test func searchTextIsNotInterpretedAsPattern() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        try folder.write("id,user,title,days\nrun,ann,Run,1111111\n", to: "habits.csv")
        let comments = [
            "100%", "100x", "a_b", "axb", "it''s", "say \"hi\"", "OR NOT", "run* now", "x:y", "(a) AND", "' OR 1=1 --",
            "-1,5", "^abc$",
        ]
        let rows = comments.enumerated().map { index, comment -> String in
            let quoted = comment.replacing("\"", with: "\"\"")
            return "run,2026-10-\(10 + index),\"\(quoted)\""
        }
        try folder.write("habit,day,comment\n" + rows.joined(separator: "\n"), to: "events.csv")
        #expect(try await Program.habitat("ingest", "users.csv", "habits.csv", "events.csv", in: folder).status == 0)
        for comment in comments {
            let result = try await Program.habitat(
                "history", "--comment", comment, "--format", "csv", "--columns", "comment", in: folder)
            #expect(
                parseCSV(result.output).dropFirst().map { $0[0] } == [comment],
                "\(comment): \(result.output) \(result.errors)")
        }
        for part in ["%", "_", "\"", "'", "*", "0%"] {
            let result = try await Program.habitat(
                "history", "--comment", part, "--format", "csv", "--columns", "comment", in: folder)
            #expect(
                Set(parseCSV(result.output).dropFirst().compactMap { $0[0] })
                    == Set(comments.filter { $0.contains(part) }), "\(part)")
        }
    }

    @Test func columnNamesMayBeSurroundedByWhitespace() async throws {
        let result = try await SampleData.habitat(
            "history", "--limit", "1", "--format", "csv", "--columns", "id ,\thabit,\u{3000}day\u{A0}")
        #expect(result.lines.first == "id,habit,day", "\(result)")
    }

    @Test func geoJSONOmitsUnlocatedEventsUnlessRequested() async throws {
        let located = try await SampleData.habitat("history", "--format", "geojson")
        let all = try await SampleData.habitat("history", "--format", "geojson", "--include-unlocated")
        for (result, count) in [(located, 4098), (all, 4990)] {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            #expect((object["features"] as? [Any])?.count == count)
            #expect(object["crs"] == nil)
        }
        #expect(located.errors.contains("892 rows without a position"))
        // The newest event has no position.
        let one = try await SampleData.habitat("history", "--format", "geojson", "--limit", "1")
        #expect(
            one.errors
                == "1 row without a position is omitted from the GeoJSON: pass --include-unlocated to include them.\n")
        let folder = try TemporaryFolder()
        try folder.write(located.output, to: "events.geojson")
        let info = try await Program.run("/usr/bin/ogrinfo", ["-ro", "-so", "-al", "events.geojson"], in: folder.path)
        #expect(info.output.contains("Feature Count: 4098"))
    }

    @Test func historyInCSVRoundTrips() async throws {
        let folder = try TemporaryFolder()
        let first = try await SampleData.habitat(
            "history", "--format", "csv", "--columns", "id,habit,day,at,comment,outcome,longitude,latitude")
        for name in ["users.csv", "habits.tsv", "schedules.csv"] {
            try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: SampleData.path + "/" + name, toPath: folder.file("in/\(name)"))
        }
        try folder.write(first.output, to: "in/events.csv")
        let load = try await Program.habitat("ingest", "in", in: folder)
        #expect(load.status == 0, "\(load.errors)")
        #expect(load.output.contains("events"), "offsets of zero are kept")
        #expect(first.output.contains("+00:00"), "offsets of zero are kept")
        let second = try await Program.habitat(
            "history", "--format", "csv", "--columns", "id,habit,day,at,comment,outcome,longitude,latitude", in: folder)
        #expect(second.output == first.output)
    }

    @Test func outputFormatIsDerivedFromFileName() async throws {
        let folder = try await SampleData.folder()
        let target = try TemporaryFolder()
        for (name, start) in [
            ("a.csv", "id,user"), ("a.json", "["), ("a.ndjson", "{\"id\""),
            ("a.geojson", "{\"type\":\"FeatureCollection\""), ("a.txt", "user"),
        ] {
            let result = try await Program.habitat("history", "--limit", "3", "--output", target.file(name), in: folder)
            #expect(result.status == 0)
            #expect(result.output.isEmpty)
            #expect(try target.read(name).hasPrefix(start), "\(name)")
        }
        #expect(target.names.count == 5, "no temporary file remains: \(target.names)")
        let missing = try await Program.habitat("history", "--output", target.file("none/a.csv"), in: folder)
        #expect(missing.status == 73)
        #expect(missing.errors.hasPrefix("error[output-not-writable]: "))
    }
}
