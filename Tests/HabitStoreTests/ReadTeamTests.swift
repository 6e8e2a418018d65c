import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Synchronization
import Testing

/// Tests of connections that read one state of the store on several threads.
@Suite struct ReadTeamTests {
    private static func team(_ store: TestStore, helpers: Int) throws -> ReadTeam {
        func open() throws -> any Engine {
            try store.location.open(.read, wait: .seconds(5), analyst: TestServer.analyst(of: store.location))
        }
        return ReadTeam(try open(), helpers: try (0..<helpers).map { _ in try open() })
    }

    private static func users(_ session: any Session) throws -> Int64 {
        try session.first("SELECT count(*) FROM account") { $0.integer(0) } ?? 0
    }

    @Test(arguments: [0, 1, 3])
    func resultsAreInOrderOfTasks(helpers: Int) throws {
        let store = try TestStore()
        try store.write([.user("a")])
        var results: [Int] = []
        try Self.team(store, helpers: helpers).read { session, crew in
            try crew.run(300, in: session) { index, session in
                if index % 7 == 0 { usleep(2000) }
                let count = try Self.users(session)
                #expect(count == 1)
                return { results.append(index) }
            }
        }
        #expect(results == Array(0..<300))
    }

    /// Another connection writes during the tasks.
    ///
    /// All tasks read the state from before the writes. Most tasks begin after the first write, because the number of
    /// results in memory is limited.
    @Test func tasksReadOneState() throws {
        let store = try TestStore()
        try store.write([.user("a")])
        var counts: Set<Int64> = []
        try Self.team(store, helpers: 2).read { session, crew in
            try crew.run(60, in: session) { index, session in
                let count = try Self.users(session)
                return {
                    counts.insert(count)
                    if index % 10 == 0 { try store.write([.user("u\(index)")]) }
                }
            }
        }
        #expect(counts == [1])
    }

    @Test func errorOfFirstFailingTaskIsThrown() throws {
        let store = try TestStore()
        var results: [Int] = []
        #expect {
            try Self.team(store, helpers: 2).read { session, crew in
                try crew.run(50, in: session) { index, _ in
                    if index >= 20 { throw HabitError(.internal, "task \(index)") }
                    return { results.append(index) }
                }
            }
        } throws: {
            ($0 as? HabitError)?.message == "task 20"
        }
        #expect(results == Array(0..<20))
    }

    /// The statements of the later tasks end only when they are interrupted.
    @Test(.timeLimit(.minutes(8))) func failureInterruptsLaterTasks() throws {
        let store = try TestStore()
        let endless =
            TestServer.isUsed
            ? "SELECT CAST(pg_sleep(600) AS TEXT)"
            : "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT CAST(sum(n) AS TEXT) FROM c"
        let hasLaterTask = Mutex(false)
        #expect {
            try Self.team(store, helpers: 2).read { session, crew in
                #expect(crew.isTeam)
                try crew.run(6, in: session) { index, session in
                    if index > 1 {
                        hasLaterTask.withLock { $0 = true }
                        try session.query(SQL(endless)) { _ in true }
                    }
                    if index == 1 {
                        try blockUntil("a later task has begun") { hasLaterTask.withLock { $0 } }
                        throw HabitError(.internal, "task 1")
                    }
                    return {}
                }
            }
        } throws: {
            ($0 as? HabitError)?.message == "task 1"
        }
    }

    /// The number of results in memory is limited.
    @Test func tasksDoNotRunFarAhead() throws {
        let store = try TestStore()
        let begun = Mutex(0)
        try Self.team(store, helpers: 1).read { session, crew in
            try crew.run(100, in: session) { index, _ in
                begun.withLock { $0 = max($0, index) }
                return {
                    if index == 0 { usleep(50_000) }
                    #expect(begun.withLock { $0 } <= index + 4 + 1)
                }
            }
        }
    }

    /// The first task takes longer than all others.
    ///
    /// Meanwhile, the other threads run tasks until two results for each thread are in memory.
    @Test func tasksRunDuringLongTask() throws {
        let store = try TestStore()
        let ended = Mutex(0)
        try Self.team(store, helpers: 1).read { session, crew in
            #expect(crew.isTeam)
            try crew.run(8, in: session) { index, _ in
                if index == 0 {
                    try blockUntil("other tasks have ended") { ended.withLock { $0 } == 4 }
                    #expect(ended.withLock { $0 } == 4)
                }
                ended.withLock { $0 += 1 }
                return {}
            }
        }
    }

    /// Another connection writes after the first transaction has begun and before each other transaction begins.
    ///
    /// PostgreSQL has snapshots with names. Files and clusters do not, so that only the first connection reads them.
    @Test(arguments: [false, true])
    func writeBetweenBeginningsIsNotRead(isForSQLOfUsers: Bool) throws {
        let store = try TestStore()
        let begun = Mutex(0)
        func transaction(
            _ engine: any Engine, at snapshot: () throws -> String?, _ body: (any Session) throws -> Void
        ) throws {
            func writing() throws -> String? {
                let name = try snapshot()
                let count = begun.withLock {
                    $0 += 1
                    return $0
                }
                if (count - 1) % 3 > 0 { try store.write([.user("u\(count)")]) }
                return name
            }
            if isForSQLOfUsers {
                try engine.analyze(as: .operator, clock: Clock(now: .now), at: writing, body)
            } else {
                try engine.read(at: writing, body)
            }
        }
        var counts: Set<Int64> = []
        var isTeam = false
        try Self.team(store, helpers: 2).read(transaction) { session, crew in
            isTeam = crew.isTeam
            try crew.run(20, in: session) { _, session in
                let count = try Self.users(session)
                return { counts.insert(count) }
            }
        }
        #expect(isTeam == (TestServer.isUsed && !TestServer.isCluster))
        #expect(counts == [isTeam ? 0 : 6])
    }
}
