import HabitTestSupport
import Testing

/// Tests of imports of the files of harsh.
@Suite(.engineIndependent) struct HarshImportTests {
    @Test(arguments: [
        [["habits"], ["log"]],
        [["log"], ["habits"]],
        [["log", "habits"]],
        [["habits", "log"]],
    ])
    func logDoesNotReplaceSchedule(commands: [[String]]) async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write("Gym: 3/7: 2030-01-01\n", to: "habits")
        try folder.write("2026-01-05 : Gym : y\n", to: "log")
        for files in commands {
            let run = try await Program.habitat(["import"] + files + ["--user", "ana"], in: folder)
            #expect(run.status == 0, "\(run)")
        }
        let habits = try ImportedRows(of: "ana", in: folder).habits
        try #require(habits.count == 1, "\(habits)")
        try #require(habits[0].contains("| 3 | 7 |"), "\(habits)")
        #expect(habits[0].contains("2030-01-01"), "\(habits)")
    }

    @Test(arguments: ["Gym: 3/7\nRead daily\n", "Read daily\nGym: 3/7\n", "Gym: 3/7\nRead: often\nTea: 1\n"])
    func invalidLineOfHabitsIsRejected(text: String) async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write(text, to: "harsh/habits")
        try folder.write("2026-01-05 : Gym : y\n", to: "harsh/log")
        let run = try await Program.habitat("import", "harsh", "--user", "ana", "--format", "csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(ImportCounts(run).reasons("rejected", of: "habits") == ["line-invalid": 1], "\(run)")
        #expect(try ImportedRows(of: "ana", in: folder).habits.contains { $0.contains("| 3 | 7 |") })
    }

    @Test func amountOfLogIsDecimal() async throws {
        let folder = try await ImportCases.store.copy()
        try folder.write("2026-01-05 : Gym : y :  : 0x10\n2026-01-06 : Gym : y :  : 1.5\n", to: "log")
        let run = try await Program.habitat("import", "log", "--user", "ana", "--format", "csv", in: folder)
        #expect(run.status == 65, "\(run)")
        #expect(ImportCounts(run).reasons("rejected") == ["line-invalid": 1], "\(run)")
    }
}
