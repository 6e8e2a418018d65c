import Base
import Foundation
import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore
import NIOEmbedded
import Rendering
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests how a response travels from the rendering thread to the client.
@Suite(.engineIndependent) struct BodyPipeTests {
    private static let block = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)

    private struct RenderingError: Error {}

    /// A client that counts the bytes that it receives.
    ///
    /// It is `@unchecked Sendable` because only one task uses it at a time.
    private final class Client: ResponseBodyWriter, @unchecked Sendable {
        private(set) var bytes = 0
        /// The size of the longest block.
        private(set) var longest = 0
        private(set) var isFinished = false
        /// Called before each block is received.
        var willReceive: @Sendable () async throws -> Void = {}

        func write(_ buffer: ByteBuffer) async throws {
            try await willReceive()
            bytes += buffer.readableBytes
            longest = max(longest, buffer.readableBytes)
        }

        func finish(_ trailingHeaders: HTTPFields?) { isFinished = true }
    }

    /// Returns a pipe whose limits are too high for a test to reach, even on a busy machine.
    private static func pipe(
        deadline: Duration = .seconds(3600), patience: Duration = .seconds(3600), isStream: Bool = true
    ) -> BodyPipe {
        BodyPipe(deadline: deadline, patience: patience, isStream: isStream)
    }

    /// Writes blocks on a thread of its own, as the pool does, and ends the response.
    private static func render(_ count: Int, to pipe: BodyPipe) -> Task<Void, any Error> {
        Task.detached {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                Thread {
                    continuation.resume(
                        with: Result {
                            do {
                                for _ in 0..<count { try pipe.write(block.span.bytes) }
                                try pipe.commit()
                            } catch {
                                pipe.fail(error)
                                throw error
                            }
                        })
                }.start()
            }
        }
    }

    private static func isTimeout(_ error: any Error) -> Bool { (error as? HabitError)?.code == .timeout }

    // MARK: Content length and stream

    @Test(arguments: [true, false]) func bodyOfOneBlockHasContentLength(isStream: Bool) async throws {
        let pipe = Self.pipe(isStream: isStream)
        try pipe.write("short".utf8.span.bytes)
        try pipe.commit()
        let client = Client()
        let body = try await pipe.body(closing: EmbeddedChannel())
        #expect(body.contentLength == 5)
        try await body.write(client)
        #expect(client.bytes == 5)
        #expect(client.isFinished)
    }

    @Test func bodyWithoutBlocksIsEmpty() async throws {
        let pipe = Self.pipe()
        try pipe.commit()
        #expect(try await pipe.body(closing: EmbeddedChannel()).contentLength == 0)
    }

    @Test(arguments: [true, false]) func longerBodyIsStreamedCompletely(isStream: Bool) async throws {
        let pipe = Self.pipe(isStream: isStream)
        let rendering = Self.render(20, to: pipe)
        let client = Client()
        let body = try await pipe.body(closing: NIOAsyncTestingChannel())
        #expect(body.contentLength == nil)
        try await body.write(client)
        try await rendering.value
        #expect(client.bytes == 20 * Self.block.count)
        #expect(client.isFinished)
    }

    /// A client has a limited time for each block, and a stream holds four of them.
    @Test func streamSplitsLongBytesIntoBlocks() async throws {
        let pipe = Self.pipe()
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 3 * Self.block.count + 1)
        try pipe.write(bytes.span.bytes)
        try pipe.commit()
        let client = Client()
        let body = try await pipe.body(closing: NIOAsyncTestingChannel())
        try await body.write(client)
        #expect(client.bytes == bytes.count)
        #expect(client.longest == Self.block.count)
        #expect(client.isFinished)
    }

    @Test func heldBytesAreOneBlockWithContentLength() async throws {
        let pipe = Self.pipe(isStream: false)
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 3 * Self.block.count)
        try pipe.write(bytes.span.bytes)
        try pipe.commit()
        #expect(try await pipe.body(closing: EmbeddedChannel()).contentLength == bytes.count)
    }

    @Test func headIsHeadOfRenderer() async throws {
        let pipe = Self.pipe()
        pipe.setHead([.contentType: "text/csv"])
        try pipe.commit()
        _ = try await pipe.body(closing: EmbeddedChannel())
        #expect(pipe.head == [.contentType: "text/csv"])
    }

    // MARK: Errors of the rendering thread

    @Test func errorInFirstBlockIsThrownInsteadOfBody() async throws {
        let pipe = Self.pipe()
        try pipe.write(Self.block.span.bytes)
        #expect(!pipe.hasBegun)
        pipe.fail(RenderingError())
        await #expect(throws: RenderingError.self) { try await pipe.body(closing: EmbeddedChannel()) }
    }

    @Test func errorAfterFirstBlockEndsBodyUnfinished() async throws {
        let pipe = Self.pipe()
        try pipe.write(Self.block.span.bytes)
        try pipe.write(Self.block.span.bytes)
        #expect(pipe.hasBegun)
        pipe.fail(RenderingError())
        let client = Client()
        let body = try await pipe.body(closing: NIOAsyncTestingChannel())
        await #expect(throws: RenderingError.self) { try await body.write(client) }
        #expect(client.bytes == Self.block.count)
        #expect(!client.isFinished)
    }

    @Test func responseHasBegunOnlyAfterBlockIsSent() throws {
        let pipe = Self.pipe()
        #expect(!pipe.hasBegun)
        try pipe.write(Self.block.span.bytes)
        #expect(!pipe.hasBegun, "the first block may be the last one")
        try pipe.commit()
        #expect(pipe.hasBegun)
    }

    // MARK: Slow and absent clients

    /// Writes eight blocks that no client reads.
    private static func fill(_ pipe: BodyPipe) throws {
        for _ in 0..<8 { try pipe.write(block.span.bytes) }
        try pipe.commit()
    }

    @Test func bufferedResponseDoesNotWaitForItsClient() throws {
        try Self.fill(Self.pipe(deadline: .milliseconds(50), patience: .seconds(5), isStream: false))
    }

    @Test func streamWaitsForItsClientUntilDeadline() {
        #expect {
            try Self.fill(Self.pipe(deadline: .milliseconds(50), patience: .seconds(5), isStream: true))
        } throws: {
            Self.isTimeout($0)
        }
    }

    @Test func streamOfAbandonedResponseFailsWithBrokenPipe() async throws {
        let pipe = Self.pipe()
        let rendering = Self.render(100, to: pipe)
        var body: ResponseBody? = try await pipe.body(closing: EmbeddedChannel())
        #expect(body?.contentLength == nil)
        body = nil
        await #expect(throws: BrokenPipeError.self) { try await rendering.value }
    }

    @Test func streamOfDisconnectedClientFailsWithBrokenPipe() async throws {
        let pipe = Self.pipe()
        let rendering = Self.render(100, to: pipe)
        let client = Client()
        client.willReceive = { throw ChannelError.ioOnClosedChannel }
        do {
            let body = try await pipe.body(closing: NIOAsyncTestingChannel())
            await #expect(throws: ChannelError.self) { try await body.write(client) }
        }
        await #expect(throws: BrokenPipeError.self) { try await rendering.value }
    }

    @Test func cancelledRequestEndsRenderingWithBrokenPipe() async throws {
        let pipe = Self.pipe()
        let waiting = Task { try await pipe.body(closing: EmbeddedChannel()) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        await #expect(throws: BrokenPipeError.self) { try await Self.render(100, to: pipe).value }
    }

    /// A client that needs 4 seconds for a block keeps its connection, and one that needs 6 seconds loses it.
    @Test(arguments: [(4, true), (6, false)])
    func channelClosesIfClientDoesNotAcceptBlockInTime(seconds: Int64, remainsOpen: Bool) async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        let pipe = Self.pipe(patience: .seconds(5))
        let rendering = Self.render(2, to: pipe)
        let client = Client()
        client.willReceive = { await channel.testingEventLoop.advanceTime(by: .seconds(seconds)) }
        let body = try await pipe.body(closing: channel)
        try await body.write(client)
        try await rendering.value
        #expect(channel.isActive == remainsOpen)
    }

    @Test func channelClosesShortlyAfterDeadline() async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        let pipe = Self.pipe(deadline: .seconds(3), isStream: false)
        let rendering = Self.render(2, to: pipe)
        let client = Client()
        client.willReceive = { await channel.testingEventLoop.advanceTime(by: .seconds(5)) }
        let body = try await pipe.body(closing: channel)
        try await body.write(client)
        try await rendering.value
        #expect(!channel.isActive)
    }
}
