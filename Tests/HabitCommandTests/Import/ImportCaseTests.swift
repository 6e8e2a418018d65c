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

    /// A dry run stores nothing, an import stores the expected rows, and a second import changes nothing.
    ///
    /// A record with a globally unique ID belongs to the first user who imports it.
    @Test(arguments: cases) func importStoresExpectedRowsOnce(item: ImportCase) async throws {
        let user = try #require(ImportCases.all).user
        let folder = try await ImportCases.store.copy()
        let command = item.arguments + ["--user", user]
        let dryRun = try await Program.habitat(command + ["--dry-run"], in: folder)
        expect(dryRun, of: item, result: "inserted")
        let none = try ImportedRows(of: user, in: folder)
        #expect(none.habits.isEmpty)
        #expect(none.events.isEmpty)
        #expect(none.posts.isEmpty)

        let first = try await Program.habitat(command, in: folder)
        expect(first, of: item, result: "inserted")
        let rows = try ImportedRows(of: user, in: folder)
        let expected = ImportedRows(expected: item)
        #expect(rows.habits == expected.habits)
        #expect(rows.events == expected.events)
        #expect(rows.posts == expected.posts)
        try expectIDs(item, in: folder)

        let second = try await Program.habitat(command, in: folder)
        expect(second, of: item, result: "unchanged")
        #expect(try ImportedRows(of: user, in: folder) == rows)

        let other = try await Program.habitat(item.arguments + ["--user", "bob"], in: folder)
        #expect(try ImportedRows(of: user, in: folder) == rows)
        let ids =
            item.habit_rows.compactMap(\.id) + item.event_rows.compactMap(\.id) + item.post_rows.compactMap(\.id)
        if ids.isEmpty {
            expect(other, of: item, result: "inserted")
            #expect(try ImportedRows(of: "bob", in: folder) == expected)
        } else {
            let rejected = ImportCounts(other)
            #expect(
                rejected.reasons("rejected")["field-invalid"] != nil
                    || rejected.reasons("rejected", of: "habits")["field-invalid"] != nil)
        }
    }

    @Test(arguments: cases.filter { $0.with_limits_of_a_new_store != nil })
    func textsAboveDefaultLimitsAreRejected(item: ImportCase) async throws {
        let user = try #require(ImportCases.all).user
        let expected = try #require(item.with_limits_of_a_new_store)
        let folder = try await ImportCases.storeWithDefaultLimits.copy()
        let run = try await Program.habitat(item.arguments + ["--user", user], in: folder)
        let counts = ImportCounts(run)
        #expect(run.status == 65)
        #expect(counts.count("inserted", of: "habits") == expected.habits)
        #expect(counts.count("inserted", of: "events") == expected.events)
        #expect(counts.reasons("rejected", of: "habits") == expected.habits_refused)
        #expect(counts.reasons("rejected", of: "events") == expected.events_refused)
        #expect(run.errors.contains("run 'habitat setting set "))
    }

    /// Checks the summary of an import.
    private func expect(_ run: ProgramResult, of item: ImportCase, result: String) {
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
    private func expectIDs(_ item: ImportCase, in folder: TemporaryFolder) throws {
        for (table, ids) in [
            ("habits", item.habit_rows.compactMap(\.id)), ("events", item.event_rows.compactMap(\.id)),
            ("posts", item.post_rows.compactMap(\.id)),
        ] where !ids.isEmpty {
            let stored = Set(try folder.rows("SELECT id FROM \(table)"))
            for id in ids { #expect(stored.contains(id), "\(table) \(id)") }
        }
    }
}
