import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Tells who asks before sending a body to go on (RFC 9110, section 10.1.1): curl waits a second for it, then sends unasked.
///
/// One for each connection, whose requests are answered one after the other: in the middle of an answer nothing is said.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Of each request that has no whole answer yet, the first one first: whether it waits to send its body.
    private var waiting: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            waiting.append(request.waitsToSend)
            tellFirst(context)
        case .body, .end:
            if !waiting.isEmpty { waiting[waiting.count - 1] = false }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        if case .end = unwrapOutboundIn(data), !waiting.isEmpty {
            waiting.removeFirst()
            tellFirst(context)
        }
    }

    private func tellFirst(_ context: ChannelHandlerContext) {
        guard waiting.first == true else { return }
        waiting[0] = false
        context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
}

extension HTTPRequest {
    /// Whether it asks first, and what comes next may well be wanted: whoever shows no token is refused without it. HTTP/1.0, which
    /// has no such question, has no host either.
    fileprivate var waitsToSend: Bool {
        let asks = headerFields[.expect]?.split(separator: ",").contains {
            $0.filter { $0 != " " }.lowercased() == "100-continue"
        }
        let hasBody =
            headerFields[.transferEncoding] != nil || (headerFields[.contentLength].flatMap { Int($0) } ?? 0) > 0
        return asks == true && hasBody && headerFields[.authorization] != nil && authority != nil
    }
}
