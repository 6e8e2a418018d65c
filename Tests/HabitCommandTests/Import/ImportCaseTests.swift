import Foundation
import HabitTestSupport
import Testing

/// Tests that import each sample and compare every row.
@Suite(.engineIndependent) struct ImportCaseTests {
    private static let cases = ImportCases.all?.cases ?? []

    @Test func casesAreReadable() throws {
        let all = try #require(ImportCases.all)
        #expect(!all.cases.isEmpty)
        for item in all.cases { #expect(FileManager.default.fileExists(atPath: ImportCases.folder + "/" + item.file)) }
    }

    @Test(arguments: cases) func importStoresExpectedRowsOnce(item: ImportCase) async throws {
        let all = try #require(ImportCases.all)
        let folder = try await all.store(hasLimits: true)
        let first = try await Program.habitat(item.arguments + ["--user", all.user], in: folder)
        expect(first, item, "inserted")
        let rows = try await ImportedRows(of: all.user, in: folder)
        let expected = ImportedRows(expected: item)
        #expect(rows.habits == expected.habits)
        #expect(rows.events == expected.events)
        #expect(rows.posts == expected.posts)
        try await expectIDs(item, in: folder)
        let second = try await Program.habitat(item.arguments + ["--user", all.user], in: folder)
        expect(second, item, "unchanged")
        #expect(try await ImportedRows(of: all.user, in: folder) == rows)
    }

    @Test(arguments: cases) func dryRunStoresNothing(item: ImportCase) async throws {
        let all = try #require(ImportCases.all)
        let folder = try await all.store(hasLimits: true)
        let run = try await Program.habitat(item.arguments + ["--user", all.user, "--dry-run"], in: folder)
        expect(run, item, "inserted")
        let rows = try await ImportedRows(of: all.user, in: folder)
        #expect(rows.habits.isEmpty)
        #expect(rows.events.isEmpty)
        #expect(rows.posts.isEmpty)
    }

    /// A record with a globally unique ID belongs to the first user who imports it.
    @Test(arguments: cases) func secondUserDoesNotChangeRecordsOfFirst(item: ImportCase) async throws {
        let all = try #require(ImportCases.all)
        let folder = try await all.store(hasLimits: true)
        _ = try await Program.habitat(item.arguments + ["--user", all.user], in: folder)
        let rows = try await ImportedRows(of: all.user, in: folder)
        let run = try await Program.habitat(item.arguments + ["--user", "bob"], in: folder)
        #expect(try await ImportedRows(of: all.user, in: folder) == rows)
        let ids =
            item.habit_rows.compactMap(\.id) + item.event_rows.compactMap(\.id) + item.post_rows.compactMap(\.id)
        if ids.isEmpty {
            expect(run, item, "inserted")
            #expect(try await ImportedRows(of: "bob", in: folder) == ImportedRows(expected: item))
        } else {
            #expect(
                ImportCounts(run).reasons("rejected")["field-invalid"] != nil
                    || ImportCounts(run).reasons("rejected", of: "habits")["field-invalid"] != nil)
        }
    }

    @Test(arguments: cases.filter { $0.with_limits_of_a_new_store != nil })
    func textsAboveDefaultLimitsAreRejected(item: ImportCase) async throws {
        let all = try #require(ImportCases.all)
        let expected = try #require(item.with_limits_of_a_new_store)
        let folder = try await all.store(hasLimits: false)
        let run = try await Program.habitat(item.arguments + ["--user", all.user], in: folder)
        let counts = ImportCounts(run)
        #expect(run.status == 65)
        #expect(counts.count("inserted", of: "habits") == expected.habits)
        #expect(counts.count("inserted", of: "events") == expected.events)
        #expect(counts.reasons("rejected", of: "habits") == expected.habits_refused)
        #expect(counts.reasons("rejected", of: "events") == expected.events_refused)
        #expect(run.errors.contains("run 'habitat setting set "))
    }

    /// Checks the summary of an import.
    private func expect(_ run: ProgramResult, _ item: ImportCase, _ result: String) {
        let counts = ImportCounts(run)
        #expect(run.status == (item.rejected.isEmpty ? 0 : 65), "\(run)")
        #expect(counts.read == item.read, "\(run)")
        #expect(counts.reasons("skipped") == item.skipped)
        #expect(counts.reasons("rejected") == item.rejected)
        #expect(counts.count(result, of: "habits") == item.habits)
        #expect(counts.count(result, of: "events") == item.events)
        #expect(counts.count(result, of: "posts") == item.posts)
        if item.read > 0 { #expect(counts.formats.contains(item.format) || item.format == "google") }
    }

    /// Checks the IDs of records whose source has globally unique IDs.
    private func expectIDs(_ item: ImportCase, in folder: TemporaryFolder) async throws {
        for (table, ids) in [
            ("habits", item.habit_rows.compactMap(\.id)), ("events", item.event_rows.compactMap(\.id)),
            ("posts", item.post_rows.compactMap(\.id)),
        ] where !ids.isEmpty {
            let run = try await Program.habitat("query", "SELECT id FROM \(table)", "--format", "csv", in: folder)
            let stored = Set(run.lines)
            for id in ids { #expect(stored.contains(id), "\(table) \(id)") }
        }
    }
}
