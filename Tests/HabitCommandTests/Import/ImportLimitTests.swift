import Foundation
import HabitTestSupport
import Testing

/// Tests of texts that are longer than the store allows, in imports with the real program.
@Suite(.engineIndependent) struct ImportLimitTests {
    /// A table with a comment of 30 characters, a comment of 25 characters and a title of 22 characters.
    private static let table = """
        habit,day,comment
        Tea,2026-06-01,\(String(repeating: "c", count: 30))
        Tea,2026-06-02,\(String(repeating: "d", count: 25))
        A title too long by 22,2026-06-01,
        A title too long by 22,2026-06-02,
        A title too long by 22,2026-06-03,

        """

    private func folder() async throws -> TemporaryFolder {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write(Self.table, to: "a.csv")
        return folder
    }

    private func load(
        _ options: String..., in folder: TemporaryFolder, environment: [String: String] = [:]
    ) async throws -> ProgramResult {
        try await Program.habitat(
            ["import", "a.csv", "--create-habits", "--user", "ana"] + options, in: folder, environment: environment)
    }

    /// Returns the title limit and the comment limit of the store.
    private func limits(in folder: TemporaryFolder) async throws -> [String] {
        var values: [String] = []
        for name in ["title-limit", "comment-limit"] {
            let run = try await Program.habitat(
                "setting", "get", name, "--format", "csv", "--columns", "value", in: folder)
            values.append(run.output.split(separator: "\n").last.map(String.init) ?? "")
        }
        return values
    }

    private func eventCount(in folder: TemporaryFolder) throws -> Int {
        try folder.rows("SELECT id FROM events").count
    }

    // MARK: Options

    @Test func raiseLimitsStoresAllEntries() async throws {
        let folder = try await folder()
        let run = try await load("--raise-limits", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(
            run.errors.contains("Raised title-limit from 20 to 22, comment-limit from 20 to 30 characters.\n"), "\(run)"
        )
        #expect(try await limits(in: folder) == ["22", "30"])
        #expect(try eventCount(in: folder) == 5)
        let again = try await load("--raise-limits", in: folder)
        #expect(again.status == 0, "\(again)")
        #expect(!again.errors.contains("Raised"), "\(again)")
    }

    @Test(arguments: [[], ["--keep-limits"]]) func limitsStayWithoutTerminal(options: [String]) async throws {
        let folder = try await folder()
        let run = try await Program.habitat(
            ["import", "a.csv", "--create-habits", "--user", "ana"] + options, in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("2 comments exceed 20 characters (longest: 30)"), "\(run)")
        #expect(try await limits(in: folder) == ["20", "20"])
        #expect(try eventCount(in: folder) == 0)
    }

    @Test(arguments: ["keep", "reject"]) func policyForStoredRecordsDoesNotApplyToLimits(policy: String) async throws {
        let folder = try await folder()
        for name in ["title-limit", "comment-limit"] {
            #expect(try await Program.habitat("setting", "set", name, "21", in: folder).status == 0)
        }
        let run = try await load("--raise-limits", "--on-conflict", policy, in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try await limits(in: folder) == ["22", "30"])
    }

    @Test func greaterLimitsStay() async throws {
        let folder = try await folder()
        #expect(try await Program.habitat("setting", "set", "comment-limit", "50", in: folder).status == 0)
        #expect(try await load("--raise-limits", in: folder).status == 0)
        #expect(try await limits(in: folder) == ["22", "50"])
    }

    @Test func limitsStayIfImportFails() async throws {
        let folder = try await folder()
        try folder.write(Self.table + "Tea,2026-13-01,\n", to: "a.csv")
        let run = try await load("--raise-limits", "--strict", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(try await limits(in: folder) == ["20", "20"])
        #expect(try eventCount(in: folder) == 0)
    }

    @Test func dryRunKeepsLimits() async throws {
        let folder = try await folder()
        let run = try await load("--raise-limits", "--dry-run", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.errors.contains("The import raises title-limit from 20 to 22"), "\(run)")
        #expect(try await limits(in: folder) == ["20", "20"])
    }

    // MARK: Permission

    @Test func namedUserCannotRaiseLimits() async throws {
        let folder = try await folder()
        let run = try await load("--raise-limits", "--as", "ana", in: folder)
        #expect(run.status == 77, "\(run)")
        #expect(run.errors.contains("error[operator-only]: "), "\(run)")
        #expect(try await limits(in: folder) == ["20", "20"])
        #expect(try eventCount(in: folder) == 0)
    }

    @Test func userOfEnvironmentRaisesLimits() async throws {
        let folder = try await folder()
        let run = try await load("--raise-limits", in: folder, environment: ["HABITAT_USER": "ana"])
        #expect(run.status == 0, "\(run)")
        #expect(try await limits(in: folder) == ["22", "30"])
    }

    @Test func optionsExcludeEachOther() async throws {
        let folder = try await folder()
        let run = try await load("--raise-limits", "--keep-limits", in: folder)
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("mutually exclusive"), "\(run)")
    }

    // MARK: Prompt

    private func loadOnTerminal(
        _ options: String..., in folder: TemporaryFolder, typed: String
    ) async throws -> ProgramResult {
        try await Program.onTerminal(
            ["import", "a.csv", "--create-habits"] + options, columns: 200, in: folder, typed: typed)
    }

    @Test(arguments: ["\n", "y\n", "Yes\n"]) func promptRaisesLimits(typed: String) async throws {
        let folder = try await folder()
        let run = try await loadOnTerminal("--user", "ana", in: folder, typed: typed)
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("Raise the limits? [Y/n]"), "\(run)")
        #expect(run.output.contains("3 texts are longer than this store allows (comment 30 of 20, title 22 of 20)."))
        #expect(try await limits(in: folder) == ["22", "30"])
        #expect(try eventCount(in: folder) == 5)
    }

