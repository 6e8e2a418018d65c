import HabitTestSupport
import Testing

/// Tests of the report of open claims with IDs that contain slashes.
@Suite struct AmbiguousClaimsTests {
    @Test func reportListsEachClaimOnce() async throws {
        let folder = try TemporaryFolder()
        try folder.write("id,time_zone\nowner,UTC\nc,UTC\nb/c,Asia/Tokyo\n", to: "users.csv")
        try folder.write("id,user,name\na,owner,A\na/b,owner,A B\n", to: "items.csv")
        try folder.write(
            "item,user,claimed_at\na/b,c,2026-11-19T20:00:00Z\na,b/c,2026-11-19T20:00:00Z\n", to: "claims.csv")
        let loaded = try await Program.habitat("ingest", "users.csv", "items.csv", "claims.csv", in: folder)
        try #require(loaded.status == 0, "\(loaded)")
        let report = try await Program.habitat(
            "report", "run", "claims-open", "--date", "2026-11-21", "--format", "csv", "--columns",
            "item,claimant,days_waiting", in: folder)
        #expect(report.lines == ["item,claimant,days_waiting", "a,b/c,1", "a/b,c,2"], "\(report)")
    }
}
