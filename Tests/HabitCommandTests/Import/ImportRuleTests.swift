import Foundation
import HabitTestSupport
import Testing

/// Tests of the common rules of `habitat import`, with the real program.
@Suite struct ImportRuleTests {
    private func sample(_ name: String) -> String { ImportCases.folder + "/" + name }

    /// Imports files for the user ana.
    private func load(_ arguments: String..., in folder: TemporaryFolder) async throws -> ProgramResult {
        try await Program.habitat(["import"] + arguments + ["--user", "ana"], in: folder)
    }

    /// Runs a Python script in the folder.
    private func python(_ script: String, in folder: TemporaryFolder) async throws {
        let run = try await Program.run("/usr/bin/python3", ["-c", "import json, zipfile\n" + script], in: folder.path)
        try #require(run.status == 0, "\(run)")
    }

    // MARK: Days and instants

    @Test func dayOfDistantTimeZoneIsKept() async throws {
        let folder = try await StoreTemplate(["users.csv": "id,time_zone\nana,Pacific/Kiritimati\n"]).copy()
        try folder.write("habit,at\nTea,2026-06-01T10:30:00Z\nTea,2026-06-02T12:00:00Z\n", to: "a.csv")
        let run = try await load("a.csv", "--create-habits", "--time-zone", "Pacific/Pago_Pago", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(
            try folder.rows("SELECT day, at FROM events ORDER BY day") == [
                "2026-05-31,2026-05-31T23:30:00-11:00", "2026-06-02,2026-06-02T12:00:00Z",
            ])
    }

    @Test func localTimeOfTrackIsInTimeZoneOfUser() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write("habit,at\nTea,2026-06-01T10:00:00Z\n", to: "a.csv")
        try folder.write(
            """
            <kml><Placemark><gx:Track><when>2026-06-01T11:00:00</when><gx:coord>-9.5 38.5 0</gx:coord></gx:Track>
            </Placemark></kml>
            """, to: "a.kml")
        let run = try await load("a.csv", "--create-habits", "--places-from", "a.kml", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try folder.rows("SELECT longitude, latitude FROM events") == ["-9.5,38.5"])
    }

    // MARK: The file of rejected entries

    @Test func skippedDuplicateIsNotStoredByLoadOfRejects() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write("2026-03-02 : Gym : y : a : 5\n2026-03-02 : Gym : y : b : 6\n", to: "log")
        #expect(try await load("log", "--rejects", "r.csv", in: folder).status == 0)
        #expect(try folder.read("r.csv").contains("duplicate"))
        let run = try await Program.habitat("ingest", "r.csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("1 row was not stored"), "\(run)")
        #expect(try folder.rows("SELECT comment, amount FROM events") == ["b,6"])
    }

