import Foundation
import HabitStore
import HabitTestSupport
import Testing

/// Tests of the commands for a sharded store.
@Suite(.serverStoreOnly) struct ClusterCommandTests {
    private struct Shard: Decodable {
        var shard: Int
        var events: Int?
        var status: String
    }

    private static func shards(_ json: String) throws -> [Shard] {
        try JSONDecoder().decode([Shard].self, from: Data(json.utf8))
    }

    /// Creates empty databases for `count` shards.
    private static func databases(_ folder: TemporaryFolder, count: Int) throws -> [String] {
        let other = folder.file("other.db")
        _ = try TestServer.store(at: other, shards: count)
        let shards = try TestServer.shards(ofStoreAt: other)
        for shard in shards { try TestServer.execute("DROP SCHEMA habitat CASCADE", in: shard) }
        return shards
    }

    @Test func clusterInitDistributesStoreAndKeepsResults() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        _ = try TestServer.store(at: store, shards: 0)
        let load = try Program.habitat("ingest", SampleData.path, "--quiet", in: folder)
        #expect(load.status == 0, "\(load)")
        let queries = [
            ["near", "38.72,-9.14", "--format", "geojson"], ["history", "--format", "csv"],
            ["report", "run", "nightly-summary", "--format", "csv", "--date", "2026-11-15"],
        ]
        let before = try queries.map { try Program.habitat($0, in: folder).output }
        #expect(before.allSatisfy { $0.count > 200 })
        let single = try Program.habitat("cluster", "status", in: folder)
        #expect(single.status == 0 && single.errors.contains("is not sharded"), "\(single)")

        let databases = try Self.databases(folder, count: 2)
        let urls = databases.map(TestServer.url(of:)).joined(separator: ",")
        let made = try Program.habitat("cluster", "init", "--shards", urls, "--format", "json", in: folder)
        #expect(made.status == 0 && made.errors.contains("Copied rows to"), "\(made)")
        let shards = try Self.shards(made.output)
        #expect(
            shards.map(\.shard) == [0, 1] && shards.allSatisfy { $0.status == "ok" && $0.events ?? 0 > 0 }, "\(made)")
        #expect(try queries.map { try Program.habitat($0, in: folder).output } == before)

        let check = try Program.habitat("cluster", "check", "--format", "csv", in: folder)
        #expect(check.status == 0, "\(check)")
        for line in ["event-places,ok,2,,", "near,ok,2,", "one-user,ok,1,"] {
            #expect(check.output.contains(line), "\(check)")
        }
        let doctor = try Program.habitat("doctor", "--format", "csv", in: folder)
        #expect(doctor.status == 0 && doctor.output.contains("event-references,ok"), "\(doctor)")
        let again = try Program.habitat("cluster", "init", "--shards", urls, in: folder)
        #expect(again.status == 64 && again.errors.contains("sharded already"), "\(again)")
    }

    @Test func commandsFailWhenShardIsUnreachable() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("habitat.db")
        _ = try TestServer.store(at: store, shards: 2)
        #expect(try Program.habitat("ingest", SampleData.path, "--quiet", in: folder).status == 0)
        let before = try Program.habitat("history", "--format", "csv", in: folder)
        let shard = try #require(try TestServer.shards(ofStoreAt: store).last)
        try TestServer.execute("ALTER DATABASE \(shard) ALLOW_CONNECTIONS false", in: "postgres")
        for command in [
            ["history"], ["near", "38.72,-9.14"], ["user", "add", "new"], ["ingest", SampleData.path],
            ["cluster", "check"],
        ] {
            let result = try Program.habitat(command, in: folder)
            #expect(result.status == 69 && result.output.isEmpty, "\(result)")
            #expect(result.errors.contains("error[store-unavailable]: shard 1 of ") && result.errors.contains(shard))
        }
        let status = try Program.habitat("cluster", "status", "--format", "json", in: folder)
        #expect(status.status == 69 && status.errors.contains("unavailable shards: 1"), "\(status)")
        #expect(try Self.shards(status.output).map { $0.events == nil } == [false, true])
        try TestServer.execute("ALTER DATABASE \(shard) ALLOW_CONNECTIONS true", in: "postgres")
        let after = try Program.habitat("history", "--format", "csv", in: folder)
        #expect(after.status == 0 && after.output == before.output && before.output.count > 200)
    }

    @Test(arguments: [
        ("habitat.db,postgresql://127.0.0.1/x", 64, "a list of different URLs"), ("", 64, "a list of different URLs"),
        ("postgresql://127.0.0.1/x,postgresql://127.0.0.1/x", 64, "a list of different URLs"),
        ("postgresql://127.0.0.1:1/a,postgresql://127.0.0.1:1/b,postgresql://127.0.0.1:1/c", 64, "1, 2, 4 or 8"),
        ("postgresql://u:secret@127.0.0.1:1/a", 69, "the shard postgresql://u@127.0.0.1:1/a cannot be reached"),
    ])
    func clusterInitRefusesInvalidShards(shards: String, status: Int32, reason: String) throws {
        let folder = try TemporaryFolder()
        #expect(try Program.habitat("init", in: folder).status == 0)
        let result = try Program.habitat("cluster", "init", "--shards", shards, in: folder)
        #expect(
            result.status == status && result.errors.contains(reason) && !result.errors.contains("secret"), "\(result)")
        #expect(try Program.habitat("history", in: folder).status == 0)
    }
}
