import Foundation
import HabitTestSupport
import Testing

/// Tests of `habit derive` on a track with two visits of the gym and a walk past it.
@Suite(.engineIndependent) struct HabitDeriveTests {
    /// The options of the place of the habit with their values.
    private static let place = [
        ["--position", "38.72,-9.1461"], ["--within", "100m"], ["--stay", "20min"],
    ]

    private func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("sample-data"), withDestinationPath: SampleData.path)
        for arguments in [
            ["init"], ["user", "add", "ana", "--time-zone", "Europe/Lisbon"],
            ["user", "add", "bob", "--time-zone", "UTC"],
            ["habit", "add", "--as", "ana", "--title", "Gym", "--days", "mon,wed,fri", "--start", "2026-11-01"],
        ] {
            let result = try await Program.habitat(arguments, in: folder)
            #expect(result.status == 0, "\(arguments): \(result.errors)")
        }
        return folder
    }

    private func derive(_ arguments: [String], in folder: TemporaryFolder) async throws -> ProgramResult {
        let track = ["--from-track", "sample-data/imports/gym.gpx"]
        let defaults = (Self.place + [track]).filter { option in !arguments.contains(option[0]) }
        return try await Program.habitat(
            ["habit", "derive", "--format", "csv"] + defaults.flatMap(\.self) + arguments, in: folder)
    }

    private func events(in folder: TemporaryFolder) async throws -> [String] {
        try await Program.habitat(
            "query", "SELECT id, day, at, outcome, comment FROM events ORDER BY day", "--format", "csv", in: folder
        ).lines.dropFirst().map(\.self)
    }

    @Test func staysBecomeEventsOnce() async throws {
        let folder = try await folder()
        let habit = try await habitID(in: folder)
        let first = try await derive(["--habit", habit, "--as", "ana"], in: folder)
        #expect(first.status == 0, "\(first.errors)")
        #expect(
            first.lines == [
                "habit,day,at,result", "\(habit),2026-11-12,2026-11-12T18:16:00Z,inserted",
                "\(habit),2026-11-18,2026-11-18T18:26:00Z,inserted",
            ])
        let events = try await events(in: folder)
        #expect(events.map { String($0.prefix(habit.count + 11)) } == ["\(habit)@2026-11-12", "\(habit)@2026-11-18"])
        // The habit is due on Mondays, Wednesdays and Fridays; 2026-11-12 is a Thursday.
        let unplanned = try await Program.habitat(
            "query", "SELECT day FROM events WHERE unplanned = 1", "--format", "csv", in: folder)
        #expect(unplanned.lines == ["day", "2026-11-12"])
        let second = try await derive(["--habit", "gym", "--user", "ana"], in: folder)
        #expect(second.status == 0, "\(second.errors)")
        #expect(second.lines.dropFirst().allSatisfy { $0.hasSuffix(",kept") })
        #expect(try await self.events(in: folder) == events)
    }

    private func habitID(in folder: TemporaryFolder) async throws -> String {
        let lines = try await Program.habitat("query", "SELECT id FROM habits", "--format", "csv", in: folder).lines
        return try #require(lines.last)
    }

    @Test func existingEventIsKept() async throws {
        let folder = try await folder()
        let habit = try await habitID(in: folder)
        let added = try await Program.habitat(
            "event", "skip", "--habit", habit, "--as", "ana", "--day", "2026-11-18", "--comment", "ill", "--now",
            "2026-11-20T12:00:00Z", in: folder)
        #expect(added.status == 0, "\(added.errors)")
        let result = try await derive(["--habit", habit], in: folder)
        #expect(result.lines.count == 3)
        #expect(result.lines.last?.hasSuffix(",kept") == true)
        #expect(try await events(in: folder).last?.hasSuffix("skipped,ill") == true)
    }

    @Test func dryRunStoresNothing() async throws {
        let folder = try await folder()
        let result = try await derive(["--habit", "Gym", "--as", "ana", "--dry-run"], in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count == 3)
        #expect(try await events(in: folder) == [])
    }

    @Test func optionsSelectStays() async throws {
        let folder = try await folder()
        func days(_ arguments: String...) async throws -> Int {
            try await derive(["--habit", "Gym", "--as", "ana", "--dry-run"] + arguments, in: folder).lines.count - 1
        }
        #expect(try await days("--stay", "5min") == 3)
        #expect(try await days("--stay", "46min") == 1)
        #expect(try await days("--stay", "3h") == 0)
        #expect(try await days("--within", "1m") == 0)
        #expect(try await days("--position", "0,0") == 0)
    }

    @Test func errorsNameProblem() async throws {
        let folder = try await folder()
        try folder.write("habit,day\nGym,2026-11-01\n", to: "table.csv")
        let cases: [([String], Int32, String)] = [
            (["--habit", "Gym", "--as", "bob"], 66, "not-found"),
            (["--habit", "Gym", "--as", "nobody"], 77, "not-signed-in"),
            (["--habit", "Gym", "--as", "bob", "--user", "ana"], 77, "not-yours"),
            (["--habit", "Gym", "--user", "nobody"], 66, "not-found"), (["--habit", "Swim"], 66, "not-found"),
            (["--habit", "Gym", "--position", "91,0"], 64, "position-invalid"),
            (["--habit", "Gym", "--within", "5"], 64, "distance-invalid"),
            (["--habit", "Gym", "--stay", "long"], 64, "parameter-invalid"),
            (["--habit", "Gym", "--stay", "20"], 64, "parameter-invalid"),
            (["--habit", "Gym", "--from-track", "missing.gpx"], 66, "input-not-found"),
            (["--habit", "Gym", "--from-track", "table.csv"], 65, "format-mismatch"),
        ]
        for (arguments, status, code) in cases {
            let result = try await derive(arguments, in: folder)
            #expect(result.status == status, "\(arguments): \(result)")
            #expect(result.errors.contains("error[\(code)]"), "\(arguments): \(result.errors)")
        }
        #expect(try await events(in: folder) == [])
    }
}
