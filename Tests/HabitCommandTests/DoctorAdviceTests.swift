import Foundation
import HabitTestSupport
import Testing

/// Tests that the advice of messages about a damaged or foreign schema solves the problem.
@Suite(.fileStoreOnly) struct DoctorAdviceTests {
    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let whole = try await SampleData.folder().file("habitat.db")
        #expect(try await Program.habitat("backup", "habitat.db", "--store", whole, in: folder).status == 0)
        return folder
    }

    /// Returns the statements in the detail of the check `schema`.
    private static func statements(_ result: ProgramResult) -> [String] {
        let detail = parseCSV(result.output).first { $0[0] == "schema" }?[3] ?? ""
        let list = detail.split(separator: "remove them with the program sqlite3: ").dropFirst().first ?? ""
        return (list.split(separator: "; ").first ?? "").split(separator: ", ").map { String($0) }
    }

    @Test(arguments: [
        "CREATE TRIGGER spy AFTER INSERT ON event BEGIN DELETE FROM post; END",
        "DROP VIEW events; CREATE VIEW events AS SELECT 7 AS seven",
        "DROP TRIGGER event_map_empty; CREATE TRIGGER event_map_empty AFTER UPDATE ON event_map BEGIN SELECT 1; END",
        "CREATE TRIGGER \"a \"\"b\"\"\" AFTER INSERT ON event BEGIN SELECT 1; END",
    ])
    func statementsOfDoctorRemoveForeignDefinitions(sql: String) async throws {
        let folder = try await Self.folder()
        try await RawStore.execute(folder.file("habitat.db"), Self.parts(sql))
        let refused = try await Program.habitat("history", in: folder)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains("remove them with the program sqlite3 (DROP "), "\(refused.errors)")
        let repair = try await Program.habitat("doctor", "--repair", in: folder)
        #expect(repair.status == 65, "\(repair)")
        #expect(repair.errors.contains("remove them with the program sqlite3 (DROP "), "\(repair.errors)")
        let found = try await Program.habitat("doctor", "--format", "csv", in: folder)
        #expect(found.status == 65, "\(found)")
        #expect(!found.errors.contains("repair it with"), "\(found.errors)")
        #expect(found.errors.contains("run the statements in the detail of the check 'schema'"), "\(found.errors)")
        let statements = Self.statements(found)
        #expect(statements.count == 1, "\(found.output)")
        try await RawStore.execute(folder.file("habitat.db"), statements)
        // The removed object may have been Habitat's own.
        let next = try await Program.habitat("doctor", in: folder)
        if next.status != 0 {
            #expect(next.errors.contains("repair it with 'habitat doctor --repair'"), "\(next.errors)")
            #expect(try await Program.habitat("doctor", "--repair", in: folder).status == 0)
        }
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
        #expect(try await Program.habitat("history", "--limit", "1", in: folder).status == 0)
    }

    /// Splits a text into a DROP statement and the statement after it.
    private static func parts(_ sql: String) -> [String] {
        guard sql.hasPrefix("DROP"), let end = sql.firstRange(of: "; ") else { return [sql] }
        return [String(sql[..<end.lowerBound]), String(sql[end.upperBound...])]
    }

    @Test func damagedPageIsSolvedByRestore() async throws {
        let folder = try await Self.folder()
        #expect(try await Program.habitat("backup", "good.db", "--quiet", in: folder).status == 0)
        // The rows of events are in pages that no index contains.
        let page = try await Self.page(of: "event", in: folder)
        var bytes = try #require(folder.contents("habitat.db"))
        let size = 8192
        for index in (page - 1) * size..<page * size { bytes[index] = 0 }
        try folder.write(bytes, to: "habitat.db")
        let found = try await Program.habitat("doctor", in: folder)
        #expect(found.status == 65, "\(found)")
        #expect(found.errors.contains("cannot repair: restore a backup"), "\(found.errors)")
        let repair = try await Program.habitat("doctor", "--repair", in: folder)
        #expect(repair.status == 65, "\(repair)")
        #expect(repair.errors.contains("restore a backup"), "\(repair.errors)")
        #expect(!repair.errors.contains("'habitat doctor'"), "\(repair.errors)")
        #expect(try await Program.habitat("restore", "good.db", in: folder).status == 0)
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
    }

    /// Returns the number of a page with rows of a table.
    private static func page(of table: String, in folder: TemporaryFolder) async throws -> Int {
        let script = """
            import sqlite3
            db = sqlite3.connect('habitat.db')
            print(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'").fetchone()[0])
            """
        let result = try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path)
        return try #require(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }
}
