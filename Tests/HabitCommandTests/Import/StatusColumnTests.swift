import Foundation
import HabitTestSupport
import Testing

/// Tests of the column `status` of events, and of other columns with outcomes, in `ingest` and in `import`.
@Suite(.engineIndependent) struct StatusColumnTests {
    private static let doors = [
        ["ingest", "events.csv"], ["ingest", "events.csv", "--create-habits"],
        ["import", "events.csv", "--user", "ana"],
    ]

    private static let notice =
        "Ignored the column 'status' in 'events.csv', because its words are the status of a habit and no outcomes\n"

    private static let store = StoreTemplate([
        "users.csv": "id\nana\n", "habits.csv": "id,user,title,days\nrun,ana,Run,1111111\n",
    ])

    private func events(in folder: TemporaryFolder) throws -> [String] {
        try folder.rows("SELECT day, outcome FROM events ORDER BY day")
    }

    private func table(_ cells: [String], column: String = "status") -> String {
        let rows = cells.enumerated().map { index, cell in "run,2026-11-\(10 + index),\(cell)\n" }
        return "habit,day,\(column)\n" + rows.joined()
    }

    // MARK: Status of habits

    @Test(arguments: doors) func columnWithStatusOfHabitsIsIgnored(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(["On track", "", "near goal", "Inactive", "NEW"]), to: "events.csv")
        let run = try await Program.habitat(command, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors == Self.notice)
        #expect(try events(in: folder) == (10...14).map { "2026-11-\($0),done" })
    }

    /// The decision does not depend on the order of the rows.
    @Test(
        arguments: doors,
        [["missed", "On track", "done"], ["On track", "missed", "done"], ["", "New", "On track", "skip"]])
    func otherWordOfColumnWithOutcomesIsRejected(command: [String], cells: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(cells), to: "events.csv")
        let run = try await Program.habitat(command + ["--rejects", "refused.csv"], in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(!run.errors.contains("Ignored"))
        for (index, cell) in cells.enumerated() where ["On track", "New"].contains(cell) {
            let line = run.errors.split(separator: "\n").first { $0.contains("events.csv:\(index + 2):") } ?? ""
            #expect(line.contains("status: '\(cell)' is the status of a habit, not an outcome"), "\(run.errors)")
            #expect(line.contains("write done, skipped or missed"))
            #expect(line.contains("(outcome-invalid)"))
        }
        // The default of records of ingest is "done".
        let empty = cells.contains("") && command == Self.doors[0] ? ["2026-11-10,done"] : []
        let done = empty + (cells.contains("done") ? ["2026-11-12,done"] : ["2026-11-13,skipped"])
        #expect(try events(in: folder) == done)
        // An unchanged file of rejected rows is rejected again.
        let second = try await Program.habitat("ingest", "refused.csv", "--kind", "events", in: folder)
        #expect(second.status == 65, "\(second)")
        #expect(try events(in: folder) == done)
    }

    @Test(arguments: doors) func wordWithMeaningIsOutcome(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(["New", "new", "On track"]), to: "events.csv")
        let run = try await Program.habitat(
            command + ["--value", "new=done", "--value", "on track=skipped"], in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.isEmpty)
        #expect(try events(in: folder) == ["2026-11-10,done", "2026-11-11,done", "2026-11-12,skipped"])
    }

    @Test func statusOfHabitsGivesWayToOtherOutcomes() async throws {
        for command in Self.doors {
            let folder = try await Self.store.copy()
            try folder.write(
                "habit,day,status,done\nrun,2026-11-10,New,yes\nrun,2026-11-11,On track,no\n", to: "events.csv")
            let run = try await Program.habitat(command, in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(try events(in: folder) == ["2026-11-10,done"], "\(command)")
        }
    }

    @Test(arguments: ["json", "ndjson", "geojson"]) func everyJSONFormatHasSameRule(format: String) async throws {
        func text(_ words: [String]) -> String {
            let objects = words.enumerated().map { index, word in
                #"{"habit":"run","day":"2026-11-\#(10 + index)","status":"\#(word)"}"#
            }
            let features = objects.map { #"{"type":"Feature","geometry":null,"properties":\#($0)}"# }
            return switch format {
            case "json": "[\(objects.joined(separator: ","))]"
            case "ndjson": objects.joined(separator: "\n")
            default: #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
            }
        }
        let folder = try await Self.store.copy()
        try folder.write(text(["New", "On track"]), to: "events.\(format)")
        let ignored = try await Program.habitat("ingest", "events.\(format)", in: folder)
        #expect(ignored.status == 0, "\(ignored)")
        #expect(ignored.errors == Self.notice.replacing("events.csv", with: "events.\(format)"))
        #expect(try events(in: folder) == ["2026-11-10,done", "2026-11-11,done"])
        let other = try await Self.store.copy()
        try other.write(text(["New", "skip"]), to: "events.\(format)")
        let mixed = try await Program.habitat("ingest", "events.\(format)", in: other)
        #expect(mixed.status == 65, "\(mixed)")
        #expect(mixed.errors.contains("'New' is the status of a habit, not an outcome"))
        #expect(mixed.errors.contains("(outcome-invalid)"))
        #expect(try events(in: other) == ["2026-11-11,skipped"])
    }

    /// A pipe cannot be read twice.
    @Test func mixedColumnOfPipeStoresNothing() async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(["New", "missed"]), to: "events.csv")
        let program: String = Program.habitat
        let command = "cat events.csv | '\(program)' ingest - --kind events"
        let mixed = try await Program.run("/bin/sh", ["-c", command], in: folder.path)
        #expect(mixed.status == 65, "\(mixed)")
        #expect(mixed.errors.contains("pass the input as a file"))
        #expect(try events(in: folder).isEmpty)
        try folder.write(table(["missed", "New"]), to: "events.csv")
        let second = try await Program.run("/bin/sh", ["-c", command], in: folder.path)
        #expect(second.errors.contains("(outcome-invalid)"), "\(second)")
    }

    @Test func strictColumnsRefuseStatusOfHabits() async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(["New"]), to: "events.csv")
        let run = try await Program.habitat("ingest", "events.csv", "--strict-columns", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("unknown field 'status'"))
    }

    // MARK: Empty cells

    /// The default of `ingest` is that a record was done, unless the file is a table of another program.
    @Test(arguments: ["outcome", "status"]) func emptyOutcomeIsDoneInRecordsOfIngest(column: String) async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(["1", "", "0"], column: column), to: "events.csv")
        let run = try await Program.habitat("ingest", "events.csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder) == ["2026-11-10,done", "2026-11-11,done"])
    }

    @Test(arguments: ["done", "value", "completed", "checked"])
    func emptyCompletionIsNotDoneInRecordsOfIngest(column: String) async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(["1", "", "0"], column: column), to: "events.csv")
        let run = try await Program.habitat("ingest", "events.csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder) == ["2026-11-10,done"])
    }

    @Test(arguments: doors.dropFirst(), ["outcome", "status", "done", "value", "completed", "checked"])
    func emptyCellOfTableIsNotDone(command: [String], column: String) async throws {
        let folder = try await Self.store.copy()
        try folder.write(table(["1", "", "0"], column: column), to: "events.csv")
        let run = try await Program.habitat(command, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder) == ["2026-11-10,done"])
        if command[0] == "ingest" {
            #expect(run.errors == "2 rows were not stored because their habits were not done.\n")
        } else {
            #expect(run.output.contains("not-done"))
        }
    }

    @Test(arguments: doors) func rowWithoutColumnOfOutcomesIsDone(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write("habit,day\nrun,2026-11-10\n", to: "events.csv")
        let run = try await Program.habitat(command, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder) == ["2026-11-10,done"])
    }

    /// The other values of a row that is not done have no effect.
    @Test(arguments: doors.dropFirst(), ["outcome", "status"])
    func rowWithEmptyCellIsNotValidated(command: [String], column: String) async throws {
        let folder = try await Self.store.copy()
        try folder.write("habit,day,\(column)\nrun,2026-02-30,\nrun,2026-11-10,done\n", to: "events.csv")
        let run = try await Program.habitat(command, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder) == ["2026-11-10,done"])
    }

    @Test func wordOfOneColumnSuffices() async throws {
        let command = ["ingest", "events.csv", "--create-habits"]
        let folder = try await Self.store.copy()
        try folder.write(
            "habit,day,status,outcome\nrun,2026-11-10,,done\nrun,2026-11-11,skipped,\nrun,2026-11-12,,\n",
            to: "events.csv")
        let run = try await Program.habitat(command, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder) == ["2026-11-10,done", "2026-11-11,skipped"])
    }

    /// A value that means "not done" never becomes an event, whichever column has it.
    @Test(arguments: ["outcome,done", "done,outcome", "status,done", "completed,checked", "outcome,status"])
    func notDoneInAnyColumnPreventsEvent(columns: String) async throws {
        let folder = try await Self.store.copy()
        let rows = "run,2026-11-10,yes,no\nrun,2026-11-11,no,yes\nrun,2026-11-12,,yes\nrun,2026-11-13,yes,\n"
        try folder.write("habit,day,\(columns)\n" + rows, to: "events.csv")
        let run = try await Program.habitat("import", "events.csv", "--user", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(!run.errors.contains("Ignored"), "\(run)")
        #expect(try events(in: folder) == ["2026-11-12,done", "2026-11-13,done"])
    }

    /// A pipe has the same result as a file, or is refused.
    @Test func pipeThatBeginsWithEmptyCellIsReadOrRefused() async throws {
        let folder = try await Self.store.copy()
        let text = Data(table(["", "Inactive", "On track"]).utf8)
        let arguments = ["ingest", "-", "--kind", "events", "--from", "csv"]
        let refused = try await Program.habitat(arguments + ["--create-habits"], in: folder, input: text)
        #expect(refused.errors.contains("pass the input as a file"), "\(refused)")
        #expect(try events(in: folder).isEmpty)
        let read = try await Program.run(
            "/bin/sh", ["-c", "cat | '\(Program.habitat)' \(arguments.joined(separator: " "))"], in: folder.path,
            input: text)
        #expect(read.status == 0, "\(read)")
        #expect(try events(in: folder).count == 3)
    }

    // MARK: Words without a column

    @Test(arguments: doors) func wordsWithoutColumnAreUsageError(command: [String]) async throws {
        let folder = try await Self.store.copy()
        try folder.write("habit,day,Erledigt\nrun,2026-11-10,ja\n", to: "events.csv")
        let run = try await Program.habitat(command + ["--value", "ja=done"], in: folder)
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("error[usage]: "))
        #expect(run.errors.contains("--map field=Column"))
        #expect(run.errors.contains("omit --value"))
        #expect(try events(in: folder).isEmpty)
        let mapped = try await Program.habitat(
            command + ["--value", "ja=done", "--map", "outcome=Erledigt"], in: folder)
        #expect(mapped.status == 0, "\(mapped)")
        #expect(try events(in: folder) == ["2026-11-10,done"])
    }

    @Test func wordsForOtherFormatsAreUsageError() async throws {
        let folder = try await Self.store.copy()
        try folder.write("! Home\nRun: 1\n", to: "habits")
        let run = try await Program.habitat("import", "habits", "--user", "ana", "--value", "ja=done", in: folder)
        #expect(run.status == 64, "\(run)")
        try folder.write(#"{"habit":"run","day":"2026-11-10","done":true}"#, to: "events.json")
        let load = try await Program.habitat("ingest", "events.json", "--value", "ja=done", in: folder)
        #expect(load.status == 64, "\(load)")
        try folder.write("day,Run\n2026-11-10,ja\n", to: "matrix.csv")
        let matrix = try await Program.habitat(
            "import", "matrix.csv", "--user", "ana", "--value", "ja=done", in: folder)
        #expect(matrix.status == 0, "\(matrix)")
    }

    // MARK: Positions

    @Test(arguments: doors, [("latitude", "longitude"), ("longitude", "latitude"), ("lat", "longitude")])
    func rowWithOneCoordinateIsRejected(command: [String], column: (name: String, missing: String)) async throws {
        let folder = try await Self.store.copy()
        try folder.write(
            "habit,day,\(column.name)\nrun,2026-11-10,38.7\nrun,2026-11-11,\n", to: "events.csv")
        let run = try await Program.habitat(command, in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("(position-invalid)"))
        #expect(run.errors.contains(column.missing))
        #expect(try events(in: folder) == ["2026-11-11,done"])
    }

    @Test(arguments: ["json", "geojson"]) func recordWithOneCoordinateIsRejected(format: String) async throws {
        let folder = try await Self.store.copy()
        let object = #"{"habit":"run","day":"2026-11-10","latitude":38.7}"#
        let feature = #"{"type":"Feature","geometry":null,"properties":\#(object)}"#
        let text = format == "json" ? "[\(object)]" : #"{"type":"FeatureCollection","features":[\#(feature)]}"#
        try folder.write(text, to: "events.\(format)")
        let run = try await Program.habitat("ingest", "events.\(format)", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("(position-invalid)"))
    }
}
