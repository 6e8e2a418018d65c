import Base
import HabitModel
import HabitTestSupport
import Synchronization
import Testing

@testable import HabitServer

/// Tests that no user delays the pictures of another user by more than one picture.
@Suite struct PictureQueueTests {
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    /// A deadline that no request reaches, even on a machine that runs a test for minutes.
    private static var later: ContinuousClock.Instant { .now + .seconds(3600) }

    @Test func requestersTakeTurnsAndHaveOneWaitingPicture() async throws {
        let queue = PictureQueue()
        let (gate, log) = (Gate(), Log())
        let (mallory, alice) = (Requester.user(1), Requester.user(2))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await queue.run(for: mallory, until: Self.later) {
                    log.add("m1")
                    gate.wait()
                }
            }
            try await waitUntil("the first picture runs") { log.all == ["m1"] }
            group.addTask { try await queue.run(for: mallory, until: Self.later) { log.add("m2") } }
            try await waitUntil("the second picture waits") { queue.waitingCount == 1 }
            // One picture runs and one waits.
            for _ in 0..<6 {
                let refused = await #expect(throws: Problem.self) {
                    try await queue.run(for: mallory, until: Self.later) { log.add("m3") }
                }
                #expect(refused?.status == .tooManyRequests)
                #expect(refused?.slug == "too-many-requests")
                #expect(refused?.headers[.retryAfter] == "1")
            }
            group.addTask { try await queue.run(for: alice, until: Self.later) { log.add("a1") } }
            try await waitUntil("the other user waits") { queue.waitingCount == 2 }
            gate.open()
            try await group.waitForAll()
        }
        // Both wait for one picture at most, although the first requester sent eight.
        #expect(log.all.first == "m1")
        #expect(Set(log.all) == ["m1", "m2", "a1"])
        #expect(log.all.count == 3)
        try await queue.shutdown()
    }

    @Test func oneRequesterWaitsForOnePictureOfEachOther() async throws {
        let queue = PictureQueue()
        let (gate, log) = (Gate(), Log())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await queue.run(for: .user(1), until: Self.later) { gate.wait() } }
            try await waitUntil("no picture waits") { queue.waitingCount == 0 }
            for number in 1...5 {
                group.addTask {
                    try await queue.run(for: .user(Int64(number) + 1), until: Self.later) { log.add("\(number)") }
                }
                try await waitUntil("the other users wait") { queue.waitingCount >= number - 1 }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(Set(log.all) == ["1", "2", "3", "4", "5"])
        try await queue.shutdown()
    }

    @Test func errorsAndDeadlinesLeaveQueueUsable() async throws {
        struct Failure: Error {}
        let queue = PictureQueue()
        await #expect(throws: Failure.self) {
            try await queue.run(for: .user(1), until: Self.later) { throw Failure() }
        }
        let late = await #expect(throws: HabitError.self) {
            try await queue.run(for: .user(1), until: .now - .seconds(1)) {}
        }
        #expect(late?.code == .timeout)
        #expect(try await queue.run(for: .user(1), until: Self.later) { 7 } == 7)
        try await queue.shutdown()
    }
}
