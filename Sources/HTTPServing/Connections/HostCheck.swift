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
        guard let host = hosts.first else {
            return isOptional(in: head.version)
        }
        return hosts.count == 1 && host.utf8.allSatisfy(isHostByte)
    }

    /// Whether a request of this version needs no Host.
    private static func isOptional(in version: HTTPVersion) -> Bool {
        (version.major, version.minor) < (1, 1)
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F...: false
        default: !",/?#@\\".utf8.contains(byte)
        }
    }
}
