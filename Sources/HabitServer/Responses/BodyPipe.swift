import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import Hummingbird
import NIOCore
import Rendering
import Synchronization

/// Carries a response from the thread that renders it to the connection that sends it.
///
/// A stream holds at most four blocks of 64 KiB and blocks the rendering thread while the client is slow. Any other response is
/// held completely, so that its client delays no thread. A client that takes no block for `patience` loses its connection, and
/// the rendering thread gets ``ClosedPipe``.
final class BodyPipe: OutputSink, Sendable {
    /// Part of a body.
    struct Chunk: Sendable {
        var bytes: ByteBuffer
        var isLast: Bool
    }

    private static let depth = 4
    /// The time by which the client must have taken the complete response.
    private let end: DispatchTime
    /// The time within which the client must take a block.
    private let patience: Duration
    private let isStream: Bool
    private let continuation: AsyncThrowingStream<Chunk, any Error>.Continuation
    private let chunks: AsyncThrowingStream<Chunk, any Error>
    /// One that goes away with less in it than at its beginning ends the program: it begins with nothing.
    private let room = DispatchSemaphore(value: 0)
    /// Touched by the writing thread alone.
    nonisolated(unsafe) private var held: ByteBuffer?
    /// Whether a block has been sent, so that no error can become the response. For the writing thread, and after it.
    nonisolated(unsafe) private(set) var hasBegun = false
    private let fields = Mutex(HTTPFields())

    init(deadline: Duration, patience: Duration, isStream: Bool) {
        end = .now() + deadline / .seconds(1)
        (self.patience, self.isStream) = (patience, isStream)
        (chunks, continuation) = AsyncThrowingStream.makeStream()
        for _ in 0..<Self.depth { room.signal() }
    }

    // MARK: The thread that renders

    /// What the answer says of itself, told before its body begins.
    func setHead(_ head: HTTPFields) { fields.withLock { $0 = head } }

    /// Holds a block back until it is known whether another one comes.
    func write(_ bytes: RawSpan) throws {
        if let held { try send(Chunk(bytes: held, isLast: false)) }
        held = bytes.withUnsafeBytes { ByteBuffer(bytes: $0) }
    }

    func commit() throws {
        try send(Chunk(bytes: held ?? ByteBuffer(), isLast: true))
        continuation.finish()
    }

    func fail(_ error: any Error) { continuation.finish(throwing: error) }

    private func send(_ chunk: Chunk) throws {
        // A client that takes nothing for so long would keep a connection to the store from others.
        guard !isStream || room.wait(timeout: end) == .success else {
            throw HabitError(.timeout, "the client has stopped reading")
        }
        if case .terminated = continuation.yield(chunk) {
            room.signal()
            throw ClosedPipe()
        }
        hasBegun = true
    }

    // MARK: The response

    /// Known once ``body()`` has returned.
    var head: HTTPFields { fields.withLock { $0 } }

    /// The body, once its beginning is there: whole with its length, or as it comes.
    ///
    /// Closes `channel` if the client does not take a block within `patience`, or the response within the deadline: nothing else
    /// ends a write that the client does not read.
    ///
    /// - Throws: the error of the rendering thread, if it fails before the first block is full.
    func body(closing channel: any Channel) async throws -> ResponseBody {
        var iterator = chunks.makeAsyncIterator()
        guard let first = try await next(&iterator) else {
            // Cancelled: nobody waits for it any more.
            abandon()
            throw CancellationError()
        }
        if first.isLast { return ResponseBody(byteBuffer: first.bytes) }
        let rest = Rest(iterator, of: self)
        return ResponseBody { (writer: inout any ResponseBodyWriter) async throws -> Void in
            var next: Chunk? = first
            while let chunk = next {
                do {
                    let timer = self.closeLater(channel)
                    defer { timer.cancel() }
                    try await writer.write(chunk.bytes)
                }
                next = chunk.isLast ? nil : try await self.next(&rest.iterator)
            }
            try await writer.finish(nil)
        }
    }

    /// Closes `channel` when the client's time for a block is over, unless the timer is cancelled.
    private func closeLater(_ channel: any Channel) -> Scheduled<Void> {
        let left = Int64(end.uptimeNanoseconds) - Int64(DispatchTime.now().uptimeNanoseconds)
        let delay = min(TimeAmount(patience), .nanoseconds(max(left, 0) + 1_000_000_000))
        return channel.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }

    /// The writing side is told that nobody reads any more, also while it waits for room.
    private func abandon() {
        continuation.finish()
        room.signal()
    }

    private func next(_ iterator: inout AsyncThrowingStream<Chunk, any Error>.AsyncIterator) async throws -> Chunk? {
        let chunk = try await iterator.next()
        room.signal()
        return chunk
    }

    /// What is not sent yet; it goes away with the body, sent or not.
    ///
    /// Used by one task at a time, which the compiler cannot see: a body is written once.
    private final class Rest: @unchecked Sendable {
        var iterator: AsyncThrowingStream<Chunk, any Error>.AsyncIterator
        private let pipe: BodyPipe

        init(_ iterator: AsyncThrowingStream<Chunk, any Error>.AsyncIterator, of pipe: BodyPipe) {
            self.iterator = iterator
            self.pipe = pipe
        }

        deinit { pipe.abandon() }
    }
}