    @Test func mergedWorkoutIsNotStoredByLoadOfRejects() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        _ = try await load(sample("strava/export"), "--rejects", "r.ndjson", in: folder)
        let events = try folder.rows("SELECT * FROM events ORDER BY id")
        _ = try await Program.habitat("ingest", "r.ndjson", in: folder)
        #expect(try folder.rows("SELECT * FROM events ORDER BY id") == events)
    }

    @Test func rejectedWorkoutNamesHabitByID() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        let line = "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time\n"
        let name = "a name with more than twenty characters"
        try folder.write(line + "7,\"Jun 1, 2026, 7:30:00 AM\",\(name),Run,,600\n", to: "activities.csv")
        let run = try await load("activities.csv", "--rejects", "r.csv", in: folder)
        #expect(run.status == 65, "\(run)")
        try folder.write(try folder.read("r.csv").replacing(name, with: "short"), to: "r.csv")
        let loaded = try await Program.habitat("ingest", "r.csv", in: folder)
        #expect(loaded.status == 0, "\(loaded)")
        #expect(
            try folder.rows("SELECT id, title, day, amount, comment FROM events")
                == ["strava:7,Run,2026-06-01,10,short"])
    }

    @Test func rejectedCellOfMatrixKeepsHabitAndDay() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write("date,Read\n2026-04-01,1\n2026-04-02,perhaps\n2026-04-03,0\n", to: "m.csv")
        #expect(try await load("m.csv", "--rejects", "r.csv", in: folder).status == 65)
        let refused = try folder.read("r.csv")
        #expect(try await Program.habitat("ingest", "r.csv", in: folder).status == 65)
        // The text of the cell is also in the column `rejected_original`.
        try folder.write(refused.replacing("perhaps", with: "done"), to: "r.csv")
        let run = try await Program.habitat("ingest", "r.csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(
            try folder.rows("SELECT title, day FROM events ORDER BY day") == [
                "Read,2026-04-01", "Read,2026-04-02",
            ])
    }

    // MARK: Limits and notices

    @Test func linesOfLimitsAreLast() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        for options in [[], ["--strict"], ["--max-rejects", "0"]] {
            let run = try await Program.habitat(
                ["import", sample("loop/loop-v25.db"), "--user", "ana"] + options, in: folder)
            #expect(run.status == 65, "\(run)")
            let lines = run.errors.split(separator: "\n")
            let first = try #require(lines.firstIndex { $0.contains("run 'habitat setting set ") })
            #expect(lines[first...].allSatisfy { $0.contains("run 'habitat setting set ") }, "\(run)")
            #expect(lines[..<first].last?.hasPrefix("error[") == true, "\(run)")
        }
    }

    @Test func longUnitIsOmittedWithNotice() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try await python(
            """
            z = zipfile.ZipFile('a.zip', 'w')
            z.writestr('Habits.csv', 'Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?\\n001,Water,NUMERICAL,,,1,1,#000000,glasses of cold tap water,AT_LEAST,2.0,false\\n')
            z.writestr('001 Water/Checkmarks.csv', 'Date,Value,Notes\\n2026-04-01,3000,\\n')
            z.close()
            """, in: folder)
        let run = try await load("a.zip", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("'glasses of cold tap water'"), "\(run)")
        #expect(try folder.rows("SELECT unit, target_amount FROM habits") == [",2"])
        #expect(try folder.rows("SELECT amount FROM events") == ["3"])
    }

    @Test func noticeAboutReasonsRequiresReasons() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write("Read: 1\nRun: 3/7\n", to: "habits")
        let run = try await load("habits", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(!run.errors.contains("reason"), "\(run)")
        try folder.write("2026-04-01 : Read : n\n", to: "log")
        let skipped = try await load("log", in: folder)
        #expect(skipped.errors.contains("see the column 'reason'"), "\(skipped)")
    }

    @Test(arguments: [
        ("csv/matrix.csv", "m.csv", "habitat import"), ("csv/status.csv", "s.csv", "habitat import"),
        ("photos/IMG_0001.jpg", "photos/a.jpg", "contains photos"),
    ])
    func loadNamesImportForTablesAndPhotos(file: String, name: String, text: String) async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write(try Data(contentsOf: URL(fileURLWithPath: sample(file))), to: name)
        let run = try await Program.habitat("ingest", String(name.prefix { $0 != "/" }), in: folder)
        #expect(run.status != 0, "\(run)")
        #expect(run.errors.contains(text), "\(run)")
        #expect(run.errors.contains("habitat import"), "\(run)")
    }

    @Test func loadNamesImportForTableWithSemicolons() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write("habit;day;outcome\nrun;2026-04-01;done\n", to: "events.csv")
        let run = try await Program.habitat("ingest", "events.csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("habitat import"), "\(run)")
        let option = try await Program.habitat("ingest", "events.csv", "--delimiter", ",", in: folder)
        #expect(option.status == 65, "\(option)")
        #expect(!option.errors.contains("habitat import"), "\(option)")
    }

    @Test(arguments: [
        ("a.json", #"{"semanticSegments": []}"#, "export the location history again"),
        ("a.csv", "habit,day\n", "add a row for each entry"),
        ("b.csv", "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n", "export its data again"),
    ])
    func inputWithoutEntriesHasRemedy(name: String, text: String, remedy: String) async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write(text, to: name)
        let run = try await load(name, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("\(name): no entries: "), "\(run)")
        #expect(run.errors.contains(remedy), "\(run)")
    }

    // MARK: Names of files

    @Test func completeNameOfArchiveEntryIsShown() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        let name = "folder/" + String(repeating: "long-", count: 20) + "name.csv"
        try await python(
            """
            z = zipfile.ZipFile('a.zip', 'w')
            z.writestr('\(name)', 'habit,day\\nTea,2026-02-30\\n')
            z.close()
            z = zipfile.ZipFile('b.zip', 'w')
            z.writestr('a\\x1bb.csv', 'habit,day\\nTea,2026-02-30\\n')
            z.close()
            """, in: folder)
        let run = try await load("a.zip", "--create-habits", "--rejects", "r.csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("a.zip/\(name):2: "), "\(run)")
        #expect(try folder.read("r.csv").contains("a.zip/\(name),2,"))
        let other = try await load("b.zip", "--create-habits", in: folder)
        #expect(other.errors.contains(#"b.zip/a\u{1B}b.csv:2: "#), "\(other)")
    }

    @Test func convertibleFilesInArchivesAndFoldersAreNamed() async throws {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try await python(
            """
            import os; os.mkdir('sheets')
            fit = b'\\x0e\\x10\\x00\\x00\\x00\\x00\\x00\\x00.FIT' + bytes(8)
            zipfile.ZipFile('a.zip', 'w').writestr('ride.fit', fit)
            zipfile.ZipFile('sheets/a.xlsx', 'w').writestr('xl/workbook.xml', '<workbook/>')
            """, in: folder)
        let archive = try await load("a.zip", in: folder)
        #expect(archive.status == 65, "\(archive)")
        #expect(archive.errors.contains("ride.fit is a FIT file"), "\(archive)")
        #expect(archive.errors.contains("gpsbabel"), "\(archive)")
        let sheets = try await load("sheets", in: folder)
        #expect(sheets.status == 65, "\(sheets)")
        #expect(sheets.errors.contains("a.xlsx is an XLSX workbook"), "\(sheets)")
        #expect(sheets.errors.contains("ssconvert 'sheets/a.xlsx'"), "\(sheets)")
    }
}
