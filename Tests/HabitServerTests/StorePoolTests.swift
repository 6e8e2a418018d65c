import Base
import HabitModel
import HabitTestSupport
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that requests of one user do not delay those of another.
@Suite(.serialized) struct StorePoolTests {
    private static let alice = Requester.user(1)
    private static let bob = Requester.user(2)

    /// Records the names of the requests in order of execution.
    private final class Log: Sendable {
        private let state = Mutex<[String]>([])

        func append(_ name: String) { state.withLock { $0.append(name) } }
        var names: [String] { state.withLock { $0 } }
    }

    private static func pool(_ store: TestStore, readers: Int, queue: Int = 64, deadline: Duration = .seconds(600))
        throws
        -> StorePool
    {
        let location = store.location
        return try StorePool(readers: readers, queue: queue, deadline: deadline) { writes in
            try location.open(writes ? .write : .read, wait: .seconds(5))
        }
    }

    private static func waitForQueue(_ pool: StorePool, _ count: Int) async throws {
        try await waitUntil("\(count) requests wait") { pool.load.waiting >= count }
    }

    @Test func otherUserRunsWhileOneUserUsesItsShare() async throws {
        let store = try TestStore()
        defer { withExtendedLifetime(store) {} }
        let pool = try Self.pool(store, readers: 4)
        let gate = Gate()
        let attack = (0..<12).map { _ in
            Task { try await pool.read(for: Self.alice) { _ in gate.wait() } }
        }
        try await gate.reached(by: 2)
        try await Self.waitForQueue(pool, 10)
        #expect(pool.load.running == 2)
        #expect(pool.load.waiting == 10)
        let response = try await pool.read(for: Self.bob) { _ in "answered" }
        #expect(response == "answered")
        gate.open(12)
        for task in attack { try await task.value }
        #expect(pool.load.running == 0)
        #expect(pool.load.waiting == 0)
        await pool.shutdown()
    }

    @Test func waitingUsersAreServedInTurn() async throws {
        let store = try TestStore()
        defer { withExtendedLifetime(store) {} }
        let pool = try Self.pool(store, readers: 1)
        let gate = Gate()
        let order = Log()
        let holder = Task { try await pool.read(for: .server) { _ in gate.wait() } }
        try await gate.reached(by: 1)
        var tasks: [Task<Void, any Error>] = []
        for (requester, name) in [
            (Self.alice, "a1"),
            (Self.alice, "a2"),
            (Self.alice, "a3"),
            (Self.bob, "b1"),
        ] {
            tasks.append(
                Task { try await pool.read(for: requester) { _ in order.append(name) } })
            try await Self.waitForQueue(pool, tasks.count)
        }
        gate.open(1)
        try await holder.value
        for task in tasks { try await task.value }
        #expect(order.names == ["a1", "b1", "a2", "a3"])
        await pool.shutdown()
    }

    @Test func fullQueueRefusesUserWithMostWaitingRequests() async throws {
        let store = try TestStore()
        defer { withExtendedLifetime(store) {} }
        let pool = try Self.pool(store, readers: 1, queue: 3)
        let gate = Gate()
        let holder = Task { try await pool.read(for: .server) { _ in gate.wait() } }
        try await gate.reached(by: 1)
        var tasks: [Task<Bool, Never>] = []
        for count in 1...3 {
            tasks.append(Self.isRefused(pool, Self.alice))
            try await Self.waitForQueue(pool, count)
        }
        let other = Self.isRefused(pool, Self.bob)
        let newest = await tasks[2].value
        #expect(newest)
        gate.open(1)
        try await holder.value
        let others = [await tasks[0].value, await tasks[1].value, await other.value]
        #expect(others == [false, false, false])
        await pool.shutdown()
    }

    private static func isRefused(_ pool: StorePool, _ requester: Requester) -> Task<Bool, Never> {
        Task {
            do {
                try await pool.read(for: requester) { _ in }
                return false
            } catch { return error is OverloadError }
        }
    }

    /// The requests that run must begin before the deadline, also on a busy machine.
    @Test func requestLeavesQueueAfterDeadline() async throws {
        let store = try TestStore()
        defer { withExtendedLifetime(store) {} }
        let pool = try Self.pool(store, readers: 1, deadline: .seconds(10))
        let gate = Gate()
        let holder = Task { try await pool.read(for: Self.alice) { _ in gate.wait() } }
        try await gate.reached(by: 1)
        await #expect {
            try await pool.read(for: Self.bob) { _ in }
        } throws: {
            ($0 as? HabitError)?.code == .timeout
        }
        #expect(pool.load.waiting == 0)
        gate.open(1)
        _ = await holder.result
        #expect(try await pool.read(for: Self.bob) { _ in true })
        await pool.shutdown()
    }

    @Test func cancelledRequestLeavesQueue() async throws {
        let store = try TestStore()
        defer { withExtendedLifetime(store) {} }
        let pool = try Self.pool(store, readers: 1)
        let gate = Gate()
        let holder = Task { try await pool.read(for: Self.alice) { _ in gate.wait() } }
        try await gate.reached(by: 1)
        let cancelled = Task { try await pool.read(for: Self.bob) { _ in } }
        try await Self.waitForQueue(pool, 1)
        cancelled.cancel()
        _ = await cancelled.result
        #expect(pool.load.waiting == 0)
        gate.open(1)
        try await holder.value
        await pool.shutdown()
    }

    @Test(arguments: [StorePool.ReadLane.requests, .responses, .changes])
    func loadCountsReadsOnEachLane(lane: StorePool.ReadLane) async throws {
        let store = try TestStore()
        defer { withExtendedLifetime(store) {} }
        let pool = try Self.pool(store, readers: 1)
        let gate = Gate()
        let reads = (0..<2).map { _ in
            Task { try await pool.read(for: Self.alice, on: lane) { _ in gate.wait() } }
        }
        do {
            defer { gate.open(2) }
            try await gate.reached(by: 1)
            #expect(pool.load.running == 1)
            try await Self.waitForQueue(pool, 1)
            #expect(pool.load.waiting == 1)
        }
        for read in reads { try await read.value }
        #expect(pool.load.running == 0)
        #expect(pool.load.waiting == 0)
        await pool.shutdown()
    }
}
