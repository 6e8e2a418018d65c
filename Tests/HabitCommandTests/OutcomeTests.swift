import Foundation
import HabitTestSupport
import Testing

/// Tests of rule C-29: a row with the outcome "not done" never becomes an event.
@Suite(.engineIndependent) struct OutcomeTests {
    private static let store = StoreTemplate([
        "users.csv": "id\nann\n", "habits.csv": "id,user,title,days\nrun,ann,Run,1111111\n",
    ])

    /// Returns the stored days with their outcomes.
    private func events(in folder: TemporaryFolder) throws -> [String] {
        try folder.rows("SELECT day, outcome FROM events ORDER BY day DESC")
    }

    /// Loads a file and returns the run and the stored days with their outcomes.
    private func load(
        _ text: String, as name: String = "events.csv", in folder: TemporaryFolder, _ options: String...
    ) async throws -> (run: ProgramResult, events: [String]) {
        try folder.write(text, to: name)
        let run = try await Program.habitat(["ingest", name, "--format", "csv"] + options, in: folder)
        return (run, try events(in: folder))
    }

    /// The result of a row with a cell.
    private enum Meaning { case done, skipped, notDone, rejected }

    /// The cells of a column with their meanings.
    private static let columns: [(name: String, cells: [(text: String, meaning: Meaning)])] = [
        (
            "done",
            [
                ("FALSE", .notDone),
                ("0", .notDone),
                ("No", .notDone),
                ("", .notDone),
                ("\"\"", .notDone),
                ("TRUE", .done),
                ("1", .done),
                ("perhaps", .rejected),
                ("2", .rejected),
            ]
        ),
        ("completed", [("false", .notDone), ("yes", .done)]),
        ("checked", [("no", .notDone), ("1", .done)]),
        (
            "value",
            [
                ("0", .notDone),
                ("0.00", .notDone),
                ("", .notDone),
                ("1", .done),
                ("7.5", .done),
                ("-3", .done),
                ("yes", .done),
                ("many", .rejected),
                ("1e999", .rejected),
                ("nan", .rejected),
            ]
        ),
        ("VALUE", [("false", .notDone)]),
        (
            "outcome",
            [
                ("Completed", .done),
                ("yes", .done),
                ("TRUE", .done),
                ("1", .done),
                ("", .done),
                ("SKIP", .skipped),
                ("skipped", .skipped),
                ("Missed", .notDone),
                ("no", .notDone),
                ("false", .notDone),
                ("0", .notDone),
                ("perhaps", .rejected),
            ]
        ),
        (
            "status",
            [
                ("missed", .notDone),
                ("0", .notDone),
                ("done", .done),
                ("Yes", .done),
                ("skipped", .skipped),
                ("", .done),
                ("perhaps", .rejected),
            ]
        ),
        ("Status", [("No", .notDone)]),
    ]

