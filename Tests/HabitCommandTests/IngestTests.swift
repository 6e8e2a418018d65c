import Foundation
import HabitTestSupport
import Testing

/// Tests of rule C-23: loading events from other sources, in any order and repeatedly.
@Suite struct IngestTests {
    private static let users = "id,time_zone\nann,UTC\nbob,Asia/Tokyo\n"
    /// A store with two users and two habits.
    private static let store = StoreTemplate([
        "users.csv": users, "habits.csv": "id,user,title,days\nrun,ann,Run,mon wed fri\nread,bob,Read,1111111\n",
    ])

    private static func events(_ folder: TemporaryFolder, columns: String? = nil) async throws -> String {
        let choice = columns.map { ["--columns", $0] } ?? []
        return try await Program.habitat(["history", "--format", "csv"] + choice, in: folder).output
    }

    @Test func summaryCountsRowsOfEachKind() async throws {
        let folder = try await Self.store.copy()
        try folder.write("habit,day\nrun,2026-11-20\nrun,2026-11-18\n", to: "events.csv")
        let first = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
        #expect(first.output == "kind,inserted,updated,unchanged,rejected\nevents,2,0,0,0\n")
        try folder.write("habit,day,comment\nrun,2026-11-20,now with\nrun,2026-11-18,\n", to: "events.csv")
        let second = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
        #expect(second.output == "kind,inserted,updated,unchanged,rejected\nevents,0,1,1,0\n")
    }

    @Test func repeatedLoadChangesNothing() async throws {
        let folder = try TemporaryFolder()
        let first = try await Program.habitat("ingest", SampleData.path, "--format", "csv", in: folder)
        let records = try await Self.records(in: folder)
        let second = try await Program.habitat("ingest", SampleData.path, "--format", "csv", in: folder)
        #expect(first.status == 0)
        #expect(second.status == 0)
        #expect(try await Self.records(in: folder) == records)
        let before = parseCSV(first.output)
        for (number, row) in parseCSV(second.output).enumerated().dropFirst() {
            try #require(row[1] == "0", "\(row)")
            try #require(row[2] == "0", "\(row)")
            #expect(row[4] == "0", "\(row)")
            #expect(row[3] == before[number][1])
        }
    }

    /// Returns the records of each kind, and the habits with their schedules.
    private static func records(in folder: TemporaryFolder) async throws -> [String] {
        let schedules = try await Program.habitat("habit", "list", "--today", "2026-11-20", in: folder).output
        let kinds = ["users", "habits", "follows", "events", "items", "claims", "messages", "posts"]
        let statements = kinds.map { "SELECT * FROM \($0) ORDER BY 1, 2, 3" }
        return try [schedules] + folder.query(statements, .csv)
    }

