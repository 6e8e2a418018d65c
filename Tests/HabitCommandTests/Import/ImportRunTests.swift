import Foundation
import HabitTestSupport
import Testing

/// Tests of the list of imports, with the real program.
@Suite struct ImportRunTests {
    private static let table = "habit,day,comment\nTea,2026-06-01,one\nTea,2026-06-02,two\nRun,2026-06-01,\n"

    /// A store in which a table was imported for ana.
    private func folder() async throws -> TemporaryFolder {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write(Self.table, to: "a.csv")
        try await load("a.csv", in: folder)
        return folder
    }

    private func load(_ file: String, _ options: String..., in folder: TemporaryFolder) async throws {
        let run = try await Program.habitat(
            ["import", file, "--create-habits", "--user", "ana", "--now", "2026-11-28T10:00:00Z"] + options, in: folder)
        try #require(run.status == 0, "\(run)")
    }

    /// Returns the values of columns of the imports, newest first.
    private func runs(_ columns: String, _ options: String..., in folder: TemporaryFolder) async throws -> [String] {
        let run = try await Program.habitat(
            ["import", "--runs", "--format", "csv", "--columns", columns] + options, in: folder)
        try #require(run.status == 0, "\(run)")
        return run.output.split(separator: "\n").dropFirst().map(String.init)
    }

    // MARK: List

    @Test func importIsListedWithItsCounts() async throws {
        let folder = try await folder()
        let columns = "user,imported_at,format,file,habits,events,posts,updated"
        #expect(try await runs(columns, in: folder) == ["ana,2026-11-28T10:00:00Z,csv,a.csv,2,3,0,0"])
        let changes = try #require(try await runs("first_change,last_change", in: folder).first)
        let numbers = changes.split(separator: ",").compactMap { number in Int(number) }
        try #require(numbers.count == 2)
        #expect(numbers[1] - numbers[0] == 4, "\(changes)")
    }

    @Test(arguments: ["text", "csv", "json", "ndjson", "geojson", "html", "markdown"])
    func importsHaveFormatsOfLists(format: String) async throws {
        let folder = try await folder()
        let run = try await Program.habitat("import", "--runs", "--format", format, in: folder)
        guard run.status != 64 else {
            // The format does not exist, or needs positions.
            #expect(["geojson", "markdown"].contains(format), "\(run)")
            return
        }
        #expect(run.status == 0, "\(run)")
        #expect(run.output.contains("a.csv") || format == "geojson", "\(run)")
    }

    @Test func repeatedImportAndDryRunAreNotListed() async throws {
        let folder = try await folder()
        try await load("a.csv", in: folder)
        try folder.write(Self.table + "Run,2026-06-05,\n", to: "b.csv")
        try await load("b.csv", "--dry-run", in: folder)
        #expect(try await runs("file", in: folder) == ["a.csv"])
    }

    @Test func updateIsCounted() async throws {
        let folder = try await folder()
        try folder.write(Self.table.replacing("two", with: "changed"), to: "b.csv")
        try await load("b.csv", in: folder)
        #expect(try await runs("file,habits,events,updated", in: folder).contains("b.csv,0,0,1"))
    }

    @Test func userSeesOwnImports() async throws {
        let folder = try await folder()
        #expect(try await runs("file", "--as", "ana", in: folder) == ["a.csv"])
        #expect(try await runs("file", "--as", "bob", in: folder).isEmpty)
        #expect(try await runs("file", "--user", "bob", in: folder).isEmpty)
        let other = try await Program.habitat("import", "--runs", "--as", "bob", "--user", "ana", in: folder)
        #expect(other.status == 77, "\(other)")
        let unknown = try await Program.habitat("import", "--runs", "--user", "nobody", in: folder)
        #expect(unknown.status == 66, "\(unknown)")
    }

    @Test func deletedAccountHasNoImports() async throws {
        let folder = try await folder()
        #expect(try await Program.habitat("user", "delete", "ana", "--yes", in: folder).status == 0)
        #expect(try await runs("file", in: folder).isEmpty)
    }

    @Test(arguments: [["--runs", "a.csv"], []])
    func optionsAndFilesExcludeEachOther(arguments: [String]) async throws {
        let folder = try await folder()
        let run = try await Program.habitat(["import"] + arguments, in: folder)
        #expect(run.status == 64, "\(run)")
    }
}
