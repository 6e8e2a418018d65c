import Base
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A channel handler that enforces the connection limits and bounds the bytes that are read after a response.
///
/// The connection is closed after a response to a request that has not been received completely: its body is not read
/// to its end. The client has two seconds to read the response. During this time up to 16 MiB are discarded, because a
/// connection that is closed while bytes arrive is reset and the response may be lost (RFC 9112, section 9.6).
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private static let closingTime = TimeAmount.seconds(2)
    private static let discardLimit = 16 << 20

    private let connections: OpenConnections
    /// Counts of requests: heads received, requests received completely, responses written.
    private var begun = 0
    private var received = 0
    private var answered = 0
    /// Whether the connection closes after the response that is being written.
    private var closesAfterResponse = false
    /// Whether the last response has been written.
    ///
    /// Later input is discarded.
    private var isClosing = false
    private var discardedBytes = 0
    /// Whether the rest of a response is dropped because another response has replaced it.
    private var isReplaced = false

    init(_ connections: OpenConnections) { self.connections = connections }

    func channelActive(context: ChannelHandlerContext) {
        let client = context.channel.remoteAddress?.ipAddress ?? "-"
        guard connections.open(context.channel, client: client) else {
            context.fireChannelActive()
            return refuse(context)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.close(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard !isClosing else { return discard(part, context) }
        switch part {
        case .head:
            begun += 1
            connections.setIdle(false, context.channel)
        case .body: break
        case .end: received += 1
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The consumer of the requests no longer reads.
        if isClosing { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isClosing { context.close(promise: nil) } else { context.fireErrorCaught(error) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // A second response, for the end of a request that already has a response.
        guard !isClosing else {
            promise?.succeed(())
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.status.kind == .informational: context.write(data, promise: promise)
        case .head(let head): write(head, to: context, promise: promise)
        case .body:
            if isReplaced { promise?.succeed(()) } else { context.write(data, promise: promise) }
        case .end:
            answered += 1
            guard closesAfterResponse else {
                if answered == begun { connections.setIdle(true, context.channel) }
                return context.write(data, promise: promise)
            }
            isReplaced = false
            close(context, after: data, promise: promise)
        }
    }

    private func write(
        _ head: HTTPResponse,
        to context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
    ) {
        var head = head
        closesAfterResponse = received <= answered
        if closesAfterResponse { head.headerFields[.connection] = "close" }
        guard begun <= answered else {
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        }
        // No request is pending: the parser has rejected the input.
        isReplaced = true
        write(Self.invalidRequest, to: context, promise: promise)
    }

    // MARK: Responses without a request

    private static let invalidRequest = Problem(
        .badRequest,
        slug: ErrorCode.usage,
        detail: "this is not a valid HTTP/1.1 request: send one Host header, valid header fields and the complete body")

    private static let tooMany = Problem(
        .serviceUnavailable,
        slug: ErrorCode.busy,
        detail: "too many connections are open: try again in a second",
        headers: [.retryAfter: "1"])

    private func write(
        _ problem: Problem,
        to context: ChannelHandlerContext,
        promise: EventLoopPromise<Void>?
    ) {
        let message = problem.message
        context.write(wrapOutboundOut(.head(message.head)), promise: nil)
        context.write(wrapOutboundOut(.body(message.body)), promise: promise)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        write(Self.tooMany, to: context, promise: nil)
        isClosing = true
        // Closes immediately, because refused connections do not count toward the limits.
        let channel = context.channel
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.whenComplete { _ in channel.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    // MARK: Closing

    private func discard(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        guard case .body(let bytes) = part else { return }
        discardedBytes += bytes.readableBytes
        if discardedBytes > Self.discardLimit { context.close(promise: nil) }
    }

    private func close(
        _ context: ChannelHandlerContext,
        after end: NIOAny,
        promise: EventLoopPromise<Void>?
    ) {
        isClosing = true
        connections.setIdle(true, context.channel)
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        written.futureResult.whenSuccess {
            channel.close(mode: .output, promise: nil)
            bound.value.read()
            channel.eventLoop.scheduleTask(in: Self.closingTime) { channel.close(promise: nil) }
        }
        context.writeAndFlush(end, promise: written)
    }
}

extension Problem {
    /// The response's head and body, for a connection that closes after the response.
    fileprivate var message: (head: HTTPResponse, body: ByteBuffer) {
        let body = ByteBuffer(bytes: document.bytes)
        var head = HTTPResponse(status: status, headerFields: headerFields)
        head.headerFields[.contentLength] = String(body.readableBytes)
        head.headerFields[.connection] = "close"
        return (head, body)
    }
}
