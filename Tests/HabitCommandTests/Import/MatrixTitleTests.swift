import Foundation
import HabitTestSupport
import Testing

/// Tests of matrices whose titles name stored habits.
@Suite(.engineIndependent) struct MatrixTitleTests {
    private static let matrix = "date,RUN,Read\n2026-11-02,x,12\n2026-11-03,,0\n"

    private func folder() async throws -> TemporaryFolder {
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        try folder.write(Self.matrix, to: "a.csv")
        return folder
    }

    private func load(in folder: TemporaryFolder) async throws -> ProgramResult {
        try await Program.habitat("import", "a.csv", "--user", "ana", "--format", "csv", in: folder)
    }

    private func addHabit(_ id: String, _ title: String, user: String = "ana", in folder: TemporaryFolder) async throws
    {
        try folder.write("id,user,title,days,start\n\(id),\(user),\(title),mon thu,2026-11-01\n", to: "habits.csv")
        let run = try await Program.habitat("ingest", "habits.csv", in: folder)
        try #require(run.status == 0, "\(run)")
    }

    private func events(in folder: TemporaryFolder) throws -> [String] {
        try folder.rows(
            "SELECT habit, day FROM events ORDER BY day, habit")
    }

    @Test func storedHabitIsFoundByTitleAndKept() async throws {
        let folder = try await folder()
        try await addHabit("mine", "Run", in: folder)
        let run = try await load(in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder).contains("mine,2026-11-02"))
        #expect(try folder.rows("SELECT days FROM habits WHERE id = 'mine'") == ["mon thu"])
        #expect(try folder.rows("SELECT id FROM habits").count == 2)
        #expect(run.output.contains("habits,unchanged,,1"), "\(run)")
        #expect(run.output.contains("habits,inserted,,1"), "\(run)")
        let again = try await load(in: folder)
        #expect(!again.output.contains("inserted") && !again.output.contains("updated"), "\(again)")
    }

    @Test func storedHabitIsFoundByID() async throws {
        let folder = try await folder()
        try await addHabit("RUN", "Jog", in: folder)
        try await addHabit("other", "Run", in: folder)
        let run = try await load(in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try events(in: folder).contains("RUN,2026-11-02"))
    }

    @Test func habitOfOtherUserIsNotFound() async throws {
        let folder = try await folder()
        try await addHabit("theirs", "Run", user: "bob", in: folder)
        let run = try await load(in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(!(try events(in: folder).contains("theirs,2026-11-02")))
    }

    @Test func ambiguousTitleIsRejectedWithItsEntries() async throws {
        let folder = try await folder()
        try await addHabit("one", "Run", in: folder)
        try await addHabit("two", "run", in: folder)
        let run = try await load(in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(run.errors.contains("2 habits have the title 'RUN'"), "\(run)")
        #expect(run.errors.contains(", and 1 entry of the habit\n"), "\(run)")
        #expect(try events(in: folder).count == 1)
    }

    @Test func tableWithEqualTitlesIsImportedTwice() async throws {
        let folder = try await folder()
        try folder.write("date,Run,Run\n2026-11-02,x,\n2026-11-03,,x\n", to: "a.csv")
        #expect(try await load(in: folder).status == 0)
        let stored = try events(in: folder)
        #expect(Set(stored.map { row in row.prefix { $0 != "," } }).count == 2)
        let again = try await load(in: folder)
        #expect(again.status == 0, "\(again)")
        #expect(!again.output.contains("inserted") && !again.output.contains("updated"), "\(again)")
        #expect(try events(in: folder) == stored)
    }

    @Test func scheduleOfImportedHabitIsKept() async throws {
        let folder = try await folder()
        #expect(try await load(in: folder).status == 0)
        let edit = try await Program.habitat(
            "habit", "edit", "Read", "--as", "ana", "--days", "mon", "--rewrite-past", in: folder)
        #expect(edit.status == 0, "\(edit)")
        #expect(try await load(in: folder).status == 0)
        #expect(try folder.rows("SELECT days FROM habits WHERE title = 'Read'") == ["mon"])
    }
}
