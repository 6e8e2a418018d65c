import Base
import HabitModel
import HabitTestSupport
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that no user delays the pictures of another user by more than one picture.
@Suite(.engineIndependent) struct PictureDecoderTests {
    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])

        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    @Test func requestersTakeTurnsAndHaveOneWaitingPicture() async throws {
        let decoder = PictureDecoder(deadline: .seconds(3600))
        let gate = Gate()
        let log = Log()
        let mallory = Requester.user(1)
        let alice = Requester.user(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await decoder.decoding(for: mallory) {
                    log.add("m1")
                    gate.wait()
                }
            }
            try await waitUntil("the first picture runs") { log.all == ["m1"] }
            group.addTask { try await decoder.decoding(for: mallory) { log.add("m2") } }
            try await waitUntil("the second picture waits") { decoder.waitingCount == 1 }
            // One picture runs and one waits.
            for _ in 0..<6 {
                let refused = await #expect(throws: Problem.self) {
                    try await decoder.decoding(for: mallory) { log.add("m3") }
                }
                #expect(refused?.status == .tooManyRequests)
                #expect(refused?.slug == "too-many-requests")
                #expect(refused?.headers[.retryAfter] == "1")
            }
            group.addTask { try await decoder.decoding(for: alice) { log.add("a1") } }
            try await waitUntil("the other user waits") { decoder.waitingCount == 2 }
            gate.open()
            try await group.waitForAll()
        }
        // Both wait for one picture at most, although the first requester sent eight.
        #expect(log.all.first == "m1")
        #expect(Set(log.all) == ["m1", "m2", "a1"])
        #expect(log.all.count == 3)
        try await decoder.shutdown()
    }

    @Test func oneRequesterWaitsForOnePictureOfEachOther() async throws {
        let decoder = PictureDecoder(deadline: .seconds(3600))
        let gate = Gate()
        let log = Log()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await decoder.decoding(for: .user(1)) { gate.wait() } }
            try await gate.reached(by: 1)
            for number in 1...5 {
                group.addTask {
                    try await decoder.decoding(for: .user(Int64(number) + 1)) { log.add("\(number)") }
                }
                try await waitUntil("the other users wait") { decoder.waitingCount == number }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(Set(log.all) == ["1", "2", "3", "4", "5"])
        try await decoder.shutdown()
    }

    /// A browser requests all photos of a page at the same time.
    @Test func copiesOfRequesterWaitAndTakeTurnsWithOthers() async throws {
        let decoder = PictureDecoder(deadline: .seconds(3600))
        let gate = Gate()
        let log = Log()
        let alice = Requester.user(1)
        let bob = Requester.user(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await decoder.decoding(for: alice, as: .copy) {
                    log.add("first")
                    gate.wait()
                }
            }
            try await waitUntil("the first copy runs") { log.all == ["first"] }
            for number in 1...32 {
                group.addTask { try await decoder.decoding(for: alice, as: .copy) { log.add("alice") } }
                try await waitUntil("the copy waits") { decoder.waitingCount == number }
            }
            let refused = await #expect(throws: Problem.self) {
                try await decoder.decoding(for: alice, as: .copy) {}
            }
            #expect(refused?.status == .tooManyRequests)
            // An upload of the same person and a copy for another person do not wait for all copies.
            group.addTask { try await decoder.decoding(for: alice) { log.add("upload") } }
            try await waitUntil("the upload waits") { decoder.waitingCount == 33 }
            group.addTask { try await decoder.decoding(for: bob, as: .copy) { log.add("bob") } }
            try await waitUntil("the other requester waits") { decoder.waitingCount == 34 }
            gate.open()
            try await group.waitForAll()
        }
        #expect(log.all.count == 35)
        #expect(log.all.prefix(4).contains("upload"), "\(log.all)")
        #expect(log.all.prefix(4).contains("bob"), "\(log.all)")
        try await decoder.shutdown()
    }

    @Test func errorsAndDeadlinesLeaveQueueUsable() async throws {
        struct Failure: Error {}
        let decoder = PictureDecoder(deadline: .seconds(3600))
        await #expect(throws: Failure.self) {
            try await decoder.decoding(for: .user(1)) { throw Failure() }
        }
        let late = PictureDecoder(deadline: .seconds(-1))
        let timeout = await #expect(throws: HabitError.self) {
            try await late.decoding(for: .user(1)) {}
        }
        #expect(timeout?.code == .timeout)
        try await late.shutdown()
        #expect(try await decoder.decoding(for: .user(1)) { 7 } == 7)
        try await decoder.shutdown()
    }
}
