import Base
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Rendering
import Synchronization

/// A pipe that carries a response from the rendering thread to the connection that sends it.
///
/// A stream holds at most four blocks of 64 KiB and blocks the rendering thread while the client is slow. Any other
/// response is held completely, so that its client does not delay a thread. If a client does not accept a block within
/// `patience`, its connection is closed and the rendering thread gets ``BrokenPipeError``.
package final class BodyPipe: OutputSink, Sendable {
    /// Part of a body.
    package struct Chunk: Sendable {
        package var bytes: ByteBuffer
        package var isLast: Bool
    }

    private typealias Chunks = AsyncThrowingStream<Chunk, any Error>

    private static let depth = 4
    /// The time by which the client must have accepted the complete response.
    private let end: DispatchTime
    /// Maximum time in which the client must accept a block.
    private let patience: Duration
    private let isStream: Bool
    private let continuation: Chunks.Continuation
    private let chunks: Chunks
    /// The number of free blocks of a stream.
    ///
    /// A semaphore that is deallocated with a lower value than its initial value terminates the process. The initial
    /// value is therefore zero, and the initializer signals once for each block.
    private let room = DispatchSemaphore(value: 0)
    /// The newest block, which is not sent yet.
    ///
    /// Only the rendering thread accesses it.
    nonisolated(unsafe) private var held: ByteBuffer?
    /// Whether a block has been sent, so that an error can no longer become the response.
    ///
    /// The rendering thread writes it. Other code may read it after that thread has finished.
    package nonisolated(unsafe) private(set) var hasBegun = false
    private let fields = Mutex(HTTPFields())

    package init(deadline: Duration, patience: Duration, isStream: Bool) {
        end = .now() + deadline / .seconds(1)
        self.patience = patience
        self.isStream = isStream
        let stream = Chunks.makeStream()
        chunks = stream.stream
        continuation = stream.continuation
        for _ in 0..<Self.depth { room.signal() }
    }

    // MARK: Rendering thread

    /// Sets the header fields of the response.
    ///
    /// The renderer calls this method before it writes the body.
    package func setHead(_ head: HTTPFields) {
        fields.withLock { fields in fields = head }
    }

    /// Holds the block until it is known whether another block follows, and sends the previous block.
    ///
    /// A stream splits the bytes into blocks of at most 64 KiB.
    package func write(_ bytes: RawSpan) throws {
        let size = isStream ? OutputBuffer.flushSize : max(bytes.byteCount, 1)
        for begin in stride(from: 0, to: bytes.byteCount, by: size) {
            let end = min(begin + size, bytes.byteCount)
            if let held { try send(Chunk(bytes: held, isLast: false)) }
            held = bytes.extracting(begin..<end).withUnsafeBytes { bytes in ByteBuffer(bytes: bytes) }
        }
    }

    package func commit() throws {
        try send(Chunk(bytes: held ?? ByteBuffer(), isLast: true))
        continuation.finish()
    }

    package func fail(_ error: any Error) {
        continuation.finish(throwing: error)
    }

    private func send(_ chunk: Chunk) throws {
        // A client that does not read would otherwise block a store connection that other requests need.
        guard !isStream || room.wait(timeout: end) == .success else {
            throw HabitError(.timeout, "the client has stopped reading")
        }
        if case .terminated = continuation.yield(chunk) {
            room.signal()
            throw BrokenPipeError()
        }
        hasBegun = true
    }

    // MARK: Response

    /// The header fields of the response.
    ///
    /// They are complete after ``body(closing:)`` has returned.
    package var head: HTTPFields {
        fields.withLock { fields in fields }
    }

    /// Waits for the first block and returns the body.
    ///
    /// A body that fits into one block has a content length. A longer body is streamed.
    ///
    /// - Parameter channel: The client's channel. It is closed if the client does not accept a block within `patience`,
    ///   or the response within the deadline, because nothing else ends a write to a client that does not read.
    /// - Returns: The body of the response.
    /// - Throws: The error of the rendering thread if the thread fails before the first block is full, and
    ///   `CancellationError`.
    package func body(closing channel: any Channel) async throws -> ResponseBody {
        var iterator = chunks.makeAsyncIterator()
        guard let first = try await next(&iterator) else {
            // The task is cancelled: no client waits for the response.
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

    /// Schedules the closing of `channel` at the end of the client's time for a block.
    ///
    /// Cancel the result to prevent it.
    private func closeLater(_ channel: any Channel) -> Scheduled<Void> {
        let now = DispatchTime.now()
        let left = Int64(end.uptimeNanoseconds) - Int64(now.uptimeNanoseconds)
        let untilEnd = TimeAmount.nanoseconds(max(left, 0)) + .seconds(1)
        let delay = min(TimeAmount(patience), untilEnd)
        return channel.eventLoop.scheduleTask(in: delay) { channel.close(promise: nil) }
    }

    /// Notifies the rendering thread that the client no longer reads, even if the thread waits for a free block.
    private func abandon() {
        continuation.finish()
        room.signal()
    }

    private func next(_ iterator: inout Chunks.AsyncIterator) async throws -> Chunk? {
        let chunk = try await iterator.next()
        room.signal()
        return chunk
    }

    /// The blocks that are not sent yet.
    ///
    /// Deallocating the object abandons the pipe.
    ///
    /// It is `@unchecked Sendable` because a body is written once and only one task uses the object at a time.
    private final class Rest: @unchecked Sendable {
        var iterator: Chunks.AsyncIterator
        private let pipe: BodyPipe

        init(_ iterator: Chunks.AsyncIterator, of pipe: BodyPipe) {
            self.iterator = iterator
            self.pipe = pipe
        }

        deinit { pipe.abandon() }
    }
}
