import Foundation
import HabitTestSupport
import Testing

/// Tests of the list of imports and of their undo, with the real program.
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

    private func lastRun(in folder: TemporaryFolder) async throws -> String {
        try #require(try await runs("id", in: folder).first)
    }

    private func undo(_ id: String, _ options: String..., in folder: TemporaryFolder) async throws -> ProgramResult {
        try await Program.habitat(["import", "--undo", id] + options, in: folder)
    }

    private func events(in folder: TemporaryFolder) throws -> [String] {
        try folder.rows("SELECT title, day, comment FROM events ORDER BY title, day")
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

    @Test(arguments: [["--runs", "--undo", "x"], ["--runs", "a.csv"], ["--undo", "x", "a.csv"], []])
    func optionsAndFilesExcludeEachOther(arguments: [String]) async throws {
        let folder = try await folder()
        let run = try await Program.habitat(["import"] + arguments, in: folder)
        #expect(run.status == 64, "\(run)")
    }

    // MARK: Undo

    @Test func undoRestoresStateBeforeImport() async throws {
        let folder = try await folder()
        let id = try await lastRun(in: folder)
        let run = try await undo(id, "--yes", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(run.output == "Undid the import of a.csv on 2026-11-28: deleted 2 habits and 3 events.\n", "\(run)")
        #expect(try events(in: folder).isEmpty)
        #expect(try folder.rows("SELECT id FROM habits").isEmpty)
        #expect(try await runs("id", in: folder).isEmpty)
        let again = try await undo(id, "--yes", in: folder)
        #expect(again.status == 66, "\(again)")
        #expect(again.errors.contains("error[not-found]: "), "\(again)")
        // The records can be imported again.
        try await load("a.csv", in: folder)
        #expect(try events(in: folder).count == 3)
        let doctor = try await Program.habitat("doctor", in: folder)
        #expect(doctor.status == 0, "\(doctor)")
    }

    @Test func undoShowsCountsInOtherFormats() async throws {
        let folder = try await folder()
        let run = try await undo(try await lastRun(in: folder), "--yes", "--format", "csv", in: folder)
        #expect(run.output.hasPrefix("undone,habits,events,posts,kept,updated\n"), "\(run)")
        #expect(run.output.hasSuffix(",2,3,0,0,0\n"), "\(run)")
    }

    @Test func changedRecordsAndTheirHabitStay() async throws {
        let folder = try await folder()
        let edit = try await Program.habitat(
            "event", "edit", "Tea@2026-06-02", "--comment", "mine", "--as", "ana", in: folder)
        #expect(edit.status == 0, "\(edit)")
        let run = try await undo(try await lastRun(in: folder), "--yes", in: folder)
        #expect(
            run.output.contains(
                "deleted 1 habit and 2 events; left 2 records (changed or deleted since, or habits with other events)."),
            "\(run)")
        #expect(try events(in: folder) == ["Tea,2026-06-02,mine"])
    }

    @Test func habitWithLaterEventStays() async throws {
        let folder = try await folder()
        try folder.write("habit,day\nRun,2026-06-09\n", to: "b.csv")
        try await load("b.csv", in: folder)
        let first = try #require(try await runs("id,file", in: folder).first { row in row.hasSuffix(",a.csv") })
        let id = first.split(separator: ",").first.map(String.init) ?? ""
        #expect(try await undo(id, "--yes", in: folder).status == 0)
        #expect(try events(in: folder) == ["Run,2026-06-09,"])
        // The other import can be undone, too. Its habit stays, because another import has inserted it.
        #expect(try await undo(try await lastRun(in: folder), "--yes", in: folder).status == 0)
        #expect(try events(in: folder).isEmpty)
        #expect(try folder.rows("SELECT title FROM habits") == ["Run"])
    }

    @Test func changedHabitStaysWithoutItsEvents() async throws {
        let folder = try await folder()
        let edit = try await Program.habitat("habit", "edit", "Tea", "--reason", "calm", "--as", "ana", in: folder)
        #expect(edit.status == 0, "\(edit)")
        #expect(try await undo(try await lastRun(in: folder), "--yes", in: folder).status == 0)
        #expect(try folder.rows("SELECT title FROM habits") == ["Tea"])
        #expect(try events(in: folder).isEmpty)
    }

    @Test func updatesAreNotUndone() async throws {
        let folder = try await folder()
        try folder.write("habit,day,comment\nTea,2026-06-02,changed\nTea,2026-06-03,new\n", to: "b.csv")
        try await load("b.csv", in: folder)
        let second = try #require(try await runs("id,file", in: folder).first { row in row.hasSuffix(",b.csv") })
        let id = second.split(separator: ",").first.map(String.init) ?? ""
        let run = try await undo(id, "--yes", in: folder)
        #expect(run.output.contains("deleted 1 event; left 1 update of other records."), "\(run)")
        #expect(try events(in: folder).contains("Tea,2026-06-02,changed"))
        #expect(try events(in: folder).count == 3)
    }

    @Test func postsAndTheirPhotosAreDeleted() async throws {
        let folder = try await ImportCases.store.copy()
        let sample = ImportCases.folder + "/swarm/swarm-export.zip"
        let load = ["import", sample, "--user", "ana"]
        #expect(try await Program.habitat(load, in: folder).status == 0)
        let posts = try folder.rows("SELECT id FROM posts")
        #expect(posts.count == 6)
        let run = try await undo(try await lastRun(in: folder), "--yes", in: folder)
        #expect(run.output.contains("deleted 6 posts."), "\(run)")
        #expect(try folder.rows("SELECT id FROM posts").isEmpty)
        #expect(try await Program.habitat(load, in: folder).status == 0)
        #expect(try folder.rows("SELECT id FROM posts") == posts)
    }

    @Test(.fileStoreOnly, arguments: EarlierStore.versions)
    func importIntoStoreOfEarlierVersionIsUndone(version: Int) async throws {
        let folder = try TemporaryFolder()
        try await EarlierStore.create(version, at: folder.file("habitat.db"))
        try folder.write("habit,day\nTea,2026-06-01\n", to: "a.csv")
        let run = try await Program.habitat(
            "import", "a.csv", "--create-habits", "--user", "ann", in: folder)
        #expect(run.status == 0, "\(run)")
        let undone = try await undo(try await lastRun(in: folder), "--yes", in: folder)
        #expect(undone.output.contains("deleted 1 habit and 1 event."), "\(undone)")
    }

    // MARK: Confirmation

    @Test func undoNeedsConfirmationWithoutTerminal() async throws {
        let folder = try await folder()
        let run = try await undo(try await lastRun(in: folder), in: folder)
        #expect(run.errors.contains("error[confirm-required]: "), "\(run)")
        #expect(try events(in: folder).count == 3)
    }

    @Test(arguments: [("y\n", 0), ("\n", 3), ("n\n", 3), ("\u{4}", 3)])
    func promptNamesRecords(typed: String, remaining: Int) async throws {
        let folder = try await folder()
        let id = try await lastRun(in: folder)
        let run = try await Program.onTerminal(
            ["import", "--undo", id], columns: 200, in: folder, typed: typed)
        #expect(
            run.output.contains("Undo the import of a.csv on 2026-11-28: delete 2 habits and 3 events? [y/N]"), "\(run)"
        )
        #expect(try events(in: folder).count == remaining)
    }

    // MARK: Permission

    @Test func ownerUndoesImportOfOperator() async throws {
        let folder = try await folder()
        let run = try await undo(try await lastRun(in: folder), "--yes", "--as", "ana", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder).isEmpty)
    }

    @Test func otherUserCannotUndo() async throws {
        let folder = try await folder()
        let run = try await undo(try await lastRun(in: folder), "--yes", "--as", "bob", in: folder)
        #expect(run.status == 66, "\(run)")
        #expect(run.errors.contains("error[not-found]: "), "\(run)")
        let named = try await undo(try await lastRun(in: folder), "--yes", "--user", "bob", in: folder)
        #expect(named.status == 64, "\(named)")
        #expect(try events(in: folder).count == 3)
    }

    @Test func unknownImportIsNotFound() async throws {
        let folder = try await folder()
        let run = try await undo("unknown", "--yes", in: folder)
        #expect(run.status == 66, "\(run)")
        #expect(run.errors.contains("'habitat import --runs'"), "\(run)")
    }
}
