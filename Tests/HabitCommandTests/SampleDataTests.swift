import Foundation
import HabitTestSupport
import Testing

@Suite struct SampleDataTests {
    /// The files in the repository equal the output of the generator.
    @Test func sampleDataMatchesOutputOfGenerator() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            "/usr/bin/python3", [SampleData.path + "/generate.py", folder.path], in: folder.path)
        try #require(result.status == 0, "\(result.errors)")
        let written = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        var compared = 0
        for name in written where !name.hasSuffix("README.md") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder.file(name), isDirectory: &isFolder)
            guard !isFolder.boolValue else { continue }
            let expected = FileManager.default.contents(atPath: SampleData.path + "/" + name)
            #expect(FileManager.default.contents(atPath: folder.file(name)) == expected, "\(name)")
            compared += 1
        }
        #expect(compared >= 26)
    }

    @Test func sampleDataHasDocumentedCounts() async throws {
        func count(_ sql: String) async throws -> Int {
            let result = try await SampleData.habitat("query", sql, "--plain")
            return try #require(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(result.errors)")
        }
        #expect(try await count("SELECT count(*) FROM users") == 40)
        #expect(try await count("SELECT count(*) FROM habits") == 150)
        #expect(try await count("SELECT count(*) FROM events") == 4990)
        #expect(try await count("SELECT count(*) FROM events WHERE outcome = 'skipped'") == 190)
        #expect(try await count("SELECT count(*) FROM events WHERE unplanned = 1") == 67)
        #expect(try await count("SELECT count(*) FROM events WHERE has_photo = 1") == 158)
        #expect(try await count("SELECT count(*) FROM events WHERE abs(longitude) > 179") == 39)
        #expect(try await count("SELECT count(*) FROM follows WHERE status = 'pending'") == 21)
        #expect(try await count("SELECT count(*) FROM follows WHERE status = 'rejected'") == 11)
        #expect(try await count("SELECT count(*) FROM follows WHERE status = 'accepted' AND share = 'latest'") == 35)
        #expect(try await count("SELECT count(*) FROM items WHERE state = 'available'") == 107)
        #expect(try await count("SELECT count(*) FROM items WHERE state = 'expired'") == 45)
        #expect(try await count("SELECT count(*) FROM items WHERE state = 'claimed'") == 65)
        #expect(try await count("SELECT count(*) FROM items WHERE state = 'given'") == 70)
        #expect(try await count("SELECT count(*) FROM items WHERE state = 'withdrawn'") == 13)
        #expect(try await count("SELECT count(*) FROM claims WHERE state = 'released'") == 34)
        #expect(try await count("SELECT count(*) FROM messages") == 408)
        #expect(try await count("SELECT count(*) FROM posts") == 397, "three of 400 are deleted")
    }

    /// Rules C-05 and C-22: the habit list with status and completion rate.
    ///
    /// The expected values come from an independent program. The period is the four ISO weeks that end on 2026-11-22.
    @Test func habitStatisticsOfAliceMatchIndependentProgram() async throws {
        let result = try await SampleData.habitat(
            "habit", "list", "--as", "alice", "--plain", "--columns", "id,status,completion_rate")
        #expect(
            result.lines.sorted() == [
                "alice-guitar\tInactive\t0.368421", "alice-gym\tNear goal\t0.5", "alice-japanese\tNew\t",
                "alice-read\tOn track\t1", "alice-run\tOn track\t1", "alice-swim\tNear goal\t0.625",
            ])
        let all = try await SampleData.habitat("habit", "list", "--plain", "--columns", "status").lines
        #expect(
            Dictionary(grouping: all) { $0 }.mapValues(\.count) == [
                "On track": 52, "Near goal": 60, "Inactive": 34, "New": 4,
            ])
    }

    /// A follower sees only title, schedule and status of a habit.
    @Test func followerSeesOnlyTitleScheduleAndStatus() async throws {
        let rows = parseCSV(
            try await SampleData.habitat("habit", "list", "--as", "alice", "--user", "bruno", "--format", "csv").output)
        #expect(rows.count > 1)
        for row in rows.dropFirst() {
            let cells = Dictionary(uniqueKeysWithValues: zip(rows[0].map { $0 ?? "" }, row))
            #expect(cells["status"] != .some(nil))
            for hidden in ["reason", "completion_rate", "streak_current", "streak_longest", "score"] {
                #expect(cells[hidden] == .some(nil), "\(hidden)")
            }
        }
        let stranger = try await SampleData.habitat(
            "habit", "list", "--as", "alice", "--user", "sefa", "--format", "ndjson")
        #expect(stranger.lines.isEmpty)
    }

    /// Rule G-01: only the poster and the claimer see the claimer of an item.
    @Test func claimantIsVisibleOnlyToPosterAndClaimant() async throws {
        let all = parseCSV(
            try await SampleData.habitat(
                "item", "list", "--state", "all", "--format", "csv", "--columns", "id,user,claimed_by"
            ).output)
        #expect(all.dropFirst().filter { $0[2] != nil }.count == 135)
        let seen = parseCSV(
            try await SampleData.habitat(
                "item", "list", "--state", "all", "--as", "alice", "--format", "csv", "--columns", "id,user,claimed_by"
            ).output)
        #expect(seen.count == all.count, "every signed-in user sees every item")
        let claimed = all.dropFirst().filter { $0[2] != nil }
        let expected = claimed.filter { $0[1] == "alice" || $0[2] == "alice" }
        #expect(seen.dropFirst().filter { $0[2] != nil } == Array(expected))
        #expect(!expected.isEmpty)
    }
}
