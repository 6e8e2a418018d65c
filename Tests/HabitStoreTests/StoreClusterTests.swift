import Base
import Foundation
import HabitModel
import HabitTestSupport
import StoreEngine
import Synchronization
import Testing

@testable import HabitStore
@testable import StorePostGIS

/// Tests of a store that Citus distributes over several servers.
@Suite struct StoreClusterTests {
    private static let users = (0..<40).map { "u\($0)" }

    private static func filledStore() throws -> TestStore {
        let store = try TestStore()
        try store.write(users.map { .user($0) } + users.map { .habit("h-\($0)", of: $0) })
        return store
    }

    /// A table of a new kind of record is distributed or copied, and checked.
    @Test func statementsOfClusterNameCheckedTables() {
        let statements = String(decoding: StorePostGIS.PackageResources.postgis_cluster_sql, as: UTF8.self)
        let list = /ARRAY\[('account'[^\]]*)\]/
        let copied = statements.matches(of: list).map { match in Self.names(String(match.output.1)) }
        #expect(copied == [Self.names(StoreCluster.copied)])
        for table in Self.names(StoreCluster.distributed) {
            #expect(statements.contains(table), "\(table)")
        }
    }

    private static func names(_ list: String) -> Set<String> {
        Set(list.split(separator: ", ").map { name in String(name) })
    }

    @Test(.clusterOnly) func everyServerIsUsedAndEveryCheckIsOK() throws {
        let store = try Self.filledStore()
        try store.write(Self.users.map { .event("h-\($0)", "2026-11-20") })
        let cluster = try StoreCluster(store.engine)
        let nodes = try cluster.nodes()
        #expect(nodes.allSatisfy { $0.problem == nil }, "\(nodes)")
        #expect(nodes.allSatisfy { $0.bytes ?? 0 > 0 }, "\(nodes)")
        #expect(nodes.map(\.isCoordinator) == [true] + nodes.dropFirst().map { _ in false })
        #expect(nodes.allSatisfy { $0.isCoordinator == ($0.shards == 0) }, "\(nodes)")
        let checks = try cluster.check()
        #expect(checks.count == 9)
        #expect(checks.filter { $0.status != .ok } == [])
        #expect(try StoreDoctor(store.engine).examine().filter { $0.status != .ok } == [])
        #expect { try cluster.distribute(shardCount: 8) } throws: { ($0 as? HabitError)?.code == .usage }
    }

    /// A statement on all shards for each record would make a load slow.
    @Test(.clusterOnly) func numberOfLookupsDoesNotDependOnNumberOfRecords() throws {
        let store = try Self.filledStore()
        for records in [
            { (users: ArraySlice<String>) in users.map { Record.habit("new\(users.count)-\($0)", of: $0) } },
            { users in users.map { .event("h-\($0)", "2026-11-0\(min(users.count, 9))", id: "e\(users.count)-\($0)") }
            },
        ] {
            let counts = try [2, Self.users.count].map { count in
                try store.engine.write { session in
                    try session.writeRecords { writer in
                        let records = records(Self.users.prefix(count))
                        return try TestServer.multiShardStatements(in: session) {
                            try writer.withPrefetch(records) { for record in records { _ = try writer.write(record) } }
                        }
                    }
                }
            }
            #expect(counts[0] == counts[1])
        }
    }

    @Test(.clusterOnly) func missingPhotoIsFoundWithoutForeignKey() throws {
        let store = try Self.filledStore()
        try store.write([.event("h-u1", "2026-11-20", id: "e")])
        try store.engine.write { _ = try $0.run("UPDATE event SET photo_id = 99 WHERE external_id = 'e'") }
        let failed = try StoreCluster(store.engine).check().filter { $0.status != .ok }
        #expect(failed.map(\.check) == ["event-photos"])
    }

    @Test(.clusterOnly) func outsideSQLOfUserIsRefused() throws {
        let store = try Self.filledStore()
        let clock = Clock(now: .now)
        func count(as user: String?) throws -> Int64 {
            var count: Int64 = -1
            try store.analyze(as: user, clock: clock) { session, viewer in
                _ = try AnalysisQuery("SELECT count(*) FROM habits", viewer: viewer, clock: clock).run(in: session) {
                    _ in
                    { count = $0.integer(0) }
                }
            }
            return count
        }
        #expect(try count(as: nil) == 40)
        #expect { try count(as: "u1") } throws: { ($0 as? HabitError)?.code == .formatNotAvailable }
    }

    /// A writer commits an event for each user, on all servers.
    ///
    /// A reader that begins with a lookup of one user must not see some of them in later statements.
    @Test(.clusterOnly) func readerSeesOneStateDuringCommits() throws {
        let store = try Self.filledStore()
        let isOver = Mutex(false)
        let failures = Mutex<[String]>([])
        let location = store.location
        let changesBefore = try store.engine.dataVersion()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do {
                let engine = try location.open(.write, wait: .seconds(30))
                var day = Day.first
                while !isOver.withLock({ $0 }) {
                    try engine.write { session in
                        try session.writeRecords { writer in
                            for user in Self.users { _ = try writer.write(.event("h-\(user)", day.description)) }
                        }
                    }
                    day = day.advanced(by: 1)
                }
            } catch { failures.withLock { $0.append("\(error)") } }
            done.signal()
        }
        let reader = try location.open(.read, wait: .seconds(30))
        var states: Set<Int64> = []
        for number in 0..<1000 where number < 60 || states.count < 6 {
            try reader.read { session in
                func counts(_ condition: String) throws -> [Int64] {
                    var counts: [Int64] = []
                    let sql = """
                        SELECT count(event.id)
                        FROM habit
                        LEFT JOIN event ON event.habit_id = habit.id AND event.user_id = habit.user_id
                        \(condition)
                        GROUP BY habit.id
                        """
                    try session.query(SQL(sql)) {
                        counts.append($0.integer(0))
                        return true
                    }
                    return counts
                }
                // The first statement reads one shard.
                let first = try counts("WHERE habit.user_id = 7")
                usleep(20_000)
                let all = try counts("")
                #expect(all.count == 40, "\(first) \(all)")
                #expect(Set(all) == Set(first), "\(first) \(all)")
                states.formUnion(first)
                let changes = try session.first("SELECT change FROM store") { $0.integer(0) }
                #expect(changes == changesBefore + (first.first ?? 0))
            }
        }
        isOver.withLock { $0 = true }
        done.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(states.count >= 6, "the writer has committed too rarely: \(states)")
    }

    @Test(.singleServerOnly) func databaseWithoutCitusIsRefused() throws {
        let cluster = try StoreCluster(try TestStore().engine)
        #expect(try cluster.nodes().isEmpty)
        #expect(try cluster.check().isEmpty)
        #expect { try cluster.distribute(shardCount: 8) } throws: { error in
            let error = error as? HabitError
            return error?.code == .storeUnavailable && error?.message.contains("extension citus") == true
        }
    }

    @Test(.fileStoreOnly) func fileIsRefused() throws {
        #expect { try StoreCluster(try TestStore().engine) } throws: { ($0 as? HabitError)?.code == .usage }
    }
}
