import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A channel handler that sends `100 Continue` to a client that waits for it (RFC 9110, section 10.1.1).
///
/// curl waits one second and then sends the body without it. Each connection has one handler and sends its responses in
/// the order of the requests. The handler writes nothing in the middle of another response.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Whether the client waits to send the body, for each request without a complete response, oldest first.
    private var waiting: [Bool] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            waiting.append(request.waitsToSend)
            sendContinue(context)
        case .body, .end:
            if !waiting.isEmpty { waiting[waiting.count - 1] = false }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        if case .end = unwrapOutboundIn(data), !waiting.isEmpty {
            waiting.removeFirst()
            sendContinue(context)
        }
    }

    private func sendContinue(_ context: ChannelHandlerContext) {
        guard waiting.first == true else { return }
        waiting[0] = false
        let head = HTTPResponse(status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
    }
}

extension HTTPRequest {
    /// Whether the client waits for `100 Continue` and the server may read the body.
    ///
    /// The server refuses a request without a token before it reads the body. HTTP/1.0 requires no host and does not
    /// define the expectation.
    fileprivate var waitsToSend: Bool {
        let expectations = headerFields[.expect]?.split(separator: ",") ?? []
        let asks = expectations.contains { expectation in
            expectation.filter { $0 != " " }.lowercased() == "100-continue"
        }
        return asks && hasBody && headerFields[.authorization] != nil && authority != nil
    }

    private var hasBody: Bool {
        if headerFields[.transferEncoding] != nil { return true }
        guard let length = headerFields[.contentLength].flatMap({ Int($0) }) else { return false }
        return length > 0
    }
}
