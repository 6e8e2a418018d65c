import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import Hummingbird
import NIOCore
import Synchronization

/// From a thread that renders to a response that is sent: at most four blocks of 64 KiB lie between the two.
///
/// The writing side blocks its thread where the client is slow; it is told by ``ClosedPipe`` that the client has gone.
final class BodyPipe: OutputSink, Sendable {
    /// Part of a body.
    struct Chunk: Sendable {
        var bytes: ByteBuffer
        var isLast: Bool
    }

    private static let depth = 4
    /// Until when all of it must be taken.
    private let end: DispatchTime
    private let continuation: AsyncThrowingStream<Chunk, any Error>.Continuation
    private let chunks: AsyncThrowingStream<Chunk, any Error>
    /// One that goes away with less in it than at its beginning ends the program: it begins with nothing.
    private let room = DispatchSemaphore(value: 0)
    /// Touched by the writing thread alone.
    nonisolated(unsafe) private var held: ByteBuffer?
    private let fields = Mutex(HTTPFields())

    init(deadline: Duration) {
        end = .now() + deadline / .seconds(1)
        (chunks, continuation) = AsyncThrowingStream.makeStream()
        for _ in 0..<Self.depth { room.signal() }
    }

    // MARK: The thread that renders

    /// What the answer says of itself, told before its body begins.
    func setHead(_ head: HTTPFields) { fields.withLock { $0 = head } }

    /// Holds a block back until it is known whether another one comes.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if let held { try send(Chunk(bytes: held, isLast: false)) }
        held = ByteBuffer(bytes: bytes)
    }

    func commit() throws {
        try send(Chunk(bytes: held ?? ByteBuffer(), isLast: true))
        continuation.finish()
    }

    func fail(_ error: any Error) { continuation.finish(throwing: error) }

    private func send(_ chunk: Chunk) throws {
        // A client that takes nothing for so long would keep a connection to the store from others.
        guard room.wait(timeout: end) == .success else {
            throw HabitError(.timeout, "the client has stopped reading")
        }
        if case .terminated = continuation.yield(chunk) {
            room.signal()
            throw ClosedPipe()
        }
    }

    // MARK: The response

    /// Known once ``body()`` has returned.
    var head: HTTPFields { fields.withLock { $0 } }

    /// The body, once its beginning is there: whole with its length, or as it comes.
    ///
    /// `channel` is closed where the client has not taken it all in time: nothing else ends a write that nobody reads. Throws what
    /// was thrown before the first block was full.
    func body(closing channel: any Channel) async throws -> ResponseBody {
        var iterator = chunks.makeAsyncIterator()
        guard let first = try await next(&iterator) else {
            // Cancelled: nobody waits for it any more.
            abandon()
            throw CancellationError()
        }
        if first.isLast { return ResponseBody(byteBuffer: first.bytes) }
        let rest = Rest(iterator, of: self)
        return ResponseBody { [end] (writer: inout any ResponseBodyWriter) async throws -> Void in
            let left = Int64(end.uptimeNanoseconds) - Int64(DispatchTime.now().uptimeNanoseconds)
            let timer = channel.eventLoop.scheduleTask(in: .nanoseconds(max(left, 0) + 1_000_000_000)) {
                channel.close(promise: nil)
            }
            defer { timer.cancel() }
            try await writer.write(first.bytes)
            while let chunk = try await self.next(&rest.iterator) {
                try await writer.write(chunk.bytes)
                if chunk.isLast { break }
            }
            try await writer.finish(nil)
        }
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
