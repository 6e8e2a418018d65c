import NIOCore
import NIOHTTP1

/// A channel handler that refuses a request without exactly one valid Host header (RFC 9112, section 3.2).
///
/// HTTP/1.0 requires no Host. The handler runs before the conversion of HTTP/1 messages, which keeps only the first
/// Host.
final class HostCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var hasFailed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        if case .head(let head) = unwrapInboundIn(data), !Self.isValid(head) {
            hasFailed = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        context.fireChannelRead(data)
    }

    private static func isValid(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        guard let host = hosts.first else { return (head.version.major, head.version.minor) < (1, 1) }
        return hosts.count == 1
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0...0x20, 0x7F..., UInt8(ascii: ","), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
                    UInt8(ascii: "@"), UInt8(ascii: "\\"):
                    false
                default: true
                }
            }
    }
}