    /// Loads the same events as CSV, TSV, NDJSON, a JSON array, GeoJSON, GeoJSONSeq, gzip, from standard input and in
    /// several files.
    @Test func everyInputFormatProducesSameStore() async throws {
        let csv = #"""
            id,habit,day,at,comment,outcome,longitude,latitude
            e1,run,2026-11-20,2026-11-20T07:15:00+01:00,"a, ""b""",done,-9.1393,38.7223
            e2,read,2026-11-19,2026-11-18T23:30:00Z,=1+1,skipped,,
            e3,read,2026-11-18,1794958200,朝ラン,,179.9999999,-16.8

            """#
        let rows: [[String: Any]] = [
            [
                "id": "e1", "habit": "run", "day": "2026-11-20", "at": "2026-11-20T07:15:00+01:00",
                "comment": "a, \"b\"", "outcome": "done", "longitude": -9.1393, "latitude": 38.7223,
            ],
            [
                "id": "e2", "habit": "read", "day": "2026-11-19", "at": "2026-11-18T23:30:00Z", "comment": "=1+1",
                "outcome": "skipped", "longitude": NSNull(), "latitude": NSNull(),
            ],
            [
                "id": "e3", "habit": "read", "day": "2026-11-18", "at": 1_794_958_200, "comment": "朝ラン",
                "outcome": NSNull(), "longitude": 179.9999999, "latitude": -16.8,
            ],
        ]
        func json(_ value: Any) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
        }
        let features = try rows.map { row in
            var properties = row
            let position = [properties.removeValue(forKey: "longitude"), properties.removeValue(forKey: "latitude")]
            let geometry: Any =
                position[0] is NSNull ? NSNull() : ["type": "Point", "coordinates": position.compactMap(\.self)]
            let id = properties.removeValue(forKey: "id") ?? ""
            return try json(["type": "Feature", "id": id, "geometry": geometry, "properties": properties])
        }
        let lines = csv.split(separator: "\n").map(String.init)
        let inputs: [(String, [String: String])] = [
            ("csv", ["events.csv": csv]),
            ("crlf and BOM", ["events.csv": "\u{feff}" + csv.replacing("\n", with: "\r\n")]),
            ("ndjson", ["events.ndjson": try rows.map(json).joined(separator: "\n")]),
            ("json", ["events.json": try json(rows)]),
            (
                "geojson",
                [
                    "any.geojson":
                        "{\"type\":\"FeatureCollection\",\"kind\":\"events\",\"features\":[\(features.joined(separator: ","))]}"
                ]
            ),
            ("geojsonseq", ["events.geojsonl": features.map { "\u{1e}\($0)\n" }.joined()]),
            (
                "pieces",
                [
                    "events-1.csv": lines[0] + "\n" + lines[3],
                    "events-2.csv": lines[0] + "\n" + lines[2] + "\n" + lines[1],
                ]
            ),
            (
                "tsv",
                [
                    "events.tsv": try rows.reduce("id\thabit\tday\tat\tcomment\toutcome\tlongitude\tlatitude\n") {
                        text, row in
                        text
                            + (try ["id", "habit", "day", "at", "comment", "outcome", "longitude", "latitude"].map {
                                name in
                                switch row[name] {
                                case let value as String:
                                    value.contains("\"") ? "\"\(value.replacing("\"", with: "\"\""))\"" : value
                                case is NSNull: ""
                                case let value?:
                                    try json([value]).trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
                                case nil: ""
                                }
                            }).joined(separator: "\t") + "\n"
                    }
                ]
            ),
        ]
        var expected: [String]?
        for (name, files) in inputs {
            let folder = try await Self.store.copy()
            for (file, text) in files { try folder.write(text, to: "in/\(file)") }
            let result = try await Program.habitat("ingest", "in", in: folder)
            #expect(result.status == 0, "\(name): \(result.errors)")
            let dump = [
                try await Self.events(folder),
                try await Program.habitat("history", "--format", "json", in: folder).output,
                try await Program.habitat("history", "--format", "geojson", in: folder).output,
            ]
            #expect(expected == nil || dump == expected, "\(name) differs")
            expected = expected ?? dump
        }
        #expect(expected?[0].split(separator: "\n").count == 4)
        #expect(expected?[0].contains("e2,bob,read,Read,2026-11-19,2026-11-18T23:30:00Z,=1+1,skipped") == true)

        for (name, arguments, input) in [
            ("stdin", ["-", "--kind", "events"], Data(csv.utf8)),
            ("gzip", ["-", "--kind", "events"], try await gzip(csv)),
        ] {
            let folder = try await Self.store.copy()
            let result = try await Program.habitat(["ingest"] + arguments, in: folder, input: input)
            #expect(result.status == 0, "\(name): \(result.errors)")
            #expect(try await Self.events(folder) == expected?[0], "\(name)")
        }
    }

    private func gzip(_ text: String) async throws -> Data {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "plain")
        let result = try await Program.run("/usr/bin/gzip", ["-k", "plain"], in: folder.path)
        try #require(result.status == 0)
        return try Data(contentsOf: URL(fileURLWithPath: folder.file("plain.gz")))
    }

    @Test func orderOfRowsAndFilesDoesNotMatter() async throws {
        let rows = try String(contentsOfFile: SampleData.path + "/events-lisbon.csv", encoding: .utf8).split(
            separator: "\n")
        var dumps: [String] = []
        for reversed in [false, true] {
            let folder = try TemporaryFolder()
            for name in ["users.csv", "habits.tsv", "schedules.csv"] {
                try FileManager.default.createDirectory(atPath: folder.file("in"), withIntermediateDirectories: true)
                try FileManager.default.copyItem(
                    atPath: SampleData.path + "/" + name, toPath: folder.file("in/\(name)"))
            }
            let body = rows.dropFirst().filter { !$0.contains("photos/") && !$0.contains("\"") }
            let ordered = reversed ? Array(body.reversed()) : Array(body)
            try folder.write(([rows[0]] + ordered).joined(separator: "\n"), to: "in/events.csv")
            #expect(try await Program.habitat("ingest", "in", in: folder).status == 0)
            dumps.append(try await Self.events(folder))
        }
        #expect(dumps[0] == dumps[1])
        #expect(dumps[0].count > 100_000)
    }

    @Test func rejectedRowsAreReportedAndCanBeRepaired() async throws {
        let folder = try await Self.store.copy()
        try folder.write(
            "id,habit,day,comment,longitude,latitude\na,run,2026-11-20,fine,1,2\nb,run,2026-02-30,,1,2\nc,nothing,2026-11-18,,,\nd,run,2026-11-18,this comment is too long,,\ne,run,2026-11-16,,1,91\n",
            to: "events.csv")
        for name in ["refused.csv", "refused.ndjson"] {
            let result = try await Program.habitat(
                "ingest", "events.csv", "--rejects", name, "--format", "csv", in: folder)
            #expect(result.status == 65)
            #expect(result.output.hasSuffix(",4\n"))
            let lines = result.errors.split(separator: "\n").map(String.init)
            #expect(
                lines[0]
                    == "events.csv:3:7: day: the date '2026-02-30' does not exist: correct it (day-invalid)"
            )
            #expect(
                lines[3]
                    == "events.csv:4:3: habit: the habit 'nothing' does not exist: load it first or correct the id (unknown-reference)"
            )
            #expect(
                lines[1]
                    == "events.csv:5:18: comment: the comment has 24 characters; at most 20 are allowed: shorten it (comment-too-long)"
            )
            #expect(
                lines[2] == "events.csv:6:21: latitude: the latitude 91.0 is not between -90 and 90 (position-invalid)")
            #expect(lines[4].hasPrefix("error[rows-rejected]: 4 rows were rejected"))
            let repaired = try folder.read(name).replacing("2026-02-30", with: "2026-11-09").replacing(
                "nothing", with: "read"
            )
            .replacing("this comment is too long", with: "short").replacing(
                "\"latitude\":\"91\"", with: "\"latitude\":9"
            )
            .replacing("1,91", with: "1,9")
            try folder.write(repaired, to: "mended-\(name)")
            let again = try await Program.habitat("ingest", "mended-\(name)", "--format", "csv", in: folder)
            #expect(again.status == 0, "\(again.errors)")
        }
        #expect(
            try await Self.events(folder, columns: "id,habit,day,comment") == """
                id,habit,day,comment
                a,run,2026-11-20,fine
                d,run,2026-11-18,short
                c,read,2026-11-18,
                e,run,2026-11-16,
                b,run,2026-11-09,

                """)
    }

    /// Each row is rejected with the code documented in its README.
    @Test func refusedSamplesAreRefused() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("ingest", SampleData.path, in: folder).status == 0)
        let result = try await Program.habitat("ingest", SampleData.path + "/refused", "--format", "csv", in: folder)
        #expect(result.status == 65)
        #expect(result.output == "kind,inserted,updated,unchanged,rejected\nhabits,1,0,0,6\nevents,2,0,0,16\n")
    }

    @Test func strictAndMaxRejectsLimitRejectedRows() async throws {
        let bad = "habit,day\nrun,2026-11-20\nrun,2026-02-30\n"
        for (arguments, status, stored, slug) in [
            (["--strict"], 65, 0, "error[rows-rejected]"), (["--max-rejects", "0"], 65, 0, "error[too-many-rejects]"),
            (["--max-rejects", "1"], 0, 1, ""), (["--dry-run"], 65, 0, "error[rows-rejected]"),
            ([], 65, 1, "error[rows-rejected]"),
        ] as [([String], Int32, Int, String)] {
            let folder = try await Self.store.copy()
            try folder.write(bad, to: "events.csv")
            let result = try await Program.habitat(["ingest", "events.csv"] + arguments, in: folder)
            #expect(result.status == status, "\(arguments)")
            #expect(slug.isEmpty || result.errors.contains(slug))
            #expect(try await Self.events(folder).split(separator: "\n").count == 1 + stored, "\(arguments)")
        }
    }

    @Test func dryRunCreatesNoStore() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.users, to: "users.csv")
        let result = try await Program.habitat("ingest", "users.csv", "--dry-run", "--format", "csv", in: folder)
        #expect(result.status == 0)
        #expect(result.output.contains("users,2,0,0,0"))
        #expect(folder.names == ["users.csv"])
    }

    @Test func conflictsAndDuplicatesFollowPolicy() async throws {
        let folder = try await Self.store.copy()
        try folder.write("id,habit,day,comment\na,run,2026-11-20,one\n", to: "events.csv")
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).status == 0)
        try folder.write("id,habit,day,comment\na,run,2026-11-20,two\n", to: "events.csv")
        let kept = try await Program.habitat(
            "ingest", "events.csv", "--on-conflict", "keep", "--format", "csv", in: folder)
        #expect(kept.output.hasSuffix("events,0,0,1,0\n"))
        let refused = try await Program.habitat("ingest", "events.csv", "--on-conflict", "reject", in: folder)
        #expect(refused.errors.contains("(duplicate-key)"))
        #expect(try await Self.events(folder, columns: "comment") == "comment\none\n")
        try folder.write("id,habit,day,comment\nb,run,2026-11-20,three\n", to: "events.csv")
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).errors.contains("(event-exists)"))
        try folder.write(
            "id,habit,day,comment\nc,run,2026-11-18,x\nc,run,2026-11-18,x\nc,run,2026-11-18,y\n", to: "events.csv")
        let twice = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
        #expect(twice.output.hasSuffix("events,1,0,1,1\n"))
        #expect(twice.errors.contains("events.csv:4: the load contains this record twice"))
    }

    /// No key is repeated in these inputs, so any order of rows, files and kinds is valid.
    @Test func earlierRowIsAcceptedWhenLaterRowPermitsIt() async throws {
        for reversed in [false, true] {
            let folder = try await Self.store.copy()
            try folder.write("id,habit,day\ne1,run,2026-11-16\ne2,run,2026-11-18\n", to: "events.csv")
            #expect(try await Program.habitat("ingest", "events.csv", in: folder).status == 0)
            let rows = ["e1,run,2026-11-18", "e2,run,2026-11-20"]
            try folder.write(
                "id,habit,day\n" + (reversed ? rows.reversed() : rows).joined(separator: "\n"), to: "events.csv")
            let moved = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
            #expect(moved.output.hasSuffix("events,0,2,0,0\n"), "\(moved.errors)")
            #expect(try await Self.events(folder, columns: "id,day") == "id,day\ne2,2026-11-20\ne1,2026-11-18\n")
        }
        let folder = try TemporaryFolder()
        let mixed = [
            "{\"kind\":\"events\",\"habit\":\"run\",\"day\":\"2026-11-20\"}",
            "{\"kind\":\"habits\",\"id\":\"run\",\"user\":\"ann\",\"title\":\"Run\",\"days\":[1,3,5]}",
            "{\"kind\":\"users\",\"id\":\"ann\"}",
        ]
        try folder.write(mixed.joined(separator: "\n"), to: "all.ndjson")
        let result = try await Program.habitat("ingest", "all.ndjson", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try await Self.events(folder, columns: "id,unplanned") == "id,unplanned\nrun@2026-11-20,false\n")
    }

    /// A load that cannot report its result changes nothing, and a failed load keeps an existing rejects file.
    @Test func loadFailsBeforeChangesWhenResultCannotBeReported() async throws {
        let folder = try await Self.store.copy()
        try folder.write("habit,day\nrun,2026-11-20\n", to: "events.csv")
        try folder.write("precious\n", to: "old.csv")
        for arguments in [
            ["--output", "none/x.csv"], ["--format", "geojson"], ["--columns", "nope"], ["--now", "garbage"],
            ["--output", "/dev/full", "--format", "csv"], ["none.csv", "--rejects", "old.csv"],
            ["--time-zone", "Nope/Nope"],
        ] {
            let result = try await Program.habitat(["ingest", "events.csv"] + arguments, in: folder)
            #expect(result.status != 0, "\(arguments)")
            #expect(try await Self.events(folder, columns: "id") == "id\n", "\(arguments)")
        }
        #expect(try folder.read("old.csv") == "precious\n")
        let fresh = try TemporaryFolder()
        try fresh.write("id\nann\n\"\"\n", to: "users.csv")
        #expect(try await Program.habitat("ingest", "users.csv", "--strict", in: fresh).status == 65)
        #expect(
            try await Program.habitat("user", "list", "--format", "csv", in: fresh).output
                == "id,name,following,follower\n")
    }

    /// A failed initial load does not affect another load that waited for it.
    ///
    /// The first load reads more rows than a pipe holds, so it has begun its transaction when they are written.
    @Test(.fileStoreOnly) func failedInitialLoadDoesNotAffectAnother() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        let script = """
            (echo id; seq -f 'user-%.0f' 30000; touch begun; while [ ! -e go ]; do sleep 0.05; done; echo '""') |
                '\(Program.habitat)' ingest - --kind users --strict
            """
        let scratch = try TemporaryFolder()
        let failing = try Program.start("/bin/sh", ["-c", script], in: folder.path, scratch: scratch)
        try await waitUntil("the first load has begun its transaction") { folder.names.contains("begun") }
        let waiting = try Program.start(
            Program.habitat, ["ingest", "users.csv", "--wait", "600s"], in: folder.path, scratch: TemporaryFolder())
        try await waitUntil("the second load has opened the store") { waiting.hasOpen(folder.file("habitat.db")) }
        try folder.write("", to: "go")
        let end = await failing.end()
        let errors = try scratch.read("stderr")
        #expect(end == .exit(65), "\(errors)")
        #expect(errors.contains("error[rows-rejected]"), "\(errors)")
        #expect(await waiting.end() == .exit(0))
        #expect(try await Program.habitat("user", "list", "--plain", "--columns", "id", in: folder).output == "ann\n")
    }

    @Test func daysOutsideCalendarAreRejected() async throws {
        let folder = try await Self.store.copy()
        try folder.write(
            "habit,at,utc_offset\nread,9999-12-31T23:59:59Z,\nrun,9999-12-31T23:59:59Z,60\nrun,0001-01-01T00:00:00Z,-60\nrun,0001-01-01T00:00:00Z,\n",
            to: "events.csv")
        let result = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
        #expect(result.output.hasSuffix("events,1,0,0,3\n"))
        #expect(try await Self.events(folder, columns: "day") == "day\n0001-01-01\n")
        for today in ["0001-01-01", "2026-11-20", "9999-12-31"] {
            #expect(try await Program.habitat("habit", "list", "--today", today, in: folder).status == 0)
        }
    }

    @Test(.fileStoreOnly) func photosWithoutRecordAreNotKept() async throws {
        let folder = try await Self.store.copy()
        let photos = try FileManager.default.contentsOfDirectory(atPath: SampleData.path + "/photos").sorted().prefix(3)
        for (number, name) in photos.enumerated() {
            try FileManager.default.copyItem(
                atPath: SampleData.path + "/photos/" + name, toPath: folder.file("\(number).png"))
        }
        try folder.write("id,user,name,photo\ni,ann,Chair,0.png\ni,ann,Chair,1.png\n", to: "items.csv")
        #expect(try await Program.habitat("ingest", "items.csv", in: folder).status == 65)
        #expect(try await photoCount(folder) == "1")
        try folder.write("id,user,name,photo\ni,ann,Chair,2.png\n", to: "items.csv")
        #expect(try await Program.habitat("ingest", "items.csv", in: folder).status == 0)
        #expect(try await photoCount(folder) == "1")
    }

    private func photoCount(_ folder: TemporaryFolder) async throws -> String {
        let script =
            "import sqlite3; print(sqlite3.connect('habitat.db').execute('SELECT count(*) FROM photo').fetchone()[0])"
        return try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path).output.trimmingCharacters(
            in: .newlines)
    }

    @Test func unplannedEventsAreUpdatedWhenScheduleIsLoadedLater() async throws {
        let folder = try await Self.store.copy()
        // 2026-11-17 is a Tuesday, on which `run` is not due.
        try folder.write("habit,day\nrun,2026-11-17\nrun,2026-11-18\n", to: "events.csv")
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).status == 0)
        #expect(
            try await Self.events(folder, columns: "day,unplanned")
                == "day,unplanned\n2026-11-18,false\n2026-11-17,true\n")
        try folder.write("habit,from,days\nrun,2026-11-16,tue\n", to: "schedules.csv")
        #expect(try await Program.habitat("ingest", "schedules.csv", in: folder).status == 0)
        #expect(
            try await Self.events(folder, columns: "day,unplanned")
                == "day,unplanned\n2026-11-18,true\n2026-11-17,false\n")
    }

    @Test func dayOfInstantDependsOnOffsetOrZone() async throws {
        let folder = try await Self.store.copy()
        try folder.write(
            "habit,at\nread,2026-11-19T20:00:00Z\nread,2026-11-18T22:00:00-05:00\nrun,2026-11-17T20:00:00Z\n",
            to: "events.csv")
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).status == 0)
        // Bob is in Tokyo, where 20:00 UTC is the next day. The offset of an instant takes precedence over the time
        // zone.
        #expect(
            try await Self.events(folder, columns: "id") == "id\nread@2026-11-20\nread@2026-11-18\nrun@2026-11-17\n")
    }

    @Test func nullIslandPolicyIsApplied() async throws {
        for (policy, position, status) in [("keep", "0,0", 0), ("null", ",", 0), ("reject", nil, 65)]
            as [(String, String?, Int32)]
        {
            let folder = try await Self.store.copy()
            try folder.write("habit,day,lon,lat\nrun,2026-11-20,0,0\n", to: "events.csv")
            let result = try await Program.habitat("ingest", "events.csv", "--null-island", policy, in: folder)
            #expect(result.status == status)
            #expect(result.errors.contains("null-island") == (policy != "null"))
            let expected = position.map { "longitude,latitude\n\($0)\n" } ?? "longitude,latitude\n"
            #expect(try await Self.events(folder, columns: "longitude,latitude") == expected)
        }
    }

    @Test func photosOutsideInputFolderAreRejected() async throws {
        let folder = try await Self.store.copy()
        let png = try Data(
            contentsOf: URL(
                fileURLWithPath: SampleData.path + "/photos/"
                    + (try #require(
                        FileManager.default.contentsOfDirectory(atPath: SampleData.path + "/photos").sorted().first))))
        try folder.write(png, to: "in/p/a.png")
        try folder.write(png, to: "secret.png")
        try folder.write("no picture", to: "in/p/text.png")
        try folder.write(Data(count: 65_536), to: "in/p/large.png")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("in/link.png"), withDestinationPath: "../secret.png")
        try FileManager.default.createSymbolicLink(atPath: folder.file("in/folder"), withDestinationPath: "..")
        let photos = [
            "p/a.png", "../secret.png", "link.png", "folder/secret.png", "/etc/passwd", "p/text.png", "p/none.png",
            "p/large.png", "p",
        ]
        let rows = photos.enumerated().map { "read,2026-11-\(10 + $0),\($1)" }
        try folder.write("habit,day,photo\n" + rows.joined(separator: "\n") + "\n", to: "in/events.csv")
        try folder.write(
            "[{\"habit\":\"read\",\"day\":\"2026-10-01\",\"photo\":\"\(png.base64EncodedString())\"}]",
            to: "in/events-b.json")
        let result = try await Program.habitat("ingest", "in", "--format", "csv", in: folder)
        #expect(result.output == "kind,inserted,updated,unchanged,rejected\nevents,2,0,0,8\n", "\(result.errors)")
        #expect(result.errors.split(separator: "\n").filter { $0.contains("(photo-invalid)") }.count == 7)
        #expect(result.errors.contains("the photo has 65536 bytes; at most 65535 are allowed"))
        #expect(
            try await Self.events(folder, columns: "day,has_photo")
                == "day,has_photo\n2026-11-10,true\n2026-10-01,true\n")
    }

    /// Each attempt is killed later than the previous one, until a load ends or is killed only after its commit.
    ///
    /// The size of the journal is the progress of a load. On a server, it is the number of observed statements. If the
    /// first load ends before a busy machine kills it, the attempts begin again with another store.
    @Test func killedLoadLeavesStoreUnchanged() async throws {
        var folder = try await Self.store.copy()
        let scratch = try TemporaryFolder()
        let days = (0..<20_000).map { "read,\(1000 + $0 / 336)-\(pad($0 / 28 % 12 + 1))-\(pad($0 % 28 + 1)),x,1,2" }
        let text = "habit,day,comment,longitude,latitude\n" + days.joined(separator: "\n")
        try folder.write(text, to: "events.csv")
        var goal = 1
        var kills = 0
        var events = 0
        while events == 0 || kills == 0 {
            if events > 0 {
                folder = try await Self.store.copy()
                try folder.write(text, to: "events.csv")
                goal = 1
            }
            let process = try Program.start(
                Program.habitat, ["ingest", "events.csv"], in: folder.path, scratch: scratch)
            var progress = 0
            try await waitUntil("the load has made progress", every: .microseconds(200)) {
                if !TestServer.isUsed {
                    progress = folder.size("habitat.db-wal") + folder.size("habitat.db-journal")
                } else if try TestServer.isExecutingQuery(storeAt: folder.file("habitat.db")) {
                    progress += 1
                }
                return progress >= goal || !process.isRunning
            }
            process.send(SIGKILL)
            let end = await process.end()
            let isKilled = end == .signal(SIGKILL)
            try #require(isKilled || end == .exit(0))
            events = try await Self.events(folder).split(separator: "\n").count - 1
            #expect(events == 20_000 || (isKilled && events == 0), "at \(progress) of \(goal)")
            if isKilled { kills += 1 }
            goal *= 32
        }
    }

    /// An event moved without its instant would contradict it and could not be loaded from an export.
    @Test func movedEventIsRejectedWhenItsInstantContradictsDay() async throws {
        let folder = try await Self.store.copy()
        try folder.write("id,habit,day,at\na,read,2026-11-10,2026-11-10T08:00:00Z\n", to: "events.csv")
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).status == 0)
        for (row, outcome) in [
            ("a,read,2026-12-01,", "events,0,1,0,0"), ("a,read,2026-11-11,2026-11-11T09:00:00Z", "events,0,1,0,0"),
        ] {
            try folder.write("id,habit,day,at\n\(row)\n", to: "events.csv")
            let result = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
            #expect(result.output.contains(outcome), "\(row): \(result)")
        }
        try folder.write("id,habit,day\na,read,2026-12-24\n", to: "events.csv")
        let refused = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
        #expect(refused.output.contains("events,0,0,0,1"), "\(refused)")
        #expect(refused.errors.contains("(day-mismatch)"), "\(refused)")
        try folder.write("id,habit,day\na,read,2026-11-12\n", to: "events.csv")
        let moved = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
        #expect(moved.output.contains("events,0,1,0,0"), "\(moved)")
        #expect(try await Program.habitat("export", "all", in: folder).status == 0)
        let again = try await Program.habitat("--store", "again.db", "ingest", "all", in: folder)
        #expect(again.status == 0, "\(again)")
    }

    /// An initial load writes pages in place.
    ///
    /// If it is killed, the next process rolls them back.
    @Test(.fileStoreOnly) func readerRollsBackKilledInitialLoad() async throws {
        let folder = try await Self.store.copy()
        let before = try await RawStore.records(folder.file("habitat.db"))
        let script = """
            import os, sqlite3, sys
            db = sqlite3.connect(sys.argv[1], isolation_level=None)
            db.execute('PRAGMA journal_mode = DELETE')
            db.execute('PRAGMA cache_size = 2')
            db.execute('BEGIN IMMEDIATE')
            db.execute("UPDATE habit SET reason = 'lost'")
            db.execute('CREATE TABLE grown AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999) SELECT i, zeroblob(4000) FROM n')
            os._exit(9)
            """
        // The command needs only the libraries of a reader.
        try folder.write("not a library", to: "without/libspatialite.so.7")
        for (command, path) in [
            (["history"], ""),
            (["habit", "list"], ""),
            (["doctor"], ""),
            (["history"], folder.file("without")),
        ] {
            let killed = try await Program.run(
                "/usr/bin/python3", ["-c", script, folder.file("habitat.db")], in: folder.path)
            try #require(killed.status == 9, "\(killed)")
            try #require(folder.names.contains("habitat.db-journal"), "\(killed)")
            let result = try await Program.habitat(command, in: folder, environment: ["LD_LIBRARY_PATH": path])
            #expect(result.status == 0, "\(result)")
            #expect(!result.output.contains("lost"), "\(result)")
            #expect(!folder.names.contains("habitat.db-journal"))
            #expect(try await RawStore.records(folder.file("habitat.db")) == before)
        }
    }

    private func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