    /// The end of the input keeps the limits.
    @Test(arguments: ["n\n", "\u{4}"]) func promptKeepsLimits(typed: String) async throws {
        let folder = try await folder()
        let run = try await loadOnTerminal("--user", "ana", in: folder, typed: typed)
        #expect(run.status == 65, "\(run)")
        #expect(run.output.contains("Raise the limits? [Y/n]"), "\(run)")
        #expect(try await limits(in: folder) == ["20", "20"])
    }

    @Test(arguments: [
        ["--user", "ana", "--keep-limits"], ["--user", "ana", "--dry-run"], ["--user", "ana", "--quiet"],
        ["--as", "ana"],
    ])
    func terminalIsNotAsked(options: [String]) async throws {
        let folder = try await folder()
        let run = try await Program.onTerminal(
            ["import", "a.csv", "--create-habits"] + options, columns: 200, in: folder, typed: "y\n")
        #expect(!run.output.contains("Raise the limit"), "\(run)")
        #expect(try await limits(in: folder) == ["20", "20"])
    }

    @Test func inputWithinLimitsIsNotAsked() async throws {
        let folder = try await folder()
        try folder.write("habit,day\nTea,2026-06-01\n", to: "a.csv")
        let run = try await loadOnTerminal("--user", "ana", in: folder, typed: "")
        #expect(run.status == 0, "\(run)")
        #expect(!run.output.contains("Raise"), "\(run)")
    }

    // MARK: Rejected habits

    @Test func eventsOfRejectedHabitAreCountedInItsLine() async throws {
        let folder = try await folder()
        let run = try await load("--rejects", "r.csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("(title-too-long), and 3 entries of the habit\n"), "\(run)")
        #expect(!run.errors.contains("was rejected in this import"), "\(run)")
        #expect(!run.errors.contains("more rejected"), "\(run)")
        // The habit, its three events and the two events with long comments.
        #expect(run.errors.contains("6 entries were rejected"), "\(run)")
        let rejects = try folder.read("r.csv").split(separator: "\n").count
        #expect(rejects == 7)
    }

    @Test func manyEventsOfRejectedHabitsLeaveRoomForOtherLines() async throws {
        let folder = try await folder()
        let days = (1...28).map { day in "A title too long by 22,2026-02-\(day < 10 ? "0" : "")\(day)," }
        try folder.write(
            "habit,day,comment\n\(days.joined(separator: "\n"))\nTea,2026-13-01,\n", to: "a.csv")
        let run = try await load(in: folder)
        #expect(run.errors.contains("and 28 entries of the habit"), "\(run)")
        #expect(run.errors.contains("(day-invalid)"), "\(run)")
        #expect(!run.errors.contains("more rejected"), "\(run)")
    }

    @Test func eachRejectedEntryIsAnObjectInJSON() async throws {
        let folder = try await folder()
        let run = try await load("--errors", "json", in: folder)
        let objects = run.errors.split(separator: "\n").count { line in line.contains("was rejected in this import") }
        #expect(objects == 3, "\(run)")
    }
}