    @Test func cellDecidesWhetherRowIsEvent() async throws {
        for (name, cells) in Self.columns {
            let days = cells.indices.map { "2026-11-\(30 - $0)" }
            let rows = zip(days, cells).map { day, cell in "run,\(day),\(cell.text)\n" }
            let folder = try await Self.store.copy()
            let loaded = try await load("habit,day,\(name)\n" + rows.joined(), in: folder)
            let run = loaded.run
            let events = zip(days, cells).filter { _, cell in [.done, .skipped].contains(cell.meaning) }
            let expected = events.map { day, cell in "\(day),\(cell.meaning)" }
            #expect(loaded.events == expected, "\(name): \(run)")
            let rejected = cells.indices.filter { cells[$0].meaning == .rejected }
            let slug = name == "status" ? "outcome-invalid" : "field-invalid"
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count { $0.hasSuffix("(\(slug))") } == rejected.count, "\(name): \(run)")
            for row in rejected {
                #expect(run.errors.contains("events.csv:\(row + 2):16: \(name): "), "\(name): \(run)")
            }
            #expect(run.status == (rejected.isEmpty ? 0 : 65), "\(name): \(run)")
            let counts = "\(events.count),0,0,\(rejected.count)"
            #expect(run.output == "kind,inserted,updated,unchanged,rejected\nevents,\(counts)\n", "\(name): \(run)")
            let notDone = cells.count { $0.meaning == .notDone }
            let notice =
                notDone == 1
                ? "1 row was not stored because its habit was not done."
                : "\(notDone) rows were not stored because their habits were not done."
            #expect(lines.contains { $0 == notice }, "\(name): \(run)")
            #expect(lines.count == rejected.count + (rejected.isEmpty ? 1 : 2), "\(name): \(run)")
        }
    }

    /// The outputs of the program contain the status of the habit in a column with this name.
    @Test func statusOfHabitIsNotOutcome() async throws {
        for status in ["On track", "near goal", "Inactive", "New"] {
            let folder = try await Self.store.copy()
            let loaded = try await load("habit,day,status\nrun,2026-11-20,\(status)\n", in: folder)
            #expect(loaded.run.status == 0, "\(loaded.run)")
            #expect(loaded.events == ["2026-11-20,done"], "\(loaded.run)")
            let notice =
                "Ignored the column 'status' in 'events.csv', because its words are the status of a habit and no outcomes\n"
            #expect(loaded.run.errors == notice, "\(loaded.run.errors)")
        }
        let folder = try await Self.store.copy()
        try folder.write("habit,day,status\nrun,2026-11-20,New\n", to: "events.csv")
        let strict = try await Program.habitat("ingest", "events.csv", "--strict-columns", in: folder)
        #expect(strict.status == 65, "\(strict)")
        #expect(strict.errors.contains("unknown field 'status'"), "\(strict)")
        let loaded = try await load(
            #"{"habit":"run","day":"2026-11-19","status":"New","outcome":"skip"}"#,
            as: "events.json",
            in: folder)
        #expect(loaded.run.status == 0, "\(loaded.run)")
        #expect(loaded.events == ["2026-11-19,skipped"], "\(loaded.run)")
    }

    /// An option for tables does not change the meaning of the column.
    @Test func statusIsOutcomeWithAndWithoutOptions() async throws {
        let text = """
            habit,day,status,outcome
            run,2026-11-16,missed,
            run,2026-11-17,done,done
            run,2026-11-18,skipped,done
            run,2026-11-19,missed,done
            run,2026-11-20,,done

            """
        for options in [[], ["--create-habits"]] as [[String]] {
            let folder = try await Self.store.copy()
            try folder.write(text, to: "events.csv")
            let run = try await Program.habitat(["ingest", "events.csv"] + options, in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(run.errors.contains("2 rows were not stored"), "\(run)")
            let expected = ["2026-11-20,done", "2026-11-18,done", "2026-11-17,done"]
            #expect(try events(in: folder) == expected, "\(options)")
        }
        for options in [[], ["--create-habits"]] as [[String]] {
            let folder = try await Self.store.copy()
            try folder.write("habit,day,status\nrun,2026-11-20,missed\nrun,2026-11-19,skipped\n", to: "events.csv")
            let run = try await Program.habitat(["ingest", "events.csv"] + options, in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(run.errors.contains("1 row was not stored"), "\(run)")
            #expect(try events(in: folder) == ["2026-11-19,skipped"], "\(options)")
        }
    }

    @Test func rejectedStatusIsKeptForRepair() async throws {
        let folder = try await Self.store.copy()
        let loaded = try await load(
            "habit,day,status\nrun,2026-02-30,missed\nrun,2026-02-29,skipped\n", in: folder, "--rejects", "refused.csv")
        #expect(loaded.run.status == 65, "\(loaded.run)")
        try folder.write(
            try folder.read("refused.csv").replacing("2026-02-30", with: "2026-02-02")
                .replacing("2026-02-29", with: "2026-02-01"), to: "refused.csv")
        let second = try await Program.habitat("ingest", "refused.csv", "--kind", "events", in: folder)
        #expect(second.status == 0, "\(second)")
        #expect(try events(in: folder) == ["2026-02-01,skipped"])
    }

    /// Each format contains the same rows: five not done, one skipped and two done.
    @Test(arguments: ["csv", "tsv", "ndjson", "json", "geojson", "geojsonl"])
    func everyFormatHasSameOutcomes(format: String) async throws {
        let rows = [
            #""day":"2026-11-16","done":false"#,
            #""day":"2026-11-17","value":0"#,
            #""day":"2026-11-18","outcome":"skip""#,
            #""day":"2026-11-19","done":true,"value":2.5"#,
            #""day":"2026-11-20","outcome":true,"value":null"#,
            #""day":"2026-11-21","value":0.0,"outcome":"done""#,
            #""day":"2026-11-22","outcome":false"#,
            #""day":"2026-11-23","done":null"#,
        ]
        let objects = rows.map { "{\"habit\":\"run\",\($0)}" }
        let features = objects.map { "{\"type\":\"Feature\",\"geometry\":null,\"properties\":\($0)}" }
        let table = [
            "habit,day,done,value,outcome",
            "run,2026-11-16,false,,",
            "run,2026-11-17,,0,",
            "run,2026-11-18,,,skip",
            "run,2026-11-19,true,2.5,",
            "run,2026-11-20,,,true",
            "run,2026-11-21,,0.0,done",
            "run,2026-11-22,,,false",
            "run,2026-11-23,,,",
        ].joined(separator: "\n")
        let text =
            switch format {
            case "csv": table
            case "tsv": table.replacing(",", with: "\t")
            case "ndjson": objects.joined(separator: "\n")
            case "json": "[\(objects.joined(separator: ","))]"
            case "geojson": "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
            default: features.joined(separator: "\n")
            }
        let loaded = try await load(text, as: "events.\(format)", in: try await Self.store.copy())
        #expect(loaded.run.status == 0, "\(loaded.run)")
        #expect(loaded.run.errors == "5 rows were not stored because their habits were not done.\n", "\(loaded.run)")
        #expect(loaded.events == ["2026-11-20,done", "2026-11-19,done", "2026-11-18,skipped"])
    }

    @Test func storedEventIsKeptWhenRowIsNotDone() async throws {
        let folder = try await Self.store.copy()
        _ = try await load("id,habit,day,comment\na,run,2026-11-20,rain\nb,run,2026-11-19,\n", in: folder)
        let loaded = try await load(
            "id,habit,day,done,outcome\na,run,2026-11-20,FALSE,\nb,run,2026-11-19,,missed\n", in: folder)
        #expect(loaded.run.output.hasSuffix("events,0,0,0,0\n"), "\(loaded.run)")
        #expect(loaded.run.errors.contains("2 rows were not stored"), "\(loaded.run)")
        #expect(loaded.events == ["2026-11-20,done", "2026-11-19,done"])
    }

    /// A row that is not done may name an unknown habit or repeat the key of a row that is done.
    @Test func rowNotDoneIsNotValidated() async throws {
        let loaded = try await load(
            "habit,day,done\nrun,2026-11-20,TRUE\nrun,2026-11-20,FALSE\nchess,2026-11-20,FALSE\n",
            in: try await Self.store.copy(),
            "--strict")
        #expect(loaded.run.status == 0, "\(loaded.run)")
        #expect(loaded.events == ["2026-11-20,done"], "\(loaded.run)")
    }

    @Test func quietOmitsNotice() async throws {
        let loaded = try await load("habit,day,done\nrun,2026-11-20,0\n", in: try await Self.store.copy(), "--quiet")
        #expect(loaded.run.status == 0, "\(loaded.run)")
        #expect(loaded.run.errors.isEmpty, "\(loaded.run)")
    }

    /// A rejects file has a cell for every field, even if the row had no such cell.
    @Test(arguments: ["refused.csv", "refused.ndjson"]) func repairedRejectsAreLoaded(name: String) async throws {
        let folder = try await Self.store.copy()
        try folder.write("habit,day\nrun,2026-02-30\n", to: "events-a.csv")
        try folder.write(
            "{\"habit\":\"run\",\"day\":\"2026-11-19\",\"done\":\"perhaps\"}\n{\"habit\":\"run\",\"day\":\"2026-11-18\",\"value\":2,\"comment\":\"\(String(repeating: "x", count: 21))\"}\n",
            to: "events-b.ndjson")
        let refused = try await Program.habitat("ingest", ".", "--rejects", name, in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("3 rows were rejected"), "\(refused)")
        let repaired = try folder.read(name).replacing("2026-02-30", with: "2026-11-20")
            .replacing("perhaps", with: "no").replacing(String(repeating: "x", count: 21), with: "x")
        let loaded = try await load(repaired, as: "events-\(name)", in: try await Self.store.copy())
        #expect(loaded.run.status == 0, "\(loaded.run)")
        #expect(loaded.run.errors.contains("1 row was not stored"), "\(loaded.run)")
        #expect(loaded.events == ["2026-11-20,done", "2026-11-18,done"])
    }

    /// `value` is also a field of settings.
    ///
    /// An event in the same table has an empty cell in that column.
    @Test func emptyValueInTableOfSeveralKindsIsIgnored() async throws {
        let loaded = try await load(
            "kind,name,value,habit,day\nsettings,caption-limit,30,,\nevents,,,run,2026-11-20\nevents,,0,run,2026-11-19\n",
            as: "all.csv", in: try await Self.store.copy())
        #expect(loaded.run.errors.contains("1 row was not stored"), "\(loaded.run)")
        #expect(loaded.events == ["2026-11-20,done"])
    }
}
