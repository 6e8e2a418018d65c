import Foundation
import HabitTestSupport
import Testing

/// Tests of imports that contain workouts of earlier imports, or the same workout twice.
@Suite struct RepeatedImportTests {
    private func load(_ files: String..., user: String = "ana", in folder: TemporaryFolder) async throws
        -> ProgramResult
    {
        try await Program.habitat(["import"] + files + ["--user", user, "--format", "csv"], in: folder)
    }

    private func rows(_ columns: String, in folder: TemporaryFolder) throws -> [String] {
        try folder.rows("SELECT \(columns) FROM events ORDER BY day, id")
    }

    /// Writes a table of Strava with activities of half an hour.
    private func writeActivities(
        _ activities: [(id: Int, hour: Int, sport: String)], to name: String, in folder: TemporaryFolder
    ) throws {
        let lines = activities.map { #"\#($0.id),"Jun 1, 2026, \#($0.hour):30:00 AM",n,\#($0.sport),,1800"# }
        let header = "Activity ID,Activity Date,Activity Name,Activity Type,Activity Description,Elapsed Time"
        try folder.write(([header] + lines).joined(separator: "\n") + "\n", to: name)
    }

    /// Writes a TCX file with a run of half an hour.
    private func writeRun(_ hour: Int, to name: String, in folder: TemporaryFolder) throws {
        try folder.write(
            """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2026-06-01T1\(hour):00:00Z</Id>\
            <Lap><TotalTimeSeconds>1800</TotalTimeSeconds></Lap></Activity></Activities></TrainingCenterDatabase>
            """, to: name)
    }

    // MARK: The same workout twice in an import

    @Test func activityInTwoFilesIsCountedOnce() async throws {
        let folder = try await ImportCases.store.copy()
        try writeActivities([(1, 7, "Run")], to: "a.csv", in: folder)
        try writeActivities(
            [
                (1, 7, "Run"),
                (2, 9, "Run"),
                (2, 9, "Run"),
            ], to: "b.csv", in: folder)
        let run = try await load("a.csv", "b.csv", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(ImportCounts(run).reasons("skipped") == ["duplicate": 2, "merged": 1], "\(run)")
        #expect(try rows("id, amount", in: folder) == ["strava:1,60"])
    }

    @Test func workoutWithoutIDInTwoFilesIsCountedOnce() async throws {
        let folder = try await ImportCases.store.copy()
        for name in ["a.tcx", "b.tcx"] { try writeRun(1, to: name, in: folder) }
        try writeRun(2, to: "c.tcx", in: folder)
        let run = try await load("a.tcx", "c.tcx", "b.tcx", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(ImportCounts(run).reasons("skipped") == ["duplicate": 1, "merged": 1], "\(run)")
        #expect(try rows("amount", in: folder) == ["60"])
    }

    @Test func activityWithOtherValuesIsRejected() async throws {
        let folder = try await ImportCases.store.copy()
        try writeActivities([(1, 7, "Run"), (1, 8, "Run")], to: "a.csv", in: folder)
        let run = try await load("a.csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(ImportCounts(run).reasons("rejected") == ["duplicate-key": 1], "\(run)")
        #expect(try rows("id, amount", in: folder) == ["strava:1,30"])
    }

    // MARK: Workouts of one day in several imports

    @Test(arguments: [["a.tcx", "b.tcx"], ["b.tcx", "a.tcx"]])
    func workoutOfStoredDayIsMerged(files: [String]) async throws {
        let folder = try await ImportCases.store.copy()
        try writeRun(1, to: "a.tcx", in: folder)
        try writeRun(2, to: "b.tcx", in: folder)
        #expect(try await load(files[0], in: folder).status == 0)
        let first = try rows("at, amount", in: folder)
        for file in [files[1], files[0], files[1]] {
            let run = try await load(file, in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(ImportCounts(run).read == 1, "\(run)")
            #expect(run.errors.contains("with one command") == (file == files[1]), "\(run)")
            #expect(try rows("at, amount", in: folder) == first)
        }
        #expect(try await load("a.tcx", "b.tcx", in: folder).status == 0)
        let sum = try rows("at, amount", in: folder)
        #expect(sum == ["2026-06-01T11:00:00Z,60"])
        for file in files {
            #expect(try await load(file, in: folder).status == 0)
            #expect(try rows("at, amount", in: folder) == sum)
        }
    }

    @Test func newerExportCorrectsSum() async throws {
        let folder = try await ImportCases.store.copy()
        try writeActivities([(1, 7, "Run"), (2, 9, "Run")], to: "a.csv", in: folder)
        try writeActivities([(1, 7, "Run")], to: "b.csv", in: folder)
        #expect(try await load("a.csv", in: folder).status == 0)
        #expect(try await load("b.csv", in: folder).status == 0)
        #expect(try rows("id, amount", in: folder) == ["strava:1,30"])
    }

    @Test func changedSportMovesEvent() async throws {
        let folder = try await ImportCases.store.copy()
        try writeActivities([(1, 7, "Run"), (2, 9, "Run")], to: "a.csv", in: folder)
        try writeActivities([(1, 7, "Ride"), (2, 9, "Run")], to: "b.csv", in: folder)
        #expect(try await load("a.csv", in: folder).status == 0)
        for _ in 1...2 {
            let run = try await load("b.csv", in: folder)
            #expect(run.status == 0, "\(run)")
            #expect(try rows("id, title, amount", in: folder) == ["strava:1,Ride,30", "strava:2,Run,30"])
        }
    }

    // MARK: Other users

    @Test func fileOfOtherUserStoresNoHabits() async throws {
        let folder = try await ImportCases.store.copy()
        try writeActivities([(1, 7, "Run"), (2, 9, "Ride")], to: "a.csv", in: folder)
        #expect(try await load("a.csv", in: folder).status == 0)
        let run = try await load("a.csv", user: "bob", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(ImportCounts(run).reasons("rejected") == ["field-invalid": 2], "\(run)")
        #expect(try ImportedRows(of: "bob", in: folder).habits.isEmpty)
    }
}
